"""Running scripts."""

import gc
import multiprocessing
import os
import pickle
import signal
import stat
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from support import ROOT, InFolder

import perigee


class Good(InFolder):
    def test_what_was_printed(self) -> None:
        self.write("s.lua", "print('grüße', setting('nodes', 3), setting('seed', 1), setting('on', false))")
        self.assertEqual(perigee.run("s.lua").text, "grüße\t3\t1\tfalse\n")
        given = perigee.run(Path("s.lua"), seed=7, nodes=64, on=True, settings={"seed": 5})
        self.assertEqual(given.text, "grüße\t64\t5\ttrue\n")
        self.assertEqual(given.script, "s.lua")

    def test_settings_are_no_shell(self) -> None:
        self.write("s.lua", "print(setting('text', ''))")
        odd = "$(touch made) `touch made`; touch made 'x' \"y\" = --out"
        self.assertEqual(perigee.run("s.lua", text=odd).text, odd + "\n")
        self.assertFalse(os.path.exists("made"))

    def test_seed(self) -> None:
        self.write("s.lua", "print(stream('x'):uniform(0, 1))")
        one, two = perigee.run("s.lua", seed=1).text, perigee.run("s.lua", seed=2).text
        self.assertNotEqual(one, two)
        self.assertEqual(perigee.run("s.lua").text, one)

    def test_out_jobs_data_workers(self) -> None:
        self.write("more/d.csv", "a\n1\n")
        self.write(
            "s.lua",
            """
            print(csv.read("d.csv")[1].a)
            experiment "e" { factors = { k = { 1, 2 } }, run = function(f) return { m = f.k } end }:save "e"
            """,
        )
        results = perigee.run("s.lua", out="a/b", jobs=2, data="more")
        self.assertEqual(results.text, "1\n")
        self.assertTrue(os.path.exists("a/b/e.csv"))
        self.assertEqual(results.folder, Path("a/b"))
        results = perigee.run("s.lua", data=[Path("more")], workers="local:1", options=["--validate"])
        self.assertEqual([row["m"] for row in results.tables.rows("e")], [1, 2])

    def test_a_script_that_comes_with_perigee(self) -> None:
        self.assertIn("makespan", perigee.run("quickstart").text)

    def test_names_that_look_like_options(self) -> None:
        self.write("--quiet", "print 'it ran'")
        self.assertEqual(perigee.run("--quiet").text, "it ran\n")

    def test_warnings(self) -> None:
        self.write(
            "s.lua",
            """
            scenario { platform = platform { host "a" {} }, workload = workload.jobs { { name = "wide", time = 1, cores = 5 } } }
              :run { policy = "fcfs" }
            """,
        )
        results = perigee.run("s.lua")
        self.assertEqual(len(results.warnings), 1)
        self.assertIn("wide needs 5 cores", results.warnings[0])
        self.assertIn("<li>fcfs", results._repr_html_())


    def test_tables_that_were_printed(self) -> None:
        self.write(
            "s.lua",
            """
            local s = scenario { platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks(30, function(i, rng)
              return { time = rng:uniform(1e5, 2e5), user = "00" .. i % 2 } end) }
            print(s:compare { "fcfs", "workqueue", metrics = { "finished", "makespan" } })
            print("and", 1)
            print(s:run { policy = "fcfs" }:jobs())
            """,
        )
        results = perigee.run("s.lua", out="out")
        self.assertEqual(len(results.shown), 2)
        first = self.rows(results.shown[0])
        self.assertEqual([row["policy"] for row in first], ["fcfs", "workqueue"])
        self.assertEqual([row["finished"] for row in first], [30, 30])
        jobs = self.rows(results.shown[-1])
        self.assertEqual((len(jobs), jobs[1]["id"], jobs[1]["user"]), (30, 2, "000"))
        self.assertEqual(results.shown.rows(0)[0]["policy"], "fcfs")
        self.assertIs(results.shown[0], results.shown[:1][0])
        with self.assertRaises(IndexError):
            results.shown[2]
        self.assertEqual(len(perigee.load("out").shown), 0)


class Wrong(InFolder):
    def error(self, *arguments: object, **named: object) -> perigee.ScriptError:
        with self.assertRaises(perigee.ScriptError) as caught:
            perigee.run(*arguments, **named)  # type: ignore[arg-type]
        return caught.exception

    def test_the_line_of_an_error(self) -> None:
        self.write("s.lua", "print 'before'\nlocal function f() error 'mine\\nas well' end\nf()\n")
        error = self.error("s.lua")
        self.assertEqual((error.message, error.file, error.line), ("mine\nas well", "s.lua", 2))
        self.assertEqual((error.code, error.status), ("script_error", 1))
        self.assertEqual(error.calls, ["s.lua:2: in 'f'", "s.lua:3: in the main chunk"])
        self.assertIn("2 | local function f()", str(error))
        self.assertIn("s.lua:2: error: mine", error.text)
        self.assertEqual(error.results.text, "before\n")  # type: ignore[union-attr]

    def test_the_code_of_an_error(self) -> None:
        self.write("s.lua", "local n = 1\nplatform { cluster 'a' { nodes = 1, bandwith = 3 } }")
        error = self.error("s.lua")
        self.assertEqual((error.code, error.line), ("unknown_field", 2))
        self.assertIsInstance(error, perigee.Error)

    def test_what_a_script_never_reads(self) -> None:
        self.write("s.lua", "setting('nodes', 1)")
        error = self.error("s.lua", nodse=2)
        self.assertEqual((error.code, error.file, error.line), ("unknown_setting", None, None))
        self.assertIn("did you mean 'nodes'?", error.message)
        self.assertEqual(error.notes[0], "it reads: nodes")

    def test_cells_that_fail(self) -> None:
        self.write("s.lua", "experiment 'e' { factors = { k = { 1, 2 } }, run = function(f) error('no ' .. f.k) end }")
        error = self.error("s.lua")
        self.assertEqual(error.status, 1)
        self.assertIn("no 1", error.text)

    def test_wrong_usage(self) -> None:
        error = self.error("nowhere.lua")
        self.assertEqual((error.code, error.status), ("wrong_usage", 2))
        self.assertTrue(error.message.startswith("nowhere.lua: there is no such file"), error.message)
        self.write("s.lua", "")
        self.assertEqual(self.error("s.lua", options=["--sede"]).code, "wrong_usage")

    def test_wrong_arguments(self) -> None:
        self.write("s.lua", "")
        for named, kind, text in (
            ({"seed": -1}, ValueError, "seed must be a whole number from 0 on, got -1"),
            ({"jobs": 0}, ValueError, "jobs must be a whole number from 1 on, got 0"),
            ({"jobs": "two"}, ValueError, "got 'two'"),
            ({"sizes": [1, 2]}, TypeError, "setting 'sizes' must be a number, a text, a path, True or False"),
            ({"x": 1, "settings": {"x": 2}}, TypeError, "setting 'x' is given twice"),
            ({"settings": {"a=b": 2}}, ValueError, "'a=b' is no name of a setting"),
            ({"settings": {3: 1}}, TypeError, "the name of a setting must be a text, got 3"),
            ({"settings": [1]}, TypeError, "settings must be a dict"),
            ({"timeout": float("nan")}, ValueError, "timeout must be a number of seconds above 0.* got nan"),
            ({"timeout": -1}, ValueError, "got -1"),
            ({"timeout": "5"}, ValueError, "got '5'"),
            ({"out": ""}, ValueError, "out must be the path of a folder"),
            ({"program": "/bin/true"}, perigee.ProgramNotFound, "/bin/true is not perigee"),
            ({"program": "/bin/false"}, perigee.ProgramNotFound, "/bin/false is not perigee"),
        ):
            with self.assertRaisesRegex(kind, text):
                perigee.run("s.lua", **named)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            perigee.run("")

    def test_options_that_run_nothing(self) -> None:
        self.write("s.lua", "")
        self.assertIn("--seed", perigee.run("s.lua", options=["--help"], timeout=float("inf")).text)

    def test_pickles(self) -> None:
        self.write("s.lua", "print 'before' error 'mine'")
        error = pickle.loads(pickle.dumps(self.error("s.lua")))
        self.assertIs(type(error), perigee.ScriptError)
        self.assertEqual((error.message, error.line, error.results.text), ("mine", 1, "before\n"))
        self.write("endless.lua", "while true do end")
        with self.assertRaises(perigee.ScriptTimeout) as caught:
            perigee.run("endless.lua", timeout=2)
        late = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(late), str(late)), (perigee.ScriptTimeout, str(caught.exception)))

    def test_scripts_in_other_processes(self) -> None:
        self.write(
            "s.lua",
            """
            local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = setting("time", 1) } } }
            local r = s:run { policy = "workqueue" }
            r:save "run"
            print(r:jobs())
            plot({ { x = 1, y = 2 } }, { x = "x", y = "y", file = "deep/fig", kind = "points" })
            """,
        )
        self.write("bad.lua", "error 'mine'")
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            good, bad = pool.submit(perigee.run, "s.lua", time=7), pool.submit(perigee.run, "bad.lua")
            results = good.result()
            with self.assertRaisesRegex(perigee.ScriptError, "mine"):
                bad.result()
        self.assertEqual([job["finish"] for job in self.rows(results.runs["run"].jobs)], [7])
        self.assertEqual(len(self.rows(results.shown[0])), 1)
        parts = (results.figures, results.figures["deep/fig"], results.runs["run"], results.runs["run"].tables, results.tables)
        figures, figure, run, of_run, tables = pickle.loads(pickle.dumps(parts))
        folder = results.folder
        del results, parts, good
        gc.collect()
        self.assertFalse(folder.exists())
        self.assertEqual(figures["deep/fig"].svg, figure.svg)
        self.assertEqual(run.tables.rows("jobs"), of_run.rows("jobs"))
        self.assertEqual(len(tables), 0)

    def test_a_script_that_takes_too_long(self) -> None:
        self.write("s.lua", "print 'begun' while true do end")
        begun = time.monotonic()
        with self.assertRaises(perigee.ScriptTimeout) as caught:
            perigee.run("s.lua", timeout=2)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertEqual(str(caught.exception), "s.lua: the script was ended after 2 s")
        self.assertEqual(caught.exception.code, "timeout")

    def test_ctrl_c_ends_the_script(self) -> None:
        self.write("s.lua", "while true do end")
        self.write(
            "caller.py",
            f"""
            import signal, sys
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
            sys.path.insert(0, {str(ROOT / "interpreter/installed/python")!r})
            import perigee
            print("here", flush=True)
            try:
                perigee.run("s.lua", out="out")
            except KeyboardInterrupt:
                print("ended", flush=True)
            """,
        )
        caller = subprocess.Popen([sys.executable, "caller.py"], stdout=subprocess.PIPE, start_new_session=True)
        assert caller.stdout is not None
        self.assertEqual(caller.stdout.readline(), b"here\n")
        children = Path(f"/proc/{caller.pid}/task/{caller.pid}/children")
        child = ""
        for _ in range(600):
            child = children.read_text().strip()
            if child and b"run" in Path(f"/proc/{child}/cmdline").read_bytes():
                break
            time.sleep(0.1)
        time.sleep(0.5)
        caller.send_signal(signal.SIGINT)  # to the caller alone, as a notebook does
        told, _ = caller.communicate(timeout=120)
        self.assertEqual(told, b"ended\n")
        self.assertFalse(Path(f"/proc/{child}").exists())

    def test_a_program_that_was_killed(self) -> None:
        program = self.folder / "killed"
        program.write_text("#!/bin/sh\necho half; kill -9 $$\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        error = self.error("s.lua", program=program)
        self.assertEqual((error.code, error.message), ("signal", "perigee was ended by the signal SIGKILL"))
        self.assertEqual(error.results.text, "half\n")  # type: ignore[union-attr]

    def test_programs_that_are_not_there(self) -> None:
        with self.assertRaisesRegex(perigee.ProgramNotFound, "the argument program names 'nowhere/perigee'"):
            perigee.run("s.lua", program="nowhere/perigee")
        os.environ["PERIGEE"] = "nowhere"
        with self.assertRaisesRegex(perigee.ProgramNotFound, "the environment's PERIGEE names 'nowhere'"):
            perigee.run("s.lua")
        del os.environ["PERIGEE"]
        os.environ["PATH"] = str(self.folder)
        with self.assertRaisesRegex(perigee.ProgramNotFound, "install the package perigee"):
            perigee.run("s.lua")
        os.symlink(os.environ["PERIGEE_BINARY"], "perigee")
        self.write("s.lua", "print 'on the path'")
        self.assertEqual(perigee.run("s.lua").text, "on the path\n")

    def test_in_a_thread(self) -> None:
        self.write("s.lua", "print(1)")
        told = []
        thread = threading.Thread(target=lambda: told.append(perigee.run("s.lua").text))
        thread.start()
        thread.join(120)
        self.assertEqual(told, ["1\n"])


if __name__ == "__main__":
    unittest.main()
