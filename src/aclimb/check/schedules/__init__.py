# SPDX-License-Identifier: Apache-2.0
"""`aclimb check --schedules N`: every launch of a program under N provoking schedules, the second line behind the order of events.

| file | enters | leaves |
|---|---|---|
| `parts.py` | how many schedules | parts of them, each a run of the program; the same ones for any number of workers |
| `provoking.py` | launches, in the process of the program | what a part of the schedules changes |
| `one.py` | one part | the program, run once more in a process of its own |
| `across.py` | all parts | what came of them, from a fleet |
| `tried.py` | | the records between these, as JSON |
| `words.py` | what came of them | findings of rule S1 |
"""
