#!/usr/bin/env python3
"""Time and memory of `bristle check` over the size of a machine.

    tools/bench_check.py [--bristle target/release/bristle]

Prints a row for each kind of machine and size: chains of bodies, contacts, springs and errors. All
should grow in proportion.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time

HEAD = 'title = "Large"\n[simulation]\nend_time = 0.1\noutput_step = 0.1\n'
MASS = "mass = 1\ninertia = [0.1, 0.1, 0.1]\n"
BODY = f'{HEAD}[body.b]\njoint = "free"\n{MASS}position = [0, 0, 1]\n'


def chain(n):
    bodies = (
        f'[body.b{i}]\njoint = "revolute"\naxis = [0, 1, 0]\nposition = [1, 0, 0]\n{MASS}'
        + (f'parent = "b{i - 1}"\n' if i else "")
        for i in range(n)
    )
    return HEAD + "".join(bodies)


def contacts(n):
    return BODY + "".join(
        f'[contact.c{i}]\npoints = {{ body = "b", at = [[{i}, 0, 0]] }}\n'
        'normal = { law = "kelvin_voigt", stiffness = 1e5 }\n'
        'friction = { law = "coulomb_tanh", mu_k = 0.1, v_r = 1e-3 }\n'
        for i in range(n)
    )


def springs(n):
    return BODY + "".join(
        f'[spring.s{i}]\nfrom = {{ body = "b" }}\nto = {{ point = [{i}, 0, 0] }}\nstiffness = 1\n'
        for i in range(n)
    )


def errors(n):
    return BODY + "".join(f"unknown{i} = 1\n" for i in range(n))


def sections(n):
    return HEAD + "".join(f"[unknown{i}]\nx = 1\n" for i in range(n))


def measured(program, text):
    """Seconds and MiB of one check."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        start = time.perf_counter()
        child = os.fork()
        if child == 0:
            with open(os.devnull, "wb") as nothing:
                subprocess.run([program, "check", path], stdout=nothing, stderr=nothing, check=False)
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            os._exit(min(most >> 12, 255))
        status = os.waitpid(child, 0)[1]
        return time.perf_counter() - start, 4 * os.waitstatus_to_exitcode(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bristle", default="target/release/bristle")
    program = parser.parse_args().bristle
    print(f"{'machine':<10} {'size':>6} {'s':>7} {'MiB':>5}")
    for kind, sizes in [
        (chain, (500, 1000, 2000)),
        (contacts, (2500, 5000, 10_000)),
        (springs, (2500, 5000, 10_000)),
        (errors, (2500, 5000, 10_000)),
        (sections, (2500, 5000, 10_000)),
    ]:
        for size in sizes:
            seconds, mebibytes = measured(program, kind(size))
            print(f"{kind.__name__:<10} {size:>6} {seconds:>7.2f} {mebibytes:>5}", flush=True)


if __name__ == "__main__":
    main()
