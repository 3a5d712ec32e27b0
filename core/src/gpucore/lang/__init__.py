"""The names of the kernel language. Called outside a kernel, they raise KernelOnlyError."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.ir.capabilities import MatrixUnit
from gpucore.lang.atomics import *  # noqa: F403 (all are names of the language)
from gpucore.lang.cooperative import *  # noqa: F403 (all are names of the language)
from gpucore.lang.mathematics import *  # noqa: F403 (all are names of the language)
from gpucore.lang.matrices import *  # noqa: F403 (all are names of the language)
from gpucore.lang.outside import outside
from gpucore.lang.subgroups import *  # noqa: F403 (all are names of the language)

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


def global_id(axis: int = 0, /) -> int:
    """The id of this invocation in the whole dispatch along `axis` (0, 1, 2): i32."""
    outside("global_id")


def local_id(axis: int = 0, /) -> int:
    """The id of this invocation in its workgroup along `axis`: i32."""
    outside("local_id")


def workgroup_id(axis: int = 0, /) -> int:
    """The id of this invocation's workgroup in the dispatch along `axis`: i32."""
    outside("workgroup_id")


def num_workgroups(axis: int = 0, /) -> int:
    """The number of workgroups in the dispatch along `axis`: i32."""
    outside("num_workgroups")


def workgroup_size(axis: int = 0, /) -> int:
    """The number of invocations in a workgroup along `axis`: a compile-time int."""
    outside("workgroup_size")


def local_index() -> int:
    """The linear index of this invocation in its workgroup, x fastest: i32."""
    outside("local_index")


def workgroup_array(dtype: Any, shape: Any, /) -> Any:
    """Memory that the invocations of a workgroup share; undefined until written. `shape` is known at compile time.

    Each call in the lowered code creates a separate array: a helper that is called twice creates two, a runtime loop
    one, gp.unroll one for each iteration.
    """
    outside("workgroup_array")


def private_array(dtype: Any, shape: Any, /) -> Any:
    """Memory of one invocation, set to zero each time the call is executed. If all indices are compile-time values, it
    is kept in registers. It exists until the end of the branch or loop iteration that creates it."""
    outside("private_array")


def private_length(value: Any, /) -> int:
    """For the blocks of a workgroup: the length of a private array, or 0 for a number, a vector or a struct."""
    outside("private_length")


def barrier(*, buffers: bool = True) -> None:
    """Wait for all invocations of the workgroup. Their earlier writes are then visible. All or none must reach it.

    With `buffers=False`, known at compile time, it orders accesses to workgroup memory only, which costs less on some
    devices: what invocations do to buffers before and after it is unordered. gp.check reports races across it.
    """
    outside("barrier")


def device_fence() -> None:
    """Accesses of this invocation to buffers before it are seen before those after it, by all of the device.

    It waits for nobody, and may be in any control flow. So invocations of two workgroups exchange data: one stores,
    fences, and changes a flag or a counter by an atomic; the other reads that by an atomic, fences, and loads. The
    invocation with the atomic does it for its workgroup, after a `gp.barrier()` and before another one. It needs the
    capability `device_fence`.
    """
    outside("device_fence")


def vload(array: Any, index: Any, width: int, /) -> Any:
    """The vector of `array[index]` and the elements after it: f32, i32, u32 or f16, of any array of these.

    `width` is 2, 3 or 4. The index counts elements, and need not be a multiple of the width. With cuda and opencl, two
    or four elements are one access where their address is a multiple of their size. Elsewhere, and on other devices,
    each is read by itself.
    """
    outside("vload")


def vstore(array: Any, index: Any, vector: Any, /) -> None:
    """Store the components of a vector to `array[index]` and the elements after it, as `vload` reads them."""
    outside("vstore")


def assume_uniform(value: _T, /) -> _T:
    """`value`. You promise that it is the same in all invocations of the workgroup. The compiler relies on it: a
    barrier may depend on a condition computed from it. gp.check reports a broken promise. All invocations or none must
    reach the call.
    """
    outside("assume_uniform")


def prefetch(array: Any, index: Any, /) -> None:
    """Ask for `array[index]`, in a buffer, to be brought into the cache before it is needed. It changes no result, the
    index may be out of range, and devices that have no use for it ignore it; today only the cpu plugin has.
    """
    outside("prefetch")


def unroll(iterable: Iterable[_T], /) -> Iterable[_T]:
    """`for i in gp.unroll(range(4))`: the body is repeated for each i, which is a compile-time value."""
    outside("unroll")


def static(value: _T, /) -> _T:
    """Evaluate any Python expression of compile-time values when the kernel is compiled."""
    outside("static")


def bitcast(dtype: Any, value: Any, /) -> Any:
    """Reinterpret the bits of a value as another type of the same size."""
    outside("bitcast")


def select(condition: Any, if_true: Any, if_false: Any, /) -> Any:
    """`if_true` if `condition` is true, else `if_false`: scalars or vectors. Both are evaluated.

    The condition may be a mask, which a comparison of vectors gives: then each component is chosen by its own bool.
    """
    outside("select")


def any(mask: Any, /) -> Any:
    """Whether any component of a mask is true. A mask is what a comparison of vectors gives: `gp.any(v < w)`."""
    outside("any")


def all(mask: Any, /) -> Any:
    """Whether all components of a mask are true. A mask is what a comparison of vectors gives: `gp.all(v == w)`."""
    outside("all")


def max_value(dtype: Any, /) -> Any:
    """The largest finite value of a scalar type."""
    outside("max_value")


def min_value(dtype: Any, /) -> Any:
    """The smallest finite value of a scalar type."""
    outside("min_value")


def div_trunc(a: Any, b: Any, /) -> Any:
    """Integer quotient rounded toward zero; a for b = 0."""
    outside("div_trunc")


def rem(a: Any, b: Any, /) -> Any:
    """Integer remainder with the sign of `a`; 0 for b = 0."""
    outside("rem")


class _Target:
    """The device that the kernel is compiled for, at compile time."""

    backend: str
    kind: str
    subgroup_size: int
    has: Callable[[Any], bool]
    matrix: Callable[[Any], MatrixUnit | None]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in ("backend", "kind", "subgroup_size", "has", "matrix"):
                outside(f"target.{name}")
            has = "backend, kind, subgroup_size, has(...) and matrix(...)"
            raise AttributeError(f"gp.target has {has}, but no {name!r}")


target = _Target()
target.__doc__ = (
    "The device that the kernel is compiled for, at compile time: backend, kind, subgroup_size, has(capability) and "
    "matrix(dtype)."
)
"""`gp.target.backend` ("cuda", ...), `gp.target.kind` ("gpu", "igpu", "cpu", "software"), `gp.target.subgroup_size`
(native or emulated; 0 if subgroups have different sizes, or the driver does not say it),
`gp.target.has(gp.Capability.SUBGROUP)` and `gp.target.matrix(gp.f16)`, what units multiply, or None: compile-time
values, so that an `if` on them is conditional compilation."""


@host_only
def func(function: _F) -> _F:
    """Optional decorator for helpers: it enforces the annotated types of the parameters and of the result.

    A literal passed for a parameter takes its type; a value of another type is an error. Called outside a kernel, the
    function is the plain Python function. Raises ArgumentError for anything but a function.
    """
    if not isinstance(function, FunctionType):
        raise ArgumentError(f"@gp.func decorates a plain Python function, not {function!r:.60}")
    function.__gpucore_func__ = True  # type: ignore[attr-defined]  # functions take any attribute
    return function
