"""kernel_checks.py: asks an installed kernel of perigee, as front ends of Jupyter do. JUPYTER_PATH says where it is."""

import json
import os
import queue
import signal
import subprocess
import sys
import time

from jupyter_client.manager import KernelManager

PATIENCE = int(os.environ.get("PATIENCE", "240"))  # seconds, on a slow machine under sanitizers
failures = 0


def complain(what):
    global failures
    failures += 1
    print("FAILED:", what)


def expect(what, got, wanted):
    if got != wanted:
        complain(f"{what}: got {got!r}, expected {wanted!r}")


def expect_in(what, part, text):
    if part not in text:
        complain(f"{what}: {part!r} is not in {text!r}")


class Cell:
    """What came of a cell: the reply, and what was broadcast until the kernel was idle."""

    def __init__(self, client, code, timeout=PATIENCE, meanwhile=None, **options):
        request = client.execute(code, **options)
        self.stdout = self.stderr = ""
        self.results, self.errors, self.types = [], [], []
        self.displays = []
        while True:
            message = client.get_iopub_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            self.types.append(kind)
            if kind == "stream" and content["name"] == "stdout":
                self.stdout += content["text"]
            elif kind == "stream":
                self.stderr += content["text"]
            elif kind == "execute_result":
                self.results.append(content["data"])
            elif kind in ("display_data", "update_display_data"):
                self.displays.append(content)
            elif kind == "error":
                self.errors.append(content)
            elif kind == "execute_input" and meanwhile:
                meanwhile()
            elif kind == "status" and content["execution_state"] == "idle":
                break
        while True:
            self.reply = client.get_shell_msg(timeout=timeout)
            if self.reply["parent_header"].get("msg_id") == request:
                self.reply = self.reply["content"]
                break


def ask(client, request):
    """The content of the reply to a request that was sent."""
    while True:
        message = client.get_shell_msg(timeout=PATIENCE)
        if message["parent_header"].get("msg_id") == request:
            return message["content"]


def start():
    manager = KernelManager(kernel_name="perigee")
    begin = time.monotonic()
    manager.start_kernel(stderr=open("kernel.err", "a"))
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=PATIENCE)
    return manager, client, time.monotonic() - begin


def process_of(manager):
    return manager.provisioner.process.pid


def check_cells(client):
    cell = Cell(client, "x = 3\nx + 1")
    expect("a last expression", [r["text/plain"] for r in cell.results], ["4"])
    expect("a count", cell.reply["execution_count"], 1)
    expect("state is kept", Cell(client, "return x, x * 2").results[1]["text/plain"], "6")
    expect("a call at the end", Cell(client, 'local t = { 1, 2 }\nlocal function f(a) return #a end\nf(t)').results[0]["text/plain"], "2")
    expect("a statement shows nothing", Cell(client, "y = 1").results, [])
    expect("printed and shown", Cell(client, "print('a')\nx").types.count("execute_result"), 1)
    cell = Cell(client, "local a = 1\nfor i = 1, 3 do\n  local b = missing_name\nend")
    number = cell.reply["execution_count"]
    expect("a cell that fails", cell.reply["status"], "error")
    expect_in("the line of an error", f"In [{number}]:3: error: ", cell.errors[0]["traceback"][0])
    expect_in("the text of the line", "3 |   local b = missing_name", cell.errors[0]["traceback"][1])
    expect_in("the value of an error", "missing_name", cell.errors[0]["evalue"])
    cell = Cell(client, "x = = 3")
    expect_in("wrong syntax", ":1: error: ", cell.errors[0]["traceback"][0])
    expect("after an error", Cell(client, "x").results[0]["text/plain"], "3")
    cell = Cell(client, "print('\\xff|\u00e9|\\xc3')")
    expect("bytes that are no UTF-8", cell.stdout, "\ufffd|\u00e9|\ufffd\n")
    with open("jobs.swf", "w", encoding="utf-8") as file:
        file.write("1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n2 5 -1 -1 0 -1 -1 0 -1 -1 5 1 1 1 1 -1 -1 -1\n")
    expect_in("a warning", "warning: jobs.swf", Cell(client, 'jobs = workload.swf "jobs.swf"').stderr)
    cell = Cell(client, "12", silent=True)
    expect("a silent cell", (cell.types.count("execute_input"), cell.results), (0, []))
    cell = Cell(client, "", user_expressions={"twice": "2 * x", "wrong": "no_such_name"})
    expect("an expression of a front end", cell.reply["user_expressions"]["twice"]["data"]["text/plain"], "6")
    expect("a wrong one", cell.reply["user_expressions"]["wrong"]["status"], "error")
    expect("an error stops the cells behind it", behind_an_error(client), ["error", "aborted", "aborted", "ok"])


def behind_an_error(client):
    """Statuses of cells that were sent together; the first takes a while, then fails."""
    slow = "for i = 1, 3e7 do end error('no')"
    requests = [client.execute(code) for code in (slow, "a = 1", "b = 2")]
    statuses = [ask(client, request)["status"] for request in requests]
    return statuses + [Cell(client, "a = 3").reply["status"]]


def check_output(client):
    count = 20000
    cell = Cell(client, f"for i = 1, {count} do print(i) end")
    expect("20000 prints", cell.stdout, "".join(f"{i}\n" for i in range(1, count + 1)))
    if cell.types.count("stream") > count / 10:
        complain(f"{cell.types.count('stream')} messages for {count} prints")
    cell = Cell(client, "print('first') for i = 1, 1e8 do end print('second')")
    expect("printed while the cell runs", (cell.stdout, cell.types.count("stream")), ("first\nsecond\n", 2))


def check_words(client):
    Cell(client, 's = scenario { platform = platform { cluster "fast" { nodes = 2 } }, workload = workload.tasks(9, function(i) return { time = 10 * i } end) }')
    code = 'z = "\u00e9\U0001F600"; s:comp'
    got = ask(client, client.complete(code, len(code)))
    expect("completion", got["matches"], ["compare"])
    expect("where completion begins", (got["cursor_start"], got["cursor_end"]), (len(code) - 4, len(code)))
    code = "-- \u00e9\nx = 1\nworkl"
    got = ask(client, client.complete(code, len(code)))
    expect_in("completion in a further line", "workload", got["matches"])
    expect("where it begins", got["cursor_start"], len(code) - 5)
    expect_in("completion of a command", ":write", ask(client, client.complete(":wr", 3))["matches"])
    expect("nothing to complete", ask(client, client.complete("nothing_of_that", 15))["matches"], [])
    got = ask(client, client.inspect("x = \"\u00e9\" s:compare { ", 20))
    expect_in("an inspection", "s:compare", got["data"].get("text/plain", ""))
    expect_in("an inspection within braces", "nodes", ask(client, client.inspect('cluster "a" { ', 14))["data"].get("text/plain", ""))
    expect("an unknown name", ask(client, client.inspect("no_such_name", 3))["found"], False)
    for cell in ("?min_min", "min_min?"):
        expect_in(cell, "min_min", Cell(client, cell).stdout)
    expect("help on nothing", Cell(client, "?no_such_name").reply["status"], "error")
    for code, status in {"x = 1": "complete", "for i = 1, 2 do": "incomplete", "x = 3\nx": "complete", "x = = 2": "invalid", "?x": "complete", "f(": "incomplete", "": "complete"}.items():
        expect(f"is_complete of {code!r}", ask(client, client.is_complete(code))["status"], status)
    expect("an indent", ask(client, client.is_complete("do\n  for i = 1, 2 do"))["indent"], "    ")
    history = ask(client, client.history(raw=True, hist_access_type="tail", n=2))["history"]
    expect("history", [entry[2] for entry in history], ["min_min?", "?no_such_name"])
    expect("searched history", len(ask(client, client.history(hist_access_type="search", pattern="*_min?", n=9))["history"]), 1)
    info = ask(client, client.kernel_info())
    expect("the language", (info["language_info"]["name"], info["language_info"]["pygments_lexer"], info["protocol_version"]), ("lua", "lua", "5.3"))
    expect("comms", ask(client, client.comm_info())["comms"], {})
    client.shell_channel.send(client.session.msg("comm_open", {"comm_id": "c", "target_name": "widget", "data": {}}))
    client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": "c", "data": {}}))
    client.shell_channel.send(client.session.msg("nonsense_request", {"x": [1, {"y": None}]}))
    expect("after messages of others", Cell(client, "1 + 1").results[0]["text/plain"], "2")


def check_shown(client):
    data = Cell(client, 's:compare { "workqueue", "fcfs" }').results[0]
    expect_in("a comparison", "workqueue", data["text/plain"])
    expect_in("a comparison as HTML", "<table", data.get("text/html", ""))


def check_interrupts(manager, client):
    after = lambda seconds: (lambda: (time.sleep(seconds), manager.interrupt_kernel()))
    for code in (
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "local ok = xpcall(function() while true do end end, function() while true do end end)",
        "coroutine.wrap(function() while true do end end)()",
        'experiment "endless" { factors = { level = { 1, 2, 3, 4 } }, replications = 2, run = function(f, seed) while true do end end }',
        'scenario { platform = platform { host "a" {} }, workload = workload.tasks(2, function(i) return { time = 1 } end) }:run { policy = policy "stuck" { decide = function() while true do end end } }',
        "local s = ('a'):rep(3e6) .. 'b' for i = 1, 1e9 do s:find('.-.-c') end",
    ):
        begin = time.monotonic()
        cell = Cell(client, code, meanwhile=after(0.3))
        expect(f"interrupted {code[:50]}", cell.reply["status"], "error")
        if cell.reply["status"] == "error":
            expect("the name of an interrupt", cell.reply["ename"], "interrupted")
        if time.monotonic() - begin > 60:
            complain(f"{code[:50]}: {time.monotonic() - begin:.0f} s until it stopped")
        expect("the cell after an interrupt", Cell(client, "6 * 7").results[0]["text/plain"], "42")
    process = process_of(manager)
    os.kill(process, signal.SIGINT)
    manager.interrupt_kernel()
    time.sleep(0.2)
    os.kill(process, signal.SIGINT)
    time.sleep(0.2)
    expect("a cell after SIGINT while idle", Cell(client, "for i = 1, 1e6 do end\n'alive'").results[0]["text/plain"], 'alive')
    cell = Cell(client, "while true do end", meanwhile=lambda: (time.sleep(0.3), os.kill(process, signal.SIGINT)))
    expect("SIGINT in a cell", cell.reply.get("ename"), "interrupted")
    for _ in range(20):  # at once, when the cell has hardly begun
        cell = Cell(client, "while true do end", meanwhile=manager.interrupt_kernel)
        expect("an interrupt at the beginning of a cell", cell.reply.get("ename"), "interrupted")


def check_progress(client):
    cell = Cell(client, 'longer = scenario { platform = platform { host "a" {} }, workload = workload.tasks(400000, function(i) return { time = 1 } end) }\nlonger:run { policy = "workqueue" }.makespan')
    expect("a long run", cell.results[0]["text/plain"], "400000.0")
    lines = [d["data"]["text/plain"] for d in cell.displays]
    if lines:  # the machine is slow enough
        expect_in("progress", " of the work done", lines[0])
        if lines[-1] != "" and "clear_output" not in cell.types:
            complain(f"progress stays: {lines}")


def check_files(client):
    Cell(client, "kept = 5\nkept * 2")
    expect_in(":write", "written to session.lua", Cell(client, ':write "session.lua"').stdout)
    with open("session.lua", encoding="utf-8") as file:
        text = file.read()
    expect_in("the session as a script", "kept = 5\nprint(kept * 2)", text)
    for place in ("../elsewhere.lua", "/tmp/elsewhere.lua", "session.txt"):
        expect(f":write {place}", Cell(client, f":write {place}").reply["status"], "error")
        if os.path.exists(place):
            complain(f"{place} was written")
    cell = Cell(client, ":load other.lua\nloaded + 1")
    expect(":load and a cell", [r["text/plain"] for r in cell.results], ["8"])
    expect_in(":time", "took ", Cell(client, ":time x = 1\ny = 2").stdout)
    Cell(client, 's:run { policy = "workqueue" }:save "saved"')
    if not os.path.exists("out/saved/manifest.json"):
        complain("nothing was saved below out")
    expect("require", Cell(client, 'require "beside".value').results[0]["text/plain"], "11")


def check_ends(manager, client):
    """A shutdown, also in the middle of a cell, SIGTERM, and the end of the process that started the kernel."""
    process = process_of(manager)
    client.shutdown()
    expect("the status at the end", manager.provisioner.process.wait(PATIENCE), 0)
    client.stop_channels()
    manager, client, _ = start()
    client.execute("while true do pcall(function() while true do end end) end")
    time.sleep(0.5)
    client.shutdown()
    expect("the status in the middle of a cell", manager.provisioner.process.wait(PATIENCE), 0)
    client.stop_channels()
    manager, client, _ = start()
    os.kill(process_of(manager), signal.SIGTERM)
    expect("the status after SIGTERM", manager.provisioner.process.wait(PATIENCE), 0)
    client.stop_channels()
    code = (
        "import sys, time\nfrom jupyter_client.manager import KernelManager\n"
        "m = KernelManager(kernel_name='perigee')\nm.start_kernel()\nc = m.blocking_client()\nc.start_channels()\n"
        f"c.wait_for_ready(timeout={PATIENCE})\nprint(m.provisioner.process.pid, flush=True)\ntime.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        kernel = int(parent.stdout.readline())
        parent.kill()
    for _ in range(10 * PATIENCE):
        if not os.path.exists(f"/proc/{kernel}"):
            return
        time.sleep(0.1)
    complain("the kernel outlives the process that started it")
    os.kill(kernel, signal.SIGKILL)


def check_restart(manager, client):
    Cell(client, "before = 1")
    manager.restart_kernel(now=False)
    client.wait_for_ready(timeout=PATIENCE)
    expect("after a restart", Cell(client, "before").reply["status"], "error")
    expect("counts after a restart", Cell(client, "1").reply["execution_count"], 2)


def main():
    with open("other.lua", "w", encoding="utf-8") as file:
        file.write("loaded = 7\n")
    with open("beside.lua", "w", encoding="utf-8") as file:
        file.write("return { value = 11 }\n")
    manager, client, seconds = start()
    begin = time.monotonic()
    for i in range(50):
        Cell(client, "1")
    print(f"ready after {seconds:.2f} s, {(time.monotonic() - begin) / 50 * 1000:.1f} ms for a cell")
    manager.restart_kernel(now=False)
    client.wait_for_ready(timeout=PATIENCE)
    for check in (check_cells, check_output, check_words, check_shown, check_files, check_progress):
        check(client)
    check_interrupts(manager, client)
    check_restart(manager, client)
    check_ends(manager, client)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
