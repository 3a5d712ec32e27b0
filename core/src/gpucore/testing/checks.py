"""Comparisons of whole arrays that show where they differ, and helpers to make the arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore.testing.skipped import Skipped
from gpucore.types import as_dtype

Host = npt.NDArray[Any]

__tracebackhide__ = True  # pytest shows the line of the test, not of the comparison

_SHOWN = 6  # differences listed in a message
_POISON = 0xCD


def check(condition: bool, message: str) -> None:
    """Fail with `message` unless `condition` is true. pytest does not rewrite assertions of installed packages."""
    if not condition:
        raise AssertionError(message)


def check_raises(error: type[BaseException], call: Callable[[], object], what: str) -> BaseException:
    """The exception that `call` raises, which must be an `error`."""
    try:
        call()
    except error as raised:
        return raised
    except Exception as other:
        raise AssertionError(f"{what} raised {type(other).__name__} ({other}), not {error.__name__}") from other
    raise AssertionError(f"{what} raised nothing, and must raise {error.__name__}")


def upload(gpu: gp.Device, host: Any) -> gp.Array:
    """A device array with a copy of `host`."""
    return gp.asarray(host, device=gpu)


def poisoned(gpu: gp.Device, shape: Any, dtype: Any) -> gp.Array:
    """A device array with no computed element: every byte is 0xCD."""
    element = as_dtype(dtype)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    full = (*lengths, element.width) if element.width > 1 else lengths
    host = np.full(int(np.prod(full)) * element.dtype.itemsize, _POISON, np.uint8).view(element.dtype).reshape(full)
    return gp.asarray(host, element, device=gpu)


def bytes_of(host: Host) -> memoryview:
    """The bytes of an array, contiguous; a view if the array is contiguous."""
    return np.ascontiguousarray(host).reshape(-1).view(np.uint8).data


def bits_of(host: Host) -> Host:
    """The elements as unsigned integers of the same size."""
    return np.ascontiguousarray(host).view(f"u{host.dtype.itemsize}")


def check_bits(actual: Host, expected: Any, what: str = "the result", **inputs: Any) -> None:
    """Every element is bitwise equal, and dtype and shape are the same."""
    wanted = np.asarray(expected)
    check(
        actual.shape == wanted.shape and actual.dtype == wanted.dtype,
        f"{what} is {actual.dtype} {actual.shape}, not {wanted.dtype} {wanted.shape}",
    )
    _report(bits_of(actual) != bits_of(wanted), actual, wanted, what, inputs)


def check_values(actual: Host, expected: Any, what: str = "the result", **inputs: Any) -> None:
    """Every element is equal as a number: any NaN equals a NaN, and zeros of either sign are equal."""
    wanted = np.asarray(expected)
    check(
        actual.shape == wanted.shape and actual.dtype == wanted.dtype,
        f"{what} is {actual.dtype} {actual.shape}, not {wanted.dtype} {wanted.shape}",
    )
    same = (actual == wanted) | ((actual != actual) & (wanted != wanted))
    _report(~same, actual, wanted, what, inputs)


def check_either(actual: Host, choices: tuple[Any, ...], what: str, **inputs: Any) -> None:
    """Every element is equal, as a number, to that of one of the arrays in `choices`."""
    wrong = np.ones(actual.shape, bool)
    for choice in choices:
        wrong &= ~((actual == choice) | ((actual != actual) & (choice != choice)))
    _report(wrong, actual, np.asarray(choices[0]), what, inputs)


def ulp_error(actual: Host, exact: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The error of float results against exact values (in double), in ulp of the exact value.

    0 if both are NaN or equal (including infinities); infinity if only one is NaN or infinite.
    """
    info = np.finfo(actual.dtype)
    with np.errstate(all="ignore"):
        rounded = exact.astype(actual.dtype)
        magnitude = np.clip(np.abs(exact), float(info.smallest_normal), float(info.max))
        ulp = np.exp2(np.floor(np.log2(magnitude)) - info.nmant)
        error = np.abs(actual.astype(np.float64) - exact) / ulp
    error[(actual == rounded) & ~np.isfinite(rounded)] = 0
    error[np.isnan(actual) & np.isnan(exact)] = 0
    return np.where(np.isnan(error), np.inf, error)


def check_ulp(
    actual: Host,
    exact: npt.NDArray[np.float64],
    ulp: float | npt.NDArray[np.float64],
    absolute: float | npt.NDArray[np.float64],
    what: str,
    **inputs: Any,
) -> None:
    """Every element is within `ulp` ulp of the exact value, or within `absolute` of it."""
    error = ulp_error(actual, exact)
    with np.errstate(all="ignore"):
        near = np.abs(actual.astype(np.float64) - exact) <= absolute
    wrong = ~((error <= ulp) | near)
    _report(
        wrong,
        actual,
        exact,
        f"{what} (bound {np.max(ulp, initial=0):.4g} ulp; worst {error[wrong].max(initial=0):.3g})",
        inputs,
    )


def _report(wrong: Any, actual: Host, expected: Any, what: str, inputs: Mapping[str, Any]) -> None:
    if not wrong.any():
        return
    places = np.argwhere(wrong)
    lines = [f"{what}: {len(places)} of {wrong.size} elements differ"]
    for place in map(tuple, places[:_SHOWN]):
        at = ", ".join(map(str, place))
        given = ", ".join(f"{name}={_at(value, place)}" for name, value in inputs.items())
        found = f"  [{at}]: {_shown(actual[place])}, expected {_shown(expected[place])}"
        lines.append(f"{found}{'   for ' if given else ''}{given}")
    raise AssertionError("\n".join(lines))


def _at(value: Any, place: tuple[int, ...]) -> str:
    array = np.asarray(value)
    if array.ndim == 0:
        return _shown(array[()])
    index = place[len(place) - array.ndim :]
    return _shown(array[index]) if all(i < n for i, n in zip(index, array.shape, strict=True)) else "?"


def _shown(value: Any) -> str:
    if isinstance(value, np.floating):
        return f"{value!s} (0x{int(value.view(f'u{value.itemsize}')):0{2 * value.itemsize}x})"
    return str(value)


def skip_without(gpu: gp.Device, *capabilities: gp.Capability) -> None:
    """Skip the test if the device lacks one of the capabilities."""
    missing = [one.value for one in capabilities if one not in gpu.capabilities]
    if missing:
        raise Skipped(f"{gpu.id} has no {', '.join(missing)}")
