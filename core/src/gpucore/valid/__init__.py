"""Checks that a module is correct and fits a device, and returns the ValidModule that emitters require.

In order: types and scopes (a failure there is a defect of gpucore, GP900) with constant indices (GP310), capabilities
(GP401), limits (GP402 to GP404), uniformity of barriers (GP301), and of values (GP302).
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.valid.validation import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.valid.validation")
