"""A kernel as IR: Module, which the passes transform, and ValidModule, which emitters take."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.immutable import Immutable
from gpucore.ir.capabilities import Capability
from gpucore.ir.nodes import Block, Buffer, Expr, Memory, Param, PrivateArray, WorkgroupArray
from gpucore.ir.types import ScalarType
from gpucore.span import Span


class ArgumentOrigin(Immutable):
    """The scalar is argument `name` of the call, or the part of it that `field` leads to: field names and numbers of
    vector components, separated by dots ("position.0")."""

    name: str
    field: str = ""


class ShapeOrigin(Immutable):
    """The scalar is the length of argument `name` along `axis`, in elements as the kernel sees them."""

    name: str
    axis: int


class GridOrigin(Immutable):
    """The scalar describes the requested grid of a folded dispatch.

    `what` is "columns" (workgroups along x of the folded grid), "x", "y" or "z" (of the requested grid), or "called":
    the workgroups along x that the call asks for, of which one of a coarsened kernel does several.
    """

    what: str


class LastIndexOrigin(Immutable):
    """The scalar is the greatest index of argument `name`, row-major over all axes; 0 if it has no elements."""

    name: str


class StartOrigin(Immutable):
    """The scalar is the number of elements in the bound memory of argument `name` before its first one."""

    name: str


Origin = ArgumentOrigin | ShapeOrigin | GridOrigin | LastIndexOrigin | StartOrigin


class Assumption(Immutable):
    """The sum of `terms`, each a factor and the quantities it multiplies, is at least 0 in exact arithmetic, and a
    multiple of `multiple`.

    It speaks of the call: of the workgroups along x it names those that are "called"."""

    terms: tuple[tuple[int, tuple[Origin, ...]], ...]
    multiple: int = 1


class Module(Immutable):
    """One kernel, specialised: every type and compile-time value is known."""

    name: str
    workgroup_size: tuple[int, int, int]
    buffers: tuple[Buffer, ...]
    params: tuple[Param, ...]
    origins: tuple[Origin, ...]  # where the value of each param comes from, parallel to params
    workgroup_arrays: tuple[WorkgroupArray, ...]
    body: Block
    span: Span | None = None
    unchecked: bool = False  # the user guarantees that its indices are in range
    min_workgroups: int | None = None  # to be run by a multiprocessor at a time: a hint for the driver's compiler
    assumptions: tuple[Assumption, ...] = ()  # a dispatch that violates one needs another module
    options: tuple[str, ...] = ()  # of the driver's compiler, from a backend's `prepare` to its `emit`
    coarsens: bool = True  # an invocation may do the work of several
    coarsening: int = 1  # of how many it does the work

    @property
    def num_invocations(self) -> int:
        """Invocations of one workgroup."""
        x, y, z = self.workgroup_size
        return x * y * z


class Roles(Immutable):
    """A kernel as two blocks: one for a further invocation, which only copies, and one for the invocations of the
    workgroup, which do the rest.

    Both count the groups of copies. Before its first copy of group g the one waits until all of the others have
    released g; the others wait for each group that must have ended, in order. At most `depth` groups are told apart:
    more than any wait leaves under way.
    """

    copying: Block
    computing: Block
    depth: int  # a power of two


class ParamSlot(Immutable):
    """Offset of a param in the packed scalars of a dispatch. A bool is a u32 of 0 or 1; an f16 and an integer of 8 or
    16 bits are the low bits of a u32."""

    param: Param
    offset: int

    @property
    def type(self) -> ScalarType:
        return self.param.type


class ValidModule:
    """A validated module, with facts that emitters rely on. Only `gpucore.valid` makes one; nothing alters it.

    Guaranteed: every expression is well typed; every value and local is in scope and is assigned before it is read;
    every Break and Continue is in a loop; every Barrier is in control flow uniform over the workgroup, every Subgroup
    in such over the subgroup; the capabilities and limits of the device (or, without a device, of the language)
    suffice.
    """

    __slots__ = (
        "atomic_memories", "barrier_orders_buffers", "module", "needs", "roles", "scalars_nbytes", "slots", "uniform",
        "written_buffers",
    )  # fmt: skip

    module: Module
    slots: tuple[ParamSlot, ...]
    scalars_nbytes: int  # size of the packed scalars, a multiple of 16, or 0 for none
    needs: Mapping[Capability, Span | None]
    atomic_memories: frozenset[Memory]  # memories accessed by at least one Atomic
    written_buffers: frozenset[int]  # indices of buffers that the kernel stores to
    barrier_orders_buffers: bool  # some Barrier orders buffers too; each says for itself whether it must
    uniform: frozenset[int]  # ids of Values and Locals that are uniform over the workgroup
    roles: Roles | None  # the module's body in roles, where that is faster

    def __init__(self) -> None:
        raise TypeError("a ValidModule is made by gpucore.valid.validate alone")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ValidModule cannot be altered: change its module, and validate that ({name!r})")


def make_valid_module(
    module: Module,
    slots: tuple[ParamSlot, ...],
    scalars_nbytes: int,
    needs: Mapping[Capability, Span | None],
    atomic_memories: frozenset[Memory],
    written_buffers: frozenset[int],
    barrier_orders_buffers: bool,
    uniform: frozenset[int] = frozenset(),
    roles: Roles | None = None,
) -> ValidModule:
    """For `gpucore.valid`, which has checked all of it."""
    valid = object.__new__(ValidModule)
    facts = {
        "module": module,
        "slots": slots,
        "scalars_nbytes": scalars_nbytes,
        "needs": needs,
        "atomic_memories": atomic_memories,
        "written_buffers": written_buffers,
        "barrier_orders_buffers": barrier_orders_buffers,
        "uniform": uniform,
        "roles": roles,
    }
    for name, fact in facts.items():
        object.__setattr__(valid, name, fact)
    return valid


__all__ = [
    "ArgumentOrigin", "Assumption", "Block", "Buffer", "Expr", "GridOrigin", "LastIndexOrigin", "Memory",
    "Module", "Origin", "Param", "ParamSlot", "PrivateArray", "Roles", "ShapeOrigin", "ValidModule", "WorkgroupArray",
]  # fmt: skip
