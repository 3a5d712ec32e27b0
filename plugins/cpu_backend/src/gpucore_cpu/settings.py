"""The environment variables of this plugin."""

from __future__ import annotations

from gpucore.plugin import Variable

THREADS = "GPUCORE_CPU_THREADS"
FEATURES = "GPUCORE_CPU_FEATURES"
LANES = "GPUCORE_CPU_LANES"

MAX_THREADS = 4096
_AT_OPENING = "the opening of the device"

VARIABLES = {
    THREADS: Variable(
        "The number of threads that run kernels.",
        f"1 to {MAX_THREADS}",
        "the number of processors that this process may use",
        _AT_OPENING,
    ),
    FEATURES: Variable(
        "The newest instructions that generated code may use: kernels are compiled as for an older processor.",
        "`sse2`, `avx` or `avx2`; on x86-64 only, and not newer than the processor",
        "all that the processor has",
        _AT_OPENING,
    ),
    LANES: Variable(
        "How many invocations run together, one in each lane of a vector.",
        "`1`, `4`, `8` or `16`",
        "16 with AVX-512, 8 with AVX2, else 4",
        _AT_OPENING,
    ),
}
