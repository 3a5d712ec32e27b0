"""A valid kernel as a Python function whose memory is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.simulator.checking.shadow import PrivateMemory
from gpucore.simulator.checking.statements import SITE, CheckedStatements
from gpucore.simulator.checking.watch import Options, Site
from gpucore.simulator.collectives import Request
from gpucore.simulator.emit import uses_subgroups, write
from gpucore.simulator.groups import Part, Product, elements_of_part
from gpucore.simulator.matrices import CopyQueue


class CheckedProgram(Immutable):
    """The compiled function. Its arguments are those of the simulator's function, then the running invocation."""

    valid: ir.ValidModule
    options: Options
    function: Callable[..., Any]
    yields: bool  # it is a generator: it yields the number of a site at a barrier, a Request at a collective operation
    uses_subgroups: bool
    has_teams: bool  # it has operations of subgroups
    sites: tuple[Site, ...]


def emit_checked(valid: ir.ValidModule, options: Options) -> CheckedProgram:
    """Write and compile the checked form of a kernel."""
    make = functools.partial(CheckedStatements, options=options)
    written = write(valid.module, make, ("gpucore_me",))
    statements = written.statements
    namespace: dict[str, Any] = {
        "__name__": f"gpucore.check.{written.entry}",
        "gpucore_private": PrivateMemory,
        "gpucore_request": Request,
        "gpucore_copy_queue": CopyQueue,
        "gpucore_part": Part,
        "gpucore_elements_of_part": elements_of_part,
        "gpucore_product": Product,
    }
    namespace |= {f"{SITE}{site.number}": site for site in statements.sites}
    exec(compile(written.tree, written.filename, "exec", dont_inherit=True), namespace)  # noqa: S102 (the emitter's own)
    return CheckedProgram(
        valid,
        options,
        namespace[written.entry],
        statements.yields > 0,
        uses_subgroups(valid.module),
        any(isinstance(statement, ir.OF_SUBGROUPS) for statement in ir.walk.statements(valid.module.body)),
        tuple(statements.sites),
    )
