"""Indices out of range without debug."""

from __future__ import annotations

import gpucore as gp
from gpucore.testing.out_of_range import NO_DEVICE, run_in_process
from gpucore.testing.skipped import Skipped


class RangeTests:
    """Each runs in a separate process, which a broken backend may crash."""

    def test_writes_out_of_range(self, gpu: gp.Device) -> None:
        """C650 [Numeric contract: index out of range]: Stores far outside an array do not crash the process. Where
        core clamps indices, they change no other array."""
        _survives("write", gpu)

    def test_reads_out_of_range(self, gpu: gp.Device) -> None:
        """C651 [Numeric contract: index out of range]: Loads from far outside an array do not crash the process."""
        _survives("read", gpu)

    def test_atomics_out_of_range(self, gpu: gp.Device) -> None:
        """C652 [Numeric contract: index out of range]: Atomics far outside an array do not crash the process. Where
        core clamps indices, they change no other array."""
        _survives("atomic", gpu)

    def test_own_arrays_out_of_range(self, gpu: gp.Device) -> None:
        """C653 [Numeric contract: index out of range]: The same for workgroup and private arrays."""
        _survives("own", gpu)


def _survives(access: str, gpu: gp.Device) -> None:
    status, said = run_in_process(access, gpu)
    if status == NO_DEVICE:
        raise Skipped(f"{gpu.id} is there in this process only: {said.splitlines()[0]}")
    assert status == 0, f"{access} out of range ended a process with status {status}: {said}"
