"""Text in a language like C, from a table. A backend whose language is one needs no emitter of its own.

`gpucore.testing.check_dialect` says what a table lacks. A dialect whose compiler has wide accesses defines functions
for some vector types in its prologue, here f32x4: `gpucore_load_f32x4(pointer, base)` and
`gpucore_store_f32x4(pointer, base, vector)`. They access the memory at once if `base` is aligned to the size of the
vector, else element by element. Neighbouring elements then become one access. Both are pointers to elements of a
buffer; no other memory is accessed so. `base` is the buffer itself where the index is known to be a multiple of the
width, so that one test of alignment serves all its accesses; else it is `pointer`.
"""

from gpucore.back.c_family import CDialect, EmittedKernel, Parameter, emit, emit_kernel, map_log
from gpucore.back.c_family.parts import PartView

__all__ = ["CDialect", "EmittedKernel", "Parameter", "PartView", "emit", "emit_kernel", "map_log"]
