"""How a kernel is put into a gallery: with the arguments of a call, and what `gp.check` is asked to look for."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gpucore as gp

Arguments = Callable[[], tuple[Any, ...]]
Expected = frozenset[tuple[str, tuple[int, ...]]]

_MARK = re.compile(r"GP7\d\d\w?")


@dataclass(frozen=True)
class Case:
    """A kernel, the arguments of its call, and the options of the check."""

    kernel: gp.Kernel
    arguments: Arguments
    options: dict[str, Any] = field(default_factory=dict)

    def check(self, **options: Any) -> gp.CheckReport:
        """Check a call with fresh arguments."""
        return gp.check(self.kernel, *self.arguments(), **(self.options | options))

    def expected(self) -> Expected:
        """What the kernel's own comments announce: code and lines of each finding.

        A comment `# GP701` announces a finding at its line; lines whose comments share a letter (`# GP701a`) belong
        to one finding.
        """
        text, first = inspect.getsourcelines(self.kernel.function)
        lines: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(text, first):
            for mark in _MARK.findall(line.partition("#")[2]):
                key = mark if mark[-1].isalpha() else f"{mark}:{number}"
                lines[key].append(number)
        return frozenset((key[:5], tuple(found)) for key, found in lines.items())


class Gallery:
    """Kernels by name."""

    def __init__(self) -> None:
        self.cases: dict[str, Case] = {}

    def case(self, arguments: Arguments, **options: Any) -> Callable[[gp.Kernel], gp.Kernel]:
        """Decorator: put a kernel into the gallery."""

        def add(kernel: gp.Kernel) -> gp.Kernel:
            assert kernel.name not in self.cases
            self.cases[kernel.name] = Case(kernel, arguments, options)
            return kernel

        return add


def found(report: gp.CheckReport) -> Expected:
    """Code and lines of each finding of a report."""
    return frozenset((finding.code, tuple(sorted(set(finding.lines)))) for finding in report.findings)
