"""The directive `modelled`: what the cost model of gpucore-dask says of 1 to 1,000 workers.

A Sphinx extension. The text below the directive is the caption.
"""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
from docutils import nodes
from drawing import drawing, to_html
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import gpucore_dask as gd
from gpucore_dask.cost import Cost

WORKERS = sorted({round(10 ** (step / 6)) for step in range(19)})
PARTS = "compute", "link", "network", "host", "engine"
KEYS_OF_A_CHUNK = 1 << 29
"""2 GiB. A sort has as many chunks, and a chunk for each worker at least."""
KEYS, SIDE, BLOCK = 1 << 38, 1 << 18, 16_384


def sort_of(workers: int) -> Cost:
    """A sort of 1 TiB of keys of 4 bytes."""
    return gd.sort_cost(KEYS, 4, workers, max(workers, KEYS // KEYS_OF_A_CHUNK))


def product_of(workers: int) -> Cost:
    """A product of matrices of f32 of 256 GiB each."""
    return gd.matmul_cost(SIDE, BLOCK, workers)


def draw() -> None:
    """Seconds of each part and in all, by workers."""
    _, places = plt.subplots(1, 2, figsize=(7.0, 3.4))
    titles = "sort of 1 TiB, u32", f"product of side {SIDE:,}, f32"
    cases: tuple[Callable[[int], Cost], ...] = sort_of, product_of
    for place, title, case in zip(places, titles, cases, strict=True):
        costs = [case(workers) for workers in WORKERS]
        place.plot(WORKERS, [cost.total for cost in costs], linewidth=2.5, label="in all")
        for part in PARTS:
            seconds = [getattr(cost, part) for cost in costs]
            if any(seconds):
                shown = [each if each > 0 else float("nan") for each in seconds]
                place.plot(WORKERS, shown, linewidth=1, label="scheduler" if part == "engine" else part)
        place.set(title=title, xscale="log", yscale="log", xlabel="workers")
        place.grid()
        place.legend()
    places[0].set_ylabel("seconds")


class Modelled(SphinxDirective):
    """`{modelled}`."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        caption = " ".join(self.content)
        with drawing("modelled"):
            draw()
            shown = nodes.raw("", to_html(caption), format="html")
        return [nodes.container("", shown, nodes.paragraph("", caption), classes=["measured"])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("modelled", Modelled)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
