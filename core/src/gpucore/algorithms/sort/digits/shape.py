"""The shapes of the kernels that sort by digits on GPUs."""

from __future__ import annotations

from gpucore.blocks.matching import RankTile
from gpucore.immutable import Immutable
from gpucore.types import DType


class DigitTile(RankTile, Immutable):
    """The tile of a workgroup: `invocations` x `per_invocation` keys, on a device with subgroups of `lanes`.

    The numbers of invocations and of lanes are powers of two, and there are at least as many invocations as lanes.
    """

    @property
    def owning_subgroups(self) -> int:
        """Subgroups with such invocations."""
        return max(1, self.owners // self.lanes)

    def workgroup_memory(self, key_nbytes: int) -> int:
        """Bytes of workgroup memory, with keys of this size."""
        return self.size * key_nbytes + 4 * (self.subgroups * self.bins + self.bins + self.subgroups + 1)


class Step(Immutable):
    """What a kernel is compiled for: one pass of a sort."""

    tile: DigitTile
    key: DType  # u32 or u64
    encodes: bool = False  # the source has values, of which it makes keys
    decodes: bool = False  # the target gets values
    descending: bool = False
    indexes: bool = False  # the values that are moved are the indices of the keys, not read from an array
    patience: int = 0  # of a sweep: reads of a word before an invocation counts for itself; 0: it waits for ever
    silent: int = 0  # of a sweep, in tests: of so many tiles the first publishes nothing, as if it did not run
