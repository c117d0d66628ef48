# SPDX-License-Identifier: Apache-2.0
"""`aclimb sweep`: one program under many settings. points -> (search) -> runs -> table, words, plots and a page.

| file | enters | leaves |
|---|---|---|
| `points.py` | options of the command line | axes with their values, and every combination as a `Point` |
| `objective.py` | a word such as `task` | what is to be small, read off an outcome |
| `result.py` | the profile of one run | a few numbers as JSON, and from there a `SweepOutcome` |
| `search.py` | what was tried and how long it took | what to try next |
| `runs.py` | points, a budget | outcomes, one process each |
| `words.py` | outcomes | why the best one won, and which parameter mattered |
| `plots.py` | outcomes | drawings: bars, effects, heat maps |
| `show.py` | all of it | the terminal, sweep.csv, sweep.svg, sweep.html |
"""
