"""A context manager that checks every kernel call within it with `gp.check`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gpucore.check import check, count_invocations
from gpucore.findings import CheckReport
from gpucore.kernel import Kernel
from gpucore.sharing import is_on_cuda

MAX_INVOCATIONS = 16_384
"""The default limit for a call that is checked. Each memory access takes about ten microseconds."""


@dataclass(slots=True)
class CheckedCalls:
    """The results of checking some calls: `reports` has those with findings."""

    reports: list[CheckReport] = field(default_factory=list)
    checked: int = 0
    too_large: int = 0
    """Calls that were not checked because they had too many invocations."""
    native: int = 0
    """Calls of native kernels, which cannot be checked: they have no Python text."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.reports))


@contextmanager
def checked_calls(*, most_invocations: int = MAX_INVOCATIONS, **options: Any) -> Iterator[CheckedCalls]:
    """Check each kernel call made in the `with` block, on copies of its arguments from before the call.

    `options` are those of `gp.check`. The calls themselves are unaffected, including their errors and results. Calls
    from other threads are checked too. Such blocks nest.
    """
    calls = CheckedCalls()
    plain = Kernel.__call__
    Kernel.__call__ = _watched(plain, calls, most_invocations, options)  # type: ignore[method-assign]  # restored below
    try:
        yield calls
    finally:
        Kernel.__call__ = plain  # type: ignore[method-assign]  # restored


def _watched(
    plain: Callable[..., None], calls: CheckedCalls, most_invocations: int, options: dict[str, Any]
) -> Callable[..., None]:
    @functools.wraps(plain)
    def call(kernel: Kernel, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> None:
        grid = {"invocations": invocations, "workgroups": workgroups}
        if any(map(is_on_cuda, (*args, *keywords.values()))):
            pass  # the call calls the kernel again, with arrays in the place of these
        elif kernel.is_native:
            calls.native += 1
        elif count_invocations(kernel, args, keywords, **grid) <= most_invocations:
            report = check(kernel, *args, **grid, **options, **keywords)
            calls.checked += 1
            if not report.ok:
                calls.reports.append(report)
        else:
            calls.too_large += 1
        plain(kernel, *args, **grid, **keywords)

    return call
