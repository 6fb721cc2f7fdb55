#!/usr/bin/env python3
"""What studies from Python cost: a run beside the command's, sweeps on threads and on Dask, how soon Ctrl-C ends them.

    $(PROFILE=release tools/python_env) tools/bench_python_studies.py [run sweep dask ctrl_c]

RUNS=200 makes fewer runs on Dask than 2 000.

Times are the least of several, in turn, so that a busy machine spoils few. The command is that of the same package.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

import bristle as br

warnings.simplefilter("ignore")

COMMAND = [sys.executable, "-m", "bristle._command"]
PATH = "contact.base.friction.bristle_damping"
CUBE = br.Scenario.from_file("cube-30deg")


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def report(name, value, unit):
    print(f"{name:56}{value:10.4g} {unit}")


def run():
    """A run and the integration in it: what is not integration is overhead, of the package and of the command."""
    own, theirs = [], []
    for _ in range(15):
        start = time.perf_counter()
        made = br.Scenario.from_file("cube-30deg").run()
        made["body.cube.position.x"].sum()
        own.append(time.perf_counter() - start - made.summary["wall_s"])
        with tempfile.TemporaryDirectory() as folder:
            words = ["run", "cube-30deg", "--quiet", "--no-plots", "--out", f"{folder}/out"]
            begin = time.perf_counter()
            subprocess.run([*COMMAND, *words], check=True, stderr=subprocess.DEVNULL)
            theirs.append(time.perf_counter() - begin - made.summary["wall_s"])
    report("a run, beside its integration", 1e3 * min(own), "ms")
    report("the command (with its process and files)", 1e3 * min(theirs), "ms")


def sweep():
    """10 000 runs of some milliseconds, from Python and by the command, in turn."""
    cube = CUBE.set("simulation.end_time", 0.05)
    values = np.linspace(5.0, 50.0, 10_000)
    own, theirs = [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            jobs = os.cpu_count()
            own.append(seconds(lambda: br.sweep(cube, {PATH: values}, jobs=jobs, out=f"{folder}/own")))
            words = ["sweep", "cube-30deg", "--set", "simulation.end_time=0.05", "--vary", f"{PATH}=5:50:10000"]
            words += ["--jobs", str(jobs), "--quiet", "--no-plots", "--out", f"{folder}/command"]
            command = [*COMMAND, *words]
            theirs.append(seconds(lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL)))
    report("10 000 short runs from Python", min(own), "s")
    report("by the command", min(theirs), "s")
    report("Python over the command", min(own) / min(theirs), "")


def dask():
    """2 000 runs of 50 ms on two workers: how much of both processors goes into runs.

    On a busy machine only processor times tell: those of the workers beside those of a run alone.
    """
    from distributed import Client, LocalCluster

    cube = CUBE.set({"simulation.integrator.max_step": 2.5e-3})
    count, workers = int(os.environ.get("RUNS", "2000")), 2
    values = np.linspace(5.0, 50.0, count)
    begin, some = processor_time(), 40
    one = seconds(lambda: br.sweep(cube, {PATH: values[:some]}, jobs=1)) / some
    work = (processor_time() - begin) / some
    # both processors at work may be slower than one alone: what runs cost there, without any network
    both = seconds(lambda: br.sweep(cube, {PATH: values[:100]}, jobs=workers)) * workers / 100
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        br.sweep(cube, {PATH: values[:8]}, executor=client)
        before, begin = client.run(processor_time), processor_time()
        wall = seconds(lambda: br.sweep(cube, {PATH: values}, executor=client))
        after, end = client.run(processor_time), processor_time()
    used = sum(after[name] - before[name] for name in after)
    report("a run alone on one thread", 1e3 * one, "ms")
    report("a run beside another on threads", 1e3 * both, "ms")
    report(f"{count} runs on {workers} Dask workers", wall, "s")
    report("efficiency by a run alone", count * one / workers / wall, "")
    report("efficiency by a run beside another", count * both / workers / wall, "")
    report("processor time of a run alone", 1e3 * work, "ms")
    report("of a run on Dask, in the workers", 1e3 * used / count, "ms")
    report("of a run on Dask, in client and scheduler", 1e3 * (end - begin) / count, "ms")


def processor_time():
    """Of this process, s."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def until_stopped(function):
    """The time from Ctrl-C to the exception, s."""
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.5, interrupt)
    timer.start()
    try:
        function()
    except br.Stopped:
        return time.perf_counter() - sent[0]
    raise RuntimeError("it ended before it was stopped")


def ctrl_c():
    """The longest of ten."""
    t = np.arange(60_000) * 1e-3
    v = 0.1 * np.sin(6.0 * t)
    record = br.Record(t, velocity=v, force=3.0 * np.tanh(v / 1e-3), load=10.0)
    long = CUBE.set("simulation.end_time", 1e5)
    values = np.linspace(5.0, 50.0, 20_000)
    for name, function in {
        "a run": long.run,
        "a fit": lambda: br.identify(record, "lugre", profile=True),
        "a sweep": lambda: br.sweep(CUBE, {PATH: values}),
        "a sweep of long runs": lambda: br.sweep(long, {PATH: values[:9]}),
        "a comparison": lambda: long.compare(["lugre", "gkf"]),
    }.items():
        report(f"from Ctrl-C to the end of {name}", max(until_stopped(function) for _ in range(10)), "s")


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    known = {function.__name__: function for function in (run, sweep, dask, ctrl_c)}
    for name in sys.argv[1:] or known:
        known[name]()


if __name__ == "__main__":
    main()
