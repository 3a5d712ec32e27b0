"""Text in a language like C, from a table. A backend whose language is one needs no emitter of its own.

`gpucore.testing.check_dialect` says what a table lacks. A dialect whose compiler has wide accesses defines functions
for some vector types in its prologue, here f32x4: `gpucore_load_f32x4(pointer, base)` and
`gpucore_store_f32x4(pointer, base, vector)`. They access the memory at once if `base` is aligned to the size of the
vector, else element by element. Neighbouring elements then become one access.
"""

from gpucore.back.c_family import CDialect, EmittedKernel, Parameter, emit, emit_kernel, map_log
from gpucore.back.c_family.parts import PartView

__all__ = ["CDialect", "EmittedKernel", "Parameter", "PartView", "emit", "emit_kernel", "map_log"]
