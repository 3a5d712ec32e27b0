"""Kernels with arguments that stay, as `kernel.bind` makes them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.front.text.signature import Signature
from gpucore.variants import Variants


class BoundKernel:
    """A kernel whose calls take the arguments that are not bound yet, by position or by name."""

    def __init__(
        self,
        kernel: Any,
        variants: Variants,
        signature: Signature,
        arguments: Mapping[str, Any],
        invocations: Any,
        workgroups: Any,
    ) -> None:
        names = [parameter.name for parameter in signature.parameters]
        for name in arguments:
            if name not in names:
                raise ArgumentError(f"{kernel.name} has no parameter {name!r}; it takes ({', '.join(names)})")
        self._kernel, self._variants, self._signature = kernel, variants, signature
        self._fixed, self._invocations, self._workgroups = dict(arguments), invocations, workgroups
        self._free = [name for name in names if name not in arguments]
        self._values = tuple(arguments.get(name) for name in names)
        self._places = [names.index(name) for name in self._free]
        self._count = len(self._free) if signature.names else -1  # of the arguments of a call in the short way

    def __repr__(self) -> str:
        return f"<{self._kernel!r} with {', '.join(self._fixed) or 'no'} bound, called with ({', '.join(self._free)})>"

    def __call__(self, /, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> None:
        """Queue the kernel with the bound arguments and these. A grid replaces the one that is bound.

        Raises what a call of the kernel raises, and ArgumentError for an argument that is bound.
        """
        if invocations is None and workgroups is None:
            invocations, workgroups = self._invocations, self._workgroups
        if keywords or len(args) != self._count:
            for name in keywords:
                if name in self._fixed:
                    raise ArgumentError(f"{self._kernel.name}: {name!r} is bound; bind it anew with bind({name}=...)")
            given, python = self._with(args, keywords), self._signature.python
            fitting = inspect.BoundArguments(python, given)
            unknown = {name: value for name, value in given.items() if name not in python.parameters}
            self._kernel(*fitting.args, **fitting.kwargs, **unknown, invocations=invocations, workgroups=workgroups)
            return
        values = self._values
        if args:
            filled = list(values)
            for place, value in zip(self._places, args, strict=True):
                filled[place] = value
            values = tuple(filled)
        repeat = self._variants.repeat  # what a call of the kernel tries first
        if repeat is None or not repeat(values, invocations, workgroups):
            self._kernel(*values, invocations=invocations, workgroups=workgroups)

    def bind(self, /, *args: Any, invocations: Any = None, workgroups: Any = None, **keywords: Any) -> BoundKernel:
        """The kernel with these arguments bound as well, or in the place of bound ones."""
        if invocations is None and workgroups is None:
            invocations, workgroups = self._invocations, self._workgroups
        fixed = self._with(args, keywords)
        return BoundKernel(self._kernel, self._variants, self._signature, fixed, invocations, workgroups)

    def _with(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The bound arguments and these, the first of which are for the parameters that are not bound."""
        if len(args) > len(self._free):
            given = f"{self._kernel.name}: {len(args)} argument{'s are' if len(args) > 1 else ' is'} given"
            free = f"({', '.join(self._free)}) are not bound" if self._free else "all are bound"
            raise ArgumentError(f"{given}, and {free}")
        for name in self._free[: len(args)]:
            if name in keywords:
                raise ArgumentError(f"{self._kernel.name}: {name!r} is given twice")
        return {**self._fixed, **dict(zip(self._free, args, strict=False)), **keywords}
