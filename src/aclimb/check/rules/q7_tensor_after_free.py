# SPDX-License-Identifier: Apache-2.0
"""Q7: a tensor used behind its FreeTensor.

An instruction that is issued behind FreeTensor uses the tensor.

## On the chip

FreeTensor tells the pipe that fills the buffer next that it may. With two buffers the copy of the next round and this Add are under way
together.

## The smallest change

Free the tensor behind its last use.

## How sure

FreeTensor sets the flag that the next AllocTensor of the buffer waits for. The vendor's CPU mode reports it
too.

## What it does not see

What did not run. It is judged in the order of the program, whatever the pipes did.

## Sources

- asc-devkit, TQue: FreeTensor
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q7",
    name="tensor-after-free",
    title="Used after FreeTensor",
    severity="error",
    meaning="An instruction that is issued behind FreeTensor uses the tensor; the next AllocTensor may have given its buffer away.",
    grade="library",
    basis="FreeTensor tells the pipe that fills the buffer next",
    faults="freed_tensor",
    pair=Pair(faults="use_after_free"),
)
