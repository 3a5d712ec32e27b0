"""Python functions -> IR: source, signature, names, expressions, statements, calls."""

from gpucore.front.context import Captured
from gpucore.front.lower import Lowered, Specialisation, lower
from gpucore.front.signature import (
    BufferParameter,
    ConstParameter,
    Parameter,
    ScalarParameter,
    Signature,
    StructParameter,
    check_constant,
    plain_constant,
    read_signature,
)
from gpucore.front.source import FunctionSource, read_source
from gpucore.front.target import ANY, Target

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
    "lower",
    "plain_constant",
    "read_signature",
    "read_source",
]
