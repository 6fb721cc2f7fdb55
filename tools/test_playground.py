#!/usr/bin/env python3
"""Opens the page of `bristle laws --page` in a real browser and does what a reader would do with it.

    tools/test_playground.py PAGE.html BRISTLE [--shots DIR]

BRISTLE is the command. Checked: no request to any network and no message on the console; moving a slider changes
the curve; for every law of the catalogue all pictures are there, and the forces of the motions agree with
`bristle drive` for the same law file and motion to 1e-9 of the largest force; a bad value is answered in words; the
colours change; nothing is wider than a narrow window. Needs Chromium and Playwright for Python (apt-get install chromium;
pip install playwright); without them it says so and passes.
"""

import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

AGREEMENT = 1e-9


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


def check(condition, what):
    if not condition:
        raise AssertionError(what)
    print(f"  ok  {what}")


def settled(page):
    """Waits until the curves of the last change are drawn, those that wait for the slider to rest too."""
    page.wait_for_timeout(300)
    count = None
    while count != (now := page.evaluate("document.documentElement.dataset.shown")):
        count = now
        page.wait_for_timeout(250)


def curve(page, picture):
    return page.evaluate(f"Array.from(bristle.playground.results['{picture}'].curves[0].y)")


def driven(command, folder, law, motion):
    (folder / "law.toml").write_text(law, encoding="utf-8")
    (folder / "motion.csv").write_text(motion, encoding="utf-8")
    done = subprocess.run([command, "drive", "motion.csv", "--law", "law.toml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"bristle drive: {done.stderr}")
    return [float(row["F"]) for row in csv.DictReader(done.stdout.splitlines())]


def slider(page):
    """The first slider of the law moves its curves."""
    before = {p: curve(page, p) for p in ("velocity", "presliding", "break-away")}
    text = page.evaluate("bristle.playground.lawFile()")
    dial = page.locator("#parameters input[type=range]").first
    dial.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    settled(page)
    check(page.evaluate("bristle.playground.lawFile()") != text, "a slider changes the law file")
    moved = [p for p, old in before.items() if curve(page, p) != old]
    check("presliding" in moved, f"a slider changes the curves: {', '.join(moved)}")


def law(page, command, name):
    """All pictures of a law, and its forces beside those of the command."""
    page.evaluate(f"bristle.playground.choose('{name}')")
    settled(page)
    shown = page.evaluate("Object.keys(bristle.playground.results)")
    failed = page.locator(".failed").all_inner_texts()
    worst = 0.0
    for picture in page.evaluate("Object.entries(bristle.playground.results).filter(([, r]) => r.motion).map(([id]) => id)"):
        with tempfile.TemporaryDirectory() as folder:
            text = page.evaluate("bristle.playground.lawFile()")
            motion = page.evaluate(f"bristle.playground.motionFile('{picture}')")
            expected = driven(command, pathlib.Path(folder), text, motion)
        own = page.evaluate(f"Array.from(bristle.playground.results['{picture}'].motion.F)")
        assert len(own) == len(expected) > 100, picture
        # a law without damping has no force at rest at all
        size = max(max(abs(f) for f in expected), 1e-3)
        worst = max(worst, max(abs(a - b) for a, b in zip(own, expected)) / size)
    check(worst <= AGREEMENT, f"{name}: {len(shown)} pictures, forces of bristle drive to {worst:.1e} {failed or ''}")
    return shown


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("page", type=pathlib.Path)
    arguments.add_argument("command", type=pathlib.Path)
    arguments.add_argument("--shots", type=pathlib.Path)
    given = arguments.parse_args()
    command = str(given.command.resolve())
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("there is no Playwright for Python (pip install playwright)")
    paths = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    browser_path = next((path for path in paths if path), None) or skip("there is no Chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        page = context.new_page()
        complaints = []
        page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(f"console: {m.text}"))
        page.on("pageerror", lambda e: complaints.append(f"error: {e}"))
        page.on("request", lambda r: r.url.startswith(("file:", "data:", "blob:")) or complaints.append(f"request: {r.url}"))
        page.goto(given.page.resolve().as_uri())
        page.wait_for_function("document.documentElement.dataset.shown > 1")
        settled(page)
        if given.shots:
            shots(page, given.shots)
        slider(page)
        names = page.evaluate("bristle.playground.cards().map((card) => card.name)")
        check(len(names) > 20, f"{len(names)} laws")
        for name in names:
            shown = law(page, command, name)
            assert len(shown) >= 3, f"{name}: {shown}"
        refused(page)
        narrow(page)
        check(not complaints, f"no complaint: {complaints[:3]}")
        browser.close()
    print("all well")


def refused(page):
    """A number that the law refuses is answered in words."""
    field = page.locator("#parameters input[type=text]").first
    field.fill("-1")
    settled(page)
    text = page.locator("#notices").inner_text()
    check("-1" in text.replace("−", "-"), f"a bad value is refused: {text[:80]}")
    page.locator("#reset").click()
    settled(page)
    check(page.locator("#notices").inner_text() == "", "reset takes it back")


def narrow(page):
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_timeout(400)
    wide = page.evaluate("document.documentElement.scrollWidth")
    check(wide <= 400, f"a window of 400 pixels: {wide}")


def shots(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / "wide.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(400)
    page.screenshot(path=folder / "dark.png", full_page=True)
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_timeout(400)
    page.screenshot(path=folder / "narrow.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1400, "height": 1000})
    settled(page)


if __name__ == "__main__":
    main()
