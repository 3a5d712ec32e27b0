"""A random kernel as text with its arguments: how it is built, run on a device, and printed to be pasted as a test."""

from __future__ import annotations

import itertools
import linecache
from dataclasses import dataclass, field
from typing import Any, cast

import numpy.typing as npt

import gpucore as gp
from gpucore.kernel import Kernel

Host = npt.NDArray[Any]
_numbers = itertools.count()


@dataclass(frozen=True)
class Tolerance:
    """How far an approximate result may be from the reference: the bound of its function, on both sides."""

    ulp: float
    absolute: float


@dataclass(repr=False)
class Program:
    """A kernel named `k` in the module `text`. Arguments by name; an array's values are those before the call."""

    text: str
    arrays: dict[str, Host]
    widths: dict[str, int]  # components of an element, where more than 1
    outputs: tuple[str, ...]
    scalars: dict[str, Any]  # numbers by value, as Python writes them
    structs: dict[str, tuple[str, dict[str, Any]]]  # the class's name and the fields
    constants: dict[str, Any]
    workgroups: tuple[int, ...]
    capabilities: frozenset[gp.Capability] = frozenset()
    tolerances: dict[str, Tolerance] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<program of {len(self.text.splitlines())} lines>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What Hypothesis shows of a failing example: the assertion has the text."""
        printer.text(repr(self))

    def build(self) -> tuple[Kernel, dict[str, Any]]:
        """The kernel, its text where tracebacks and the front end find it, and its module's names."""
        name = f"<fuzz {next(_numbers)}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        names: dict[str, Any] = {"__name__": name}
        exec(compile(self.text, name, "exec", dont_inherit=True), names)  # noqa: S102 (text that the grammar wrote)
        return cast(Kernel, names["k"]), names

    def run(self, kernel: Kernel, names: dict[str, Any], device: gp.Device) -> dict[str, Host]:
        """What the outputs hold after the kernel ran on `device`."""
        held = {name: self._upload(name, device) for name in self.arrays}
        given: dict[str, Any] = {**held, **self.scalars, **self.constants}
        given |= {name: names[cls](**fields) for name, (cls, fields) in self.structs.items()}
        kernel(**given, workgroups=self.workgroups)
        try:
            return {name: held[name].numpy() for name in self.outputs}
        finally:
            for array in held.values():
                array.close()

    def _upload(self, name: str, device: gp.Device) -> gp.Array:
        host, width = self.arrays[name], self.widths.get(name, 1)
        if width == 1:
            return gp.asarray(host, device=device)
        element = getattr(gp, f"{SHORT[host.dtype.name]}x{width}")
        return gp.asarray(host.reshape(-1, width), element, device=device)

    def paste(self) -> str:
        """The program as a script: the kernel, its arguments and the call; `devices` are to be filled in."""
        lines = [self.text, "", "import numpy as np", "", "", "def run(device):"]
        for name, host in self.arrays.items():
            width = self.widths.get(name, 1)
            element = f", gp.{SHORT[host.dtype.name]}x{width}" if width > 1 else ""
            shaped = host.reshape(-1, width) if width > 1 else host
            lines.append(f"    {name} = gp.asarray({_literal(shaped)}{element}, device=device)")
        given = [f"{name}={name}" for name in self.arrays]
        given += [f"{name}={value!r}" for name, value in (self.scalars | self.constants).items()]
        for name, (cls, fields) in self.structs.items():
            inside = ", ".join(f"{key}={value!r}" for key, value in fields.items())
            given.append(f"{name}={cls}({inside})")
        lines.append(f"    k({', '.join(given)}, workgroups={self.workgroups})")
        lines.append(f"    return [{', '.join(f'{name}.numpy()' for name in self.outputs)}]")
        return "\n".join(lines) + "\n"


SHORT = {
    "int32": "i32", "uint32": "u32", "float32": "f32", "int64": "i64", "uint64": "u64", "float64": "f64",
    "float16": "f16", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16",
}  # fmt: skip
"""gpucore's names of NumPy's dtypes."""


def _literal(host: Host) -> str:
    """An array as Python text, every bit kept."""
    if host.dtype.kind == "f":
        bits = host.view(f"u{host.dtype.itemsize}")
        return f"np.array({bits.tolist()}, np.{bits.dtype}).view(np.{host.dtype})"
    return f"np.array({host.tolist()}, np.{host.dtype})"
