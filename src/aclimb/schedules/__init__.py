# SPDX-License-Identifier: Apache-2.0
"""Legal orders of the instructions of any kernel, and what they change. `fuse.stress` and `aclimb check --schedules` run them.

| file | what |
|---|---|
| `cores.py` | the cores of a launch, by name |
| `schedule.py` | a schedule, and the string that stands for it |
| `search.py` | which schedules to try, and what it means that none of them changes the result |
| `trial.py` | a kernel with its buffers, run again and again |
| `difference.py` | a result that a schedule changed |
| `shrink.py` | the same with a smaller schedule |
| `witness.py` | two instructions, the other way round |
"""
