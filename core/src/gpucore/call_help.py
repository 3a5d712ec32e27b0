"""What `help` and `inspect.signature` show of a kernel: how it is called."""

from __future__ import annotations

import inspect
from typing import Any


class CallSignature:
    """`__signature__` of a kernel: its parameters, and the keywords of its `__call__`. Its class has none."""

    def __get__(self, kernel: Any, owner: type) -> inspect.Signature:
        if kernel is None:
            raise AttributeError("__signature__")
        taken = inspect.signature(kernel.function) if kernel.function is not None else kernel.signature.python
        keywords = [
            parameter.replace(annotation=parameter.empty)
            for parameter in inspect.signature(owner.__call__).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        ]
        return inspect.Signature([*taken.parameters.values(), *keywords])


class CallDocumentation:
    """`__doc__` of a kernel: its call, and the docstring of its function. Its class has its own."""

    def __init__(self, of_class: str | None) -> None:
        self._of_class = of_class

    def __get__(self, kernel: Any, owner: type) -> str | None:
        if kernel is None:
            return self._of_class
        call = f"{kernel.name}{inspect.signature(kernel)}"
        own = kernel.documentation
        return call if own is None else f"{call}\n\n{own}"
