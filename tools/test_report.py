#!/usr/bin/env python3
"""Opens a report page in a real browser and checks what a reader would do with it.

    tools/test_report.py DIR [--shots DIR] [--quick]

DIR is a folder that `bristle run`, `compare`, `sweep`, `characterise` or `identify` wrote with `--report`.
The page is opened from file:// in headless Chromium. Checked: no request to any network and no message on the console; the cursor of a plot shows the value
that stands in results.csv; dragging zooms all plots over time, and a double click shows all again; the
animation moves the bodies and its picture; space plays; the colours change; tables sort; nothing is wider
than a narrow window. Frames per second are measured and told. Needs Chromium and Playwright for Python
(apt-get install chromium; pip install playwright); without them it says so and passes.
"""

import argparse
import csv
import json
import pathlib
import re
import shutil
import sys
import time

PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "m": 1e-3, "µ": 1e-6, "n": 1e-9, "p": 1e-12}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


def browser_path():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    skip("there is no Chromium (apt-get install chromium)")


def number(text, unit):
    """The value in SI of a text such as '12.3 mN'."""
    figure, _, shown = text.replace("−", "-").replace("\u00a0", " ").partition(" ")
    prefix = shown[: len(shown) - len(unit)] if shown.endswith(unit) else ""
    return float(figure) * PREFIXES.get(prefix, 1.0)


class Page:
    def __init__(self, browser, path, **options):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda m: m.type in ("error", "warning") and not harmless(m.text)
                     and self.complaints.append(f"console: {m.text}"))
        self.page.on("pageerror", lambda e: self.complaints.append(f"error: {e}"))
        self.page.on("request", lambda r: r.url.startswith(("file:", "data:"))
                     or self.complaints.append(f"request: {r.url}"))
        self.page.goto(path.resolve().as_uri())
        self.page.wait_for_function("bristle.stage === undefined || bristle.stage.frames > 0 || !bristle.data.scene")

    def show(self, selector):
        self.page.locator(selector).first.scroll_into_view_if_needed()
        self.page.wait_for_timeout(500)


def harmless(text):
    # software rendering tells that it is slow
    return "GPU stall" in text or "swiftshader" in text.lower() or "WebGL-0x" in text


def check(condition, what):
    if not condition:
        raise AssertionError(what)
    print(f"  ok  {what}")


def cursor(view, rows):
    """The cursor at a moment shows the values of that row."""
    page = view.page
    view.show("[data-chart]:not(.path)")
    index = int(page.locator("[data-chart]:not(.path)").first.get_attribute("data-chart"))
    chart = page.evaluate(f"bristle.data.charts[{index}]")
    box = page.locator(f'[data-chart="{index}"] .u-over').bounding_box()
    page.mouse.move(box["x"] + 0.62 * box["width"], box["y"] + 0.5 * box["height"])
    page.wait_for_timeout(300)
    shown = page.locator(f'[data-chart="{index}"] .u-value').all_inner_texts()
    t = number(shown[0], "s")
    # the time is shown with five digits: the row is the nearest one
    row = min(rows, key=lambda r: abs(float(r["t"]) - t))
    check(abs(float(row["t"]) - t) < 1e-4 * max(abs(t), 1.0), f"the cursor is at a row, t = {shown[0]}")
    for curve, text in zip(chart["curves"], shown[1:]):
        name = page.evaluate(f"bristle.data.columns[{curve['y']}].name")
        value = float(row[name])
        close = abs(number(text, curve["unit"]) - value) <= 2e-4 * abs(value) + 1e-12
        check(close, f"{name} at t = {row['t']} s: shown {text}, in results.csv {value:.6g}")
    others = page.locator("[data-chart]:not(.path) .u-value").all_inner_texts()
    check(others.count(shown[0]) > 1 or page.locator(".uplot").count() < 2, "the other plots point to the same moment")


def zoom_path(view):
    """A plot that is not over time: dragging zooms it, and a double click shows all again."""
    page = view.page
    view.show("[data-chart]")
    index = int(page.locator("[data-chart]").first.get_attribute("data-chart"))
    span = f"(() => {{ const s = bristle.page.charts.get({index}).scales.x; return s.max - s.min; }})()"
    box = page.locator(f'[data-chart="{index}"] .u-over').bounding_box()
    whole, y = page.evaluate(span), box["y"] + 0.4 * box["height"]
    page.mouse.move(box["x"] + 0.3 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], y + 0.3 * box["height"], steps=5)
    page.mouse.up()
    page.wait_for_timeout(300)
    check(page.evaluate(span) < 0.6 * whole, "dragging zooms a plot")
    page.mouse.dblclick(box["x"] + 0.5 * box["width"], y)
    page.wait_for_timeout(300)
    check(abs(page.evaluate(span) / whole - 1) < 0.02, "a double click shows all again")


def table(view):
    """A click on the head of a column sorts a table."""
    page = view.page
    grids = page.locator("table.grid")
    if not grids.count():
        return
    grid = grids.first
    if grid.locator("tbody tr").count() < 2:
        return
    first = lambda: [row.strip() for row in grid.locator("tbody tr td:first-child").all_inner_texts()]
    before = first()
    grid.locator("th").first.scroll_into_view_if_needed()
    head = grid.locator("th button, th").first
    head.click()
    page.wait_for_timeout(150)
    once = first()
    head.click()
    page.wait_for_timeout(150)
    check(sorted(once) == sorted(before) and once == first()[::-1], "a click on a head sorts a table, another one backwards")


def zoom(view):
    page = view.page
    index = int(page.locator("[data-chart]:not(.path)").first.get_attribute("data-chart"))
    box = page.locator(f'[data-chart="{index}"] .u-over').bounding_box()
    span = f"(() => {{ const s = bristle.page.charts.get({index}).scales.x; return s.max - s.min; }})()"
    whole = page.evaluate(span)
    y = box["y"] + 0.4 * box["height"]
    page.mouse.move(box["x"] + 0.3 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], y, steps=5)
    page.mouse.up()
    page.wait_for_timeout(300)
    part = page.evaluate(span)
    check(abs(part / whole - 0.2) < 0.03, f"dragging over a fifth of a plot shows {part / whole:.3f} of it")
    spans = page.evaluate("[...bristle.page.charts.values()].filter((u) => u.mode === 1).map((u) => u.scales.x.max - u.scales.x.min)")
    visible = sum(abs(s - part) < 1e-9 * whole for s in spans)
    check(visible >= min(2, len(spans)), f"{visible} of {len(spans)} plots zoomed together; the others follow when seen")
    page.mouse.dblclick(box["x"] + 0.5 * box["width"], y)
    page.wait_for_timeout(300)
    check(abs(page.evaluate(span) - whole) < 1e-9 * whole, "a double click shows all again")
    page.locator(f'[data-chart="{index}"] .u-wrap').focus()
    page.keyboard.press("+")
    page.wait_for_timeout(200)
    check(page.evaluate(span) < whole, "the key + zooms too")
    page.keyboard.press("0")
    page.wait_for_timeout(200)


def drawn(page, work):
    """Does something that changes the stage, and waits until it is drawn."""
    frames = page.evaluate("bristle.stage.frames")
    page.evaluate(work)
    page.wait_for_function(f"bristle.stage.frames > {frames}", timeout=10000)


def animation(view):
    page = view.page
    view.show("#stage .view")
    drawn(page, "bristle.clock.setTime(0.5 * bristle.clock.end)")
    drawn(page, "bristle.clock.setTime(bristle.clock.start)")
    places = "JSON.stringify(bristle.stage.world.bodies.map((b) => [...b.group.position.toArray(), ...b.group.quaternion.toArray()]))"
    first, picture = page.evaluate(places), page.locator("#stage .view").screenshot()
    drawn(page, "bristle.clock.setTime(bristle.clock.end)")
    check(page.evaluate(places) != first, "the bodies move")
    check(page.locator("#stage .view").screenshot() != picture, "the picture changes")
    page.evaluate("bristle.clock.setTime(bristle.clock.start)")
    page.locator("#stage .view").focus()
    page.keyboard.press(" ")
    page.wait_for_timeout(1500)
    check(page.evaluate("bristle.clock.t > bristle.clock.start"), "space plays")
    page.keyboard.press(" ")
    stopped = page.evaluate("bristle.clock.t")
    page.wait_for_timeout(300)
    check(page.evaluate("bristle.clock.t") == stopped, "space stops")


COUNT = """(work) => new Promise((done) => {
  const start = performance.now(); let frames = 0;
  const step = () => { frames++; work && eval(work);
    if (performance.now() - start < 2500) requestAnimationFrame(step); else done(1000 * frames / (performance.now() - start)); };
  requestAnimationFrame(step); })"""


def plot_rates(view):
    """Frames per second while all plots over time are zoomed, and while the page is scrolled."""
    page = view.page
    told = {"idle": page.evaluate(COUNT, None)}
    if page.locator("[data-chart]").count():
        view.show("[data-chart]")
        wave = "const c = bristle.clock, f = 0.55 + 0.4 * Math.sin(frames / 20), m = 0.5 * (c.start + c.end), h = 0.5 * f * (c.end - c.start); c.setSpan(m - h, m + h);"
        told["zoom"] = page.evaluate(COUNT, wave)
        page.evaluate("bristle.clock.setSpan(null)")
    page.evaluate("window.scrollTo(0, 0)")
    told["scroll"] = page.evaluate(COUNT, "window.scrollBy({ top: 8, behavior: 'instant' })")
    return told


def animation_rate(view):
    page = view.page
    view.show("#stage .view")
    page.evaluate("bristle.clock.setTime(bristle.clock.start); bristle.stage.ui.toggle()")
    page.evaluate(COUNT, None)  # the picture adapts to a computer without a graphics card
    rate = page.evaluate(COUNT, None)
    page.evaluate("bristle.stage.ui.playing && bristle.stage.ui.toggle()")
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path, help="write screenshots into this folder")
    parser.add_argument("--quick", action="store_true", help="do not measure frames per second")
    arguments = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("there is no Playwright for Python (pip install playwright)")
    chromium = browser_path()
    path = arguments.folder / "report.html"
    rows = []
    if (arguments.folder / "results.csv").exists():
        with open(arguments.folder / "results.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        start = time.monotonic()
        view = Page(browser, path, viewport={"width": 1360, "height": 900}, color_scheme="light", offline=True)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, open after {time.monotonic() - start:.1f} s")
        if rows:
            cursor(view, rows)
            zoom(view)
        elif view.page.locator("[data-chart]").count():
            zoom_path(view)
        table(view)
        if view.page.evaluate("!!bristle.data.scene"):
            animation(view)
        if view.page.evaluate("!!bristle.data.scene") and not arguments.quick:
            print(f"  frames per second of the animation, drawn by the processor: {animation_rate(view):.0f}")
        ground = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        view.page.evaluate("window.scrollTo(0, 0)")
        for _ in range(2):
            view.page.locator("#theme").click()
        check(view.page.evaluate("getComputedStyle(document.body).backgroundColor") != ground, "the colours change")
        check(not view.complaints, f"no request and no complaint {json.dumps(view.complaints)}")
        narrow = Page(browser, path, viewport={"width": 360, "height": 740}, color_scheme="dark", offline=True)
        wide = narrow.page.evaluate("document.documentElement.scrollWidth")
        check(wide <= 360, f"a window of 360 pixels is wide enough ({wide})")
        inks = [narrow.page.evaluate(f"{event}; getComputedStyle(document.body).color")
                for event in ("0", "dispatchEvent(new Event('beforeprint'))", "dispatchEvent(new Event('afterprint'))")]
        check(inks[0] == inks[2] != inks[1] and max(map(int, re.findall(r"\d+", inks[1]))) < 128,
              f"on paper ink is dark where the screen is ({inks[1]})")
        check(not narrow.complaints, "no complaint in the narrow window")
        if arguments.shots:
            arguments.shots.mkdir(parents=True, exist_ok=True)
            narrow.page.screenshot(path=arguments.shots / "narrow-dark.png")
            view.page.screenshot(path=arguments.shots / "wide.png")
        browser.close()
        if not arguments.quick:
            # an emulated graphics card makes plots slower than none: they are measured without
            plain = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-gpu-compositing"])
            told = plot_rates(Page(plain, path, viewport={"width": 1360, "height": 900}, offline=True))
            plain.close()
            print("  frames per second: " + ", ".join(f"{name} {rate:.0f}" for name, rate in told.items()))
    print("the page works")


if __name__ == "__main__":
    main()
