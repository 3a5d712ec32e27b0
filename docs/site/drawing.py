"""Figures of matplotlib as SVG within a page: text and lines have the page's own colour, light or dark."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from cycler import cycler

mpl.use("Agg")

import matplotlib.pyplot as plt

_INK = "#010203"  # a colour that no drawing has: it becomes the colour of the page's text
_COLOURS = ("#3b82c4", "#e0772f", "#3a9d5d", "#d1495b", "#8f6fc0", "#9c7a5b", "#c963a8", "#7d8590")
_GROUPS = re.compile(r' id="(?!m|p|clip|image)\w+_\d+"')
_SIZE = re.compile(r'<svg [^>]*?viewBox="([^"]+)"[^>]*>')


@contextmanager
def drawing(name: str) -> Iterator[None]:
    """While it is open, new figures have the site's style. `name` makes the names within the SVG the page's own."""
    inks = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "legend.labelcolor")
    style: dict[Any, Any] = {
        **dict.fromkeys(inks, _INK),
        "axes.prop_cycle": cycler(color=_COLOURS),
        "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": "medium",
        "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
        "figure.figsize": (7.0, 3.6), "figure.constrained_layout.use": True,
        "grid.color": _INK, "grid.alpha": 0.15, "legend.frameon": False, "legend.fontsize": "small",
        "svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif",
    }  # fmt: skip
    plt.close("all")
    try:
        with mpl.rc_context(style):
            yield
    finally:
        plt.close("all")


def to_html(label: str) -> str:
    """The current figure as an element of a page. `label` says what it shows, for readers who do not see it."""
    file = io.StringIO()
    plt.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    text = _GROUPS.sub("", text[text.index("<svg") :]).replace(_INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font: \1px var(--font-stack)", text)
    found = _SIZE.search(text)
    assert found is not None
    head = f'<svg viewBox="{found[1]}" role="img" aria-label="{html.escape(label)}" xmlns:xlink="http://www.w3.org/1999/xlink">'
    return f'<div class="drawing">{text.replace(found[0], head, 1)}</div>'
