#!/usr/bin/env python3
"""How soon an interactive chart is ready, and how long its frames take: 10^5 bars on 1000 hosts, one run and two.

pages_bench.py [--bars N] [--hosts N] [--cores N] [--repeat N] [--browser NAME] [FILE ...]

"ready" is the time from navigation to the first drawn picture. A frame is one of 60 steps that zoom from everything to
2 % of the time and 5 % of the lanes, and then pan: "painting" is what the page computes in it, "frame" the time until the
browser asks for the next. Goals: ready 500 ms, frame 17 ms in the median and below 80 ms at worst.
"""
import argparse
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "support"))
import browser as browsers  # noqa: E402
import sample_page  # noqa: E402

FRAMES = """(async () => {
  const chart = pageCharts[0], pane = chart.panes[0], frames = [], paints = [];
  const next = () => new Promise(done => requestAnimationFrame(done));
  const [from, to] = chart.fullTime(pane);
  const paint = chart.paint;
  chart.paint = function () { const began = performance.now(); paint.call(this); paints.push(performance.now() - began); };
  await next(); await next();
  let before = performance.now();
  for (let step = 0; step < 60; ++step) {
    const zoomed = Math.min(1, step / 29), span = (to - from) * 0.02 ** zoomed, share = 0.05 ** zoomed;
    const at = step < 30 ? 0.3 : 0.3 + (step - 30) * 0.002, lane = step < 30 ? 0.3 : 0.3 + (step - 30) * 0.005;
    const t0 = from + (to - from) * at - span * 0.3, f0 = lane - share * 0.3;
    pane.setView({ t0, t1: t0 + span, f0, f1: f0 + share });
    await next();
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  chart.paint = paint;
  chart.searchBox.value = 't1';
  let began = performance.now();
  chart.search();
  const search = performance.now() - began;
  began = performance.now();
  chart.paint();
  const hits = performance.now() - began;
  return { frames, paints, search, hits, bars: chart.panes.map(each => each.run.bars) };
})()"""

WHOLE = """(async () => {
  const chart = pageCharts[0], whole = [];
  for (let step = 0; step < 20; ++step) {  // everything in view, each time from the beginning
    chart.panes[0].home();
    const began = performance.now();
    chart.paint();
    whole.push(performance.now() - began);
    await new Promise(done => requestAnimationFrame(done));
  }
  return whole;
})()"""


def quantiles(values):
    values = sorted(values)
    return "%5.1f %5.1f %6.1f" % (values[len(values) // 2], values[int(len(values) * 0.95)], values[-1])


def processor_time(browser):
    """Chromium tells the time that its main thread has worked, in ms; on a busy machine it says more than the clock."""
    if browser.name != "chromium":
        return float("nan")
    found = {one["name"]: one["value"] for one in browser.call("Performance.getMetrics")["metrics"]}
    return found["ThreadTime"] * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="pages to measure in place of invented ones")
    for name, value in (("bars", 100000), ("hosts", 1000), ("cores", 1), ("repeat", 3)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--browser", choices=list(browsers.PROGRAMS))
    given = parser.parse_args()
    names = [name for name in browsers.available() if given.browser in (None, name)]
    if not names:
        print("skipped: there is no browser that can be driven")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        files = given.files
        if not files:
            files = [os.path.join(folder, "%d_run%s.html" % (runs, "s" if runs > 1 else "")) for runs in (1, 2)]
            for runs, path in zip((1, 2), files):
                with open(path, "w", encoding="utf-8") as out:
                    out.write(sample_page.sample(given.bars, given.hosts, given.cores, runs, rows=10))
        print("milliseconds (those of Chromium's main thread): until ready | median, 95 % and worst of frames | of painting | of painting "
              "everything | search | painting with hits")
        for path in files:
            for name in names:
                for _ in range(given.repeat):
                    with browsers.open_browser(name) as browser:
                        browser.size(1200, 900)
                        if name == "chromium":
                            browser.call("Performance.enable", timeDomain="threadTicks")
                        browser.open(path)
                        ready = browser.evaluate("(performance.getEntriesByName('ready')[0] || { startTime: NaN }).startTime")
                        own = processor_time(browser)
                        found = browser.evaluate(FRAMES)
                        before = processor_time(browser)
                        whole = browser.evaluate(WHOLE)
                        each = (processor_time(browser) - before) / len(whole)
                        print("%-12s %-8s ready %4.0f (%3.0f) | %s | %s | %s (%3.0f) | %3.0f | %3.0f" % (
                            os.path.basename(path), name, ready, own, quantiles(found["frames"]), quantiles(found["paints"]),
                            quantiles(whole), each, found["search"], found["hits"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
