"""How type checkers check the calls of a kernel. Nothing of it exists at run time.

A ParamSpec would keep the names of the parameters, but keywords such as `invocations` cannot be added to one. So a
kernel is generic in the types of its parameters. Arguments by position are checked; of a call that gives all by name,
only `invocations` and `workgroups` are.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, Never, Protocol, SupportsIndex, TypedDict, TypeVar, Unpack, overload

import numpy as np
from typing_extensions import TypeVarTuple

from gpucore.hints import MYPY, ArrayParameter
from gpucore.kernel import Kernel as _Implementation
from gpucore.sharing import OnCuda

_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")
_D = TypeVar("_D")
_E = TypeVar("_E")
_F = TypeVar("_F")
_Parameters = TypeVarTuple("_Parameters", default=Unpack[tuple[Any, ...]])
_Rest = TypeVarTuple("_Rest")
_Count = SupportsIndex | Sequence[SupportsIndex] | ArrayParameter | OnCuda | None
_Debug = bool | Literal["ordered"] | None

_Foreign = np.generic | OnCuda

class _Grid(TypedDict, total=False):
    invocations: _Count
    workgroups: _Count

class Kernel(_Implementation, Generic[*_Parameters]):
    """A kernel. Call it with its arguments and `invocations=` or `workgroups=`. It runs on the device of its arrays."""

    @overload  # type: ignore[override]  # at run time a call takes anything, and checks it
    def __call__(self, *arguments: *_Parameters, **grid: Unpack[_Grid]) -> None: ...
    @overload
    def __call__(self, *, invocations: _Count = None, workgroups: _Count = None, **arguments: Any) -> None: ...

    # fmt: off
    # A number of NumPy's, for one that is annotated with gp.f32 or the like; an array of another library on CUDA.
    @overload
    def __call__(self: Kernel[_A, *_Rest], a: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]) -> None: ...
    @overload
    def __call__(
        self: Kernel[_A, _B, *_Rest], a: Any, b: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]
    ) -> None: ...
    @overload
    def __call__(
        self: Kernel[_A, _B, _C, *_Rest], a: Any, b: Any, c: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]
    ) -> None: ...
    @overload
    def __call__(
        self: Kernel[_A, _B, _C, _D, *_Rest],
        a: Any, b: Any, c: Any, d: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]
    ) -> None: ...
    @overload
    def __call__(
        self: Kernel[_A, _B, _C, _D, _E, *_Rest],
        a: Any, b: Any, c: Any, d: Any, e: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]
    ) -> None: ...
    @overload
    def __call__(
        self: Kernel[_A, _B, _C, _D, _E, _F, *_Rest],
        a: Any, b: Any, c: Any, d: Any, e: Any, f: _Foreign, /, *rest: *_Rest, **grid: Unpack[_Grid]
    ) -> None: ...
    if MYPY:
        # For mypy a parameter that is annotated with a type variable is Never, which fits an array's Any, too.
        @overload
        def __call__(self: Kernel[Never, *_Rest], a: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]) -> None: ...
        @overload
        def __call__(
            self: Kernel[Never, Never, *_Rest], a: Any, b: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[Never, Never, Never, *_Rest], a: Any, b: Any, c: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[Never, Never, Never, Never, *_Rest],
            a: Any, b: Any, c: Any, d: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[Never, Never, Never, Never, Never, *_Rest],
            a: Any, b: Any, c: Any, d: Any, e: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[Never, Never, Never, Never, Never, Never, *_Rest],
            a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[_A, Never, *_Rest], a: _A, b: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[_A, Never, Never, *_Rest], a: _A, b: Any, c: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
        @overload
        def __call__(
            self: Kernel[_A, Never, Never, Never, *_Rest],
            a: _A, b: Any, c: Any, d: Any, /, *rest: *_Rest, **grid: Unpack[_Grid]
        ) -> None: ...
    # fmt: on

class _Decorator(Protocol):
    def __call__(self, function: Callable[[*_Rest], object], /) -> Kernel[*_Rest]: ...

@overload
def kernel(
    function: None = None,
    *,
    workgroup_size: int | Sequence[int] = 256,
    debug: _Debug = None,
    unchecked: bool = False,
    min_workgroups: int | None = None,
    coarsen: bool = True,
) -> _Decorator:
    """Decorator: compiles a Python function as a kernel, once for each combination of types and Const values."""

@overload
def kernel(
    function: Callable[[*_Rest], object],
    *,
    workgroup_size: int | Sequence[int] = 256,
    debug: _Debug = None,
    unchecked: bool = False,
    min_workgroups: int | None = None,
    coarsen: bool = True,
) -> Kernel[*_Rest]: ...
