# SPDX-License-Identifier: Apache-2.0
"""`aclimb chips` and `aclimb cache`: what there is."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

from aclimb import chips, knobs
from aclimb.cli.app import app
from aclimb.compile import open_cache

cache_app = typer.Typer(help="The cache of built kernels.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cache_app, name="cache")


@app.command(name="chips", short_help="List the chips that can be modelled.")
def list_chips() -> None:
    """List the chips that can be modelled, and those whose numbers can only be queried."""
    table = Table(box=None, pad_edge=False)
    for title in ("SoC", "family", "AIC", "AIV", "memory", "L2", "clock"):
        table.add_column(title)
    for name in chips.names(query_only=True):
        chip = chips.load(name)
        mark = " (default)" if chip.name.lower() == knobs.soc().lower() else "" if chip.can_build else " (query only)"
        table.add_row(
            chip.name + mark,
            chip.family,
            str(chip.aic_cores),
            str(chip.aiv_cores),
            f"{chip.device_memory >> 30} GiB",
            f"{chip.l2_size >> 20} MiB",
            f"{chip.clock_mhz} MHz",
        )
    Console(highlight=False).print(table)


@cache_app.command(name="info")
def cache_info() -> None:
    """Where the cache is and how full."""
    info = open_cache().info()
    typer.echo(
        f"{info.folder}: {info.objects} kernels, {info.precompiled_headers} precompiled headers, "
        f"{info.size_bytes / 2**20:.1f} of {info.limit_bytes / 2**20:.0f} MiB"
    )


@cache_app.command(name="clear")
def cache_clear() -> None:
    """Empty the cache."""
    cache = open_cache()
    typer.echo(f"{cache.folder}: {cache.clear() / 2**20:.1f} MiB removed")
