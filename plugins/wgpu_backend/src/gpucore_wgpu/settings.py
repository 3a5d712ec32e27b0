"""The environment variables of this plugin."""

from __future__ import annotations

from gpucore.plugin import Variable

CHECKED = "GPUCORE_WGPU_CHECKED"

VARIABLES = {
    CHECKED: Variable(
        "With `1` naga adds its own checks of indices and loops to generated kernels, which guard themselves already. "
        "Native kernels always have naga's.",
        "`1` or `0`",
        "`0`",
        "the compilation of a kernel",
    ),
}
