"""The exceptions of failures in kernels, with the same messages from device records and from the simulator.

kernel.py:7:9: saxpy: index 10 is out of range for 'x' of length 10, in invocation (10, 0, 0) (local_id (2, 0, 0) of
workgroup (1, 0, 0))
 7 |         y[i] = a * x[i]
   |                    ^^^^
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpucore.errors import KernelAssertionError, OutOfRangeError
from gpucore.immutable import Immutable
from gpucore.span import Span

Axes = tuple[int, int, int]


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


def shown(value: Any) -> str:
    """A value as print shows it; a vector as a tuple: (1.0, 2.5)."""
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _message(invocation: Invocation, span: Span | None, what: str, more: str) -> str:
    text = f"{invocation.kernel}: {what}, {invocation}"
    lines = [text if span is None else f"{span}: {text}", span.excerpt() if span else ""]
    caller = span.called_from if span else None
    while caller is not None:
        lines += [f"  called from {caller}", caller.excerpt()]
        caller = caller.called_from
    return "\n".join(line for line in (*lines, more) if line)
