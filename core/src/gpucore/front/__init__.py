"""The front end: lowers Python functions to IR, once for each set of types, constants and captured values.

`text` parses functions and signatures, `state` has the state of a lowering, `values` converts operands,
`language` lowers calls of built-in functions, `walk` lowers statements and expressions. `import gpucore` loads only
`text`; the rest is loaded when the first kernel is compiled.
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.front.interface import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.front.interface")
