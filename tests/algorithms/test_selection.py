"""gp.topk, gp.partition, gp.quantile, gp.percentile and gp.median by selection, on every device: whole outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, from_dtype
from sort_order import DTYPES, any_bits, bits_of, in_order, is_supported, numpy_dtype
from sort_ways import reshaped, stable_order

import gpucore as gp
from gpucore.algorithms.select import faces
from gpucore.algorithms.shapes import SHAPES
from gpucore.runtime.protocol import DeviceKind

Watch = Callable[[gp.Device], Traffic]
ALWAYS = {"topk_from": 1, "topk_part": 1, "ranks_from": 1, "chunk": 64, "groups": 5}
FORMS: dict[str, dict[str, Any]] = {
    "invocations": {**ALWAYS, "invocations": 1, "moved": (1, 1), "bits": 11},
    "workgroups": {**ALWAYS, "invocations": 32, "moved": (32, 2), "bits": 5},
}
"""Those of CPUs, and those of GPUs with small tiles."""
QUICK = {"simulator": ("f32", "i8"), "opencl": ("f32",), "wgpu": ("f32", "i8")}
"""The dtypes of the devices of which the compiler, or the device, takes seconds for more."""


def _refuse(device: gp.Device, dtype: str, form: str = "") -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    if form == "invocations" and device.backend.name != "cpu":
        pytest.skip(f"single invocations are the form of CPUs, and {device.id} takes seconds for both")
    if dtype not in QUICK.get(device.backend.name, DTYPES):
        pytest.skip(f"{device.id} takes seconds for more than {', '.join(QUICK[device.backend.name])}")


def _values(dtype: str, n: int) -> Any:
    """Every bit pattern, and many that are equal."""
    values = any_bits(numpy_dtype(dtype), n)
    values[1::3] = values[: len(values[1::3])]
    return values


def _sizes(device: gp.Device) -> tuple[int, ...]:
    return (1, 130) if device.backend.name == "simulator" else (1, 64, 65, 250)


def assert_top(x: Any, k: int, largest: bool, device: gp.Device) -> None:
    values, indices = gp.topk(x, k, largest=largest, device=device)
    want = stable_order(x, in_order(x, largest))[:k]
    assert indices.dtype == np.int32 and np.array_equal(indices, want)
    assert values.dtype == x.dtype and np.array_equal(bits_of(values), bits_of(x[want]))


@pytest.mark.parametrize(
    ("form", "dtype"), [*(("workgroups", dtype) for dtype in ("f32", "f16", "u64")), ("invocations", "f32")]
)
def test_the_largest_and_the_smallest(device: gp.Device, dtype: str, form: str) -> None:
    _refuse(device, dtype, form)
    with reshaped(device, "select", **FORMS[form]):
        for n in _sizes(device):
            x = _values(dtype, n)
            for largest in (True, False) if device.backend.name != "opencl" else (True,):
                for k in sorted({0, 1, n // 3, n}):
                    assert_top(x, k, largest, device)


def partitioned(x: Any, kth: list[int]) -> Any:
    """Below the first element at a place, equal to it, between it and the second one, and so on: each in its order."""
    order = in_order(x, False)
    rank = {int(bits): place for place, bits in enumerate(dict.fromkeys(bits_of(order).tolist()))}
    own = np.array([rank[int(bits)] for bits in bits_of(x)])
    pivots = sorted({rank[int(bits)] for bits in bits_of(order[kth])})
    return x[np.argsort(np.searchsorted(pivots, own) + np.searchsorted(pivots, own, "right"), kind="stable")]


@pytest.mark.parametrize(("form", "dtype"), [("workgroups", "f32"), ("workgroups", "i8"), ("invocations", "f64")])
def test_partitions(device: gp.Device, dtype: str, form: str) -> None:
    _refuse(device, dtype, form)
    with reshaped(device, "select", **FORMS[form]):
        for n in _sizes(device)[1:]:
            x = _values(dtype, n)
            for kth in (n // 2, -1, [n // 3, -2, n // 3]) if device.backend.name != "opencl" else (n // 2,):
                places = [kth] if isinstance(kth, int) else kth
                got = gp.partition(x, kth, device=device)
                assert got.dtype == x.dtype and np.array_equal(bits_of(got), bits_of(partitioned(x, places)))
                assert np.array_equal(bits_of(got[places]), bits_of(in_order(x, False)[places]))


def test_a_partition_of_many_places_is_sorted(device: gp.Device) -> None:
    x = np.random.default_rng(0).integers(0, 99, 50).astype("f4")
    assert np.array_equal(gp.partition(x, range(0, 50, 5), device=device), np.sort(x))
    assert np.array_equal(gp.partition(x, [], device=device), x)
    assert gp.partition(x[:0], [], device=device).shape == (0,)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_floats(data: Any) -> None:
    device = gp.device("cpu")
    x = data.draw(arrays(np.float32, st.integers(1, 40), elements=from_dtype(np.dtype(np.float32))))
    k, kth = data.draw(st.integers(0, x.size)), data.draw(st.integers(-x.size, x.size - 1))
    with reshaped(device, "select", **FORMS["workgroups"]):
        assert_top(x, k, data.draw(st.booleans()), device)
        assert np.array_equal(bits_of(gp.partition(x, kth, device=device)), bits_of(partitioned(x, [kth])))


def test_the_shape_of_the_device(device: gp.Device) -> None:
    """Several chunks of whole digits; recorded, and replayed with other elements."""
    if device.backend.name == "simulator":
        pytest.skip("the simulator takes minutes")
    n = SHAPES[device.kind].select.topk_from + 100
    for seed in range(3):
        x = gp.asarray(np.random.default_rng(seed).integers(0, 1 << 31, n), gp.i32, device=device)
        host = x.numpy()
        values, indices = gp.topk(x, 10)
        assert np.array_equal(values.numpy(), np.sort(host)[:-11:-1])
        assert np.array_equal(host[indices.numpy()], values.numpy())
        assert gp.median(x, device=device).item() == np.float32(np.median(host))


# ---------------------------------------------------------------- quantiles

PARTS = (0, 100, 50, 33.3, 99.7, 12.5)
PICKED = ("lower", "higher", "nearest")


@pytest.mark.parametrize("form", ["workgroups", "sorted"])
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16"])
def test_quantiles_of_floats_have_the_bits_of_numpy(device: gp.Device, dtype: str, form: str) -> None:
    _refuse(device, dtype)
    with reshaped(device, "select", **(FORMS["workgroups"] if form == "workgroups" else {"ranks_from": 1 << 30})):
        for n in (1, 2, 101) if device.backend.name == "simulator" else (1, 2, 101, 250):
            x = (np.random.default_rng(n).standard_normal(n) * 50).astype(numpy_dtype(dtype))
            for method in ("linear", "midpoint", *PICKED):
                for q in PARTS[: 3 if device.backend.name == "simulator" and n > 2 else 6]:
                    got, want = gp.percentile(x, q, method=method, device=device), np.percentile(x, q, method=method)
                    assert type(got) is type(want) and got == want, (n, method, q)
            assert gp.median(x, device=device) == np.median(x)


@pytest.mark.parametrize("dtype", ["i8", "u32", "i64"])
def test_quantiles_of_integers(device: gp.Device, dtype: str) -> None:
    if not is_supported(device, dtype) or (device.backend.name == "opencl" and dtype != "u32"):
        pytest.skip(f"{device.id} lacks {dtype}, or takes seconds")
    limits = np.iinfo(numpy_dtype(dtype))
    x = np.random.default_rng(0).integers(limits.min, limits.max, 101, numpy_dtype(dtype), endpoint=True)
    bound = 2.0**-21 * max(abs(int(limits.min)), int(limits.max))
    for method in ("linear", "midpoint"):
        got = gp.percentile(x, PARTS, method=method, device=device)
        assert got.dtype == np.float32 and got.shape == (6,)
        assert np.abs(got - np.percentile(x.astype("f8"), PARTS, method=method)).max() <= bound
    for method in PICKED:
        got = gp.quantile(x, np.divide(PARTS, 100).reshape(2, 3), method=method, device=device)
        assert got.dtype == x.dtype
        assert np.array_equal(got, np.quantile(x, np.divide(PARTS, 100), method=method).reshape(2, 3))


def test_quantiles_of_nan_infinities_and_matrices(device: gp.Device) -> None:
    x = np.array([[np.inf, 3, -np.inf], [1, np.inf, 2]], np.float32)
    assert gp.percentile(x, [0, 20, 40, 50, 90, 100], device=device).tolist() == [-np.inf, 1, 2, 2.5, np.inf, np.inf]
    assert gp.percentile(x, [], device=device).shape == (0,)
    array = gp.asarray(x, device=device)
    assert isinstance(gp.median(array), gp.Array) and gp.median(array).shape == () and gp.median(array).item() == 2.5
    x[0, 1] = -np.nan
    for form in (FORMS["workgroups"], {"ranks_from": 1 << 30}):
        with reshaped(device, "select", **form):
            assert np.isnan(gp.median(x, device=device))
            assert np.isnan(gp.quantile(x, [0.1, 0.2], method="lower", device=device)).all()


# ---------------------------------------------------------------- calls


def test_nothing_waits(device: gp.Device, watch: Watch) -> None:
    x = gp.asarray(_values("f32", 130), device=device)
    with reshaped(device, "select", **FORMS["workgroups"]):
        traffic = watch(device)
        gp.topk(x, 3)
        gp.partition(x, 5)
        assert (traffic.uploads, traffic.downloads) == (0, 0)
        gp.quantile(x, 0.5)
        assert traffic.downloads == 0


def test_the_table_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    device, selected = gp.device("simulator"), []
    select = faces.select_keys
    monkeypatch.setattr(faces, "select_keys", lambda *args: [selected.append(args[0].size), select(*args)][1])
    with reshaped(device, "select", **{**FORMS["workgroups"], "topk_from": 30, "topk_part": 10}):
        for n, k in ((29, 1), (30, 3), (30, 4), (31, 3)):
            assert_top(_values("i8", n), k, True, device)
    assert selected == [30, 31]
    assert SHAPES[DeviceKind.GPU].select == SHAPES[DeviceKind.IGPU].select


def test_what_is_refused() -> None:
    x = np.zeros(4, np.float32)
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: gp.partition(x, 4, device="simulator"), "from -4 to 3, not 4"),
        (lambda: gp.partition(x, [0, True], device="simulator"), "from -4 to 3, not True"),
        (lambda: gp.partition(x, 1.0, device="simulator"), "not 1.0"),
        (lambda: gp.partition(x[:0], 0, device="simulator"), "without elements has none"),
        (lambda: gp.partition(x.reshape(2, 2), 0, device="simulator"), "rank 1"),
        (lambda: gp.percentile(x, 101, device="simulator"), "q is from 0 to 100, not 101"),
        (lambda: gp.quantile(x, [0.5, np.nan], device="simulator"), "q is from 0 to 1"),
        (lambda: gp.quantile(x, "half", device="simulator"), "q is a number"),
        (lambda: gp.quantile(x, [[0.5], [0.1, 0.2]], device="simulator"), "q is a number"),
        (lambda: gp.quantile(x, 0.5, method="cubic", device="simulator"), "method must be one of linear, midpoint"),
        (lambda: gp.median(x[:0], device="simulator"), "median takes an array with elements"),
        (lambda: gp.median(x > 0, device="simulator"), "bool"),
        (lambda: gp.median([1.0, 2.0]), "NumPy array or a device array, not list"),
        (lambda: gp.quantile(x, gp.zeros(1, device="simulator"), device="simulator"), "q is a number"),
    ]
    for call, message in calls:
        with pytest.raises(gp.ArgumentError, match=message):
            call()
