"""Barriers that operations on matrices have for memory of their own: they do not order the tiles of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import COOPERATIVE_VARIABLE, GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend


def total_of(a, b):
    return a + b


@pytest.fixture(params=["", COOPERATIVE_VARIABLE, GROUPS_VARIABLE], ids=["units", "cooperative", "groups"])
def layout(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """How the simulator holds matrices."""
    gp.device("simulator").close()
    if request.param:
        monkeypatch.setenv(request.param, "16" if request.param == COOPERATIVE_VARIABLE else "1")
    with gp.device("simulator"):
        yield request.param


def side_of(layout: str) -> int:
    """Of the matrices: groups hold those of 64 rows and more; four subgroups, in either layout, smaller ones."""
    return 64 if layout == GROUPS_VARIABLE else 32


@gp.kernel(workgroup_size=128)
def through_a_tile(
    x: gp.In[gp.f16, 2], y: gp.Out[gp.f32, 2], side: gp.Const[int], between: gp.Const[str], has_barrier: gp.Const[bool]
):
    tile, kept = gp.tiles(gp.f16, 1, (side, side)), gp.tiles(gp.f16, 1, (side, side))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    c = gp.multiply_add(tile[0], tile[0], gp.matrix(gp.f32, (side, side)))
    gp.store_matrix(c, kept[0], 0, 0)
    if between == "a reduction with keepdims":
        top = gp.reduce_rows(gp.max, c, keepdims=True)
        c = c * top
    if between == "a column beside":
        c = c * gp.matrix(gp.f32, (side, 1), 0.5)
    if between == "a map":
        c = gp.map(gp.abs, c)
    if between == "a reduction":
        sums = gp.reduce_rows(total_of, c)
        c = c + sums[0]
    if has_barrier:
        gp.barrier()
    c += kept[0] @ tile[0]
    gp.store_matrix(c, y, 0, 0)


def host_of(side: int) -> np.ndarray:
    return np.random.default_rng(1).integers(-2, 3, (side, side)).astype(np.float16)


def report_of(layout: str, between: str, *, has_barrier: bool) -> gp.CheckReport:
    side = side_of(layout)
    y = np.zeros((side, side), np.float32)
    return gp.check(through_a_tile, host_of(side), y, side, between, has_barrier, workgroups=1, schedules=1)


BETWEEN = ["nothing", "a reduction with keepdims", "a column beside", "a map"]


@pytest.mark.parametrize("between", BETWEEN)
def test_a_missing_barrier_is_found_in_every_layout(layout: str, between: str) -> None:
    report = report_of(layout, between, has_barrier=False)
    assert {finding.code for finding in report.findings} == {"GP701"}, str(report)
    assert {finding.array for finding in report.findings} == {"kept"}
    lines = {line for finding in report.findings for line in finding.lines}
    assert lines and all("gp.barrier()" in finding.fix or not finding.fix for finding in report.findings)


@pytest.mark.parametrize("between", [*BETWEEN, "a reduction"])
def test_nothing_is_found_with_the_barrier(layout: str, between: str) -> None:
    report = report_of(layout, between, has_barrier=True)
    assert report.ok, str(report)


def test_the_barriers_of_a_reduction_to_an_array_count(layout: str) -> None:
    """It has them on every device, and says so."""
    assert report_of(layout, "a reduction", has_barrier=False).ok


@gp.kernel(workgroup_size=128)
def in_a_loop(x: gp.In[gp.f16, 2], y: gp.Out[gp.f32, 2], side: gp.Const[int], n: gp.i32):
    tile = gp.tiles(gp.f16, 1, (side, side))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    c = gp.multiply_add(tile[0], tile[0], gp.matrix(gp.f32, (side, side)))
    for _ in range(n):
        top = gp.reduce_rows(gp.max, c, keepdims=True)
        c = gp.map(gp.abs, c - top) * gp.matrix(gp.f32, (side, 1), 0.5)
        c = c * gp.reduce_rows(gp.max, c)[3]
    gp.store_matrix(c, y, 0, 0)


@pytest.mark.parametrize("is_optimised", [False, True])
def test_the_operations_themselves_are_right_in_a_loop(
    layout: str, monkeypatch: pytest.MonkeyPatch, is_optimised: bool
) -> None:
    """Their memory is written again, and where it is shared with other arrays, too."""
    monkeypatch.setattr(SimulatorBackend, "wants_unoptimised_ir", not is_optimised)
    side = side_of(layout)
    y = np.zeros((side, side), np.float32)
    report = gp.check(in_a_loop, host_of(side), y, side, 2, workgroups=1, schedules=1)
    assert report.ok, str(report)


def test_what_the_page_on_attention_says(tmp_path: Path) -> None:
    """The kernel of docs/attention.md, and without the barrier before its last product."""
    page = (Path(__file__).parents[2] / "docs" / "attention.md").read_text(encoding="utf-8")
    blocks = [part.split("```", 1)[0] for part in page.split("```python\n")[1:]]
    helpers = blocks[0][: blocks[0].index("@gp.kernel")].replace("import numpy as np\n\nimport gpucore as gp\n", "")
    kernel = blocks[1][: blocks[1].index("found = ")]
    right = f"import gpucore as gp\n{helpers}\n{kernel}"
    assert right.count("        gp.barrier()\n") == 1
    random, found = np.random.default_rng(1), []
    q, k, v = (random.normal(size=(20, 64)).astype(np.float32) for _ in range(3))
    for name, text in (("right", right), ("wrong", right.replace("        gp.barrier()\n", ""))):
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        scope: dict[str, object] = {"__name__": name}
        exec(compile(text, str(path), "exec"), scope)  # noqa: S102 (the page's own program)
        report = gp.check(scope["attend"], q, k, v, np.zeros((20, 64), np.float32), 0.18, workgroups=1, schedules=1)  # type: ignore[arg-type]  # a kernel
        found.append(report)
    assert found[0].ok, str(found[0])
    assert {finding.array for finding in found[1].findings} == {"weights"}
    shown = str(found[1])
    assert "gp.store_matrix(probabilities, weights[0], 0, 0)" in shown and "weights[0] @ values[now]" in shown
