"""Bodies of kernels: a Python function, or native source for one backend. Both have a signature and lower to IR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpucore import front, observer
from gpucore.errors import ArgumentError, CompileError
from gpucore.front.text.signature import read_signature
from gpucore.native import NativeText


class PythonBody:
    """A Python function. Its source is parsed when it is lowered."""

    text: NativeText | None = None

    def __init__(self, function: Any, local_names: Mapping[str, Any]) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", repr(function))
        self._local_names = local_names
        self._signature: front.Signature | None = None

    @property
    def signature(self) -> front.Signature:
        """The parameters as the annotations declare them."""
        if self._signature is None:
            self._signature = read_signature(self.function, self._local_names)
        return self._signature

    def lower(self, workgroup_size: tuple[int, int, int], specialisation: front.Specialisation) -> front.Lowered:
        """Lower the function for these types and constants."""
        try:
            with observer.span("lower", self.name):
                return front.lower(front.read_source(self.function), self.signature, workgroup_size, specialisation)
        except CompileError as error:
            raise error.with_traceback(None) from None  # the message has the source location

    def address(self) -> tuple[str, str]:
        """The module and qualified name of the kernel, for pickling; TypeError if it has none."""
        name: str = self.function.__qualname__
        is_text = self.function.__module__.startswith("<")  # of gp.kernel_from_text
        if is_text or "<locals>" in name:
            where = "made from a text" if is_text else "defined inside a function"
            raise TypeError(
                f"the kernel {self.name} cannot be pickled: it is {where}, and cannot be imported by name; define it "
                "at module level"
            )
        return self.function.__module__, name


class NativeBody:
    """Native source in the language of one backend. Its IR is a declaration, without statements."""

    def __init__(self, text: NativeText, signature: front.Signature) -> None:
        self.function: Any = None
        self.name = text.entry
        self.text: NativeText | None = text
        self.signature = signature

    def lower(self, workgroup_size: tuple[int, int, int], specialisation: front.Specialisation) -> front.Lowered:
        """The declaration for these types and constants."""
        declared = front.declare(self.name, self.signature, workgroup_size, specialisation)
        return front.Lowered(declared, (), False, specialisation)

    def address(self) -> tuple[str, str]:
        """Raise TypeError: a native kernel has no importable name."""
        parameters = ", ".join(parameter.name for parameter in self.signature.parameters)
        raise TypeError(f"the native kernel {self.name} ({parameters}) cannot be pickled; create it again")


Body = PythonBody | NativeBody


def check_python(body: Body, message: str) -> None:
    """Raise ArgumentError for a native body. `message` follows the kernel's name and may contain {backend}."""
    if body.text is not None:
        raise ArgumentError(f"{body.name} {message.format(backend=body.text.backend)}")
