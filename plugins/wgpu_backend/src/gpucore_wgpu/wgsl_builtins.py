"""Values of the dispatch as WGSL: inputs of the entry point, and how each builtin of the IR is computed from them.

Kernels that use subgroups get a workgroup of one axis, and their ids are computed from the linear index: naga rejects
subgroup ids in workgroups of more axes, and a subgroup then has consecutive invocations along axis 0. The number of
subgroups is computed from their size, because lavapipe's own omits the last one if it is not full.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpucore.plugin import EmitError, ir
from gpucore.plugin.ir import SUBGROUP_BUILTINS, Builtin, BuiltinKind, walk

LANE = Builtin(BuiltinKind.SUBGROUP_INVOCATION_ID, 0)

_INPUTS = {
    BuiltinKind.WORKGROUP_ID: "@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>",
    BuiltinKind.LOCAL_ID: "@builtin(local_invocation_id) gpucore_local_id: vec3<u32>",
    BuiltinKind.NUM_WORKGROUPS: "@builtin(num_workgroups) gpucore_num_workgroups: vec3<u32>",
    BuiltinKind.SUBGROUP_SIZE: "@builtin(subgroup_size) gpucore_subgroup_size: u32",
    BuiltinKind.SUBGROUP_ID: "@builtin(subgroup_id) gpucore_subgroup_id: u32",
    BuiltinKind.SUBGROUP_INVOCATION_ID: "@builtin(subgroup_invocation_id) gpucore_subgroup_invocation_id: u32",
    BuiltinKind.NUM_SUBGROUPS: "@builtin(subgroup_size) gpucore_subgroup_size: u32",
}
_FLAT_LOCAL_ID = "@builtin(local_invocation_index) gpucore_local_index: u32"


class DispatchValues:
    """The builtins that one kernel reads."""

    def __init__(self, module: ir.Module, leaves: Iterable[object]) -> None:
        """`leaves` are those of all expressions of the kernel."""
        found = {leaf for leaf in leaves if isinstance(leaf, Builtin)}
        operations = [s for s in walk.statements(module.body) if isinstance(s, ir.OF_SUBGROUPS)]
        if any(isinstance(operation, ir.Subgroup) and operation.op is ir.SubgroupOp.ELECT for operation in operations):
            found.add(LANE)
        self.uses_subgroups = bool(operations) or any(builtin.kind in SUBGROUP_BUILTINS for builtin in found)
        self.builtins = sorted(found, key=lambda e: (list(BuiltinKind).index(e.kind), e.axis))
        self._size = module.workgroup_size
        self._is_flat = self.uses_subgroups and max(self._size[1:]) > 1
        self._num_invocations = module.num_invocations

    @property
    def workgroup_size(self) -> tuple[int, int, int]:
        """The size that the entry point declares."""
        return (self._num_invocations, 1, 1) if self._is_flat else self._size

    def inputs(self) -> list[str]:
        """The parameters of the entry point."""
        kinds = dict.fromkeys(builtin.kind for builtin in self.builtins)
        return list(dict.fromkeys(self._input(kind) for kind in kinds))

    def text(self, builtin: Builtin) -> str:
        """A builtin as i32, computed from the inputs."""
        if builtin.kind is BuiltinKind.NUM_SUBGROUPS:
            return f"i32(({self._num_invocations - 1}u + gpucore_subgroup_size) / gpucore_subgroup_size)"
        if builtin.kind in SUBGROUP_BUILTINS:
            return f"i32(gpucore_{builtin.kind.value})"
        if builtin.kind is BuiltinKind.LOCAL_ID and self._is_flat:
            x, y, _ = self._size
            quotient = ("gpucore_local_index", f"gpucore_local_index / {x}u", f"gpucore_local_index / {x * y}u")
            return f"i32(({quotient[builtin.axis]}) % {self._size[builtin.axis]}u)"
        return f"i32(gpucore_{builtin.kind.value}.{'xyz'[builtin.axis]})"

    def _input(self, kind: BuiltinKind) -> str:
        if kind not in _INPUTS:
            raise EmitError("GP601", f"WGSL has no form for {kind.value}", fix="run the kernel on another backend")
        return _FLAT_LOCAL_ID if kind is BuiltinKind.LOCAL_ID and self._is_flat else _INPUTS[kind]
