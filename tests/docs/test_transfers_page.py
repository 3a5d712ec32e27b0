"""The table of queues in docs/transfers.md is what the devices have."""

from __future__ import annotations

import pytest
from page_programs import ROOT

from gpucore.testing import require_device


def rows() -> dict[str, list[str]]:
    """The cells after the first one of the table, by backend."""
    found = {}
    text = (ROOT / "docs/transfers.md").read_text(encoding="utf-8")
    table = text.partition("| device | queues |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        devices, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found |= dict.fromkeys((name.strip(" `") for name in devices.split(",")), cells)
    return found


@pytest.mark.parametrize("backend", ["cuda", "opencl", "wgpu", "cpu", "simulator"])
def test_queues_are_those_of_the_device(backend: str) -> None:
    device = require_device(backend)
    queues, streams, _ = rows()[backend]
    assert int(queues) == device.driver_device.queues
    used = {repr(device.stream()) for _ in range(2 * int(queues))}
    assert len(used) == (int(streams.split(",")[0]) if streams != "-" else 1)
