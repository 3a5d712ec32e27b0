"""The environment variables of this plugin."""

from __future__ import annotations

THREADS = "GPUCORE_CPU_THREADS"
FEATURES = "GPUCORE_CPU_FEATURES"
LANES = "GPUCORE_CPU_LANES"
