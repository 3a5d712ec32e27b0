"""gpucore on several devices and machines, over Dask.

    import gpucore_dask as gd

    with gd.LocalDevices(["cuda:0", "cuda:1"]) as client:   # a worker process for each device
        y = gd.sort(x).compute()                             # x: a dask.array

Importing this module loads nothing else: the first use of one of its names does. None opens a device.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpucore_dask.blocks import map_blocks
    from gpucore_dask.cluster import LocalDevices
    from gpucore_dask.cost import matmul_cost, matmul_files_cost, sort_cost
    from gpucore_dask.products import matmul
    from gpucore_dask.report import report
    from gpucore_dask.shipping import ship
    from gpucore_dask.sorting import argsort, sort, sort_by_key
    from gpucore_dask.streaming import Streamed, stream_matmul, stream_sort
    from gpucore_dask.worker_device import DevicePlugin, WorkerDevice, devices

_MODULES = {
    "DevicePlugin": "worker_device",
    "LocalDevices": "cluster",
    "Streamed": "streaming",
    "WorkerDevice": "worker_device",
    "argsort": "sorting",
    "devices": "worker_device",
    "map_blocks": "blocks",
    "matmul": "products",
    "matmul_cost": "cost",
    "matmul_files_cost": "cost",
    "report": "report",
    "ship": "shipping",
    "sort": "sorting",
    "sort_by_key": "sorting",
    "sort_cost": "cost",
    "stream_matmul": "streaming",
    "stream_sort": "streaming",
}
"""Name -> the module that has it."""

__all__ = [
    "DevicePlugin", "LocalDevices", "Streamed", "WorkerDevice", "argsort", "devices", "map_blocks", "matmul",
    "matmul_cost", "matmul_files_cost", "report", "ship", "sort", "sort_by_key", "sort_cost", "stream_matmul",
    "stream_sort",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a name at its first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    found = getattr(module, name)
    globals()[name] = found  # instead of a module of that name
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
