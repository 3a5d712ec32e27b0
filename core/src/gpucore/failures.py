"""The exceptions of failures in kernels, with the same messages from device records and from the simulator.

kernel.py:7:9: saxpy: index 10 is out of range for 'x' of length 10, in invocation (10, 0, 0) (local_id (2, 0, 0) of
workgroup (1, 0, 0))
 7 |         y[i] = a * x[i]
   |                    ^^^^
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gpucore.errors import IncompleteOutputError, KernelAssertionError, OutOfRangeError
from gpucore.immutable import Immutable
from gpucore.span import Span

Axes = tuple[int, int, int]
Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"

_MOST_BLOCKS = 3  # of elements, in a message


class Invocation(Immutable):
    """An invocation of a kernel."""

    kernel: str
    workgroup_size: Axes
    workgroup_id: Axes
    local_id: Axes

    def __str__(self) -> str:
        axes = zip(self.workgroup_id, self.workgroup_size, self.local_id, strict=True)
        global_id = tuple(group * size + local for group, size, local in axes)
        return f"in invocation {global_id} (local_id {self.local_id} of workgroup {self.workgroup_id})"


def out_of_range(
    invocation: Invocation,
    span: Span | None,
    array: str,
    indices: Sequence[int],
    extents: Sequence[int],
    *,
    more: str = "",
) -> OutOfRangeError:
    """The error for an access to `array`, of shape `extents`, at `indices`. `more` is an additional last line."""
    if len(indices) == 1:
        what = f"index {indices[0]} is out of range for {array!r} of length {extents[0]}"
    else:
        what = f"index {tuple(indices)} is out of range for {array!r} of shape {tuple(extents)}"
    return OutOfRangeError(_message(invocation, span, what, more), span)


def assertion_failed(
    invocation: Invocation, span: Span | None, parts: Sequence[object], *, more: str = ""
) -> KernelAssertionError:
    """The error for a failed assert, with the strings and values of its message."""
    text = "".join(map(shown, parts))
    what = f"assertion failed: {text}" if text else "assertion failed"
    return KernelAssertionError(_message(invocation, span, what, more), span)


def incomplete_output(
    kernel: str, findings: Sequence[tuple[Span | None, str]], *, more: str = ""
) -> IncompleteOutputError:
    """The error for arrays with unwritten elements: the parameter of each, and what `describe_unwritten` says."""
    (span, first), *others = findings
    lines = [_located(f"{kernel}: {first}", span)]
    lines += [f"  and {text}" for _, text in others]
    lines += [f"  why: {IncompleteOutputError.WHY}", f"  fix: {IncompleteOutputError.FIX}", more]
    return IncompleteOutputError("\n".join(filter(None, lines)), span)


def describe_unwritten(array: str, fields: Mapping[str, Mask]) -> str:
    """How many elements of an array were not written, and which: "2 of 9 elements of 'y' were not written: y[2, 1:3]".

    `fields` has, for each field of a struct, a mask of the array's shape that is true for elements where the field was
    not written; the name is "" for other elements. Without a true element the result is "".
    """
    masks = list(fields.values())
    any_field = masks[0] if len(masks) == 1 else np.logical_or.reduce(masks)
    count = int(np.count_nonzero(any_field))
    if not count:
        return ""
    if all(np.count_nonzero(mask) == count for mask in masks):
        fields = {"": any_field}
    places = [_places(array, mask, f".{name}" if name else "") for name, mask in fields.items() if mask.any()]
    completely = "" if "" in fields else " completely"
    return f"{count} of {any_field.size} elements of {array!r} were not written{completely}: {', '.join(places)}"


def shown(value: Any) -> str:
    """A value as print shows it; a vector as a tuple: (1.0, 2.5)."""
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _message(invocation: Invocation, span: Span | None, what: str, more: str) -> str:
    text = _located(f"{invocation.kernel}: {what}, {invocation}", span)
    return f"{text}\n{more}" if more else text


def _located(text: str, span: Span | None) -> str:
    """The text after its place, and below it the source line with carets, and those of the callers."""
    lines = [text if span is None else f"{span}: {text}", span.excerpt() if span else ""]
    caller = span.called_from if span else None
    while caller is not None:
        lines += [f"  called from {caller}", caller.excerpt()]
        caller = caller.called_from
    return "\n".join(filter(None, lines))


# ---------------------------------------------------------------- elements


def _places(array: str, mask: Mask, field: str) -> str:
    """The true elements of a mask, which has some: "y[3, 0:5]"; if they are several blocks, the first ones."""
    box = []
    for axis in range(mask.ndim):
        found = np.flatnonzero(mask.any(axis=tuple(other for other in range(mask.ndim) if other != axis)))
        box.append(range(int(found[0]), int(found[-1]) + 1))
    if math.prod(map(len, box)) == np.count_nonzero(mask):
        return f"{array}{_index(box)}{field}"
    texts = [f"{array}{_index(run)}{field}" for run in itertools.islice(_runs(mask), _MOST_BLOCKS + 1)]
    return ", ".join([*texts[:_MOST_BLOCKS], "..."][: len(texts)])


def _runs(mask: Mask) -> Iterator[list[range]]:
    """The true elements, row by row: a range for each axis, of length 1 for all but the last."""
    flat, row = mask.ravel(), mask.shape[-1]
    at = int(flat.argmax())
    while at < flat.size and flat[at]:
        rest = flat[at : (at // row + 1) * row]
        length = len(rest) if rest.all() else int(rest.argmin())
        *outer, first = (int(axis) for axis in np.unravel_index(at, mask.shape))
        yield [*(range(index, index + 1) for index in outer), range(first, first + length)]
        at += length
        at += int(flat[at:].argmax()) if at < flat.size else 0


def _index(axes: Sequence[range]) -> str:
    return f"[{', '.join(str(axis.start) if len(axis) == 1 else f'{axis.start}:{axis.stop}' for axis in axes)}]"
