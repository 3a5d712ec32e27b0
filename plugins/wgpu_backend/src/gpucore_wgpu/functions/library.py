"""The helper functions of one kernel, and tools to write them.

The modules beside this one write them, one family each; `table` lists all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gpucore.plugin.ir import F32, Type, VectorType
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.wgsl_types import full, type_name


class Functions:
    """The functions that one kernel needs, in order of definition; `defects` are those of its driver."""

    def __init__(self, builders: Mapping[str, Builder], defects: frozenset[Defect] = frozenset()) -> None:
        """`builders` write the functions, by name."""
        self.defects = defects
        self._builders = builders
        self._texts: dict[str, list[str]] = {}

    def call(self, name: str, type: Type, *arguments: str) -> str:
        """A call of function `name` on operands of `type`; the function is defined at its first use."""
        identifier = f"gpucore_{name}_{type}"
        if identifier not in self._texts:
            lines = self._builders[name](self, identifier, type)  # first defines the functions that it calls
            self._texts[identifier] = lines
        return f"{identifier}({', '.join(arguments)})"

    def texts(self) -> list[list[str]]:
        """The definitions, each a list of lines."""
        return list(self._texts.values())


Builder = Callable[[Functions, str, Type], list[str]]
"""Gives the lines of a function: `builder(functions, identifier, type)` of operands of `type`."""


def define(identifier: str, parameters: str, result: Type, *body: str) -> list[str]:
    """The lines of a function."""
    return [f"fn {identifier}({parameters}) -> {type_name(result)} {{", *(f"    {line}" for line in body), "}"]


def nan(functions: Functions, type: Type) -> str:
    """NaN in every component of a type of f32."""
    text = functions.call("bits", F32, "0x7fc00000u")
    return f"{type_name(type)}({text})" if isinstance(type, VectorType) else text


def polynomial(type: Type, coefficients: tuple[float, ...], tail: str) -> list[str]:
    """Lines that evaluate a polynomial in `z` to `p`, then `tail`; the coefficients start with the constant."""
    *rest, highest = coefficients
    lines = [f"var p = {full(type, highest)};"]
    lines += [f"p = p * z + {full(type, coefficient)};" for coefficient in reversed(rest)]
    return [*lines, tail]
