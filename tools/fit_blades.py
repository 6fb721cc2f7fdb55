"""Which layout of the three blades fits what Colantonio et al. 2022, section 5, print?

The plan of the blades, the height of the tie-boss and the times of the sweep are not printed. This
runs `bristle` over them in two stages: joined frequencies and the forces at which the contacts
begin to slip for all layouts, then the swept sine with both laws for the best of these. Every
layout keeps the first frequency of one blade at 53.3 Hz. All printed numbers count at once; the
tables are those of docs/validation/blades.md.

    python3 tools/fit_blades.py [--bristle target/release/bristle] [--jobs 2] [--quick]
"""

import argparse
import csv
import json
import math
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
EXAMPLES = HERE / "examples"
HALF_TIEBOSS, HALF_TIP = 12.25, 17.5
SETTLED = 1.5
TIP = "body.centre_tip.position.x"

# printed: value, and the distance that counts as one unit of the score
STILL = {
    "joined 1 [Hz]": (127.0, 6.0),
    "joined 2 [Hz]": (239.0, 12.0),
    "joined 3 [Hz]": (329.0, 16.0),
    "LuGre slips at [N]": (2.5, 0.4),
    "GKF slips at [N]": (2.5, 0.4),
}
SWEPT = {
    "LuGre peak [s]": (6.0, 0.3),
    "LuGre peak [Hz]": (54.5, 1.0),
    "GKF peak [s]": (6.0, 0.3),
    "LuGre v_st factor": (4.0, 1.5),
    "log10 GKF v_st factor": (math.log10(40), 0.3),
    "LuGre energy [J]": (0.15, 0.05),
    "GKF energy [J]": (0.12, 0.05),
}
# start and duration of the sweep, s: 55 Hz at 6 s leaves one of them free
SWEEPS = [(0.0, 10.0), (1.0, 8.0), (2.0, 6.5)]


def bristle(*arguments):
    done = subprocess.run([ARGS.bristle, *arguments], capture_output=True, text=True)
    if not done.stdout.strip():
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def layout(l1, l2, angle, normal):
    """Options that place tie-boss and tip (mm), turn the side blades and the contacts (deg)."""
    tieboss = l1 + HALF_TIEBOSS
    tip = tieboss + HALF_TIEBOSS + l2 + HALF_TIP
    x, y = math.sin(math.radians(normal)), math.cos(math.radians(normal))
    return [
        f"part.blade.body.tieboss.position=[0, 0, {tieboss * 1e-3}]",
        f"part.blade.body.tip.position=[0, 0, {tip * 1e-3}]",
        f'place.left.orientation.angle="{-angle} deg"',
        f'place.right.orientation.angle="{angle} deg"',
        f'body.left_face.orientation.angle="{angle} deg"',
        f'body.right_face.orientation.angle="{-angle} deg"',
        f"contact.left.plane.normal=[{x}, {-y}, 0]",
        f"contact.right.plane.normal=[{x}, {y}, 0]",
    ]


def options(sets):
    return [word for s in sets for word in ("--set", s)]


def frequencies(l1, l2):
    found = bristle("modes", str(EXAMPLES / "blade.toml"), "--json", "--count", "3",
                    *options(layout(l1, l2, 0, 0)[:2]))
    return [mode["frequency"] for mode in found["modes"]]


def length_of_tip(l1):
    """The upper length that keeps the first frequency at 53.3 Hz, by bisection."""
    low, high = 20.0, 160.0
    for _ in range(24):
        middle = 0.5 * (low + high)
        if frequencies(l1, middle)[0] > 53.3:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


GKF = ("{ law = \"gkf\", static_coefficient = 0.5, kinetic_coefficient = 0.3, "
       "stribeck_velocity = 3e-3, regularisation_velocity = 3e-4 }")


def law(name, stribeck=3e-3):
    sides = ("left", "right")
    if name == "gkf":
        text = GKF.replace("3e-3", repr(stribeck))
        return [f"contact.{side}.friction={text}" for side in sides]
    return [f"contact.{side}.friction.stribeck_velocity={stribeck}" for side in sides]


def run(file, sets):
    """Summary of a run, with the time and size of the largest tip motion."""
    method = f'{{ method = "newmark", max_step = "0.5 ms", tolerance = {ARGS.tolerance} }}'
    sets = [*sets, f"simulation.integrator={method}", "expect=[]"]
    with tempfile.TemporaryDirectory() as out:
        summary = bristle("run", str(EXAMPLES / file), "--json", "--quiet", "--no-plots",
                          "--out", out, *options(sets))
        with (Path(out) / "results.csv").open() as lines:
            rows = csv.DictReader(lines)
            motion = [(float(row["t"]), float(row[TIP])) for row in rows]
    start = motion[0][1]
    # without load at the beginning the blade swings freely for a moment
    motion = [point for point in motion if point[0] > SETTLED]
    time, place = max(motion, key=lambda point: abs(point[1] - start))
    return summary, time, abs(place - start)


def first_slip(summary):
    times = [c["first_slip_time"] for c in summary["contacts"].values()]
    times = [t for t in times if t is not None]
    return 5 * (min(times) - 0.2) / 1.6 if times else math.nan


def stand(case):
    """Joined frequencies, and the forces at which the contacts begin to slip."""
    sets = layout(*case)
    joined = bristle("modes", str(EXAMPLES / "blades-sim1.toml"), "--json", "--count", "3",
                     "--as-given", "--contacts", "stuck", *options(sets))
    found = {f"joined {i + 1} [Hz]": m["frequency"] for i, m in enumerate(joined["modes"])}
    for name, label in (("lugre", "LuGre"), ("gkf", "GKF")):
        summary, _, _ = run("blades-sim1.toml", sets + law(name))
        found[f"{label} slips at [N]"] = first_slip(summary)
    return found


def sweep(case, times):
    """The swept sine with both laws, and with a Stribeck velocity of 0.01 m/s."""
    start, duration = times
    chirp = (f'{{ chirp = {{ amplitude = "2 N", start_frequency = "30 Hz", end_frequency = "80 Hz", '
             f'start = {start}, duration = {duration}, sweep = "logarithmic" }} }}')
    sets = [*layout(*case), f"force.excitation.magnitude={chirp}",
            f"simulation.end_time={start + duration}", 'simulation.output_step="0.5 ms"']
    found = {}
    for name, label in (("lugre", "LuGre"), ("gkf", "GKF")):
        summary, time, size = run("blades-sim2.toml", sets + law(name))
        _, _, less = run("blades-sim2.toml", sets + law(name, 0.01))
        found[f"{label} peak [s]"] = time
        found[f"{label} peak [Hz]"] = 30 * (80 / 30) ** ((time - start) / duration)
        found[f"{label} peak [um]"] = size * 1e6
        found[f"{label} v_st factor"] = size / less
        found[f"log10 {label} v_st factor"] = math.log10(size / less)
        found[f"{label} energy [J]"] = sum(c["dissipated"] for c in summary["contacts"].values())
    return found


def score(found, printed):
    """Root of the mean square distance; what is missing counts as three units off."""
    parts = [((found[name] - value) / unit) ** 2 for name, (value, unit) in printed.items()]
    return math.sqrt(sum(9.0 if math.isnan(p) else min(p, 25.0) for p in parts) / len(parts))


def table(rows, heads, printed):
    print("| " + " | ".join(["L1 [mm]", "L2 [mm]", "angle", "normal", "sweep", *heads, "score"]) + " |")
    print("|" + "---|" * (len(heads) + 6))
    values = [f"{printed[h][0]:.4g}" if h in printed else "" for h in heads]
    print("| printed | | | | | " + " | ".join(values) + " | |")
    for (l1, l2, angle, normal), times, found in sorted(rows, key=lambda r: score(r[2], printed)):
        numbers = " | ".join(f"{found[h]:.4g}" for h in heads)
        when = "" if times is None else f"{times[0]:g} to {sum(times):g} s"
        print(f"| {l1} | {l2:.2f} | {angle:g} | {normal:g} | {when} | {numbers} "
              f"| {score(found, printed):.2f} |", flush=True)
    print()


def main():
    heights = [98.5] if ARGS.quick else [95.0, 98.5, 102.0, 106.0]
    angles = [30.0, 45.0] if ARGS.quick else [25.0, 30.0, 37.0, 45.0, 60.0]
    normals = [0.0] if ARGS.quick else [0.0, 20.0]
    cases = []
    for l1 in heights:
        l2 = length_of_tip(l1)
        print(f"# L1 {l1} mm, L2 {l2:.2f} mm: one blade",
              " ".join(f"{f:.1f}" for f in frequencies(l1, l2)), "Hz", flush=True)
        cases += [(l1, l2, angle, normal) for angle in angles for normal in normals]
    with ThreadPoolExecutor(ARGS.jobs) as pool:
        standing = dict(zip(cases, pool.map(stand, cases)))
        table([(case, None, found) for case, found in standing.items()], list(STILL), STILL)
        best = sorted(cases, key=lambda case: score(standing[case], STILL))[: ARGS.best]
        pairs = [(case, SWEEPS[1]) for case in best]
        swept = list(pool.map(lambda pair: sweep(*pair), pairs))
        printed = STILL | SWEPT
        rows = [(case, times, standing[case] | found) for (case, times), found in zip(pairs, swept)]
        rows.sort(key=lambda row: score(row[2], printed))
        # when the sweep starts and ends, for the best of them
        pairs = [(row[0], times) for row in rows[:2] for times in (SWEEPS[0], SWEEPS[2])]
        swept = list(pool.map(lambda pair: sweep(*pair), pairs))
        rows += [(case, times, standing[case] | found) for (case, times), found in zip(pairs, swept)]
    table(rows, [*printed, "LuGre peak [um]", "GKF peak [um]"], printed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bristle", default=str(HERE / "target/release/bristle"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--best", type=int, default=6, help="layouts that are swept")
    parser.add_argument("--tolerance", type=float, default=1e-4,
                        help="of the runs; whether a contact breaks loose needs 1e-4")
    parser.add_argument("--quick", action="store_true")
    ARGS = parser.parse_args()
    main()
