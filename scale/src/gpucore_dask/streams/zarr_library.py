"""The zarr library, an extra."""

from __future__ import annotations

from types import ModuleType

import gpucore as gp


def import_zarr(what: str) -> ModuleType:
    """The module. Raises ArgumentError if it is not installed: `what` says what needs it."""
    try:
        import zarr  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise gp.ArgumentError(f"{what} needs zarr: pip install zarr") from error
    module: ModuleType = zarr
    return module
