"""Python functions -> IR: source, signature, names, expressions, statements, calls."""

from gpucore.front.context import Captured
from gpucore.front.lower import Lowered, Specialisation, declare, lower
from gpucore.front.signature import (
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
from gpucore.front.source import FunctionSource, read_source
from gpucore.front.target import ANY, Target
from gpucore.types import dtype_of

__all__ = [
    "ANY",
    "BufferParameter",
    "Captured",
    "ConstParameter",
    "FunctionSource",
    "Lowered",
    "Parameter",
    "ScalarParameter",
    "Signature",
    "Specialisation",
    "StructParameter",
    "Target",
    "check_constant",
    "declare",
    "dtype_of",
    "lower",
    "make_signature",
    "plain_constant",
    "read_signature",
    "read_source",
]
