"""The decorator `@gp.kernel`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpucore.bodies import PythonBody
from gpucore.errors import ArgumentError
from gpucore.front.text.source import check_kernel
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.options import check_debug, check_options, read_debug_mode


@host_only
def kernel(
    function: Callable[..., Any] | None = None,
    *,
    workgroup_size: int | Sequence[int] = 256,
    debug: bool | str | None = None,
    unchecked: bool = False,
    min_workgroups: int | None = None,
    coarsen: bool = True,
) -> Any:
    """Decorator: compiles a Python function as a kernel, once for each combination of types and Const values.

    The 256 combinations used last are kept. A RecompilationWarning is issued when one is discarded for the first time.

    `workgroup_size` is the number of invocations in a workgroup: an int, or up to three for x, y, z. `debug=True`
    checks every index, and executes asserts and prints, on every device (the simulator always does), and checks that
    every element of an Out is written; "ordered" sorts prints by invocation. The default is the environment variable
    GPUCORE_DEBUG.

    `unchecked=True` asserts that every index is in range: an index out of range can then crash the process, or write to
    other arrays. Without it, indices are clamped on devices that do not check them. That costs time unless an index is
    provably in range, as after a comparison with the array's size.

    `min_workgroups` is how many workgroups a multiprocessor is to run at a time, on CUDA: the compiler uses fewer
    registers, and keeps other values in memory if they do not suffice. It changes no result; other devices ignore it.

    `coarsen=False` keeps each invocation of an element-wise kernel, and each iteration of its loops, as it is written,
    on every device: see docs/streaming.md.

    Raises ArgumentError for a workgroup size that no device supports, and KernelSyntaxError for what is not a plain
    function, or has no source text. In a class, write `@staticmethod` above it.
    """
    if function is not None and not (callable(function) or isinstance(function, classmethod)):
        raise ArgumentError("@gp.kernel takes workgroup_size by name, as in @gp.kernel(workgroup_size=256)")
    make = make_decorator(sys._getframe(1).f_locals, workgroup_size, debug, unchecked, min_workgroups, coarsen)
    return make if function is None else make(function)


def make_decorator(
    enclosing: Mapping[str, Any],
    workgroup_size: int | Sequence[int],
    debug: bool | str | None,
    unchecked: bool,
    min_workgroups: int | None,
    coarsen: bool,
) -> Callable[[Callable[..., Any]], Kernel]:
    """What `gp.kernel` does to a function. `enclosing` are the local names around the function's definition."""
    debugs = read_debug_mode() if debug is None else check_debug(debug)
    options = check_options(workgroup_size, unchecked, min_workgroups, coarsen)

    def make(decorated: Callable[..., Any]) -> Kernel:
        if isinstance(decorated, staticmethod):  # a kernel in a class is one already
            decorated = decorated.__func__
        check_kernel(decorated)
        return Kernel(PythonBody(decorated, _local_names(decorated, enclosing)), options, debugs)

    return make


def _local_names(function: Callable[..., Any], enclosing: Mapping[str, Any]) -> dict[str, Any]:
    """The local names of the enclosing function that the string annotations of a kernel use."""
    found: dict[str, Any] = {}
    for text in getattr(function, "__annotations__", {}).values():
        if isinstance(text, str):
            try:
                names = compile(text, "<annotation>", "eval").co_names
            except (SyntaxError, ValueError):
                continue  # reported with its location when the signature is read
            found |= {name: enclosing[name] for name in names if name in enclosing}
    return found
