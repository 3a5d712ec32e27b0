"""The names of the front end that the rest of gpucore uses."""

from gpucore.front.state.captured import Captured
from gpucore.front.state.specialisation import Specialisation
from gpucore.front.state.target import ANY, Target
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
from gpucore.front.walk.lower import Lowered, declare, lower
from gpucore.types import dtype_of

__all__ = [
    "ANY", "BufferParameter", "Captured", "ConstParameter", "FunctionSource", "Lowered", "Parameter",
    "ScalarParameter", "Signature", "Specialisation", "StructParameter", "Target", "check_constant", "declare",
    "dtype_of", "lower", "make_signature", "plain_constant", "read_signature", "read_source",
]  # fmt: skip
