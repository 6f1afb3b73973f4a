#!/usr/bin/env python3
"""Pages of invented data in the format that runtime/pages writes, made of the same assets: for tests and measurements of
the front end alone.

sample_page.py FILE [--bars N] [--hosts N] [--cores N] [--runs N] [--hostile] [--rows N] [--break data|names]
"""
import argparse
import array
import base64
import gzip
import hashlib
import html
import json
import os
import random
import sys

ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "pages", "assets")
PARTS = sorted(name for name in os.listdir(ASSETS) if name.endswith(".js") and name != "start.js") + ["start.js"]

HOSTILE = ["</script><img src=x onerror=alert(1)>", "<!--<script>", "a\u2028b\u2029c", "\"quoted\" & 'quoted'", "n" * 3000,
           "\u05e9\u05dc\u05d5\u05dd \u202eabc", "<svg onload=alert(2)>", "${1+1}`", "javascript:alert(3)", "=1+2", "\ufffd\u0000\u0007"]


def asset(name):
    with open(os.path.join(ASSETS, name), encoding="utf-8") as file:
        return file.read()


def script():
    return "\n" + "".join(asset(part) for part in PARTS)


def style():
    return "\n" + asset("page.css")


def packed(data):
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


def shuffled(values, width):
    code = {1: "B", 2: "H", 4: "I"}[width]
    column = array.array(code, values)
    if sys.byteorder == "big":
        column.byteswap()
    data = column.tobytes()
    return b"".join(data[i::width] for i in range(width))


def zigzag(value):
    return ((value << 1) ^ (value >> 31)) & 0xFFFFFFFF


def invented_run(title, bars, hosts, cores, seed, users, hostile=False, edges=True, late=0):
    """Works one after the other in the rows of hosts; some lost, some with a transfer on a link, some wide; maintenance
    of some hosts; a queue of dependencies. `late` moves works that start after half of the time."""
    rng = random.Random(seed)
    names, records = [], []  # lane, start, end, row, rows, work, wait, user, state, kind
    per_row = max(1, bars // (hosts * cores))
    user_weights = [1 / (1 + i) for i in range(len(users))]
    ticks = 1000  # of a second
    for host in range(hosts):
        free = [rng.randrange(0, 600 * ticks) for _ in range(cores)]
        while len(records) < (host + 1) * bars // hosts:
            if rng.random() < 0.01:
                start = max(free)
                end = start + rng.randrange(300, 3000) * ticks
                free = [end] * cores
                records.append([host, start, end, 0, cores, None, 4294967295, 0, 3, 2])
                continue
            rows = 1 if cores == 1 or rng.random() < 0.7 else rng.randrange(1, cores + 1)
            row = min(range(cores - rows + 1), key=lambda r: max(free[r:r + rows]))
            start = max(free[row:row + rows]) + (rng.randrange(0, 200 * ticks) if rng.random() < 0.3 else 0)
            if late and start > 30000 * ticks:
                start += rng.randrange(0, late * ticks)
            end = start + int(rng.lognormvariate(5.5, 1) * ticks) + 1
            for r in range(row, row + rows):
                free[r] = end
            work = len(names)
            names.append(HOSTILE[work] if hostile and work < len(HOSTILE) else "t%d" % work)
            state = 1 if rng.random() < 0.03 else 2 if rng.random() < 0.02 else 0
            records.append([host, start, end, row, rows, work, rng.randrange(0, min(start, 3000 * ticks) + 1),
                            rng.choices(range(len(users)), user_weights)[0], state, 0])
    lanes = [{"name": HOSTILE[i] if hostile and i < 3 else "new.%d" % (i + 1), "cores": cores, "kind": "host"} for i in range(hosts)]
    lanes.append({"name": "link of new", "cores": 1, "kind": "link"})
    clock = 0
    for record in sorted((r for r in records if r[5] is not None), key=lambda r: r[1])[::20]:
        start = max(clock, record[1] - 40 * ticks)
        if start >= record[1]:  # the link is still taken
            continue
        clock = min(record[1], start + 30 * ticks)
        records.append([hosts, start, clock, 0, 1, record[5], record[6], record[7], 0, 1])
    edge_list = [(rng.randrange(0, child), child) for child in range(1, len(names)) if edges and rng.random() < 0.3]
    return packed_run(title, lanes, names, records, users, edge_list, hostile)


def packed_run(title, lanes, names, records, users, edge_list=(), hostile=False):
    """A run as a page holds it. A record has lane, start, end (ticks), row, rows, work (or None), wait, user, state, kind."""
    ticks = 1000
    records.sort(key=lambda r: (r[0], r[1], r[2]))
    columns = {key: [] for key in ("lane", "start", "length", "row", "rows", "work", "wait", "user", "state", "kind", "hatched", "later")}
    lane_now, end_now, work_now = 0, 0, 0
    for i, (lane, start, end, row, rows, work, wait, user, state, kind) in enumerate(records):
        work = len(names) if work is None else work
        if lane != lane_now or i == 0:
            end_now = 0
        columns["lane"].append(lane - lane_now)
        columns["start"].append(zigzag(start - end_now))
        columns["length"].append(end - start)
        columns["work"].append(zigzag(work - work_now))
        for key, value in (("row", row), ("rows", rows), ("wait", wait), ("user", user), ("state", state), ("kind", kind),
                           ("hatched", 1 if state else 0), ("later", 7)):
            columns[key].append(value)
        lane_now, end_now, work_now = lane, end, work
    widths = {"lane": 4, "start": 4, "length": 4, "row": 2, "rows": 2, "work": 4, "wait": 4, "user": 1, "state": 1, "kind": 1, "hatched": 1,
              "later": 2}  # the last is one that a page does not know
    why_works = list(range(min(len(names), 40)))
    return {
        "title": title, "from": 0.0, "to": max((r[2] for r in records), default=0) / ticks, "tick": 1 / ticks, "lanes": lanes,
        "dictionaries": {"user": users, "state": ["finished", "lost", "killed", "away"], "kind": ["task", "file in", "maintenance"],
                         "queue": ["only"]},
        "bars": len(records),
        "left_out": 12 if hostile else 0, "left_out_text": "The 12 shortest of %d bars are not in this page." % (len(records) + 12) if hostile else "",
        "columns": {key: "u%d" % (8 * width) for key, width in widths.items()} | {"queue": "u8"},
        "data": packed(b"".join(shuffled(columns[key], widths[key]) for key in widths) + bytes(len(records))),
        "names": packed("\n".join(names).encode()),
        "edges": packed(shuffled([e[0] for e in edge_list], 4) + shuffled([e[1] for e in edge_list], 4)), "edge_count": len(edge_list),
        "whys": packed("\0".join("%s waited for cores:\nall were taken" % names[w][:50].replace("\0", "") for w in why_works).encode()),
        "why_works": why_works, "why_text": "why of %d of %d works are in this page" % (len(why_works), len(names)),
    }


def json_text(data):
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, "\\u%04x" % ord(letter))
    return text


def table_item(key, title, data):
    cells = []
    best = {tuple(place) for place in data.get("best", [])}
    for number, row in enumerate(data["rows"][:200]):
        line = []
        for at, value in enumerate(row):
            kind = " ".join(name for name, holds in (("n", data["numeric"][at]), ("best", (number, at) in best)) if holds)
            shown = "–" if value is None else "%.6g" % value if isinstance(value, float) else value["n"] if isinstance(value, dict) else str(value)
            line.append("<td%s>%s%s</td>" % (' class="%s"' % kind if kind else "", html.escape(shown), "*" if (number, at) in best else ""))
        cells.append("<tr>%s</tr>" % "".join(line))
    heads = "".join('<th scope="col"%s>%s</th>' % (' class="n"' if numeric else "", html.escape(name + (" (%s)" % unit if unit else "")))
                    for name, unit, numeric in zip(data["columns"], data["units"], data["numeric"]))
    return ('<figure class="table" data-source="%s"><figcaption>%s</figcaption><div class="scroll" tabindex="0" role="region" aria-label="%s">'
            "<table><thead><tr>%s</tr></thead><tbody>%s</tbody></table></div></figure>"
            % (key, html.escape(title), html.escape(title), heads, "".join(cells)))


def figure_item(key, title):
    series, keys = [], []
    for number, (name, colour) in enumerate((("fcfs", "#0072b2"), ("easy", "#e69f00"), ("</svg><script>alert(4)</script>", "#009e73"))):
        marks = "".join('<circle class="mark" cx="%d" cy="%d" r="5"><title>%s, load %g: %d s</title></circle>'
                        % (80 + 90 * i, 250 - 30 * i - 20 * number, html.escape(name), 0.5 + 0.1 * i, 100 + 40 * i + 10 * number) for i in range(5))
        series.append('<g class="series" data-name="%s" fill="%s">%s</g>' % (html.escape(name, True), colour, marks))
        keys.append('<g class="key" data-name="%s"><rect x="560" y="%d" width="12" height="12" fill="%s"/><text x="578" y="%d" '
                    'fill="currentColor" font-size="13">%s</text></g>' % (html.escape(name, True), 40 + 22 * number, colour, 51 + 22 * number, html.escape(name[:18])))
    axis = ('<path d="M60 20V270H540" fill="none" stroke="currentColor"/><text x="300" y="295" text-anchor="middle" fill="currentColor" '
            'font-size="13">load</text>')
    return ('<figure class="plot" data-source="%s"><figcaption>%s</figcaption><div class="scroll"><svg viewBox="0 0 720 300">%s%s%s</svg></div></figure>'
            % (key, html.escape(title), axis, "".join(series), "".join(keys)))


def page(charts, tables=(), figures=(), title="A page of invented data"):
    code, look = script(), style()
    card = {"name": "card.txt", "text": "perigee replay </script>\n"}
    digest = lambda text: "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    items, data = [], [("data-d1", card)]
    for number, chart in enumerate(charts):
        items.append('<figure class="chart" data-source="data-c%d"><figcaption>Gantt chart</figcaption><div class="chart-place">'
                     "<p>This chart needs JavaScript.</p></div></figure>" % number)
        data.append(("data-c%d" % number, chart))
    for number, (caption, table) in enumerate(tables):
        items.append(table_item("data-t%d" % number, caption, table))
        data.append(("data-t%d" % number, table))
    for number, (caption, table) in enumerate(figures):
        items.append(figure_item("data-f%d" % number, caption))
        data.append(("data-f%d" % number, table))
    return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:; "
            "base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>%s</title><style>%s</style></head>\n<body>\n<header><h1>%s</h1><p class=\"made\">perigee, a sample</p>"
            "<nav><a href=\"#s1\">charts</a> <a href=\"#s2\">tables</a></nav></header>\n<main>\n"
            "<section id=\"s1\"><h2>What was run</h2><dl class=\"facts\"><dt>script</dt><dd>sample.lua</dd><dt>seed</dt><dd>1</dd></dl>"
            "<p class=\"download\" data-source=\"data-d1\">the replay card</p><ul class=\"warnings\"><li>3 works were never started: they need more cores than a host has.</li></ul>%s</section>\n</main>\n%s\n"
            "<script>%s</script>\n</body></html>\n"
            % (digest(code), digest(look), html.escape(title), look, html.escape(title), "\n".join(items),
               "\n".join('<script type="application/json" id="%s">%s</script>' % (key, json_text(value)) for key, value in data), code))


def sample(bars=2000, hosts=20, cores=1, runs=1, hostile=False, rows=1000, broken=None):
    users = ["ann", "bob", "cho", "dee", "eve", "fay", "gus", "hal", "ida", "joe"]
    if hostile:
        users[0] = HOSTILE[0]
    titles = ["fcfs", "easy", "conservative", "plan"]
    made = [invented_run(HOSTILE[0] if hostile and n == 0 else titles[n % 4], bars, hosts, cores, 1, users, hostile, late=n * 500) for n in range(runs)]
    if broken:
        made[0][broken] = made[0][broken][:len(made[0][broken]) // 8 * 4]
    chart = {"runs": made, "parting": 30000.5 if runs > 1 else None, "parting_text": "fcfs starts t5 on new.1\neasy starts t9 on new.1"}
    rng = random.Random(2)
    table = {"columns": ["policy", "makespan", "wait", "note"], "units": ["", "s", "s", ""], "numeric": [False, True, True, False],
             "rows": [[HOSTILE[i] if hostile and i < len(HOSTILE) else "p%d" % i, round(rng.uniform(1, 1e5), 9), i * 7 % 1000,
                       None if i % 3 else "every third"] for i in range(rows)],
             "file": "makespan.csv", "left_out": 5, "shown": 200, "best": [[1, 1]]}
    if rows > 4:
        table["rows"][2][1], table["rows"][3][1], table["rows"][4][1] = {"n": "inf"}, {"n": "nan"}, None
    numbers = {"columns": ["load", "fcfs", "easy"], "units": ["", "s", "s"], "numeric": [True, True, True], "file": "load.csv",
               "rows": [[0.5 + 0.1 * i, 100 + 40 * i, 110 + 40 * i] for i in range(5)]}
    return page([chart], [("Policies compared", table)], [("Wait by load", numbers)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    for name, value in (("bars", 2000), ("hosts", 20), ("cores", 1), ("runs", 1), ("rows", 1000)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--break", dest="broken", choices=["data", "names"])
    given = parser.parse_args()
    with open(given.file, "w", encoding="utf-8") as out:
        out.write(sample(given.bars, given.hosts, given.cores, given.runs, given.hostile, given.rows, given.broken))
