# SPDX-License-Identifier: Apache-2.0
"""Drawings of a sweep as SVG, without a library: bars, the effect of one parameter, a heat map of two. Each has a title and axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_ROW, _WIDTH, _RIGHT, _TOP, _FOOT = 22, 480, 70, 44, 46
_LETTER, _TITLE_LETTER = 8, 9  # pixels, no fewer than letters take on average
MOST_BARS = 60


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours of a file by itself, or those of the page around a drawing."""

    text: str = "#1b2129"
    quiet: str = "#5a6572"
    grid: str = "#e3e7ec"
    bar: str = "#2563b0"
    best: str = "#1a7f4b"
    bad: str = "#b42318"
    on_bar: str = "#ffffff"
    back: str = "#ffffff"


FILE = Inks()
PAGE = Inks("var(--text)", "var(--quiet)", "var(--grid)", "var(--part-busy)", "var(--good)", "var(--bad)", "var(--on-pipe)", "none")


def bar_chart(rows: list[tuple[str, float | None]], *, title: str, unit: str, inks: Inks = FILE) -> str:
    """One horizontal bar a row, the shortest one in another colour; a row without a value says so."""
    known = [value for _, value in rows if value is not None]
    best = min(known, default=0.0)
    left = 16 + _LETTER * max((len(name) for name, _ in rows), default=0)
    bottom = _TOP + _ROW * len(rows)
    scale = _Scale(0.0, max(known, default=1.0) or 1.0, left, left + _WIDTH)
    lines = [_heading(title, inks), *_ticks_along(scale, _TOP - 4, bottom, inks), _along(f"{unit}, modelled", scale, bottom + 38, inks)]
    for number, (name, value) in enumerate(rows):
        y = _TOP + _ROW * number
        lines.append(_text(left - 8, y + 15, name, inks.text, anchor="end"))
        if value is None:
            lines.append(_text(left + 4, y + 15, "failed", inks.bad))
            continue
        width = max(1.0, scale(value) - left)
        ink = inks.best if value == best else inks.bar
        lines.append(_rect(left, y + 3, width, _ROW - 6, ink, f"{name}: {value:.2f} {unit}"))
        lines.append(_text(left + width + 6, y + 15, f"{value:.2f}", inks.text))
    return _drawing(lines, max(left + _WIDTH + _RIGHT, _TITLE_LETTER * len(title) + 24), bottom + _FOOT, title, inks)


def effect_chart(name: str, values: Sequence[tuple[str, float]], *, title: str, unit: str, inks: Inks = FILE) -> str:
    """The best time with each value of one parameter, values along the bottom: a line where they are numbers, else bars."""
    left, right, bottom = 64, 420, 190
    scale = _Scale(0.0, max(value for _, value in values), bottom, _TOP)
    step = (right - left) / len(values)
    places = [(left + step * (number + 0.5), scale(value)) for number, (_, value) in enumerate(values)]
    best = min(value for _, value in values)
    lines = [_heading(title, inks), *_ticks_up(scale, left, right, inks), _up(f"{unit}, modelled", (bottom + _TOP) / 2, inks)]
    lines.append(_along(name, _Scale(0, 1, left, right), bottom + 38, inks))
    if all(_is_number(setting) for setting, _ in values):
        lines.append(
            f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" fill="none" stroke="{inks.bar}" stroke-width="2"/>'
        )
    every = max(1, math.ceil(len(values) * max(len(setting) for setting, _ in values) * _LETTER / (right - left)))
    for number, ((setting, value), (x, y)) in enumerate(zip(values, places, strict=True)):
        ink = inks.best if value == best else inks.bar
        words = f"<title>{escape(f'{name}={setting}: {value:.2f} {unit}')}</title>"
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{ink}">{words}</circle>')
        if number % every == 0:
            lines.append(_text(x, bottom + 18, setting, inks.quiet, anchor="middle"))
    return _drawing(lines, max(right + 24, _TITLE_LETTER * len(title) + 24), bottom + _FOOT, title, inks)


def heat_map(
    across: tuple[str, Sequence[str]],
    down: tuple[str, Sequence[str]],
    cells: dict[tuple[str, str], float | None],
    *,
    title: str,
    unit: str,
    inks: Inks = FILE,
) -> str:
    """One cell for each pair of values, the stronger its colour the better. A pair that was not run is empty, one that failed says so."""
    (x_name, columns), (y_name, rows) = across, down
    left = 40 + _LETTER * max(len(value) for value in rows)
    wide = max(58, _LETTER * max(len(value) for value in columns) + 14)
    tall, top = 30, _TOP
    known = [value for value in cells.values() if value is not None]
    low, high = min(known, default=1.0), max(known, default=1.0)
    right, bottom = left + wide * len(columns), top + tall * len(rows)
    lines = [_heading(title, inks)]
    for i, column in enumerate(columns):
        lines.append(_text(left + wide * (i + 0.5), bottom + 17, column, inks.quiet, anchor="middle"))
        for j, row in enumerate(rows):
            if (column, row) in cells:
                lines += _cell(left + wide * i, top + tall * j, wide, tall, cells[column, row], low, high, inks)
    lines += [_text(left - 8, top + tall * (j + 0.5) + 4, row, inks.quiet, anchor="end") for j, row in enumerate(rows)]
    lines += [_along(x_name, _Scale(0, 1, left, right), bottom + 37, inks), _up(y_name, (top + bottom) / 2, inks)]
    foot = f"{unit}, modelled; best {low:.2f}, worst {high:.2f}" if known else "nothing ran"
    lines.append(_text(left, bottom + 56, foot, inks.quiet))
    width = max(right + 24, _TITLE_LETTER * len(title) + 24, left + _LETTER * len(foot))
    return _drawing(lines, width, bottom + 66, title, inks)


def _cell(x: float, y: float, wide: float, tall: float, value: float | None, low: float, high: float, inks: Inks) -> list[str]:
    if value is None:
        return [
            f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{tall - 2:.1f}" fill="none" stroke="{inks.grid}"/>',
            _text(x + wide / 2, y + tall / 2 + 4, "failed", inks.bad, anchor="middle"),
        ]
    # By ratio: 2 against 1 is as far as 4 against 2.
    share = 1.0 if high <= low else 1.0 - math.log(value / low) / math.log(high / low)
    strength = 0.08 + 0.87 * share
    ink = inks.best if value == low else inks.bar
    return [
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{tall - 2:.1f}" rx="3" fill="{ink}" '
        f'fill-opacity="{strength:.2f}"/>',
        _text(x + wide / 2, y + tall / 2 + 4, f"{value:.2f}", inks.on_bar if strength > 0.5 else inks.text, anchor="middle"),
    ]


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low or 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values, about five of them."""
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / 4))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= (self.high - self.low) / 5)
        return [step * number for number in range(int(self.high / step + 1e-9) + 1)]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _ticks_along(scale: _Scale, top: float, bottom: float, inks: Inks) -> list[str]:
    lines = []
    for tick in scale.ticks():
        lines.append(f'<line x1="{scale(tick):.1f}" x2="{scale(tick):.1f}" y1="{top}" y2="{bottom}" stroke="{inks.grid}"/>')
        lines.append(_text(scale(tick), bottom + 17, f"{tick:g}", inks.quiet, anchor="middle"))
    return lines


def _ticks_up(scale: _Scale, left: float, right: float, inks: Inks) -> list[str]:
    lines = []
    for tick in scale.ticks():
        lines.append(f'<line x1="{left}" x2="{right}" y1="{scale(tick):.1f}" y2="{scale(tick):.1f}" stroke="{inks.grid}"/>')
        lines.append(_text(left - 8, scale(tick) + 4, f"{tick:g}", inks.quiet, anchor="end"))
    return lines


def _heading(title: str, inks: Inks) -> str:
    return f'<text x="8" y="20" fill="{inks.text}" style="font-weight:600;font-size:14px;fill:{inks.text}">{escape(title)}</text>'


def _along(name: str, scale: _Scale, y: float, inks: Inks) -> str:
    return _text((scale.start + scale.end) / 2, y, name, inks.text, anchor="middle")


def _up(name: str, y: float, inks: Inks) -> str:
    style = f"fill:{inks.text}"
    return f'<text x="14" y="{y:.1f}" text-anchor="middle" transform="rotate(-90 14 {y:.1f})" style="{style}">{escape(name)}</text>'


def _text(x: float, y: float, text: str, ink: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="fill:{ink}">{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, ink: str, words: str) -> str:
    title = f"<title>{escape(words)}</title>"
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2" fill="{ink}">{title}</rect>'


def _drawing(lines: list[str], width: float, height: float, title: str, inks: Inks) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title, quote=True)}">'
    )
    back = [] if inks.back == "none" else [f'<rect width="100%" height="100%" fill="{inks.back}"/>']
    return "\n".join([head, *back, *lines, "</svg>", ""])
