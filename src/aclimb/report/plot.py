# SPDX-License-Identifier: Apache-2.0
"""A bar chart as SVG, without a library."""

from __future__ import annotations

from html import escape

_ROW, _LETTER, _WIDTH, _RIGHT = 22, 7, 480, 90


def bar_chart(rows: list[tuple[str, float | None]], *, unit: str) -> str:
    """One horizontal bar a row, the shortest one green; a row without a value says so."""
    known = [value for _, value in rows if value is not None]
    longest, best = max(known, default=1.0) or 1.0, min(known, default=0.0)
    left = 16 + _LETTER * max((len(name) for name, _ in rows), default=0)
    height = _ROW * (len(rows) + 1) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + _WIDTH + _RIGHT}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{left}" y="15" fill="#555">{escape(unit)}</text>',
    ]
    for number, (name, value) in enumerate(rows):
        y = _ROW * (number + 1)
        lines.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        if value is None:
            lines.append(f'<text x="{left}" y="{y + 15}" fill="#b00">failed</text>')
            continue
        width = max(1.0, _WIDTH * value / longest)
        colour = "#2a9d4a" if value == best else "#4a78b8"
        lines.append(f'<rect x="{left}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 6}" fill="{colour}"/>')
        lines.append(f'<text x="{left + width + 6:.1f}" y="{y + 15}">{value:.2f}</text>')
    return "\n".join([*lines, "</svg>", ""])
