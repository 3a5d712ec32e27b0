"""Matrix kernels of users beside PyTorch on a CUDA device: python benchmarks/matrix_kernels.py [-o FILE]

Two kernels, as anyone writes them: a product of f16 with relu applied to each element of the result, beside
`torch.matmul` (which has no relu), and examples/attention.py, beside
`torch.nn.functional.scaled_dot_product_attention`. Both run in turn, several calls in a row, by the device's clock;
figures are medians of 20. The whole product, and two heads of each attention, are verified against f64 first.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gpucore as gp
from gpucore.bench.machine import describe_machine
from gpucore.tuning.rounds import Timed, device_time, in_a_row, interleave

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from attention import attention_of, expected


class Tile(NamedTuple):
    """What a workgroup multiplies at a time, and how many such tiles it holds."""

    m: int
    n: int
    k: int
    stages: int


TILES = Tile(256, 128, 64, 4), Tile(128, 256, 64, 4), Tile(128, 128, 64, 4)
SIZES = 1024, 2048, 4096, 8192
ATTENTIONS = (
    (32, 4096, 64, False), (32, 4096, 64, True), (64, 1024, 64, False), (32, 4096, 128, False), (16, 4096, 128, True),
)  # fmt: skip
"""Heads, rows, columns, and whether a causal mask is on."""


def relu(value):
    return gp.max(value, value.dtype(0))


def fetch(x, y, a, b, row, column, k):
    gp.copy_tile(x, a, row, k)
    gp.copy_tile(y, b, k, column)
    gp.copy_group()


@gp.kernel(workgroup_size=256)
def product(a: gp.In[gp.f16, 2], b: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2], tile: gp.Const[Tile]):
    left, right = gp.tiles(gp.f16, tile.stages, (tile.m, tile.k)), gp.tiles(gp.f16, tile.stages, (tile.k, tile.n))
    row, column = gp.workgroup_id(1) * tile.m, gp.workgroup_id(0) * tile.n
    total = gp.matrix(gp.f32, (tile.m, tile.n))
    for s in gp.unroll(range(tile.stages - 1)):
        fetch(left[s], right[s], a, b, row, column, s * tile.k)
    for step in range((a.shape[1] + tile.k - 1) // tile.k):
        gp.copy_wait(tile.stages - 2)
        total += left[step % tile.stages] @ right[step % tile.stages]
        ahead = step + tile.stages - 1
        fetch(left[ahead % tile.stages], right[ahead % tile.stages], a, b, row, column, ahead * tile.k)
    gp.store_matrix(gp.map(relu, total), c, row, column)


def measure_product(device: gp.Device, torch: Any, size: int, tile: Tile) -> dict[str, Any]:
    """A row of the products."""
    rng = np.random.default_rng(size)
    a, b = (rng.standard_normal((size, size)).astype("f2") for _ in range(2))
    given = [gp.asarray(x, device=device) for x in (a, b)]
    c = gp.empty((size, size), device=device)
    theirs = [torch.from_numpy(x).cuda() for x in (a, b)]
    half = torch.empty((size, size), dtype=torch.float16, device="cuda")
    exact, scale = theirs[0].double() @ theirs[1].double(), theirs[0].double().abs() @ theirs[1].double().abs()
    groups = -(-size // tile.n), -(-size // tile.m)
    run = partial(product, *given, c, tile, workgroups=groups)
    run()
    found = torch.from_numpy(c.numpy()).cuda().double()
    error = float(((found - exact.clamp(min=0)).abs() / scale).max()) / (size * 2.0**-24)
    assert error <= 2, f"product {size} {tile}: an error of {error} times k * 2**-24 * (|a| @ |b|)"
    seconds = timed(torch, device, run, partial(torch.matmul, *theirs, out=half))
    return {"size": size, "tile": tile._asdict(), "error": error, **described(seconds, 2.0 * size**3)}


def measure_attention(device: gp.Device, torch: Any, heads: int, rows: int, depth: int, causal: bool) -> dict[str, Any]:
    """A row of the attentions."""
    rng = np.random.default_rng(rows + depth)
    q, k, v = (rng.standard_normal((heads, rows, depth)).astype("f2") for _ in range(3))
    given = [gp.asarray(x, device=device) for x in (q, k, v)]
    theirs = [torch.from_numpy(x[None]).cuda() for x in (q, k, v)]
    found = attention_of(*given, causal).numpy()
    error = float(np.abs(found[:2] - expected(q[:2], k[:2], v[:2], causal)).max())
    assert error < 2e-3, f"attention {heads} x {rows} x {depth}: an error of {error}"
    attend = torch.nn.functional.scaled_dot_product_attention
    seconds = timed(
        torch, device, partial(attention_of, *given, causal), partial(attend, *theirs, is_causal=causal)
    )  # fmt: skip
    operations = 4.0 * heads * rows * rows * depth / (2 if causal else 1)
    return {
        "heads": heads, "rows": rows, "depth": depth, "causal": causal, "error": error,
        **described(seconds, operations),
    }  # fmt: skip


def timed(torch: Any, device: gp.Device, ours: Callable[[], Any], theirs: Callable[[], Any]) -> dict[str, Any]:
    """Seconds of a call of each, run in turn."""

    def by_events(calls: int) -> Timed:
        def run() -> float:
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(calls):
                theirs()
            end.record()
            end.synchronize()
            return float(start.elapsed_time(end)) / 1e3 / calls

        return run

    return interleave({
        "gpucore": in_a_row(partial(device_time, device, ours)), "PyTorch": in_a_row(by_events),
    })  # fmt: skip


def described(seconds: dict[str, Any], operations: float) -> dict[str, Any]:
    """TFLOP/s of both, the seconds, and the ratio."""
    ours, theirs = seconds["gpucore"]["median"], seconds["PyTorch"]["median"]
    return {
        "tflops": operations / ours / 1e12, "torch_tflops": operations / theirs / 1e12, "ratio": theirs / ours,
        "seconds": seconds,
    }  # fmt: skip


def main() -> None:
    """Measure all, show each row, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", help="a JSON file")
    options = parser.parse_args()
    torch, device = importlib.import_module("torch"), gp.device("cuda")
    found: dict[str, Any] = {
        "machine": describe_machine([device]), "torch": importlib.metadata.version("torch"),
        "products": [], "attention": [],
    }  # fmt: skip
    for size in SIZES:
        for tile in TILES:
            row = measure_product(device, torch, size, tile)
            found["products"].append(row)
            print(
                f"product {size} {tile.m}x{tile.n}x{tile.k}: {row['tflops']:.0f} TFLOP/s, {row['ratio']:.2f}",
                flush=True,
            )
    for shape in ATTENTIONS:
        row = measure_attention(device, torch, *shape)
        found["attention"].append(row)
        print(f"attention {shape}: {row['tflops']:.0f} TFLOP/s, {row['ratio']:.2f}", flush=True)
    if options.output:
        Path(options.output).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
