"""print in kernels: what the simulator prints, from every device."""

from __future__ import annotations

from typing import Any

import debug_kernels as kernels
import numpy as np
import pytest
from debug_kernels import moved

import gpucore as gp
from gpucore.testing.checks import skip_without

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, device: gp.Device, kernel: gp.Kernel, *values: Any, **grid: Any) -> str:
    """What a call prints, by the time that the device has been waited for."""
    capsys.readouterr()
    kernel(*moved(device, *values), **grid)
    device.synchronize()
    return capsys.readouterr().out


def test_values_of_every_portable_type(device: gp.Device, capsys: Capture) -> None:
    values = (np.zeros(4, "i4"), np.uint32(2**32 - 1), True, np.float32(1e-3))
    found = printed(capsys, device, kernels.print_all, *values, workgroups=(1,))
    assert found.splitlines() == [
        "first 0 4294967295 True 0.001 (0.0, 0.5, 0.1, 0.001) (0, 0)",
        "even True",
        "first 1 4294967295 True 0.001 (1.0, 0.5, 0.1, 0.001) (1, -1)",
        "first 2 4294967295 True 0.001 (2.0, 0.5, 0.1, 0.001) (2, -2)",
        "even False",
        "first 3 4294967295 True 0.001 (3.0, 0.5, 0.1, 0.001) (3, -3)",
    ]


def test_values_of_64_bits(device: gp.Device, capsys: Capture) -> None:
    skip_without(device, gp.Capability.F64, gp.Capability.INT64)
    x = np.array([0.1, -1e300, np.inf, 5e-324])
    y, z = np.array([-(2**63), -1, 2**40, 7], "i8"), np.array([2**64 - 1, 2**32, 0, 7], "u8")
    found = printed(capsys, device, kernels.print_wide, x, y, z, np.zeros(4, "i4"), workgroups=1)
    assert found.splitlines() == [f"{a} {b} {c}" for a, b, c in zip(x, y, z, strict=True)]


def test_halves(device: gp.Device, capsys: Capture) -> None:
    skip_without(device, gp.Capability.F16)
    x = np.array([0.1, -65504, 6e-5, np.inf], "f2")
    found = printed(capsys, device, kernels.print_half, x, np.zeros(4, "i4"), workgroups=1)
    assert found.splitlines() == ["half " + str(a) for a in x]


def test_an_f_string_is_printed_as_it_is_written(device: gp.Device, capsys: Capture) -> None:
    found = printed(capsys, device, kernels.print_formatted, np.array([4, -5], "i4"), invocations=2)
    assert found.splitlines() == ["y[0]=4, twice 8! end", "y[1]=-5, twice -10! end"]


def test_many_invocations_each_print_once(device: gp.Device, capsys: Capture) -> None:
    found = printed(capsys, device, kernels.print_many, np.zeros(2048, "i4"), invocations=2048)
    assert sorted(map(int, found.split())) == list(range(2048))


def test_what_finds_no_place_is_counted(compiled: gp.Device, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG_RECORDS", "10")
    *lines, last = printed(capsys, compiled, kernels.print_many, np.zeros(256, "i4"), invocations=256).splitlines()
    assert len(set(lines)) == 10 and {int(line) for line in lines} <= set(range(256))
    assert last == (
        "[print_many: 246 more lines were not kept; GPUCORE_DEBUG_RECORDS sets the number of lines that are kept, "
        "now 10]"
    )


def test_prints_leave_a_place_for_a_failure(
    compiled: gp.Device, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG_RECORDS", "5")
    with pytest.raises(gp.KernelAssertionError, match=r"one hundred, in invocation \(100, 0, 0\)"):
        printed(capsys, compiled, kernels.print_and_fail, np.zeros(256, "i4"), invocations=256)
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_failures_that_find_no_place_are_counted(compiled: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG_RECORDS", "3")
    (out,) = moved(compiled, np.zeros(16, "i4"))
    kernels.assert_below(out, 0, invocations=16)
    with pytest.raises(gp.KernelAssertionError) as caught:
        compiled.synchronize()
    assert str(caught.value).endswith("  and 15 more, in 16 invocations")


@pytest.mark.parametrize("text", ["0", "-1", "many", "1e3", "99999999999"])
def test_a_number_of_places_that_makes_no_sense(
    compiled: gp.Device, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG_RECORDS", text)
    (out,) = moved(compiled, np.zeros(8, "i4"))
    with pytest.raises(gp.BackendError, match="GPUCORE_DEBUG_RECORDS"):
        kernels.assert_below(out, 8, invocations=8)
