"""The body of a kernel of a package: finds the code for a call, or says why the package has none."""

from __future__ import annotations

import dataclasses
import enum
import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from gpucore import front
from gpucore.bodies import ReadyBody
from gpucore.compiler import Compiled, Form, compile_source
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.front.state.specialisation import kind_of
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.kernel import Kernel
from gpucore.layout import Layout, layout_from_json
from gpucore.offline.signatures import signature_to_json
from gpucore.runtime.protocol import DeviceInfo, Source
from gpucore.saved import source_from_json

if TYPE_CHECKING:
    from gpucore.offline.container import PackageFile


class Ready(Immutable, eq=False):
    """One form of a kernel for a target."""

    form: Form
    needs: frozenset[Capability]
    size: tuple[int, int, int]  # of its workgroups
    workgroup_memory: int
    num_buffers: int
    data: Any  # as the manifest has it

    def serves(self, wanted: Form) -> bool:
        """Whether a call that wants a form can use this one."""
        mine = self.form
        is_of_kind = (mine.is_folded, mine.is_fallback) == (wanted.is_folded, wanted.is_fallback)
        return is_of_kind and {*wanted.starts} <= {*mine.starts} and (wanted.all_aligned or not mine.all_aligned)

    def obstacle(self, info: DeviceInfo) -> str:
        """What a device lacks; "" if nothing."""
        lacking = sorted(capability.value for capability in self.needs - info.capabilities)
        if lacking:
            return f"it needs {', '.join(lacking)}, which the device does not have"
        size, limits = self.size, info.limits
        if any(have > most for have, most in zip(size, limits.max_workgroup_size, strict=True)) or (
            size[0] * size[1] * size[2] > limits.max_workgroup_invocations
        ):
            return f"its workgroups of {size} are too large for the device"
        if self.workgroup_memory > limits.max_workgroup_memory:
            return f"it needs {self.workgroup_memory} bytes of workgroup memory, more than the device has"
        if self.num_buffers > limits.max_buffers:
            return f"it takes {self.num_buffers} arrays, more than the device binds"
        return ""


class ReadySpecialisation(Immutable, eq=False):
    """A kernel with types and constants, for each target in its forms."""

    name: str
    types: Mapping[str, str]
    constants: Mapping[str, Any]
    targets: Mapping[str, Sequence[Ready]]


def read_specialisation(data: Any) -> ReadySpecialisation:
    """What the manifest has of one. Raises an exception for other data."""
    targets = {str(name): [_read_form(form) for form in forms] for name, forms in data["targets"].items()}
    return ReadySpecialisation(str(data["name"]), dict(data["types"]), dict(data["constants"]), targets)


def _read_form(data: Any) -> Ready:
    starts = tuple(int(each) for each in data["starts"])
    form = Form(bool(data["folded"]), bool(data["fallback"]), starts, bool(data["aligned"]))
    x, y, z = map(int, data["workgroup_size"])
    needs = frozenset(Capability(name) for name in data["needs"])
    return Ready(form, needs, (x, y, z), int(data["workgroup_memory"]), len(data["writes"]), data)


class PackageBody(ReadyBody):
    """A kernel of a package. `data` is what the manifest has of it."""

    def __init__(
        self, file: PackageFile, targets: Mapping[str, str], data: Any, signature: front.Signature,
        specialisations: Sequence[ReadySpecialisation], compiles: bool,
    ) -> None:  # fmt: skip
        self.name = str(data["name"])
        self.documentation = str(data["doc"]) or None
        self.signature = signature
        self.specialisations = specialisations
        self._file, self._targets, self._data, self._compiles = file, targets, data, compiles

    def ready(
        self, specialisation: front.Specialisation, device: Device, form: Form, debug: bool | str
    ) -> Compiled | None:
        found = self._find(specialisation, device, form, debug)
        if isinstance(found, Ready):
            return self._load(found, device)
        if self._compiles:
            return None
        raise ArgumentError(found)

    def _find(self, wanted: front.Specialisation, device: Device, form: Form, debug: bool | str) -> Ready | str:
        """The code for a call, or why there is none, and what to do."""
        if debug:
            return self._missing("in debug mode", "turn debug mode off (GPUCORE_DEBUG, or the kernel's debug)")
        found = self._specialisation(wanted)
        if isinstance(found, str):
            return found
        target = self.choose_target(found, device)
        if not target:
            have = self._targets_of(found)
            return self._missing(f"of {found.name} for {device.id} ({device.name}); it has it for {have}",
                                "build it for a target of that device, or use another one")  # fmt: skip
        served = [each for each in found.targets[target] if each.serves(form)]
        if not served:
            return self._missing(f"of {found.name} for {target} and {_describe(form)}",
                                "pass whole arrays, or copies of the slices, and smaller grids")  # fmt: skip
        chosen = min(served, key=lambda each: len(each.form.starts))
        obstacle = chosen.obstacle(device.info)
        if obstacle:
            return (
                f"{self.name}: {found.name} of {self._file.where} for {target} cannot run on {device.id}: {obstacle}; "
                f"use another device{self._or_compile()}"
            )
        return chosen

    def choose_target(self, found: ReadySpecialisation, device: Device) -> str:
        """The target whose code runs on a device; "" if there is none."""
        own = [name for name in found.targets if self._targets.get(name) == device.backend.name]
        return device.backend.choose_offline(own, device.info) if own else ""

    def _specialisation(self, wanted: front.Specialisation) -> ReadySpecialisation | str:
        types = {variable.__name__: str(type) for variable, type in wanted.types}
        constants = {}
        for name, value in wanted.constants:
            plain = int(value) if isinstance(value, enum.Enum) and isinstance(value, int) else value
            constants[name] = plain, kind_of(plain)
        for each in self.specialisations:
            own = {name: (value, kind_of(value)) for name, value in each.constants.items()}
            if each.types == types and own == constants:
                return each
        values = [f"{name}={type}" for name, type in types.items()]
        values += [f"{name}={value}" for name, (value, _) in constants.items()]
        have = ", ".join(each.name for each in self.specialisations)
        return self._missing(
            f"of {self.name}[{','.join(values)}]; it has {have}", "add it to the kernels that are built"
        )

    def _load(self, chosen: Ready, device: Device) -> Compiled:
        source, layout, binary = self._read(chosen)
        return Compiled(compile_source(device, self.name, None, source, binary), layout, is_saved=True)

    def _read(self, chosen: Ready) -> tuple[Source, Layout, bytes | None]:
        data = chosen.data
        try:
            binary = self._file.read(data["binary"]) if data["binary"] is not None else None
            text = self._file.read(data["text"]).decode() if data["text"] is not None else ""
            names = tuple(parameter.name for parameter in self.signature.parameters)
            return source_from_json({**data, "text": text}), layout_from_json(data["layout"], names), binary
        except ArgumentError:
            raise
        except Exception as error:
            what = f"what it has of {self.name} cannot be read: {type(error).__name__}: {error}"
            raise self._file.refuse(what, "build it again") from error

    def _targets_of(self, found: ReadySpecialisation) -> str:
        return ", ".join(f"{name} ({self._targets.get(name, '?')})" for name in found.targets) or "no target"

    def _missing(self, what: str, fix: str) -> str:
        return f"{self.name}: {self._file.where} has no code {what}; {fix}{self._or_compile()}"

    def _or_compile(self) -> str:
        return "" if self._data["module"] is None else ", or load it with gp.load(..., compile=True)"

    # ---------------------------------------------------------------- the function that the code was compiled from

    def lower(self, workgroup_size: tuple[int, int, int], specialisation: front.Specialisation) -> front.Lowered:
        if not self._compiles:
            raise ArgumentError(self._missing("of that kind: it has machine code and text, and no IR",
                                              "use the kernel in Python for it"))  # fmt: skip
        kernel = self._original()
        variables = {variable.__name__: variable for variable in variables_of(kernel.signature)}
        types = tuple((variables[variable.__name__], type) for variable, type in specialisation.types)
        lowered: front.Lowered = kernel.body.lower(workgroup_size, dataclasses.replace(specialisation, types=types))
        return lowered

    def _original(self) -> Kernel:
        """The kernel in Python, whose module is imported. Raises ArgumentError if it is not that of the package."""
        module, name = self._data["module"], self._data["qualname"]
        where = f"{self.name} of {self._file.where}"
        if module is None:
            raise ArgumentError(f"{where} was made where no module has it, so that it cannot be compiled again")
        try:
            found: Any = importlib.import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as error:
            raise ArgumentError(
                f"{where} has no code for this call, and {module}.{name}, from which it could be compiled, cannot be "
                f"imported: {error}; install the package that has it"
            ) from error
        is_other = not isinstance(found, Kernel) or isinstance(found.body, ReadyBody)
        if is_other or signature_to_json(self.name, found.signature) != self._data["signature"]:
            raise ArgumentError(f"{where} was built from another {module}.{name} than the one that is installed; build "
                                "the package again")  # fmt: skip
        original: Kernel = found
        return original


def variables_of(signature: front.Signature) -> Iterator[TypeVar]:
    """The type variables of a signature."""
    for parameter in signature.parameters:
        kind = getattr(parameter, "element", None) or getattr(parameter, "type", None)
        if isinstance(kind, TypeVar):
            yield kind


def _describe(form: Form) -> str:
    what = ["a grid beyond the limits of a dispatch"] if form.is_folded else []
    if form.starts:
        what.append("arrays that begin within their memory, where the device cannot bind them")
    elif not form.is_aligned:
        what.append("arrays that begin at no multiple of 16 bytes")
    if form.is_fallback:
        what.append("arguments that its assumptions do not hold for")
    return " with ".join(what) or "whole arrays"
