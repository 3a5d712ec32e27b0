"""Emits a valid kernel as text in a dialect of C. What differs between dialects is one table, handed in by the emitter.

dialect      the table
literals     constants as text
terms        text with its precedence, so that few parentheses are written
division     integer division as the IR defines it
derived      built-in functions told in simpler ones
functions    small functions that a kernel's text needs before the kernel
expressions  pure expressions
numbers      conversions of the smallest integers
structs      structs of buffers
statements   statements, memory, control flow
kernel       the whole text: prologue, functions, entry
driver_log   a compiler's log about such a text
"""

from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.driver_log import map_log
from gpucore.back.c_family.kernel import emit

__all__ = ["CDialect", "emit", "map_log"]
