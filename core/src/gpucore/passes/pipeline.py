"""The order of the passes."""

from __future__ import annotations

import dataclasses

from gpucore.ir import Block, Capability, Module, Prefetch, leaf_types, scalar_of, walk
from gpucore.passes.barriers import relax_barriers
from gpucore.passes.builtins import fix_builtins
from gpucore.passes.dead_code import remove_dead_code, remove_unused_arguments
from gpucore.passes.expansion import expand_functions
from gpucore.passes.float_atomics import emulate_float_atomics
from gpucore.passes.fold_dispatch import fold_dispatch
from gpucore.passes.folding import fold
from gpucore.passes.index_bounds.clamp_indices import insert_clamps
from gpucore.passes.instrument import Instrumented, Report, ReportKind, instrument
from gpucore.passes.matching import expand_matches
from gpucore.passes.offsets import separate_offsets
from gpucore.passes.placement import place_declarations
from gpucore.passes.promotion import promote_locals
from gpucore.passes.roles import split_roles
from gpucore.passes.scalars import scalar_replacement
from gpucore.passes.sharing import share_workgroup_memory
from gpucore.passes.small_integers import SMALL_INTEGERS, emulate_small_integers
from gpucore.passes.starts import add_starts
from gpucore.passes.streaming.coarsen import coarsen
from gpucore.passes.streaming.loops import unroll_loops
from gpucore.passes.subgroups import emulate_subgroups, widen_barriers
from gpucore.passes.triples import split_triples
from gpucore.passes.waits import delay_waits
from gpucore.passes.written import Plane

__all__ = [
    "EMULATED", "SIMPLIFYING", "TIDYING", "Instrumented", "Plane", "Report", "ReportKind",
    "add_starts", "clamp_indices", "coarsen", "emulate", "emulate_small_integers", "expand_functions", "expand_matches",
    "fix_builtins", "fold_dispatch", "instrument", "needs_packing", "pack_small_integers", "remove_prefetches", "run",
    "split_roles", "split_triples", "unroll_loops",
]  # fmt: skip

_OPERATIONS = {
    Capability.SUBGROUP_BARRIER: widen_barriers,  # barriers of a subgroup become those of a workgroup
    Capability.SUBGROUP: emulate_subgroups,  # subgroups of eight, from workgroup memory and barriers
    Capability.ATOMIC_F32: emulate_float_atomics,  # atomics on f32, from compare-exchange of their bits
}

EMULATED = frozenset({*_OPERATIONS, *SMALL_INTEGERS})
"""The capabilities that core emulates on a device without them."""

SIMPLIFYING = (
    fold,  # computes constants, applies exact identities, takes constant branches, forwards known values
    scalar_replacement,  # turns private arrays with constant indices into locals
    promote_locals,  # turns locals that need not be variables into values
    remove_dead_code,  # drops what no effect depends on
)
"""Each may enable others, so they run in turn until nothing changes, for a limited number of rounds."""

TIDYING = (
    place_declarations,  # moves each variable's declaration to its first use
    remove_unused_arguments,  # drops params and workgroup arrays that nothing names
)
"""Run once, at the end."""

_ROUNDS = 4


def emulate(module: Module, capabilities: frozenset[Capability]) -> Module:
    """The module without operations that a device with these capabilities lacks; the module itself if none."""
    for capability, emulation in _OPERATIONS.items():
        if capability not in capabilities:
            module = emulation(module)
    return module


def pack_small_integers(module: Module, capabilities: frozenset[Capability], *, unoptimised: bool = False) -> Module:
    """A module after all passes with small integers in words, if the device has none; else the module itself."""
    made = emulate_small_integers(module, capabilities)
    return module if made is module else run(made, unoptimised=unoptimised)


def needs_packing(module: Module, capabilities: frozenset[Capability]) -> bool:
    """Whether a module has arrays of small integers that the device lacks."""
    lacking = {type for capability in SMALL_INTEGERS.keys() - capabilities for type in SMALL_INTEGERS[capability]}
    return any(not lacking.isdisjoint(map(scalar_of, leaf_types(buffer.element))) for buffer in module.buffers)


def remove_prefetches(module: Module) -> Module:
    """The module without the statements that only ask for memory to be brought into the cache."""
    body = _without_prefetches(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


def _without_prefetches(block: Block) -> Block:
    kept = [statement for statement in block if not isinstance(statement, Prefetch)]
    return walk.same_or(block, [walk.map_statement(s, lambda expr: expr, _without_prefetches) for s in kept])


def clamp_indices(module: Module, *, assume: bool = True) -> Module:
    """A module after all passes with every index in range, as in `insert_clamps`; the module itself if all are."""
    made = insert_clamps(module, assume=assume)
    return made if made is module else remove_unused_arguments(fold(made))


def run(module: Module, *, unoptimised: bool = False) -> Module:
    """The module after all passes; with `unoptimised`, every variable of the user is kept."""
    for _ in range(0 if unoptimised else _ROUNDS):
        before = module
        for simplify in SIMPLIFYING:
            module = simplify(module)
        if module is before:
            break
    for tidy in TIDYING:
        module = tidy(module)
    return module if unoptimised else delay_waits(separate_offsets(relax_barriers(share_workgroup_memory(module))))
