"""`gp.sort`, `gp.argsort`, `gp.sort_by_key` and `gp.segmented_sort`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, overload
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from gpucore.algorithms.inputs import check_axis
from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import methods
from gpucore.algorithms.sort.given import Given, check_device, check_keys, check_order, check_out
from gpucore.algorithms.sort.methods import Queue
from gpucore.algorithms.sort.moving import seen_as, taken
from gpucore.algorithms.sort.order import SortOrder
from gpucore.algorithms.sort.rows import sort_rows, sort_segments
from gpucore.array import Array, DeviceLike, empty, new_array
from gpucore.creation import asarray
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.sharing import OnCuda
from gpucore.types import i32, u32

_UNSTABLE = "bitonic"


@overload
def sort(
    x: Array | OnCuda, descending: bool | SortOrder = False, *, axis: int | None = -1, stable: bool | None = None,
    out: Array | None = None, variant: str | None = None, device: DeviceLike = None,
) -> Array: ...  # fmt: skip


@overload
def sort(
    x: npt.NDArray[Any], descending: bool | SortOrder = False, *, axis: int | None = -1, stable: bool | None = None,
    out: npt.NDArray[Any] | None = None, variant: str | None = None, device: DeviceLike = None,
) -> npt.NDArray[Any]: ...  # fmt: skip


@host_only
def sort(
    x: Any, descending: bool | SortOrder = False, *, axis: int | None = -1, stable: bool | None = None,
    out: Any = None, variant: str | None = None, device: DeviceLike = None,
) -> Any:  # fmt: skip
    """The elements of an array in order along an axis, as an array of the same kind, shape and dtype.

    A NumPy array is uploaded to `device` (default: gp.default_device()), and the result is a NumPy array; a device
    array stays on its device, and so does a tensor of another library on CUDA, of which the result is a device array.
    The last axis is sorted, or `axis`; with None all elements, as an array of rank 1. The result is a new array, or
    `out`, an array of the kind, shape and dtype of the result, which may be x.

    Supports u8, i8, u16, i16, u32, i32 and f32, and f16, u64, i64 and f64 if the device has them. Floats are in total
    order: -inf ... -0.0 < 0.0 ... inf, then NaN of either sign; every bit is kept. Descending is the exact reverse.

    `variant` names the method: "count", "radix", "onesweep", "reduce_then_scan", "columns" or "bitonic"
    (docs/sorting.md); by default it is chosen by size and device. Equal elements have the same bits, so the result is
    the same with each. `stable=True` refuses the network ("bitonic"), which does not keep their order.

    Raises ArgumentError for other dtypes, rank 0, an axis out of range, an `out` that does not fit, a device array on
    another device than `device`, a `descending` that is neither bool nor SortOrder, and a variant that is unknown or
    cannot sort the array there; CapabilityError if the device lacks the dtype.
    """
    is_descending = check_order(descending)
    is_last = type(axis) is int and axis == -1
    has_defaults = is_last and stable is None and out is None and variant is None and device is None
    if has_defaults and type(x) is Array and x.ndim == 1:
        return _sorted_again(x, is_descending)
    if stable is not None and not isinstance(stable, (bool, np.bool_)):
        raise ArgumentError(f"stable must be True, False or None, not {stable!r}")
    methods.check_name(variant)
    if stable and variant == _UNSTABLE:
        raise ArgumentError(f"the variant {variant!r} is not stable; leave it out, or choose another one")
    is_host = isinstance(x, np.ndarray)
    named = {"x": x} if out is None or is_host else {"x": x, "out": out}
    if is_host and out is not None:
        check_out("sort", out, x, _result_shape(x, axis))
    given = Given("sort", named, lambda name, shape, dtype: _check("sort", shape, dtype, axis), device)
    source, there = given.arrays["x"], given.arrays.get("out")
    if there is not None:
        check_out("sort", there, source, _result_shape(source, axis))
    made = _sorted(source, axis, there, is_descending, variant)
    given.end()
    if out is None:
        return given.result(made)
    if given.is_host:
        made.numpy(out=out)
    return out


_READY: WeakKeyDictionary[Device, dict[tuple[Any, int, bool], tuple[SortShape, Queue]]] = WeakKeyDictionary()
"""How arrays of a dtype and size are sorted on a device, with the table of shapes by which that was chosen."""
_MAX_READY = 256


def _sorted_again(x: Array, descending: bool) -> Array:
    """An array of rank 1 in order, with the checks that another one of its dtype and size has passed made once."""
    x.check_open()
    device, place = x.device, (x.dtype, x.size, descending)
    shape, known = shapes_of(device).sort, _READY.setdefault(device, {})
    found = known.get(place)
    if found is None or found[0] is not shape:
        _check("sort", x.shape, x.dtype, -1)
        check_device("sort", x)
        if len(known) >= _MAX_READY:
            known.clear()
        found = known[place] = shape, methods.prepare(x, descending)
    target = new_array(x.shape, x.dtype, device)
    found[1](x, target)
    return target


def _result_shape(x: Any, axis: int | None) -> tuple[int, ...]:
    return tuple(x.shape) if axis is not None else (x.size,)


def _check(call: str, shape: tuple[int, ...], dtype: Any, axis: int | None) -> None:
    if axis is not None:
        check_axis(call, axis, len(shape))
    elif not shape:
        raise ArgumentError(f"{call} takes an array of rank 1 or more, not of rank 0")
    check_keys(call, dtype)


def _sorted(x: Array, axis: int | None, out: Array | None, descending: bool, variant: str | None) -> Array:
    check_device("sort", x)
    if axis is None:
        x, axis = x.ravel(), 0
    axis = check_axis("sort", axis, x.ndim)
    is_last = axis == x.ndim - 1
    rows = x if is_last else _with_axis_last(x, axis)
    target = out if out is not None and is_last and not out.overlaps(x) else empty(rows.shape, x.dtype, device=x.device)
    _sort_last_axis(rows, target, None, descending, variant)
    made = target if is_last else _with_axis_back(target, axis)
    if out is not None and made is not out:
        out.set(made)
    return made


def _sort_last_axis(x: Array, target: Array, moved: Array | None, descending: bool, variant: str | None) -> None:
    """Sort along the last axis; `moved`, u32 of rank 1, gets the indices."""
    if x.size == 0:
        return
    if x.ndim > 1:
        shape = -1, x.shape[-1]
        sort_rows(x.reshape(shape), target.reshape(shape), moved, descending, variant)
    elif moved is None:
        methods.sort(x, target, descending, variant)
    else:
        methods.sort_pairs(x, target, None, moved, descending, variant)


def _with_axis_last(x: Array, axis: int) -> Array:
    return x.transpose(*(each for each in range(x.ndim) if each != axis), axis)


def _with_axis_back(x: Array, axis: int) -> Array:
    last = x.ndim - 1
    return x.transpose(*range(axis), last, *range(axis, last))


@overload
def argsort(
    x: Array | OnCuda, descending: bool | SortOrder = False, *, axis: int | None = -1, variant: str | None = None,
    device: DeviceLike = None,
) -> Array: ...  # fmt: skip


@overload
def argsort(
    x: npt.NDArray[Any], descending: bool | SortOrder = False, *, axis: int | None = -1, variant: str | None = None,
    device: DeviceLike = None,
) -> npt.NDArray[np.int32]: ...  # fmt: skip


@host_only
def argsort(
    x: Any, descending: bool | SortOrder = False, *, axis: int | None = -1, variant: str | None = None,
    device: DeviceLike = None,
) -> Any:  # fmt: skip
    """The indices, i32, that put an array in the order of `gp.sort` along an axis: an array of its kind and shape.

    Equal elements keep their order, in descending order too, so the indices are those of a stable sort. With
    `axis=None` they are indices of `x.ravel()`.

    Raises what `gp.sort` raises.
    """
    is_descending = check_order(descending)
    methods.check_name(variant)
    given = Given("argsort", {"x": x}, lambda name, shape, dtype: _check("argsort", shape, dtype, axis), device)
    source = given.arrays["x"]
    check_device("argsort", source)
    if axis is None:
        source, axis = source.ravel(), 0
    axis = check_axis("argsort", axis, source.ndim)
    rows = source if axis == source.ndim - 1 else _with_axis_last(source, axis)
    moved = empty(rows.size, u32, device=source.device)
    with empty(rows.shape, rows.dtype, device=source.device) as target:
        _sort_last_axis(rows, target, moved, is_descending, variant)
    found = moved.view(i32).reshape(rows.shape)
    if rows is not source:
        found = _with_axis_back(found, axis)
    given.end()
    return given.result(found)


@host_only
def sort_by_key(
    keys: Any, *values: Any, descending: bool | SortOrder = False, out: Sequence[Any] | None = None,
    variant: str | None = None, device: DeviceLike = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The keys, of shape (n,), in order, and values moved along with them: a tuple of the keys and each of the values.

    Values are arrays of any dtype, structs too, with n elements or rows along their first axis. Equal keys keep their
    order. All are NumPy arrays, which are uploaded to `device`, and so are the results; or all are device arrays or
    tensors on CUDA. `out` is a tuple of arrays for the results, which may be the arguments themselves.

    Raises what `gp.sort` raises, and ArgumentError for values of another length.
    """
    is_descending = check_order(descending)
    methods.check_name(variant)
    names = ["keys", *(f"values {number}" for number in range(1, len(values) + 1))]
    arrays = dict(zip(names, (keys, *values), strict=True))
    shape: tuple[int, ...] = tuple(getattr(keys, "shape", ()))

    def check(name: str, own: tuple[int, ...], dtype: Any) -> None:
        if name == "keys":
            if len(own) != 1:
                raise ArgumentError(f"sort_by_key takes keys of rank 1, not of shape {own}")
            check_keys("sort_by_key", dtype)
        elif own[:1] != shape:
            raise ArgumentError(f"sort_by_key: {name} have shape {own}, and there are {shape[0]} keys")

    given = Given("sort_by_key", arrays, check, device)
    made = _sorted_by_key([*given.arrays.values()], is_descending, variant)
    given.end()
    if out is None:
        return tuple(given.result(array) for array in made)
    _store(made, out, [*arrays.values()] if given.is_host else [*given.arrays.values()], given.is_host)
    return tuple(out)


def _sorted_by_key(arrays: list[Array], descending: bool, variant: str | None) -> list[Array]:
    keys, *values = arrays
    check_device("sort_by_key", keys)
    n, device = keys.size, keys.device
    target = empty(n, keys.dtype, device=device)
    if n == 0 or not values:
        methods.sort(keys, target, descending, variant)
        return [target, *(value.copy() for value in values)]
    moved = empty(n, u32, device=device)
    if len(values) == 1 and values[0].nbytes == 4 * n and values[0].offset % 4 == 0:
        methods.sort_pairs(keys, target, seen_as(values[0], u32), moved, descending, variant)
        return [target, Array(moved.storage, values[0].shape, values[0].dtype)]
    methods.sort_pairs(keys, target, None, moved, descending, variant)
    return [target, *(taken(value, moved) for value in values)]


def _store(made: list[Array], out: Sequence[Any], likes: list[Any], is_host: bool) -> None:
    """Store results in arrays of the user. `likes` are the arguments."""
    if not isinstance(out, (tuple, list)) or len(out) != len(made):
        raise ArgumentError(f"sort_by_key: out must be a tuple of {len(made)} arrays, one for each result")
    for each, like in zip(out, likes, strict=True):
        check_out("sort_by_key", each, like, like.shape)
    for one, other in itertools.combinations(out, 2):
        if np.shares_memory(one, other) if is_host else one.overlaps(other):
            raise ArgumentError("sort_by_key: two arrays of out share memory, and each result needs its own")
    for array, each in zip(made, out, strict=True):
        if is_host:
            array.numpy(out=each)
        else:
            each.set(array)


@overload
def segmented_sort(
    x: Array | OnCuda, offsets: Any, descending: bool | SortOrder = False, *, device: DeviceLike = None
) -> Array: ...


@overload
def segmented_sort(
    x: npt.NDArray[Any], offsets: Any, descending: bool | SortOrder = False, *, device: DeviceLike = None
) -> npt.NDArray[Any]: ...


@host_only
def segmented_sort(
    x: Any, offsets: Any, descending: bool | SortOrder = False, *, device: DeviceLike = None
) -> Any:  # fmt: skip
    """An array of shape (n,) with each of its segments in order, as a new array of the same kind and dtype.

    Segment i has the elements from `offsets[i]` up to, not including, `offsets[i + 1]`; the offsets are whole numbers
    that do not fall, from 0 to n. Elements before the first and from the last offset on stay where they are. Offsets
    on a device are read by the host, which waits.

    Raises what `gp.sort` raises, and ArgumentError for other ranks and offsets.
    """
    is_descending = check_order(descending)

    def check(name: str, shape: tuple[int, ...], dtype: Any) -> None:
        if len(shape) != 1:
            raise ArgumentError(f"segmented_sort takes an array of rank 1, not of shape {shape}")
        check_keys("segmented_sort", dtype)

    given = Given("segmented_sort", {"x": x}, check, device)
    source = given.arrays["x"]
    check_device("segmented_sort", source)
    edges = _edges(offsets, source.size)
    made = source.copy()
    longest = int(np.diff(edges).max(initial=0))
    if longest > 1:
        inside = slice(int(edges[0]), int(edges[-1]))
        offsets = asarray(edges - edges[0], device=source.device)
        sort_segments(source[inside], offsets, longest, made[inside], is_descending)
    given.end()
    return given.result(made)


def _edges(offsets: Any, size: int) -> npt.NDArray[np.int32]:
    try:
        host = offsets.numpy() if isinstance(offsets, Array) else np.asarray(offsets)
    except (TypeError, ValueError):  # lists of several lengths, and arrays that are not on the host
        raise ArgumentError(f"offsets must be whole numbers of rank 1, not {offsets!r:.80}") from None
    if host.ndim != 1 or (host.size and host.dtype.kind not in "iu"):
        raise ArgumentError(f"offsets must be whole numbers of rank 1, not {host.dtype} of shape {host.shape}")
    wide = host.astype(np.int64)
    if wide.size and (wide[0] < 0 or wide[-1] > size or (np.diff(wide) < 0).any()):
        raise ArgumentError(f"offsets must rise from 0 to at most {size}, the size of the array, not {host!r:.80}")
    return wide.astype(np.int32)
