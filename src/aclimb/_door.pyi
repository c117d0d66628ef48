# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

def names() -> tuple[str, ...]: ...
def install(
    library: str,
    answer: Callable[[str], Callable[..., Any]],
    refuse_null: Callable[[str, str], None],
    refuse_error: Callable[[str, BaseException], int],
    require_host: Callable[[int, int, str], None],
) -> None: ...
def fill(address: int, /) -> None: ...
def end(for_all: bool, /) -> None: ...
