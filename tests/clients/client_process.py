# SPDX-License-Identifier: Apache-2.0
"""Runs functions of test files, one after the other: (file, function, arguments) comes in, what went wrong goes out."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import pickle
import sys
import traceback
from functools import cache
from types import ModuleType
from typing import Any


@cache
def _module(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(os.path.basename(file).removesuffix(".py"), file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def _run(file: str, function: str, arguments: dict[str, Any]) -> str | None:
    try:
        vars(_module(file))[function](**arguments)
    except BaseException:
        return traceback.format_exc()
    return None


def main() -> None:
    # What tests print must not stand between the answers: descriptor 1 becomes the error output.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            failure = _run(*request)
        if failure and shown.getvalue():
            failure += f"\nIt printed:\n{shown.getvalue()}"
        pickle.dump(failure, answers)
        answers.flush()


if __name__ == "__main__":
    main()
