"""Helper functions, which are defined before the kernel that calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gpucore.back.c_family.dialect import CDialect
from gpucore.ir import Capability, ScalarType


class Helpers:
    """Collects helper functions, each once. A function comes after those that it calls."""

    def __init__(self, dialect: CDialect) -> None:
        self.used_types: set[ScalarType] = set()
        self.used_capabilities: set[Capability] = set()
        self._dialect = dialect
        self._texts: dict[tuple[str, tuple[str, ...]], str] = {}

    def has(self, name: str, parameter_types: tuple[str, ...]) -> bool:
        """Whether the function is already defined. With operator overloading, one name may have several definitions."""
        return (name, parameter_types) in self._texts

    def define(self, result: str, name: str, parameter_types: tuple[str, ...], body: str) -> None:
        """Add a function with parameters `a`, `b`, `c` and the given body."""
        parameters = ", ".join(f"{type} {letter}" for type, letter in zip(parameter_types, "abcd", strict=False))
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        opening = f"{self._dialect.helper_prefix}{result} {name}({parameters})\n{{\n"
        self._texts[name, parameter_types] = f"{opening}{lines}}}\n"

    def prologue(self, kernel_texts: Iterable[str]) -> str:
        """Everything that precedes a kernel with this text: headers, the dialect's own functions, helpers."""
        own = list(self._texts.values())
        wanted = self._closure("\n".join([*own, *kernel_texts]))
        parts = [self._dialect.header] if self._dialect.header else []
        parts += [text for type, text in self._dialect.type_headers.items() if type in self.used_types]
        parts += [text for one, text in self._dialect.capability_headers.items() if one in self.used_capabilities]
        parts += [text for name, text in self._dialect.prologue.items() if name in wanted]
        return "\n".join(part.rstrip("\n") + "\n" for part in [*parts, *own])

    def _closure(self, text: str) -> set[str]:
        wanted: set[str] = set()
        queue = [text]
        while queue:
            for name in re.findall(r"\bgpucore_\w+", queue.pop()):
                if name in self._dialect.prologue and name not in wanted:
                    wanted.add(name)
                    queue.append(self._dialect.prologue[name])
        return wanted
