"""A random kernel as text with its arguments: how it is built, run on a device, and printed to be pasted as a test."""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import sys
import types
from dataclasses import dataclass, field
from typing import Any, cast

import ml_dtypes
import numpy as np
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


@dataclass(frozen=True)
class Outcome:
    """What a kernel left in its outputs (those of structs by fields), and the lines that it printed, sorted."""

    values: dict[str, Host]
    printed: list[str]


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
    classes: dict[str, str] = field(default_factory=dict)  # of arrays of structs
    enums: dict[str, tuple[str, str]] = field(default_factory=dict)  # the class's name and the member's
    is_debugged: bool = False  # it runs with debug=True, too
    starts: dict[str, int] = field(default_factory=dict)  # elements in memory before those of an array
    of_matrices: bool = False  # `gp.check` has no findings in it
    of_groups: bool = False  # products that groups of 128 invocations do, on devices that have them

    def __repr__(self) -> str:
        return f"<program of {len(self.text.splitlines())} lines>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What Hypothesis shows of a failing example: the assertion has the text."""
        printer.text(repr(self))

    def build(self) -> tuple[Kernel, dict[str, Any]]:
        """The kernel, its text where tracebacks and the front end find it, and its module's names."""
        name = f"<fuzz {next(_numbers)}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        module = sys.modules[name] = types.ModuleType(name)  # where dataclasses look up a struct in a struct
        try:
            exec(compile(self.text, name, "exec", dont_inherit=True), vars(module))  # noqa: S102 (the grammar's text)
        finally:
            del sys.modules[name]
        return cast(Kernel, vars(module)["k"]), vars(module)

    def run(self, kernel: Kernel, names: dict[str, Any], device: gp.Device) -> Outcome:
        """What the kernel did on `device`."""
        held = {name: self._upload(name, names, device) for name in self.arrays}
        given = self._given(held, names)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                kernel(**given, workgroups=self.workgroups)
                device.synchronize()
            values: dict[str, Host] = {}
            for name in self.outputs:
                values |= _by_field(name, held[name].numpy())
            return Outcome(values, sorted(printed.getvalue().splitlines()))
        finally:
            for array in held.values():
                array.close()

    def check(self, schedules: int = 1) -> gp.CheckReport:
        """What `gp.check` finds in the kernel, on the simulator as the environment sets it."""
        kernel, names = self.build()
        device = gp.device("simulator")
        held = {name: self._upload(name, names, device) for name in self.arrays}
        return gp.check(kernel, **self._given(held, names), workgroups=self.workgroups, schedules=schedules)

    def _given(self, held: dict[str, gp.Array], names: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name."""
        given: dict[str, Any] = {**held, **self.scalars, **self.constants}
        given |= {name: names[cls](**fields) for name, (cls, fields) in self.structs.items()}
        return given | {name: names[cls][member] for name, (cls, member) in self.enums.items()}

    def _upload(self, name: str, names: dict[str, Any], device: gp.Device) -> gp.Array:
        host, width = self.arrays[name], self.widths.get(name, 1)
        if name in self.classes:
            struct = names[self.classes[name]]
            return gp.asarray(host.astype(struct.dtype), struct, device=device)
        if start := self.starts.get(name, 0):
            whole = np.concatenate([np.zeros(start, host.dtype), host.reshape(-1)])
            return gp.asarray(whole, device=device)[start:].reshape(*host.shape)
        if width == 1:
            return gp.asarray(host, device=device)
        element = getattr(gp, f"{SHORT[host.dtype.name]}x{width}")
        return gp.asarray(host.reshape(-1, width), element, device=device)

    def _imports(self) -> list[str]:
        is_needed = any(host.dtype == BF16 for host in self.arrays.values())
        return ["import ml_dtypes"] * is_needed + ["import numpy as np"]

    def paste(self) -> str:
        """The program as a script: the kernel, its arguments and the call; `devices` are to be filled in."""
        lines = [self.text, "", *self._imports(), "", "", f"def run(device, debug={self.is_debugged}):"]
        lines.append("    k.debug = debug")
        for name, host in self.arrays.items():
            if name in self.classes:
                struct = self.classes[name]
                lines.append(
                    f"    {name} = gp.asarray(np.array({_plain(host)}, {struct}.dtype), {struct}, device=device)"
                )
                continue
            width = self.widths.get(name, 1)
            element = f", gp.{SHORT[host.dtype.name]}x{width}" if width > 1 else ""
            shaped = host.reshape(-1, width) if width > 1 else host
            if start := self.starts.get(name, 0):
                whole = np.concatenate([np.zeros(start, host.dtype), host.reshape(-1)])
                lines.append(f"    {name} = gp.asarray({_literal(whole)}, device=device)")
                lines.append(f"    {name} = {name}[{start}:].reshape(*{host.shape})")
                continue
            lines.append(f"    {name} = gp.asarray({_literal(shaped)}{element}, device=device)")
        given = [f"{name}={name}" for name in self.arrays]
        given += [f"{name}={value!r}" for name, value in (self.scalars | self.constants).items()]
        for name, (cls, fields) in self.structs.items():
            inside = ", ".join(f"{key}={value!r}" for key, value in fields.items())
            given.append(f"{name}={cls}({inside})")
        given += [f"{name}={cls}.{member}" for name, (cls, member) in self.enums.items()]
        lines.append(f"    k({', '.join(given)}, workgroups={self.workgroups})")
        lines.append(f"    return [{', '.join(f'{name}.numpy()' for name in self.outputs)}]")
        return "\n".join(lines) + "\n"


def _by_field(name: str, host: Host) -> dict[str, Host]:
    """An array of structs as an array for each field."""
    if host.dtype.names is None:
        return {name: host}
    found: dict[str, Host] = {}
    for part in host.dtype.names:
        found |= _by_field(f"{name}.{part}", host[part])
    return found


BF16 = np.dtype(ml_dtypes.bfloat16)
SHORT = {
    "int32": "i32", "uint32": "u32", "float32": "f32", "int64": "i64", "uint64": "u64", "float64": "f64",
    "float16": "f16", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16",
}  # fmt: skip
"""gpucore's names of NumPy's dtypes."""


def _plain(host: Host) -> str:
    """Structs as tuples of numbers, all of them whole."""
    return repr(host.tolist()).replace("array(", "(").replace(", dtype=int32", "")


def _literal(host: Host) -> str:
    """An array as Python text, every bit kept."""
    if host.dtype == BF16:
        return f"np.array({host.view(np.uint16).tolist()}, np.uint16).view(ml_dtypes.bfloat16)"
    if host.dtype.kind == "f":
        bits = host.view(f"u{host.dtype.itemsize}")
        return f"np.array({bits.tolist()}, np.{bits.dtype}).view(np.{host.dtype})"
    return f"np.array({host.tolist()}, np.{host.dtype})"
