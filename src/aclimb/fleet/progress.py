# SPDX-License-Identifier: Apache-2.0
"""A bar on standard error, where somebody looks: how many are done, how fast, how many failed, how long it will take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

Tell = Callable[[str, bool], None]  # what was done, and whether it went well


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if not speed else f"{speed:.1f}/s" if speed >= 1 else f"{60 * speed:.1f}/min")


class _Failed(ProgressColumn):
    def render(self, task: Task) -> Text:
        count = task.fields["failed"]
        return Text(f"{count} failed" if count else "", style="red")


@contextmanager
def progress(title: str, total: int, done: int = 0) -> Iterator[Tell]:
    """`done`: what an earlier run has done already; it does not count for the rate."""
    console = Console(stderr=True)
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), _Rate(), _Failed(), TimeElapsedColumn(), TimeRemainingColumn(),
               TextColumn("{task.description}"))  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal, speed_estimate_period=60) as bar:
        task, failed = bar.add_task("", total=total, completed=done, failed=0), 0

        def tell(label: str, ok: bool) -> None:
            nonlocal failed
            failed += not ok
            bar.update(task, advance=1, failed=failed, description=escape(label))

        yield tell
