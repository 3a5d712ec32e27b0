"""Python functions -> IR, once for each set of types, constants and captured values.

`text` reads a function and its signature, `state` is what is known while it is lowered, `values` are operands,
`language` are the functions that kernels call, `walk` goes through statements and expressions. `import gpucore` loads
none of it but `text`: the compilation of the first kernel does.
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.front.interface import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.front.interface")
