"""The size of a subgroup as a compile-time value, on demand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gpucore as gp
from gpucore.kernel import find_backend
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE

SIZE = 40


@gp.kernel(workgroup_size=SIZE)
def by_subgroups(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    lanes = gp.subgroup_size()
    sums = gp.workgroup_array(gp.i32, gp.num_subgroups())
    own = gp.subgroup_add(x[gp.local_id(0)])
    if gp.subgroup_elect():
        sums[gp.subgroup_id()] = own
    gp.barrier()
    total = gp.static(lanes * 1000)
    for k in gp.unroll(range(gp.num_subgroups())):
        total += sums[k]
    y[gp.local_id(0)] = total


@pytest.fixture(params=[1, 4, 8, 16, 32, 64])
def simulator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """The simulator with subgroups of each size."""
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(request.param))
    with gp.device("simulator") as opened:
        yield opened


def test_the_kernel_is_compiled_for_each_size(simulator: gp.Device) -> None:
    """One kernel for all tests: what was compiled for another size is not taken."""
    y = gp.empty(SIZE, gp.i32, device=simulator)
    by_subgroups(gp.ones(SIZE, gp.i32, device=simulator), y)
    size = simulator.limits.max_subgroup_size
    np.testing.assert_array_equal(y.numpy(), np.full(SIZE, size * 1000 + SIZE))


@pytest.mark.parametrize("size", [1, 5, 32, 64])
def test_check_takes_its_own_size(size: int) -> None:
    report = gp.check(by_subgroups, np.ones(SIZE, "i4"), np.zeros(SIZE, "i4"), subgroup_size=size)
    assert not report.findings


def test_a_language_with_one_size_needs_no_device() -> None:
    assert "int sums[2]" in by_subgroups.source("cuda")
    assert "32040" not in by_subgroups.ir()
    assert "32000" in by_subgroups.ir()


def test_where_sizes_differ_the_place_that_needs_one_is_named() -> None:
    with pytest.raises(gp.KernelTypeError, match="size of a subgroup is needed here") as caught:
        by_subgroups.source("wgsl")
    assert caught.value.code == "GP210"
    assert caught.value.span is not None
    assert "gp.workgroup_array(gp.i32, gp.num_subgroups())" in caught.value.span.source_line()


@gp.kernel(workgroup_size=SIZE)
def with_an_error(x: gp.InOut[gp.i32]):
    lanes, n = gp.subgroup_size(), x[0]
    own = gp.private_array(gp.i32, n)
    x[0] = own[0] + lanes


@pytest.mark.parametrize("language", ["cuda", "wgsl"])
def test_an_error_that_the_size_does_not_help_stays(language: str) -> None:
    with pytest.raises(gp.KernelTypeError, match="the shape of an array must be known"):
        with_an_error.source(language)


@gp.kernel(workgroup_size=SIZE)
def at_run_time(y: gp.Out[gp.i32]):
    y[gp.local_id(0)] = gp.subgroup_size() + 100 * gp.num_subgroups()


def test_a_size_that_is_not_needed_is_a_number_of_the_ir_which_passes_fix() -> None:
    """It is lowered once for all devices."""
    first = at_run_time.lower(backend=find_backend("cuda"))
    assert at_run_time.lower(backend=find_backend("wgpu")) is at_run_time.lower() is first
    assert "subgroup_size" in at_run_time.ir()
    assert "subgroup" not in at_run_time.ir(device="simulator")


@gp.kernel(workgroup_size=SIZE)
def by_target(y: gp.Out[gp.i32]):
    y[gp.local_id(0)] = 7 if gp.target.backend == "simulator" else 0


def test_what_is_shown_for_no_device_is_not_taken_for_one() -> None:
    assert "simulator" not in by_target.ir()
    y = gp.empty(SIZE, gp.i32, device="simulator")
    by_target(y)
    np.testing.assert_array_equal(y.numpy(), np.full(SIZE, 7))
