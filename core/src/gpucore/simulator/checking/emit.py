"""A valid kernel as a Python function whose memory is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gpucore import ir
from gpucore.simulator.checking.shadow import PrivateMemory
from gpucore.simulator.checking.statements import SITE, CheckedStatements
from gpucore.simulator.checking.watch import Options
from gpucore.simulator.emit import write


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """The compiled function. It takes what the simulator's function takes, and the running invocation last."""

    valid: ir.ValidModule
    options: Options
    function: Callable[..., Any]
    yields: bool  # it is a generator: there are barriers or subgroup operations


def emit_checked(valid: ir.ValidModule, options: Options) -> CheckedProgram:
    """Write and compile the checked form of a kernel."""
    make = functools.partial(CheckedStatements, options=options)
    written = write(valid.module, make, ("gpucore_me",))
    statements = written.statements
    namespace: dict[str, Any] = {"__name__": f"gpucore.check.{written.entry}", "gpucore_private": PrivateMemory}
    namespace |= {f"{SITE}{site.number}": site for site in statements.sites}
    exec(compile(written.tree, written.filename, "exec", dont_inherit=True), namespace)  # noqa: S102 (the emitter's own)
    return CheckedProgram(valid, options, namespace[written.entry], statements.barriers > 0)
