"""Reading what scripts have saved."""

import gc
import math
import os
import re
import unittest

from support import InFolder, pandas

import perigee

STUDY = """
    local s = scenario {
      platform = platform { cluster "n" { nodes = 2 } },
      workload = workload.jobs { { name = "007", user = "NA", time = 1e5 }, { name = "2", user = "null", time = 1e6, arrival = 123456789 } },
    }
    local e = experiment "whole" {
      factors = {
        { "id", { 99999, 100000, 1e6, 123456789, 2 ^ 53, -100000 } },
        { "mixed", { 0.5, 1e22 } },
        { "ok", { true, false } },
        { "word", { "a", "<b>&" } },
      },
      run = function(f) return { measure = f.id, none = 0 / 0, half = f.mixed } end,
    }
    e:save "whole"
    e:save "deep/er"
    local r = s:run { policy = "fcfs" }
    r:save("run", { gzip = true })
    s:compare { "fcfs", "easy" }:csv "both"
    plot({ { x = 1, y = 2 }, { x = 2, y = 3 } }, { x = "x", y = "y", file = "fig" })
"""


class Saved(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.write("study.lua", STUDY)
        perigee.run("study.lua", out="results")

    def test_names(self) -> None:
        results = perigee.load("results")
        self.assertEqual(sorted(results.tables), ["both", "deep/er", "whole"])
        self.assertEqual(list(results.figures), ["fig"])
        self.assertEqual(list(results.runs), ["run"])
        self.assertEqual(sorted(results.experiments), ["deep/er", "whole"])
        self.assertIn(results.folder / "fig.svg", results.files)
        self.assertIn("whole", results)
        self.assertNotIn("hole", results)
        self.assertIn("tables both, whole", repr(results))

    def test_whole_numbers_stay_whole(self) -> None:
        rows = perigee.load("results").tables.rows("whole")
        self.assertEqual(
            sorted({row["id"] for row in rows}), [-100000, 99999, 100000, 1000000, 123456789, 9007199254740992]
        )
        self.assertEqual({type(row[name]) for row in rows for name in ("id", "cell", "seed", "measure")}, {int})
        self.assertEqual({row["mixed"] for row in rows}, {0.5, 1e22})
        self.assertEqual({type(row["mixed"]) for row in rows}, {float})
        self.assertEqual({row["ok"] for row in rows}, {True, False})
        self.assertEqual({row["word"] for row in rows}, {"a", "<b>&"})
        self.assertTrue(all(math.isnan(row["none"]) for row in rows))

    @unittest.skipIf(pandas is None, "pandas is not there")
    def test_types_of_columns(self) -> None:
        results = perigee.load("results")
        kinds = {name: str(kind) for name, kind in results["whole"].dtypes.items()}
        for name in ("id", "cell", "seed", "measure", "replication"):
            self.assertEqual(kinds[name], "int64", name)
        self.assertEqual((kinds["mixed"], kinds["none"], kinds["ok"]), ("float64", "float64", "bool"))
        plain = pandas.read_csv("results/whole.csv")  # without the module
        self.assertEqual(str(plain["id"].dtype), "int64")
        self.assertEqual(plain["id"].tolist(), results["whole"]["id"].tolist())
        self.assertEqual(str(pandas.read_csv("results/run/jobs.csv.gz")["arrival"].dtype), "int64")
        self.assertEqual(plain["measure"].tolist(), [row["measure"] for row in results.tables.rows("whole")])

    def test_a_run(self) -> None:
        run = perigee.load("results").runs["run"]
        jobs = self.rows(run.jobs)
        self.assertEqual([job["name"] for job in jobs], ["007", "2"])
        self.assertEqual([job["user"] for job in jobs], ["NA", "null"])
        self.assertEqual([job["finish"] for job in jobs], [100000, 124456789])
        self.assertEqual(run.metrics["makespan"], 124456789)
        self.assertEqual(run.manifest["policy"], "fcfs")
        self.assertEqual(repr(run), "<perigee.Run run: fcfs with seed 1, complete>")
        self.assertIn("trace", run.tables)
        alone = perigee.load("results/run")
        self.assertEqual((list(alone.runs), list(alone.tables)), (["run"], []))

    def test_absent_fields(self) -> None:
        jobs = perigee.load("results").runs["run"].tables.rows("jobs")
        self.assertIsNone(jobs[0]["deadline"])
        table = perigee.load("results").runs["run"].jobs
        if pandas is not None:
            self.assertTrue(table["deadline"].isna().all())

    def test_a_figure(self) -> None:
        figure = perigee.load("results")["fig"]
        self.assertIn("<svg", figure._repr_svg_())
        self.assertEqual([list(row.values())[:2] for row in self.rows(figure.table)], [[1, 2], [2, 3]])
        os.remove("results/fig.csv")
        self.assertIsNone(perigee.load("results")["fig"].table)

    def test_html_holds_texts_as_texts(self) -> None:
        page = perigee.load("results")._repr_html_()
        self.assertIn('<td style="text-align:left">&lt;b&gt;&amp;</td>', page)
        self.assertNotIn("<b>&", page)
        self.assertIn("28 of 48 rows are left out", page)
        self.assertIn('<img alt="fig" src="data:image/svg+xml;base64,', page)
        self.assertIn("<li>run: fcfs with seed 1, complete</li>", page)
        self.assertNotRegex(re.sub("base64,[^\"]*", "", page), "https?:")

    def test_an_experiment(self) -> None:
        study = perigee.load("results").experiments["whole"]
        self.assertEqual(study["factors"][0]["levels"][1], 100000)

    def test_names_that_are_not_there(self) -> None:
        results = perigee.load("results")
        with self.assertRaisesRegex(KeyError, "no table 'hole'; did you mean 'whole'?"):
            results.tables["hole"]
        with self.assertRaisesRegex(KeyError, "no figure 'xyzzy'; there are fig"):
            results.figures["xyzzy"]
        with self.assertRaisesRegex(KeyError, "no table, figure or run 'bath'"):
            results["bath"]


class Odd(InFolder):
    """Files that perigee has not written, or that are strange."""

    def test_folders_that_are_none(self) -> None:
        with self.assertRaises(FileNotFoundError):
            perigee.load("nowhere")
        with self.assertRaisesRegex(ValueError, "load needs the path of a folder"):
            perigee.load("")
        self.write("file", "")
        with self.assertRaises(NotADirectoryError):
            perigee.load("file")
        os.mkdir("empty")
        results = perigee.load("empty")
        self.assertEqual((len(results.tables), results.files), (0, []))
        self.assertIn("nothing was saved", repr(results))
        with self.assertRaisesRegex(KeyError, "there are none"):
            results["x"]

    def test_odd_tables(self) -> None:
        self.write("r/none.csv", "")
        self.write("r/head.csv", "a,b\n")
        self.write("r/quoted.csv", 'a,b\n"x, ""y""\nz",1\n')
        self.write("r/long.csv", "a\n" + "x" * 300000 + "\n")
        self.write("r/holes.csv", "a,b\n1,\n,2.5\n")
        (self.folder / "r/bytes.csv").write_bytes(b"a\n\xff\n")
        results = perigee.load("r")
        self.assertEqual(self.rows(results["none"]), [])
        self.assertEqual(self.rows(results["head"]), [])
        self.assertEqual(self.rows(results["quoted"]), [{"a": 'x, "y"\nz', "b": 1}])
        self.assertEqual(len(self.rows(results["long"])[0]["a"]), 300000)
        self.assertEqual(results.tables.rows("holes"), [{"a": 1, "b": None}, {"a": None, "b": 2.5}])
        self.assertEqual(self.rows(results["bytes"]), [{"a": "\ufffd"}])
        self.assertIn("holes", results._repr_html_())

    def test_links_are_not_followed(self) -> None:
        self.write("secret.csv", "a\n1\n")
        os.mkdir("r")
        os.symlink(self.folder / "secret.csv", "r/link.csv")
        os.symlink(self.folder, "r/folder")
        self.assertEqual(list(perigee.load("r").tables), [])

    def test_files_are_read_when_asked_for(self) -> None:
        self.write("r/table.csv", "a\n1\n")
        results = perigee.load("r")
        self.write("r/table.csv", "a\n2\n")
        self.assertEqual(self.rows(results["table"]), [{"a": 2}])
        self.assertIs(results["table"], results["table"])

    def test_temporary_folders_live_as_long_as_they_are_needed(self) -> None:
        self.write("s.lua", "plot({ { x = 1, y = 2 } }, { x = 'x', y = 'y', file = 'fig', kind = 'points' })")
        results = perigee.run("s.lua")
        folder, figure = results.folder, results.figures["fig"]
        del results
        gc.collect()
        self.assertIn("<svg", figure.svg)
        del figure
        gc.collect()
        self.assertFalse(folder.exists())


if __name__ == "__main__":
    unittest.main()
