# SPDX-License-Identifier: Apache-2.0
"""Many tasks on many processes, of this machine or of a Ray cluster: results in order, failures with their reason.

| file | enters | leaves |
|---|---|---|
| `task.py` | a function's name and its arguments | the records that travel: `Task`, `Answer`, `Done` |
| `fleet.py` | tasks | results in the order of the tasks; what failed is tried elsewhere first |
| `local.py`, `on_ray.py` | one task | its answer, from a process of this machine or of a cluster's node |
| `seat.py` | one task | its answer, from one process that is watched: time, memory, crashes |
| `worker.py` | a function's name | the process on the other side of a seat |
| `folders.py`, `stock.py` | a folder of the user | its files by content, and the folder again on another machine |
| `depot.py`, `shelf.py` | files and built kernels of a run | the same on every node that asks, each once |
| `records.py` | results | one SQLite file, from which a run goes on |
| `progress.py` | results | a bar |
"""

from aclimb.fleet.fleet import Fleet, open_fleet
from aclimb.fleet.task import Crashed, Done, Limits, Places, Task, TryElsewhere

__all__ = ["Crashed", "Done", "Fleet", "Limits", "Places", "Task", "TryElsewhere", "open_fleet"]
