"""The front end: lowers Python functions to IR, once for each set of types, constants and captured values.

`text` parses functions and signatures, `state` has the state of a lowering, `values` converts operands,
`language` lowers calls of built-in functions, `walk` lowers statements and expressions. These are loaded when the first
kernel is lowered: a call of a kernel that is in the cache on disk needs only what is imported here.
"""

from typing import TYPE_CHECKING

from gpucore.front.state.captured import Captured
from gpucore.front.state.specialisation import Specialisation
from gpucore.front.state.target import ALL, ANY, Target
from gpucore.front.text.signature import (
    BufferParameter,
    ConstParameter,
    Parameter,
    ScalarParameter,
    Signature,
    StructParameter,
    check_constant,
    make_signature,
    plain_constant,
    read_signature,
)
from gpucore.front.text.source import FunctionSource, read_source
from gpucore.lazy import load_on_use
from gpucore.types import dtype_of

__all__ = [
    "ALL", "ANY", "BufferParameter", "Captured", "ConstParameter", "FunctionSource", "Lowered", "Parameter",
    "ScalarParameter", "Signature", "Specialisation", "StructParameter", "Target", "check_constant", "declare",
    "dtype_of", "lower", "make_signature", "plain_constant", "read_signature", "read_source",
]  # fmt: skip

if TYPE_CHECKING:
    from gpucore.front.walk.lower import Lowered, declare, lower
else:
    __getattr__ = load_on_use(__name__, "gpucore.front.walk.lower")
