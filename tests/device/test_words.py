# SPDX-License-Identifier: Apache-2.0
"""The small words around kernels, and tensors that a kernel puts somewhere by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer
from aclimb.errors import KernelTrap, OutOfBounds

Run = Callable[..., None]
X = np.arange(1, 65, dtype=np.float32)


@pytest.mark.requirement("lib-64")
def test_small_words_mean_what_they_say(run: Run) -> None:
    y = Buffer(7, "int32")
    run("words", "words", Buffer.from_array(X), y)
    assert y.to_numpy().tolist() == [1, 2, 1, 2, 3, 1, 2]


@pytest.mark.requirement("lib-64")
def test_assert_in_capitals_ends_the_kernel_and_names_its_line(run: Run) -> None:
    with pytest.raises(KernelTrap, match=r"y == nullptr.*failing_assert block 0") as caught:
        run("words", "failing_assert", Buffer(1, "int32"))
    assert (caught.value.file or "").endswith("words.cpp")
    assert caught.value.line == 27


@pytest.mark.requirement("lib-64")
def test_asserts_of_the_debug_mode_do_not_even_compile_their_arguments(run: Run) -> None:
    y = Buffer(1, "int32")
    run("words", "debug_words", y)
    assert y.to_numpy().tolist() == [1]


def test_a_buffer_is_used_like_a_queue(run: Run) -> None:
    y = Buffer(8, "float32")
    run("words", "buffer_as_queue", Buffer.from_array(X), y)
    assert y.to_numpy()[0] == X.sum()


@pytest.mark.requirement("lib-59")
def test_members_of_address_put_the_tensor_there(run: Run) -> None:
    y, facts = Buffer(64, "float32"), Buffer(9, "uint64")
    run("addresses", "by_members", Buffer.from_array(X), y, facts)
    np.testing.assert_array_equal(y.to_numpy(), X + X)
    vecin, a1, l1 = 9, 1, 512 * 1024 - 256
    assert facts.to_numpy().tolist() == [4096, 4352, 256, vecin, 64, l1 - 64, a1, 4352, 1]


@pytest.mark.requirement("lib-59")
def test_set_addr_puts_a_tensor_into_ub(run: Run) -> None:
    y = Buffer(64, "float32")
    run("addresses", "by_record", Buffer.from_array(X), y)
    np.testing.assert_array_equal(y.to_numpy(), -X)


@pytest.mark.requirement("lib-59")
def test_a_length_that_was_set_is_a_bound(run: Run) -> None:
    with pytest.raises(OutOfBounds, match="128 bytes"):
        run("addresses", "too_long", Buffer.from_array(X))
