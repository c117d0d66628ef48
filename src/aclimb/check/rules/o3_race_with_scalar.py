# SPDX-License-Identifier: Apache-2.0
"""O3: the scalar unit and a pipe.

The scalar unit and a pipe touch the same bytes, at least one of them writes, and nothing makes one wait for the other. The
pair is checked with `auto_sync="off"`.

## On the chip

The scalar unit runs ahead of the pipes. `GetValue` reads the tile before V has written it, and the kernel branches on an old number.

## The smallest change

A flag from the pipe to the scalar unit, `V_S`; in the other direction `S_V`.

## How sure

The compiler inserts these flags by itself, on AIV, for a closed list of calls: `GetValue`, `SetValue` and `t(i)` of a
LocalTensor, `GetValue` and `t(i)` of a GlobalTensor, and three calls that read result registers. Not for raw pointers, not on the AIC,
not with `--cce-auto-sync=off`. That `SetValue` of a GlobalTensor is not on the list is taken literally, which is to be confirmed on
hardware.

## What it does not see

Loads and stores through raw pointers in a binary without its source; the report says so once.

## Sources

- asc-devkit, synchronisation inside a core: what the compiler inserts
- asc-devkit, LocalTensor and GlobalTensor: GetValue, SetValue
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_not_written_back, is_scalar, race
from aclimb.check.rules.rule import Pair, Rule


def _applies(case: Case) -> bool:
    return is_scalar(case) and not is_cube(case) and not is_not_written_back(case)


RULE = Rule(
    id="O3",
    name="race-with-scalar",
    title="Race",
    severity="error",
    meaning="The scalar unit and a pipe touch the same bytes, at least one of them writes, and nothing makes one wait for the other.",
    grade="documented",
    basis="the compiler inserts flags for GetValue, SetValue and t(i) on AIV only; not for raw pointers, not for SetValue of a "
    "GlobalTensor, nothing on the AIC",
    kinds=("race",),
    applies=_applies,
    words=race,
    pair=Pair(lines=("Add(out", "out.GetValue(0)"), blocks=4, check={"auto_sync": "off"}),
)
