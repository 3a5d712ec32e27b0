"""Bodies of kernels: a Python function, native source for one backend, or code that was compiled before. All have a
signature; the first two lower to IR."""

from __future__ import annotations

import abc
import inspect
from collections.abc import Mapping
from typing import Any

from gpucore import front, observer
from gpucore.compiler import Compiled, Form
from gpucore.device import Device
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
    def documentation(self) -> str | None:
        """The docstring."""
        return inspect.getdoc(self.function)

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
        self.documentation: str | None = None

    def lower(self, workgroup_size: tuple[int, int, int], specialisation: front.Specialisation) -> front.Lowered:
        """The declaration for these types and constants."""
        declared = front.declare(self.name, self.signature, workgroup_size, specialisation)
        return front.Lowered(declared, (), False, specialisation)

    def address(self) -> tuple[str, str]:
        """Raise TypeError: a native kernel has no importable name."""
        parameters = ", ".join(parameter.name for parameter in self.signature.parameters)
        raise TypeError(f"the native kernel {self.name} ({parameters}) cannot be pickled; create it again")


class ReadyBody(abc.ABC):
    """Code that was compiled before. It need not be lowered."""

    function: Any = None
    text: NativeText | None = None
    name: str
    signature: front.Signature
    documentation: str | None = None

    @abc.abstractmethod
    def ready(
        self, specialisation: front.Specialisation, device: Device, form: Form, debug: bool | str
    ) -> Compiled | None:
        """The code for such calls; None if there is none, and `lower` can be called. Raises ArgumentError if there is
        none and nothing may be compiled."""

    @abc.abstractmethod
    def lower(self, workgroup_size: tuple[int, int, int], specialisation: front.Specialisation) -> front.Lowered:
        """Lower the function that the code was compiled from. Raises ArgumentError if it is not at hand."""

    def address(self) -> tuple[str, str]:
        """Raise TypeError: the file that has the code is not known to other processes."""
        raise TypeError(f"the kernel {self.name} of a package cannot be pickled; load the package again")


Body = PythonBody | NativeBody | ReadyBody


def check_python(body: Body, message: str) -> None:
    """Raise ArgumentError for a native body. `message` follows the kernel's name and may contain {backend}."""
    if body.text is not None:
        raise ArgumentError(f"{body.name} {message.format(backend=body.text.backend)}")


def check_takes_native(body: Body) -> None:
    """Raise ArgumentError for a kernel to which no native source can be added."""
    check_python(
        body,
        "is written for {backend}; create another with gp.native_kernel, or write a kernel in Python and add native "
        "source with .native",
    )
    if isinstance(body, ReadyBody):
        raise ArgumentError(
            f"{body.name} is a kernel of a package, whose code has been compiled; add native source to the kernel in "
            "Python that it was built from"
        )
