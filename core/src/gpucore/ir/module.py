"""A kernel as IR: Module as the passes hand it on, ValidModule as emitters take it."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.immutable import Immutable, field
from gpucore.ir.capabilities import Capability
from gpucore.ir.nodes import Block, Buffer, Expr, Memory, Param, PrivateArray, WorkgroupArray
from gpucore.span import Span


class ArgumentOrigin(Immutable):
    """The scalar is argument `name` of the call, or what `field` leads to in it: names of fields and numbers of vector
    components, with dots between ("position.0")."""

    name: str
    field: str = ""


class ShapeOrigin(Immutable):
    """The scalar is the length of argument `name` along `axis` (elements as the kernel sees them)."""

    name: str
    axis: int


class GridOrigin(Immutable):
    """The scalar tells a folded dispatch about the grid that was asked for.

    `what` is "columns" (workgroups along x of the folded grid), or "x", "y", "z" (of the grid asked for).
    """

    what: str


class LastIndexOrigin(Immutable):
    """The scalar is the greatest index of argument `name`, row-major over all axes; 0 too where it has no element."""

    name: str


Origin = ArgumentOrigin | ShapeOrigin | GridOrigin | LastIndexOrigin


class Assumption(Immutable):
    """The sum of `terms`, each a factor and what it multiplies, is at least 0, worked out with no limit of size."""

    terms: tuple[tuple[int, tuple[Origin, ...]], ...]


class Module(Immutable):
    """One kernel, specialised: every type and compile-time value is known."""

    name: str
    workgroup_size: tuple[int, int, int]
    buffers: tuple[Buffer, ...]
    params: tuple[Param, ...]
    origins: tuple[Origin, ...]  # where each param's value comes from, parallel to params
    workgroup_arrays: tuple[WorkgroupArray, ...]
    body: Block
    span: Span | None = None
    unchecked: bool = False  # the user answers for its indices
    assumptions: tuple[Assumption, ...] = ()  # a dispatch for which one does not hold needs another module

    @property
    def num_invocations(self) -> int:
        """Invocations of one workgroup."""
        x, y, z = self.workgroup_size
        return x * y * z


class ParamSlot(Immutable):
    """Where a param lies in the packed scalars of a dispatch. A bool is a u32 of 0 or 1; an f16 takes four bytes."""

    param: Param
    offset: int


class ValidModule(Immutable):
    """A module with the proof that emitters rely on. Only `gpucore.valid.validate` makes one.

    Guaranteed: every expression is well typed; every value and local is in scope and assigned where it is read;
    every Break and Continue is in a loop; every Barrier is in control flow uniform over the workgroup; the
    device's (or, without a device, the language's) capabilities and limits suffice.
    """

    module: Module
    slots: tuple[ParamSlot, ...]
    scalars_nbytes: int  # size of the packed scalars, a multiple of 16, or 0 for none
    needs: Mapping[Capability, Span | None]
    atomic_memories: frozenset[Memory]  # memories with at least one Atomic on them
    written_buffers: frozenset[int]  # indices of buffers that the kernel stores to
    barrier_orders_buffers: bool  # a barrier must order storage too: some buffer is both read and written
    uniform: frozenset[int] = field(default=frozenset())  # ids of Values and Locals that are uniform over the workgroup


__all__ = [
    "ArgumentOrigin", "Assumption", "Block", "Buffer", "Expr", "GridOrigin", "LastIndexOrigin", "Memory",
    "Module", "Origin", "Param", "ParamSlot", "PrivateArray", "ShapeOrigin", "ValidModule", "WorkgroupArray",
]  # fmt: skip
