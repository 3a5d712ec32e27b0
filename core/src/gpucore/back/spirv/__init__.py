"""Emits a valid kernel as a binary module of SPIR-V. It names no driver; a plugin passes what its device promises.

instructions  the instructions that are written, and one as words and text
assembly      a module under construction: sections, types, constants, ids
terms         what functions that make expressions of others can write
expressions   pure expressions
divisions     quotients and remainders, where SPIR-V leaves them undefined
conversions   conversions between numbers
functions     built-in functions
series        inverse and hyperbolic functions and erf, by polynomials
remainder     the remainder of floats
memory        buffers, arrays, pointers
inputs        builtins and scalars
subgroups     operations of subgroups
statements    statements, control flow, atomics, barriers
emission      the whole module

**Bindings**, all in set 0: array i of the dispatch at binding i, a storage buffer (NonWritable if `Source.writes` says
that the kernel does not write it, and it loads from none that it writes); the packed scalars as push constants if they
have at most 128 bytes, which every device has, else as a uniform buffer at the next binding. Their members are at the
offsets in `ValidModule.slots`. A constant array is a private variable with an initial value.

**Loops** with long bodies are DontUnroll.

**Floats.** Each operation is decorated NoContraction, so that compilers neither fuse it nor apply identities of real
numbers. `FloatControls` says for which widths a device can be asked to keep infinities, NaN and signed zeros
(SignedZeroInfNanPreserve), and to round conversions to even (RoundingModeRTE).

**Integers** of 8 and 16 bits are loaded into registers of 32, so that a device needs only the access to them in
buffers; in workgroup arrays they need the arithmetic too.
"""

from gpucore.back.spirv.emission import LANGUAGE, OF_LANGUAGE, OPERATIONS, Binary, FloatControls, emit

__all__ = ["LANGUAGE", "OF_LANGUAGE", "OPERATIONS", "Binary", "FloatControls", "emit"]
