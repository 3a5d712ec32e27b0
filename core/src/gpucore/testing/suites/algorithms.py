"""The library's own kernels against NumPy, at odd sizes: whole results, with derived bounds for floats."""

from __future__ import annotations

from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check, check_bits, upload
from gpucore.testing.tiers import in_tier

_SIZES = (1, 2, 31, 257, 1000, 4099)
_EPSILON = 2.0**-24  # of one operation in f32


@in_tier("algorithms")
class AlgorithmTests:
    """gp.sort, gp.matmul, reductions, scans, counts, selections."""

    def test_sorts(self, gpu: gp.Device) -> None:
        """C730 [gp.sort]: i32, u32 and f32 of many sizes, ascending and descending, with equal keys and NaN."""
        for n in _SIZES:
            rng = np.random.default_rng(n)
            floats = rng.normal(size=n).astype(np.float32)
            floats[rng.random(n) < 0.05] = np.nan
            for host in (
                rng.integers(-(2**31), 2**31, n).astype(np.int32), rng.integers(0, 9, n).astype(np.uint32), floats,
            ):  # fmt: skip
                check_bits(gp.sort(upload(gpu, host)).numpy(), np.sort(host), f"{n} elements of {host.dtype}")
            falling = gp.sort(upload(gpu, floats[~np.isnan(floats)]), descending=True).numpy()
            check_bits(falling, np.sort(floats[~np.isnan(floats)])[::-1], f"{n} elements, descending")

    def test_order_of_keys(self, gpu: gp.Device) -> None:
        """C731 [gp.argsort, gp.sort_by_key]: Indices and values move with their keys; equal keys keep their order."""
        for n in _SIZES:
            keys = np.random.default_rng(n).integers(0, 50, n).astype(np.uint32)
            wanted = np.argsort(keys, kind="stable").astype(np.int32)
            check_bits(gp.argsort(upload(gpu, keys)).numpy(), wanted, f"the order of {n} keys")
            values = np.arange(n, dtype=np.float32) * 3
            found = gp.sort_by_key(upload(gpu, keys), upload(gpu, values))
            check_bits(found[0].numpy(), keys[wanted], f"{n} keys")
            check_bits(found[1].numpy(), values[wanted], f"values of {n} keys")

    def test_sums(self, gpu: gp.Device) -> None:
        """C732 [gp.sum]: Integers exactly, floats within n units of 2**-24 of the sum of magnitudes; the same bits each
        time; along each axis too."""
        for n in _SIZES:
            rng = np.random.default_rng(n)
            whole, floats = rng.integers(-999, 999, n).astype(np.int32), rng.normal(size=n).astype(np.float32)
            found = _number(gp.sum(upload(gpu, whole)))
            check(found == whole.sum(), f"the sum of {n} integers is {found}, not {whole.sum()}")
            first, second = (_number(gp.sum(upload(gpu, floats))) for _ in range(2))
            check(first == second, f"two sums of {n} floats differ: {first} and {second}")
            _check_near(np.float64(first), _exact(floats).sum(), n * _magnitude(floats), f"the sum of {n} floats")
        table = np.random.default_rng(5).normal(size=(37, 113)).astype(np.float32)
        for axis in (0, 1):
            bound = table.shape[axis] * _EPSILON * np.abs(_exact(table)).sum(axis)
            _check_near(gp.sum(upload(gpu, table), axis).numpy(), _exact(table).sum(axis), bound, f"sums along {axis}")

    def test_extremes(self, gpu: gp.Device) -> None:
        """C733 [gp.min, gp.max, gp.argmin, gp.argmax]: The least and the greatest element, and where the first of them
        is."""
        for n in _SIZES:
            host = np.random.default_rng(n).integers(-300, 300, n).astype(np.int32)
            x = upload(gpu, host)
            for name in ("min", "max", "argmin", "argmax"):
                found, wanted = _number(getattr(gp, name)(x)), getattr(np, name)(host)
                check(found == wanted, f"{name} of {n} elements is {found}, not {wanted}")

    def test_scans(self, gpu: gp.Device) -> None:
        """C734 [gp.cumsum]: Integers exactly, floats within the bound of a sum in any order."""
        for n in _SIZES:
            rng = np.random.default_rng(n)
            whole, floats = rng.integers(-999, 999, n).astype(np.int32), rng.normal(size=n).astype(np.float32)
            wanted = np.cumsum(whole, dtype=np.int32)
            check_bits(gp.cumsum(upload(gpu, whole)).numpy(), wanted, f"a scan of {n} integers")
            bound = np.arange(1, n + 1) * _EPSILON * np.cumsum(np.abs(_exact(floats)))
            found = gp.cumsum(upload(gpu, floats)).numpy()
            _check_near(found, np.cumsum(_exact(floats)), bound, f"a scan of {n} floats")

    def test_products(self, gpu: gp.Device) -> None:
        """C735 [gp.matmul]: Products of f32 at odd sizes, thin and square, within k units of 2**-24 of the product of
        magnitudes; transposed too."""
        for m, k, n in ((1, 1, 1), (3, 5, 7), (33, 65, 17), (67, 40, 51), (257, 31, 2)):
            rng = np.random.default_rng(m * k * n)
            a, b = rng.normal(size=(m, k)).astype(np.float32), rng.normal(size=(k, n)).astype(np.float32)
            bound = (k + 1) * _EPSILON * (np.abs(_exact(a)) @ np.abs(_exact(b)))
            what = f"a product of {m} x {k} x {n}"
            _check_near(gp.matmul(upload(gpu, a), upload(gpu, b)).numpy(), _exact(a) @ _exact(b), bound, what)
            turned = gp.matmul(upload(gpu, np.ascontiguousarray(a.T)), upload(gpu, b), transpose_a=True).numpy()
            _check_near(turned, _exact(a) @ _exact(b), bound, f"{what}, the first one transposed")

    def test_selections(self, gpu: gp.Device) -> None:
        """C736 [gp.topk, gp.unique, gp.searchsorted]: The greatest elements with their places, distinct elements with
        their counts, and places in a sorted array."""
        for n in _SIZES:
            host = np.random.default_rng(n).integers(-200, 200, n).astype(np.int32)
            k = (n + 2) // 3
            order = np.argsort(-host, kind="stable")[:k]
            values, places = gp.topk(upload(gpu, host), k)
            check_bits(values.numpy(), host[order], f"the {k} greatest of {n}")
            check_bits(places.numpy(), order.astype(np.int32), f"the places of the {k} greatest of {n}")
            distinct, counts = gp.unique(upload(gpu, host), return_counts=True)
            wanted, times = np.unique(host, return_counts=True)
            check_bits(distinct.numpy(), wanted, f"the distinct ones of {n}")
            check_bits(
                counts.numpy(), times.astype(counts.numpy().dtype), f"how often the distinct ones of {n} are there"
            )
            asked = np.arange(-210, 210, 7, dtype=np.int32)
            found = gp.searchsorted(upload(gpu, np.sort(host)), upload(gpu, asked)).numpy()
            check_bits(found, np.searchsorted(np.sort(host), asked).astype(np.int32), f"places in {n} elements")

    def test_counts(self, gpu: gp.Device) -> None:
        """C737 [gp.bincount, gp.count_nonzero, gp.nonzero]: Numbers in bins, and of and where the elements that are not
        0."""
        for n in _SIZES:
            host = np.random.default_rng(n).integers(0, 40, n).astype(np.int32)
            host[::3] = 0
            found = gp.bincount(upload(gpu, host), minlength=50).numpy()
            check_bits(found, np.bincount(host, minlength=50).astype(found.dtype), f"bins of {n} elements")
            count = _number(gp.count_nonzero(upload(gpu, host)))
            check(count == np.count_nonzero(host), f"{count} of {n} elements are said not to be 0")
            places = np.asarray(_first(gp.nonzero(upload(gpu, host))))
            check_bits(places.astype(np.int64), np.flatnonzero(host), f"where {n} elements are not 0")

    def test_operators(self, gpu: gp.Device) -> None:
        """C738 [Arrays: operators]: Expressions of whole arrays and numbers, of i32 with all bits, repeated along axes;
        gp.where."""
        for shape in ((1,), (257,), (31, 67), (3, 5, 129)):
            rng = np.random.default_rng(len(shape))
            a, b = (rng.integers(-999, 999, shape).astype(np.int32) for _ in range(2))
            x, y = upload(gpu, a), upload(gpu, b)
            check_bits((x * 3 - y).numpy(), a * 3 - b, f"an expression of arrays of {shape}")
            check_bits(gp.where(x < y, x, y).numpy(), np.minimum(a, b), f"the smaller ones of two arrays of {shape}")
            row = rng.integers(-9, 9, shape[-1:]).astype(np.int32)
            check_bits((x + upload(gpu, row)).numpy(), a + row, f"a row added to {shape}")


def _exact(host: Host) -> Host:
    """In f64, in which sums of these few f32 have an error far below the bounds."""
    return host.astype(np.float64)


def _magnitude(host: Host) -> float:
    """An error of one operation, relative to the sum of magnitudes."""
    return float(_EPSILON * np.abs(_exact(host)).sum())


def _number(found: Any) -> Any:
    """The number of an array of rank 0."""
    return np.asarray(found.numpy() if isinstance(found, gp.Array) else found)[()]


def _first(found: Any) -> Any:
    """The indices along the first axis, on the host."""
    one = found[0] if isinstance(found, tuple) else found
    return one.numpy() if isinstance(one, gp.Array) else one


def _check_near(found: Any, exact: Any, bound: Any, what: str) -> None:
    error = np.abs(np.asarray(found, np.float64) - exact)
    worst = np.max(error - bound)
    check(
        bool(np.all(error <= bound)),
        f"{what}: beyond the bound by {worst:.3g}; the errors go up to {np.max(error):.3g}",
    )
