#!/usr/bin/env python3
"""What holds for pages in each browser of this machine; pages_test.sh calls this. Exit status 77: there is no browser.

pages_in_browsers.py [BROWSER ...]
"""
import os
import signal
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import browser as browsers  # noqa: E402
import sample_page  # noqa: E402

failures = 0
PANES = ".pane:nth-of-type(%d)"
CANVAS = ".pane canvas"


def holds(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED: %s" % (what,), flush=True)


def same(value, expected, what):
    holds(value == expected, "%s: %r, expected %r" % (what, value, expected))


def view(browser, pane=0):
    browser.settle()
    return browser.evaluate("(({ from, to, top, bottom }) => [from, to, top, bottom].map(Number))"
                            "(document.querySelectorAll('.pane')[%d].dataset)" % pane)


def pixel(browser, x, y, pane=0):
    return browser.evaluate("[...pageCharts[0].panes[%d].context.getImageData(%d, %d, 1, 1).data].slice(0, 3)" % (pane, x, y))


def bar_place(browser, bar, pane=0):
    """The middle of a bar in the window."""
    return browser.evaluate("""(() => { const pane = pageCharts[0].panes[%d]; pane.canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
        const box = pane.boxOf(%d, pane.geometry()), at = pane.canvas.getBoundingClientRect();
        return [at.left + (box[0] + box[2]) / 2, at.top + (box[1] + box[3]) / 2]; })()""" % (pane, bar))


def hostile_page(browser, path):
    browser.open(path)
    name = sample_page.HOSTILE[0]
    same(browser.text(".pane h4"), name, "the title of a run")
    holds(name in browser.text(".legend"), "a name in the legend")
    holds(browser.text("figure.table tbody td") == name, "a name in a table")
    same(browser.evaluate("document.querySelectorAll('img').length"), 0, "pictures in the page")
    same(browser.evaluate("document.scripts.length"), 5, "scripts in the page")  # four of data, one of code
    browser.click("input[placeholder^=name]")
    browser.keys("onerror=")
    browser.wait_for("document.querySelector('.search .count').textContent.length > 0", "the count of hits")
    browser.keys("Enter")
    browser.settle()
    holds(name in browser.text(".pane .tell"), "a name in what is told: " + str(browser.text(".pane .tell")))
    browser.evaluate("pageCharts[0].panes[0].canvas.focus()")
    browser.keys("Enter")
    browser.settle()
    same(browser.text(".details dd bdi"), name, "a name in the details")
    same(browser.evaluate("document.querySelectorAll('img').length"), 0, "pictures in the page after a search")


def chart_page(browser, path):
    browser.open(path)
    start = view(browser)
    same(start[2:], [0, 1], "all lanes are in view")
    holds("bars narrower than a pixel" in browser.text(".notes").lower(), "the rule of bars drawn together")
    label = browser.evaluate("document.querySelector('canvas').getAttribute('aria-label')")
    holds("2,100 bars" in label and "21 lanes" in label, "the label of the canvas: " + label)

    # Keys; views are locked together.
    browser.evaluate("document.querySelector('canvas').focus()")
    browser.keys("+", "+", "]")
    zoomed = view(browser)
    holds(zoomed[1] - zoomed[0] < 0.6 * (start[1] - start[0]), "+ zooms")
    holds(zoomed[3] - zoomed[2] < 0.8, "] makes lanes higher")
    same(view(browser, 1), zoomed, "the other view is locked to it")
    browser.keys("ArrowRight", "ArrowDown")
    moved = view(browser)
    holds(moved[0] > zoomed[0] and moved[2] > zoomed[2], "arrow keys move")
    browser.keys("Home")
    same(view(browser), start, "Home shows everything")

    # The wheel, after focus, with Ctrl and without focus; a page that is not meant scrolls.
    x, y = browser.place(CANVAS)
    browser.wheel(x, y, -300)
    browser.wait_for("Number(document.querySelector('.pane').dataset.to) - Number(document.querySelector('.pane').dataset.from) < %f"
                     % (0.9 * (start[1] - start[0])), "the wheel zooms")
    browser.keys("Home")
    browser.settle()
    browser.evaluate("document.activeElement.blur()")
    browser.wheel(x, y, -200, ctrl=True)
    browser.wait_for("Number(document.querySelector('.pane').dataset.to) - Number(document.querySelector('.pane').dataset.from) < %f"
                     % (0.95 * (start[1] - start[0])), "Ctrl and wheel zoom")
    browser.evaluate("pageCharts[0].panes[0].home()")
    browser.settle()
    browser.drag((x, y), (x + 60, y + 5), shift=True)
    boxed = view(browser)
    holds(boxed[1] - boxed[0] < 0.2 * (start[1] - start[0]), "a box zooms")
    same(boxed[2:], [0, 1], "a flat box is one of time")
    browser.drag((x, y), (x - 100, y))
    holds(view(browser)[0] > boxed[0], "dragging moves")
    browser.click((x, y), count=2)
    browser.evaluate("document.querySelector('canvas').focus()")
    browser.keys("Home")
    same(view(browser), start, "Home after dragging")

    if hasattr(browser, "touch"):
        browser.touch([(x - 20, y)], [(x - 20, y), (x + 20, y)], *[[(x - by, y), (x + by, y)] for by in (30, 50, 80, 120)])
        pinched = view(browser)
        holds(pinched[1] - pinched[0] < 0.5 * (start[1] - start[0]), "two fingers zoom")
        browser.touch([(x, y)], *[[(x - by, y)] for by in (10, 30, 60)])
        holds(view(browser)[0] > pinched[0], "a finger moves")
        browser.evaluate("pageCharts[0].panes[0].home()")

    # Search.
    browser.click("input[placeholder^=name]")
    browser.keys("t77")
    browser.wait_for("document.querySelector('input[placeholder^=name]').value === 't77'", "typing")
    browser.settle()
    names = browser.evaluate("pageCharts[0].panes.map(pane => Array.from(pane.run.work).filter(work => work < pane.run.names.length && "
                             "pane.run.names[work].includes('t77')).length)")
    same(browser.text(".search .count"), "%d and %d hits" % tuple(names), "the count of hits")
    same(browser.data(".pane", "hits"), str(names[0]), "hits of the first run")
    browser.keys("Enter")
    browser.settle()
    holds(browser.text(".pane .tell").startswith("hit 1 of %d: t77" % names[0]), "the first hit: " + browser.text(".pane .tell"))
    browser.evaluate("document.querySelector('canvas').focus()")
    browser.keys("n")
    holds(browser.text(".pane .tell").startswith("hit 2 of"), "n goes on")
    browser.keys("p", "p")
    holds(browser.text(".pane .tell").startswith("hit %d of" % names[0]), "p goes back, around")
    browser.settle()
    hit = browser.evaluate("pageCharts[0].panes[0].hitBars[pageCharts[0].panes[0].hitAt]")
    same(browser.data(".pane", "selected"), str(hit), "the details follow the hits")
    same(browser.text(".details dd bdi"), browser.evaluate("barName(pageCharts[0].panes[0].run, %d)" % hit), "the details of a hit")
    browser.evaluate("pageCharts[0].panes[0].home()")
    place = bar_place(browser, hit)
    for _ in range(3):
        browser.click("button[aria-label='zoom in']")
    browser.settle()
    holds(max(abs(one - other) for one, other in zip(place, bar_place(browser, hit))) < 3, "a zoom keeps the selected bar in its place")
    browser.evaluate("pageCharts[0].panes[0].home(), document.querySelector('canvas').focus()")
    told = browser.text(".details")
    for word in ("t77", "started", "ended", "took", "user", " s"):
        holds(word in told, "the details tell %s: %s" % (word, told))
    browser.keys("l")
    browser.settle()
    holds("t" in browser.text(".pane .tell"), "l goes to the next bar")
    browser.keys("Escape")
    browser.settle()
    same(browser.data(".pane", "selected"), "-1", "Escape lets go")
    browser.evaluate("(() => { const box = pageCharts[0].searchBox; box.value = 'state:lost'; box.dispatchEvent(new Event('input')); })()")
    lost = browser.evaluate("(({ dictionaries, bars }) => { let sum = 0; for (let i = 0; i < bars; ++i) sum += dictionaries.state.of[i] === 1; return sum; })"
                            "(pageCharts[0].panes[0].run)")
    browser.settle()
    same(browser.data(".pane", "hits"), str(lost), "hits of a state")
    browser.evaluate("(() => { const box = pageCharts[0].searchBox; box.value = ''; box.dispatchEvent(new Event('input')); })()")

    # A click on a bar with parents and a why.
    bar = browser.evaluate("""(() => { const { run } = pageCharts[0].panes[0]; const longest = [...Array(run.bars).keys()].filter(bar =>
        run.whys.has(run.work[bar]) && run.lane[bar] < 20 && Array.from(run.children).includes(run.work[bar]))
        .sort((a, b) => run.end[b] - run.start[b] - run.end[a] + run.start[a]); return longest[0]; })()""")
    browser.click(tuple(bar_place(browser, bar)))
    browser.settle()
    same(browser.data(".pane", "selected"), str(bar), "the bar that was clicked")
    name = browser.evaluate("barName(pageCharts[0].panes[0].run, %d)" % bar)
    same(browser.text(".details dd bdi"), name, "the details of the clicked bar")
    holds("waited for cores" in browser.text(".details .why"), "its why")
    holds("needs" in browser.text(".details"), "what it needs")
    same(browser.evaluate("barName(pageCharts[0].panes[1].run, pageCharts[0].panes[1].selected)"), name, "the same work in the other run")
    browser.click(".details button.link")
    browser.settle()
    holds(browser.text(".details dd bdi") != name, "a relative is a way to its details")
    told = browser.evaluate("pageCharts[0].panes[0].run.whyWorks.length")
    browser.evaluate("(() => { const pane = pageCharts[0].panes[0]; const bar = Array.from(pane.run.work).indexOf(%d); pageCharts[0].select(pane, bar); })()" % (told + 5))
    holds('r:why("t' in browser.text(".details .why"), "how to ask why: " + browser.text(".details"))
    x, y = bar_place(browser, bar)
    browser.hover(x, y)
    browser.wait_for("document.querySelector('.tooltip') && !document.querySelector('.tooltip').hidden", "a tooltip")
    holds(name in browser.text(".tooltip"), "the tooltip: " + browser.text(".tooltip"))

    # Colours.
    browser.evaluate("(() => { const box = pageCharts[0].colourSelect; box.value = 'state'; box.dispatchEvent(new Event('change')); })()")
    browser.settle()
    same(browser.data("figure.chart", "colour"), "state", "colours")
    holds("lost" in browser.text(".legend") and "%" in browser.text(".legend"), "the legend: " + browser.text(".legend"))
    browser.click(".legend button:nth-of-type(2)")
    same(browser.evaluate("document.querySelector('.legend button:nth-of-type(2)').getAttribute('aria-pressed')"), "true", "a highlighted colour")

    # Where they part, locked and not.
    browser.evaluate("pageCharts[0].panes[0].home()")
    browser.click(".parting button")
    from_, to = view(browser)[:2]
    holds(abs((from_ + to) / 2 - 30000.5) < 1 and to - from_ < 0.1 * (start[1] - start[0]), "the view at the parting")
    holds("easy starts t9" in browser.text(".parting"), "what differs there")
    browser.click(".tools input[type=checkbox]")
    browser.evaluate("document.querySelector('canvas').focus()")
    before = view(browser, 1)
    browser.keys("ArrowLeft")
    holds(view(browser)[0] < from_ and view(browser, 1) == before, "unlocked views move alone")
    browser.click(".tools input[type=checkbox]")
    same(view(browser, 1), view(browser), "locked again")

    # The table behind.
    browser.click(".behind summary")
    browser.wait_for("document.querySelector('.behind details').dataset.rows", "the table behind the chart")
    same(browser.evaluate("document.querySelectorAll('.behind tbody tr').length"), 200, "rows of the table behind")
    browser.evaluate("(() => { const box = document.querySelector('.behind input'); box.value = 'name:t77 time>1'; box.dispatchEvent(new Event('input')); })()")
    holds(browser.text(".behind .count").startswith("%d of " % browser.evaluate("document.querySelectorAll('.behind tbody tr').length")), "rows of a filter")
    browser.click(".behind .tools button")
    file = browser.downloaded("fcfs_bars.csv").decode().split("\r\n")
    same(file[0], "name,lane,user,state,kind,queue,start,end,time,wait,row,rows", "head of the CSV")
    holds(all(len(line.split(",")) == 12 for line in file[1:-1]), "lines of the CSV")
    same(len(file) - 2, browser.evaluate("pageCharts[0].panes[0].run.bars"), "all rows are in the CSV, whatever the filter")
    holds(len(file) > 2 and len(file[1].split(",")[6].split(".")[-1]) <= 3, "times have the resolution of the ticks: " + file[1])


def table_and_figure(browser, path):
    browser.open(path)
    table = "figure.table"
    same(browser.evaluate("document.querySelectorAll('figure.table tbody tr').length"), 200, "rows at first")
    holds("5 more are not in this page" in browser.text(table + " .count"), "rows that were left out are told")
    browser.click(table + " .more")
    same(browser.evaluate("document.querySelectorAll('figure.table tbody tr').length"), 700, "rows after more")
    browser.click(table + " th:nth-child(3) button")
    same(browser.evaluate("document.querySelector('figure.table th:nth-child(3)').getAttribute('aria-sort')"), "ascending", "aria-sort")
    column = "[...document.querySelectorAll('figure.table tbody tr')].map(row => Number(row.cells[2].textContent))"
    holds(browser.evaluate("%s.every((x, i, all) => !i || all[i - 1] <= x)" % column), "sorted by number")
    browser.click(table + " th:nth-child(2) button")
    browser.click(table + " th:nth-child(2) button")
    cells = browser.evaluate("[...document.querySelectorAll('figure.table tbody tr')].slice(0, 3).map(row => row.cells[1].textContent)")
    same(cells[0], "inf", "infinity is the largest")
    browser.click(table + " input")
    browser.keys("every third")
    browser.wait_for("document.querySelector('figure.table .count').textContent.startsWith('334 of 1,000 rows')", "the count of a filter")
    browser.evaluate("(() => { const box = document.querySelector('figure.table input'); box.value = 'wait<10 policy:p1'; box.dispatchEvent(new Event('input')); })()")
    holds(int(browser.data(table, "rows")) == sum(1 for i in range(1000) if i * 7 % 1000 < 10 and ("p%d" % i).startswith("p1")), "a filter of a column")
    browser.click(table + " .tools button:nth-of-type(2)")
    same(len(browser.downloaded("makespan.csv").decode().split("\r\n")) - 2, int(browser.data(table, "rows")), "the rows of a filter alone")
    os.remove(os.path.join(browser.downloads, "makespan.csv"))
    browser.evaluate("(() => { const box = document.querySelector('figure.table input'); box.value = ''; box.dispatchEvent(new Event('input')); })()")
    browser.click(table + " .tools button")
    lines = browser.downloaded("makespan.csv").decode().split("\r\n")
    same(lines[0], "policy,makespan,wait,note", "head of the CSV")
    same(len(lines), 1002, "lines of the CSV")
    same(lines[1].split(",")[1], "inf", "infinity in the CSV")

    browser.click(".download button")
    same(browser.downloaded("card.txt").decode(), "perigee replay </script>\n", "a text to download")

    figure = "figure.plot"
    browser.evaluate("document.querySelector('figure.plot .scroll').focus()")
    browser.keys("ArrowRight", "ArrowRight")
    same(browser.text(figure + " .tell"), "fcfs, load 0.6: 140 s", "the second mark")
    browser.keys("ArrowDown")
    same(browser.text(figure + " .tell"), "easy, load 0.6: 150 s", "the same place of the next series")
    browser.keys("Enter")
    same(browser.data(figure, "highlighted"), "easy", "a highlighted series")
    same(browser.evaluate("document.querySelectorAll('figure.plot .series.faint').length"), 2, "series that are faint")
    browser.keys("Escape")
    browser.click(figure + " .key")
    same(browser.data(figure, "highlighted"), "fcfs", "a click on the key")
    browser.click(figure + " .tools button")
    picture = xml.dom.minidom.parseString(browser.downloaded("load.svg"))
    same(len(picture.getElementsByTagName("title")), 15, "titles in the picture")
    same(len(picture.getElementsByTagName("script")), 0, "scripts in the picture")
    browser.click(figure + " .tools button:nth-of-type(2)")
    same(browser.downloaded("load.csv").decode().split("\r\n")[1], "0.5,100,110", "numbers of the figure")
    browser.size(400, 800)
    browser.settle()
    wide = browser.evaluate("[document.querySelector('figure.plot svg').getBoundingClientRect().width, document.documentElement.scrollWidth]")
    holds(wide[0] >= 540 and wide[1] <= 400, "a narrow page scrolls its figures and not itself: %s" % wide)
    browser.size(1000, 800)


def light_and_print(browser, path):
    browser.open(path)
    browser.settle()
    same(pixel(browser, 1, 1), [255, 255, 255], "paper of a light canvas")
    browser.click("header .theme")
    browser.settle()
    dark = pixel(browser, 1, 1)
    holds(max(dark) < 60, "paper of a dark canvas: %s" % dark)
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    same(pixel(browser, 1, 1), [255, 255, 255], "paper before printing, at once")
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    same(pixel(browser, 1, 1), dark, "paper after printing")
    target = os.path.join(browser.folder, "page.pdf")
    browser.pdf(target)
    with open(target, "rb") as file:
        data = file.read()
    holds(data.startswith(b"%PDF") and len(data) > 20000, "a printed page of %d bytes" % len(data))
    browser.settle()
    same(browser.evaluate("document.documentElement.dataset.theme"), "dark", "the colours chosen before printing")


# Bars of two users that alternate, three fifths of the time and two: each pixel is the first one's, however they are drawn.
def rule_page(path, bars):
    names, records = [], []
    for i in range(bars):
        start = i // 2 * 1000 + (0 if i % 2 == 0 else 600)
        names.append("t%d" % i)
        records.append([0, start, start + (600 if i % 2 == 0 else 400), 0, 1, i, 0, i % 2, 0, 0])
    run = sample_page.packed_run("rule", [{"name": "host", "cores": 1, "kind": "host"}], names, records, ["ann", "bob"])
    write(path, sample_page.page([{"runs": [run], "parting": None, "parting_text": ""}]))


def rule(browser, folder):
    for bars, way in ((4000, "rectangles"), (20000, "pixels")):
        path = os.path.join(folder, "rule%d.html" % bars)
        rule_page(path, bars)
        browser.open(path)
        browser.settle()
        same(browser.data(".pane", "way"), way, "how %d bars are painted" % bars)
        line = """(() => { const pane = pageCharts[0].panes[0], at = pane.geometry();
            const data = pane.context.getImageData(at.left + 2, at.top + 6, at.width - 6, 1).data, found = {};
            for (let i = 0; i < data.length; i += 4) { const key = data[i] + ' ' + data[i + 1] + ' ' + data[i + 2]; found[key] = (found[key] || 0) + 1; }
            return found; })()"""
        found = browser.evaluate(line)
        holds(list(found) == ["0 114 178"], "each pixel has the colour with the most time, by %s: %s" % (way, found))
        # A single hit among them is seen, in the colour of text.
        browser.evaluate("(() => { const box = pageCharts[0].searchBox; box.value = 't1999'; box.dispatchEvent(new Event('input')); })()")
        browser.settle()
        found = browser.evaluate(line)
        hit = found.get("27 31 36", 0)
        holds(2 <= hit <= (3 if way == "rectangles" else 24), "pixels of hits, by %s: %s" % (way, found))


def three_runs(browser, path):
    browser.open(path)
    same(browser.data("figure.chart", "runs"), "0 1", "runs that are seen at first")
    choose = """(() => { const select = document.querySelector('select[aria-label="%s run"]'); select.value = '%s'; select.dispatchEvent(new Event('change')); })()"""
    browser.evaluate(choose % ("second", "2"))
    browser.wait_for("document.querySelector('figure.chart').dataset.runs === '0 2'", "another second run")
    same(browser.evaluate("[...document.querySelectorAll('.pane h4')].map(one => one.textContent)"), ["fcfs", "conservative"], "titles of runs")
    holds(browser.text(".parting").startswith("Where these two part is not in the page. It is for the first two runs: fcfs and "), "no parting of runs that it is not told of")
    browser.evaluate(choose % ("second", "-1"))
    browser.wait_for("document.querySelectorAll('.pane').length === 1", "one run alone")
    browser.settle()
    browser.evaluate("document.querySelector('canvas').focus()")
    browser.keys("j", "Enter")
    browser.settle()
    holds("started" in browser.text(".details"), "details in one run alone")
    same(browser.complaints(), [], "complaints of three runs")


def broken_pages(browser, folder):
    path = os.path.join(folder, "broken.html")
    write(path, sample_page.sample(200, 2, rows=5, broken="data"))
    browser.open(path)
    holds("cannot be drawn: its data are damaged" in browser.text(".chart-place"), "a sentence for damaged data: " + browser.text(".chart-place"))
    same(browser.data("html", "failed"), "1", "the page counts what failed")
    holds(browser.text("figure.table .count").startswith("5 rows"), "the table beside it works")
    path = os.path.join(folder, "empty.html")
    empty = sample_page.packed_run("nothing", [], [], [], ["ann"])
    write(path, sample_page.page([{"runs": [empty], "parting": None, "parting_text": ""}]))
    browser.open(path)
    holds("0 bars" in browser.evaluate("document.querySelector('canvas').getAttribute('aria-label')"), "a chart of nothing")
    browser.evaluate("document.querySelector('canvas').focus()")
    browser.keys("+", "j", "l", "n", "Enter", "Home", "g")
    same(browser.complaints(), [], "complaints of broken pages")
    browser.before_pages("delete window.DecompressionStream;")
    browser.open(path)
    holds("DecompressionStream" in browser.text(".chart-place"), "a sentence where the browser is too old: " + browser.text(".chart-place"))


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def everything(name, folder):
    hostile, plain, three = (os.path.join(folder, one + ".html") for one in ("hostile", "plain", "three"))
    with browsers.open_browser(name) as browser:
        for check, path in ((hostile_page, hostile), (chart_page, plain), (table_and_figure, plain), (light_and_print, plain)):
            check(browser, path)
            same(browser.foreign_requests(), [], "requests")
            same(browser.complaints(), [], "complaints of " + check.__name__)
        for path in (hostile, plain):
            for wrong in browsers.check(browser, path):
                holds(False, wrong)
        rule(browser, folder)
        three_runs(browser, three)
        broken_pages(browser, folder)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # browsers are closed on the way
    names = sys.argv[1:] or browsers.available()
    for name in browsers.PROGRAMS:
        if name not in names:
            print("skipped: %s is not installed, or python3-websockets is not" % name)
    if not names:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        write(os.path.join(folder, "hostile.html"), sample_page.sample(500, 5, 2, 2, hostile=True, rows=300))
        write(os.path.join(folder, "plain.html"), sample_page.sample(2000, 20, 1, 2))
        write(os.path.join(folder, "three.html"), sample_page.sample(60, 3, 2, 3, rows=3))
        for name in names:
            before = failures
            try:
                everything(name, folder)
            except (browsers.BrowserError, browsers.Missing) as error:
                holds(False, error)
            print("%s: %s" % (name, "as expected" if failures == before else "%d failures" % (failures - before)), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
