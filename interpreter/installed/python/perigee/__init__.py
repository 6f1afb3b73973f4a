"""Runs scripts of perigee, a laboratory for scheduling research, and reads what they save.

    import perigee
    results = perigee.run("study.lua", seed=1, nodes=64)
    results.tables["study"]      # a DataFrame where pandas is there, otherwise a list of dicts
    results.figures["wait"]      # an SVG, which a notebook shows
    perigee.load("results")      # what an earlier run has saved below --out results
"""

from ._read import Experiment, Figure, Results, Run, Shown, Tables, load
from ._run import Error, ProgramNotFound, ScriptError, ScriptTimeout, run

__all__ = [
    "Error",
    "Experiment",
    "Figure",
    "ProgramNotFound",
    "Results",
    "Run",
    "ScriptError",
    "ScriptTimeout",
    "Shown",
    "Tables",
    "load",
    "run",
]
