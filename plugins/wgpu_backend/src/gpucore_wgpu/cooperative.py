"""Which devices have cooperative matrices: the one place that decides it, and of which shape."""

from __future__ import annotations

from typing import Any

import wgpu

FEATURE = "cooperative-matrix"
_NEEDED = ("shader-f16", "subgroup")


def edge_of_matrices(adapter: Any, api: str, driver: str) -> int:
    """Rows and columns of the matrices of an adapter; 0 if no device can be opened with them.

    An adapter may list the feature although wgpu refuses every device with it: wgpu-native 29 has no way to ask for
    experimental features (docs/upstream/cooperative-matrices.md). So it is tried.
    """
    edge = _known_edge(api.lower(), driver.lower())
    features = [FEATURE, *_NEEDED]
    if not edge or not all(feature in adapter.features for feature in features):
        return 0
    try:
        adapter.request_device_sync(required_features=features).destroy()
    except (RuntimeError, wgpu.GPUError):
        return 0
    return edge


def _known_edge(api: str, driver: str) -> int:
    """The shape that is known to be right. wgpu-native does not tell the shapes of a device, and naga takes others.

    NVIDIA's Vulkan (580.159): 16x16 is right; 8x8 compiles and its results are wrong. Metal: 8x8, by wgpu's
    documentation of the extension.
    """
    if api == "vulkan" and "nvidia" in driver:
        return 16
    return 8 if api == "metal" else 0
