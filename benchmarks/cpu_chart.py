"""A chart of the ratios of benchmarks/cpu.py, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

_COLOURS = {"numpy": "#1f77b4", "numba": "#d62728", "numba fastmath": "#ff9896", "pocl": "#7f7f7f"}
_LEFT, _WIDTH, _TOP, _ROW = 190, 560, 56, 16
_LOW, _HIGH = 1 / 16, 64  # the ends of the axis; ratios beyond are drawn there


def _x(ratio: float) -> float:
    part = math.log(min(max(ratio, _LOW), _HIGH) / _LOW) / math.log(_HIGH / _LOW)
    return _LEFT + _WIDTH * part


def chart(title: str, rows: Sequence[dict[str, Any]]) -> str:
    """One line for each row that has a peer, with a dot for each peer at peer time / gpucore time."""
    shown = [row for row in rows if row["ratios"]]
    bottom = _TOP + _ROW * len(shown)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 30}" height="{bottom + 30}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="18" font-size="13">{escape(title)}</text>',
    ]
    for place, (peer, colour) in enumerate(_COLOURS.items()):
        parts.append(f'<circle cx="{_LEFT + 130 * place}" cy="34" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + 130 * place + 8}" y="38">{peer}</text>')
    for power in range(round(math.log2(_LOW)), round(math.log2(_HIGH)) + 1):
        x, ratio = _x(2.0**power), 2.0**power
        width = 2 if power == 0 else 0.5
        parts.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#aaa" stroke-width="{width}"/>'
        )
        parts.append(f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{ratio:g}</text>')
    for number, row in enumerate(shown):
        y = _TOP + _ROW * number + 6
        label = escape(row["name"] + ("" if row["threads"] == 1 else f", {row['threads']} threads"))
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{label}</text>')
        for peer, ratio in row["ratios"].items():
            parts.append(f'<circle cx="{_x(ratio):.1f}" cy="{y}" r="4" fill="{_COLOURS.get(peer, "black")}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"
