"""Where the arrays of a kernel lie in workgroup memory."""

from __future__ import annotations

from gpucore.ir import walk
from gpucore.ir.module import Module
from gpucore.ir.nodes import CopyPart, GroupMultiply, WorkgroupArray
from gpucore.ir.panels import PANEL_ALIGNMENT

ALIGNMENT = 16
"""Bytes of which every array begins at a multiple, and which it fills: the widest vector."""


class WorkgroupMemory:
    """The bytes of all arrays, and for each, in the order of the module, its offset and the alignment of that.

    Arrays whose tiles are in panels come first.
    """

    def __init__(self, module: Module) -> None:
        arrays = module.workgroup_arrays
        statements = walk.statements(module.body)
        found = [statement for statement in statements if isinstance(statement, (GroupMultiply, CopyPart))]
        in_panels = {place.memory for statement in found for place in walk.places_of(statement)}
        self.alignments = [PANEL_ALIGNMENT if array in in_panels else ALIGNMENT for array in arrays]
        self.offsets = [0] * len(arrays)
        self.nbytes = 0
        for at in sorted(range(len(arrays)), key=lambda at: -self.alignments[at]):
            self.nbytes = _rounded(self.nbytes, self.alignments[at])
            self.offsets[at] = self.nbytes
            self.nbytes += _rounded(size_of(arrays[at]), ALIGNMENT)


def size_of(array: WorkgroupArray) -> int:
    """The bytes of the elements of an array."""
    return array.element.nbytes * array.length


def _rounded(nbytes: int, alignment: int) -> int:
    return -(-nbytes // alignment) * alignment
