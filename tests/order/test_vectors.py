# SPDX-License-Identifier: Apache-2.0
"""The vectors as kernels: put right they compute what they should and are in order, faulty they are not; so says the search, which does not
know the checker."""

from __future__ import annotations

import numpy as np
import pytest
from reachability import some_races
from tape import program_of, tapes
from vectors import FAULTY, LEGAL, Run, Vector, inputs, prepare, source_of

from aclimb import Stream
from aclimb.errors import AclimbError

NOT_ABOUT_ORDER = {"I1"}  # bytes that nobody wrote
NOT_SEEN = {"m13_no_flag_to_a_pointer"}  # plain loads need an image of their own, which tapes do not ask for
SAME_BYTES = {"t08_everybody_clears"}  # in no order, and no harm

by_id = {"ids": lambda vector: vector.id}


def races_of(run: Run) -> int:
    stream = Stream()
    with tapes() as launches:
        run.launch(stream)
        stream.synchronize()
    return sum(len(some_races(program_of(each, run.vector.auto_sync)[0])) for each in launches)


@pytest.mark.parametrize("vector", FAULTY + LEGAL, **by_id)
def test_a_vector_put_right_computes_what_it_should_and_is_in_order(vector: Vector) -> None:
    run = prepare(vector, source_of(vector, put_right=True))
    races = races_of(run)
    np.testing.assert_array_equal(run.result().reshape(-1), vector.expected(inputs(vector)).reshape(-1))
    assert bool(races) == (vector.id in SAME_BYTES)


@pytest.mark.parametrize("vector", FAULTY, **by_id)
def test_a_faulty_vector_is_in_no_order_or_ends_with_an_error(vector: Vector) -> None:
    run = prepare(vector, source_of(vector, put_right=False))
    try:
        races = races_of(run)
    except AclimbError:
        return
    assert races or vector.id in NOT_SEEN or vector.rules & NOT_ABOUT_ORDER


def test_every_operator_and_every_trap_has_a_vector() -> None:
    faulty, legal = {int(each.name[1:3]) for each in FAULTY}, {int(each.name[1:3]) for each in LEGAL}
    assert faulty == set(range(1, 37)) - {35}  # 35 is the host's, in test_vectors_checked.py
    assert legal == set(range(1, 38)) - {30, 31}  # and so are these
