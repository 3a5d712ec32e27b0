"""SPIR-V of kernels. docs/extending.md says how a plugin uses it, `gpucore.back.spirv` how it binds arrays."""

from gpucore.back.spirv import LANGUAGE, OF_LANGUAGE, OPERATIONS, Binary, FloatControls, emit

__all__ = ["LANGUAGE", "OF_LANGUAGE", "OPERATIONS", "Binary", "FloatControls", "emit"]
