"""The environment variables of this plugin."""

from __future__ import annotations

CHECKED = "GPUCORE_WGPU_CHECKED"
