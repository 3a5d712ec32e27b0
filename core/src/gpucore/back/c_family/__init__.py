"""Emits a valid kernel as text in a dialect of C. Dialects differ only in a table, which the emitter passes in.

dialect      the table
literals     constants as text
terms        text with its precedence, so that few parentheses are written
overflow     whether plain signed arithmetic is safe
bodies       integer division and bit reversal as helper functions
derived      built-in functions expressed in simpler ones
functions    the helper functions of a kernel
expressions  pure expressions
numbers      conversions of 8- and 16-bit integers
structs      structs of buffers
statements   statements, memory, control flow
kernel       the whole text: prologue, functions, entry
driver_log   maps a compiler's log back to the user's source
"""

from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.driver_log import map_log
from gpucore.back.c_family.kernel import EmittedKernel, Parameter, emit, emit_kernel

__all__ = ["CDialect", "EmittedKernel", "Parameter", "emit", "emit_kernel", "map_log"]
