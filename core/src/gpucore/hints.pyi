"""What type checkers take the names of annotations for. Nothing of it exists at run time.

A name such as `gp.f32` is an annotation that takes any number, a function that converts, and the type under a NewType.
Checkers have no such thing: a class takes no numbers of others, and a union cannot be called. So a scalar is the Python
class of its values, and `calls.pyi` lets NumPy's numbers pass. Vectors can be anything, as a tuple of components may be
passed for one.

`gp.In[gp.f32, 2]` has a number among its type arguments, which is an error for all but a few forms, and the checkers
agree on none of them: mypy ignores the arguments of a variable of type Any, pyright those of a class that is not
generic but has `__class_getitem__`. mypy takes the constant MYPY for true. pyright reads both branches, and the
last declaration of a name counts.
"""

import builtins
from typing import Annotated, Any, TypeVar

_T = TypeVar("_T")
MYPY: builtins.bool

bool_ = builtins.bool
"""True or False."""
i8 = int
"""8-bit signed integer in memory; i32 in arithmetic."""
u8 = int
"""8-bit unsigned integer in memory; u32 in arithmetic."""
i16 = int
"""16-bit signed integer in memory; i32 in arithmetic."""
u16 = int
"""16-bit unsigned integer in memory; u32 in arithmetic."""
i32 = int
"""32-bit signed integer; arithmetic wraps."""
u32 = int
"""32-bit unsigned integer; arithmetic wraps."""
i64 = int
"""64-bit signed integer."""
u64 = int
"""64-bit unsigned integer."""
f16 = float
bf16 = float
"""16-bit IEEE float."""
f32 = float
"""32-bit IEEE float."""
f64 = float
"""64-bit IEEE float."""

def __getattr__(name: str) -> Any:
    """The vectors."""

Const = Annotated[_T, "compile-time"]
"""A value known when the kernel is compiled: `n: gp.Const[int]`."""

if MYPY:
    In: Any
    Out: Any
    InOut: Any
    class ArrayParameter: ...

else:
    class In:
        """An array that the kernel reads: `gp.In[gp.f32]`, of rank 2 `gp.In[gp.f32, 2]`."""

        def __class_getitem__(cls, item: Any, /) -> Any: ...
        @property
        def size(self) -> int:
            """Number of elements."""

        @property
        def shape(self) -> tuple[int, ...]:
            """The lengths of the axes."""

        @property
        def ndim(self) -> int:
            """Number of axes."""

        @property
        def dtype(self) -> Any:
            """The element type."""

        def __len__(self) -> int: ...
        def __getitem__(self, index: Any, /) -> Any: ...

    class Out(In):
        """An array of which the kernel writes every element, and reads none."""

        def __setitem__(self, index: Any, value: Any, /) -> None: ...

    class InOut(Out):
        """An array that the kernel reads and writes."""

    class ArrayParameter(InOut):
        """The base of gp.Array for checkers: a kernel takes one for In, Out and InOut."""
