"""gpucore: one kernel, written once as an ordinary Python function, runs on every device.

    import gpucore as gp

    @gp.kernel(workgroup_size=256)
    def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = a * x[i] + y[i]

    saxpy(2.0, x, y, invocations=y.size)    # x, y: from gp.asarray(numpy_array)

Importing this module loads nothing else: the first use of one of its names does. None loads a backend or a driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use
from gpucore.version import __version__ as __version__

if TYPE_CHECKING:
    from gpucore.face import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(
        __name__,
        "gpucore.face",
        hides=("array", "check", "device", "elementwise", "kernel", "linalg", "profile", "random"),
        advisor="gpucore.host_words",
    )
