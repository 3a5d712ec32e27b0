"""The checks in order."""

from __future__ import annotations

import dataclasses

from gpucore.ir import Block, Capability, Limits, Module, Roles, Together, ValidModule, walk
from gpucore.ir.module import make_valid_module
from gpucore.valid.capabilities import check_capabilities
from gpucore.valid.limits import check_limits
from gpucore.valid.memories import memory_facts
from gpucore.valid.slots import lay_out
from gpucore.valid.structure import check_structure
from gpucore.valid.uniformity import check_uniformity

__all__ = ["in_roles", "validate"]


def validate(
    module: Module,
    capabilities: frozenset[Capability],
    limits: Limits,
    where: str = "the device",
    *,
    is_declaration: bool = False,
    emulated: frozenset[Capability] = frozenset(),
) -> ValidModule:
    """Check that `module` is correct and can run with these capabilities and limits; returns it as a ValidModule.

    `where` names the device in messages, by its id and its own name. A declaration is a kernel without a body, whose
    text is written by hand: it may write all buffers that are writable. `emulated` are capabilities that the device
    lacks, of a module in which nothing is emulated yet. Raises CapabilityError, LimitError, KernelTypeError,
    UniformityError, or CompileError GP900 for IR that only a defective front end or pass makes.
    """
    needs = check_structure(module)
    check_capabilities(needs, capabilities, where)
    check_limits(module, limits, where)
    facts = memory_facts(module)
    uniform = check_uniformity(module, facts.written_buffers, emulated)
    module = _without_marks(module)
    slots, scalars_nbytes = lay_out(module.params)
    writable = frozenset(buffer.index for buffer in module.buffers if buffer.writable)
    return make_valid_module(
        module=module,
        slots=slots,
        scalars_nbytes=scalars_nbytes,
        needs={need.capability: need.span for need in needs},
        atomic_memories=facts.atomic_memories,
        written_buffers=writable if is_declaration else facts.written_buffers,
        barrier_orders_buffers=facts.barrier_orders_buffers,
        uniform=uniform,
    )


def in_roles(valid: ValidModule, roles: Roles) -> ValidModule:
    """A valid kernel with its roles, which a pass has made of its body."""
    facts = {name: getattr(valid, name) for name in ValidModule.__slots__}
    return make_valid_module(**{**facts, "roles": roles})


def _without_marks(module: Module) -> Module:
    """The module without the statements that only say that all invocations reach them."""

    def block(found: Block) -> Block:
        kept = [walk.map_statement(each, lambda expr: expr, block) for each in found if not isinstance(each, Together)]
        return walk.same_or(found, kept)

    body = block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)
