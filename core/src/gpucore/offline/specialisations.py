"""Kernels with types and constants: "saxpy", "scale[T=f32,n=4]"; the names of what packages and pages have."""

from __future__ import annotations

import contextlib
import inspect
import json
import math
import re
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.front import ConstParameter
from gpucore.immutable import Immutable
from gpucore.kernel import Kernel
from gpucore.types import DTYPES, DType, bf16

FROM_FILE = "gpucore_inspected_"
"""How the names of modules begin that a command line names by their files."""

_DTYPES: dict[str, DType] = {str(dtype.ir_type): dtype for dtype in (*DTYPES, bf16)}
_NAME = re.compile(r"([^\[\]]+)(?:\[(.*)\])?")
_PLAIN = (bool, int, DType)
_VALUE = re.compile(r'[^,"]*"[^"]*"|[^,]+')


class Specialisation(Immutable, eq=False):
    """A kernel with values of its Const parameters and dtypes of its type variables, by name."""

    kernel: Kernel
    bindings: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its name: "saxpy", "scale[T=f32,n=4]", or 'filled[mode="zeros"]', with strings as in JSON."""
        values = ",".join(f"{name}={_shown(value)}" for name, value in self.bindings.items())
        return f"{self.kernel.name}[{values}]" if values else self.kernel.name


def find_specialisations(module: ModuleType, names: Iterable[str]) -> list[Specialisation]:
    """The kernels of a module with these names; without names all of its own that need no value of a Const parameter,
    with the first dtype that each type variable allows.

    Raises ArgumentError for a name that is not that of a kernel, or for other values.
    """
    kernels = {name: value for name, value in vars(module).items() if isinstance(value, Kernel)}
    given = list(names) or [
        name for name, kernel in kernels.items()
        if kernel.function is not None and kernel.function.__module__ == module.__name__ and not _needs_values(kernel)
    ]  # fmt: skip
    return [_find(module, kernels, name) for name in given]


def is_plain(value: object) -> bool:
    """Whether a value can be in the name of a specialisation, and be read from it."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, _PLAIN) or (isinstance(value, str) and not set(value) & set('[],="\\'))


def with_defaults(kernel: Kernel, bindings: Mapping[str, Any]) -> dict[str, Any]:
    """The bindings, and after them the defaults of the other Const parameters."""
    return {**bindings, **{name: value for name, value in _defaults(kernel).items() if name not in bindings}}


def _defaults(kernel: Kernel) -> dict[str, Any]:
    python = kernel.signature.python.parameters
    return {
        parameter.name: python[parameter.name].default
        for parameter in kernel.signature.parameters
        if isinstance(parameter, ConstParameter) and python[parameter.name].default is not inspect.Parameter.empty
    }


def split_names(text: str) -> list[str]:
    """The names in "saxpy,scale[T=f32,n=4]"."""
    return [name for name in re.split(r",(?![^\[]*\])", text) if name]


def read_bindings(texts: Iterable[str], where: str) -> dict[str, Any]:
    """The values in texts like "n=4" and "T=f32". `where` begins messages."""
    bindings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ArgumentError(f"{where} takes NAME=VALUE, not {text!r}")
        if name in bindings:
            raise ArgumentError(f"{where} gives {name} twice")
        bindings[name] = _read_value(where, name, value.strip())
    return bindings


def _find(module: ModuleType, kernels: Mapping[str, Kernel], name: str) -> Specialisation:
    match = _NAME.fullmatch(name.strip())
    if match is None:
        raise ArgumentError(f"{name!r} does not name a kernel; write it as in saxpy or scale[T=f32,n=4]")
    kernel = kernels.get(match[1])
    if kernel is None:
        listed = f"its kernels are {', '.join(kernels)}" if kernels else "it has no kernel"
        raise ArgumentError(f"{module.__name__} has no kernel {match[1]!r}; {listed}")
    bindings = read_bindings(_VALUE.findall(match[2] or ""), name)
    return Specialisation(kernel, bindings)


def _needs_values(kernel: Kernel) -> bool:
    constants = {parameter.name for parameter in kernel.signature.parameters if isinstance(parameter, ConstParameter)}
    return bool(constants - _defaults(kernel).keys())


def _read_value(where: str, name: str, text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if (dtype := _DTYPES.get(text.removeprefix("gp."))) is not None:
        return dtype
    for read in (lambda: int(text, 0), lambda: float(text), lambda: str(json.loads(text if text[:1] == '"' else ""))):
        with contextlib.suppress(ValueError):
            return read()
    raise ArgumentError(f"{where} {name}={text}: a value is a number, true, false, a string in double quotes or a "
                        f"dtype ({', '.join(_DTYPES)})")  # fmt: skip


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value))
    return str(value.ir_type) if isinstance(value, DType) else str(value)
