"""`gp.build`: compiles kernels for devices that need not be there, and writes them to one file."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpucore.arguments import specialise_by_name
from gpucore.compiler import Emitted, Form, Target
from gpucore.errors import ArgumentError, BackendUnavailableError, CapabilityError, GpucoreError, LimitError
from gpucore.host import host_only
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.kernel import Kernel
from gpucore.offline.descriptions import describe_form, describe_parameters, emit_forms
from gpucore.offline.signatures import constant_to_json, signature_to_json
from gpucore.offline.specialisations import FROM_FILE, Specialisation, find_specialisations, with_defaults
from gpucore.offline.targets import find_target, offline_backends
from gpucore.types import DType, dtype_of

if TYPE_CHECKING:
    from gpucore.offline.container import PackageWriter

_OPTIONAL = frozenset({
    Capability.F16, Capability.F64, Capability.F64_MATH, Capability.INT64, Capability.ATOMIC_INT64,
    Capability.DEVICE_FENCE,
})  # fmt: skip
"""What only some devices of a target have. A kernel that needs them is compiled with them, and says so."""

_NO_MODULES = ("<", "__main__", FROM_FILE)  # which no other program can import

Given = Kernel | tuple[Kernel, Mapping[str, Any]] | Specialisation
Report = Callable[[str], None]


class Built(Immutable, eq=False):
    """What `gp.build` wrote: a line for each kernel and target that was `skipped`, with the reason."""

    path: str
    kernels: tuple[str, ...]
    targets: tuple[str, ...]
    nbytes: int
    skipped: tuple[str, ...] = ()


class _Goal(Immutable, eq=False):
    """A target, and whether a kernel may be left out for it."""

    name: str
    target: Target
    is_asked_for: bool


@host_only
def build(
    path: str | os.PathLike[str], kernels: ModuleType | Iterable[Given], targets: Sequence[str] = (),
    report: Report | None = None,
) -> Built:  # fmt: skip
    """Compile kernels for targets, without their devices, and write them to the file `path`, which `gp.load` loads.

    `kernels` is a module, or a list of kernels; one with compile-time parameters or type variables is a pair with their
    values, as in `(scale, {"T": gp.f32, "n": 4})`. Values that are left out are the defaults, and the first dtypes that
    are allowed. Captured values become part of the code.

    `targets` are names such as "wgsl" or "x86-64-v3"; by default all those of the installed backends, of which what
    does not build here, or for a kernel, is skipped. `report` is called with a line for each kernel and target.

    Raises ArgumentError for unknown targets and for kernels that a package cannot have, CompileError for a kernel that
    a target cannot run, and BackendUnavailableError if the compiler of a target is missing.
    """
    from gpucore.offline.container import PackageWriter, write_file  # noqa: PLC0415 (zipfile takes 3 ms)

    wanted = _unique([_complete(each) for each in _specialisations(kernels)])
    goals = _goals(targets)
    writer, skipped = PackageWriter(), list[str]()
    described: dict[int, dict[str, Any]] = {}
    used: dict[str, Any] = {}
    for each in wanted:
        entry = described.setdefault(id(each.kernel), _describe_kernel(each.kernel))
        found = {}
        for goal in goals:
            line = f"{each.name} for {goal.name}"
            reason = ""
            try:
                found[goal.name] = _forms(each, goal, writer)
            except BackendUnavailableError as error:
                _refuse(goal, error)
                reason = str(error)
            except (CapabilityError, LimitError) as error:
                _refuse(goal, error)
                reason = error.message
            if reason:
                skipped.append(f"{line}: skipped: {reason}")
            else:
                used[goal.name] = {"backend": goal.target.backend.name}
            if report is not None:
                report(skipped[-1] if reason else f"{line}: {_size(found[goal.name])}")
        if not found:
            raise ArgumentError(f"{each.name} can be built for none of the targets:\n  " + "\n  ".join(skipped))
        entry["specialisations"].append(_describe(each, found))
    content = writer.finish(used, list(described.values()))
    write_file(path, content)
    return Built(os.fspath(path), tuple(each.name for each in wanted), tuple(used), len(content), tuple(skipped))


def _refuse(goal: _Goal, error: GpucoreError) -> None:
    if goal.is_asked_for:
        raise error


def _size(forms: Sequence[Mapping[str, Any]]) -> str:
    references = {each["file"]: each["nbytes"] for form in forms for each in (form["text"], form["binary"]) if each}
    return f"{len(forms)} forms, {sum(references.values())} bytes"


# ---------------------------------------------------------------- what is built


def _specialisations(kernels: ModuleType | Iterable[Given]) -> list[Specialisation]:
    if isinstance(kernels, ModuleType):
        found = find_specialisations(kernels, ())
        if not found:
            raise ArgumentError(f"{kernels.__name__} has no kernel that needs no values; name the kernels to build")
        return found
    if isinstance(kernels, (str, Kernel)) or not isinstance(kernels, Iterable):
        raise ArgumentError(f"gp.build takes the path of the file, and then a module or a list of kernels, not "
                            f"{kernels!r:.60}")  # fmt: skip
    made = []
    items: Any = kernels
    for each in items:
        if isinstance(each, Kernel):
            each = each, {}
        if isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], Kernel) and isinstance(each[1], Mapping):
            each = Specialisation(each[0], dict(each[1]))
        if not isinstance(each, Specialisation):
            raise ArgumentError(f"gp.build takes kernels, or pairs of a kernel and its values, not {each!r:.60}")
        made.append(each)
    if not made:
        raise ArgumentError("there is no kernel to build")
    return made


def _complete(given: Specialisation) -> Specialisation:
    """The same with all values: defaults, and the first dtypes that are allowed."""
    kernel, signature = given.kernel, given.kernel.signature
    if kernel.function is None and not kernel.is_native:
        raise ArgumentError(f"{kernel.name} is of a package; build the kernel in Python")
    if kernel.is_native:
        raise ArgumentError(f"{kernel.name} is written in the language of one backend; a package has kernels in Python")
    if kernel.debug:
        raise ArgumentError(f"{kernel.name} is in debug mode, which a package does not have; turn it off "
                            "(GPUCORE_DEBUG, or the kernel's debug)")  # fmt: skip
    bindings = with_defaults(kernel, given.bindings)
    specialisation = specialise_by_name(kernel.name, signature, bindings)
    constants = dict(specialisation.constants)
    for name, value in constants.items():
        constant_to_json(kernel.name, name, value)  # raises for what a package cannot have
    types = {variable.__name__: dtype_of(type) for variable, type in specialisation.types}
    return Specialisation(kernel, types | constants)


def _unique(wanted: Sequence[Specialisation]) -> list[Specialisation]:
    """Each once. Two kernels of one name cannot be in a package."""
    found: dict[str, Specialisation] = {}
    names: dict[str, Kernel] = {}
    for each in wanted:
        if names.setdefault(each.kernel.name, each.kernel) is not each.kernel:
            raise ArgumentError(f"there are two kernels named {each.kernel.name}; build a package for each")
        found.setdefault(each.name, each)
    return list(found.values())


def _goals(names: Sequence[str]) -> list[_Goal]:
    if isinstance(names, str):
        raise ArgumentError(f"targets is a list of names, as in targets=[{names!r}]")
    if not all(isinstance(name, str) for name in names):
        raise ArgumentError(f"targets is a list of names such as 'wgsl', not {names!r:.60}")
    if names:
        found: dict[str, str] = {}
        for name in names:
            found.setdefault(name.rpartition(":")[2], name)  # one that is given twice is built once
        goals = [_Goal(short, find_target(name), True) for short, name in found.items()]
        for goal in goals:
            if goal.target.backend.runtime_files(goal.name):
                raise ArgumentError(f"the target {goal.name!r} is one of pages: use gpucore export {goal.name}")
        return goals
    return [
        _Goal(name, find_target(f"{backend.name}:{name}"), False)
        for backend in offline_backends()
        for name in backend.offline_targets
        if not backend.runtime_files(name)  # those of pages are for `gpucore export`
    ]


# ---------------------------------------------------------------- one kernel


def _describe_kernel(kernel: Kernel) -> dict[str, Any]:
    function, options = kernel.function, kernel.options
    is_importable = "<locals>" not in function.__qualname__ and not function.__module__.startswith(_NO_MODULES)
    return {
        "name": kernel.name,
        "module": function.__module__ if is_importable else None,
        "qualname": function.__qualname__,
        "doc": kernel.documentation or "",
        "workgroup_size": list(kernel.workgroup_size),
        "options": {
            "unchecked": options.unchecked, "min_workgroups": options.min_workgroups, "coarsens": options.coarsens,
        },
        "signature": signature_to_json(kernel.name, kernel.signature),
        "specialisations": [],
    }  # fmt: skip


def _describe(each: Specialisation, found: Mapping[str, Any]) -> dict[str, Any]:
    types = {name: str(value.ir_type) for name, value in each.bindings.items() if isinstance(value, DType)}
    constants = {
        name: constant_to_json(each.kernel.name, name, value)
        for name, value in each.bindings.items() if name not in types
    }  # fmt: skip
    return {
        "name": each.name, "types": types, "constants": constants,
        "parameters": describe_parameters(each), "targets": dict(found),
    }  # fmt: skip


def _forms(wanted: Specialisation, goal: _Goal, writer: PackageWriter) -> list[dict[str, Any]]:
    target = goal.target
    if target.backend.name in wanted.kernel.native_backends:
        raise ArgumentError(f"{wanted.kernel.name} has native source for {target.backend.name}, which a package cannot "
                            "have; leave out the targets of this backend, or the source")  # fmt: skip
    try:
        emitted = list(emit_forms(wanted, target, slices=True))
    except CapabilityError:
        more = target.capabilities | (target.backend.capabilities & _OPTIONAL)
        if more == target.capabilities or target.device is None:
            raise
        info = dataclasses.replace(target.device, capabilities=more)
        emitted = list(emit_forms(wanted, Target.for_info(target.backend, info), slices=True))
    return [_add_form(form, each, wanted, goal, writer) for form, each in emitted]


def _add_form(
    form: Form, emitted: Emitted, wanted: Specialisation, goal: _Goal, writer: PackageWriter
) -> dict[str, Any]:
    """One form in the manifest, and its text or its binary as an entry."""
    assert goal.target.device is not None
    described = describe_form(form, emitted)
    described["starts"], described["aligned"] = list(form.starts), form.is_aligned
    described["needs"] = sorted(capability.value for capability in emitted.needs)
    binary = goal.target.backend.build(emitted.source, goal.target.device)
    file = f"{re.sub(r'[^A-Za-z0-9._-]', '_', goal.name)}/{re.sub(r'[^A-Za-z0-9_]+', '_', wanted.name).strip('_')}"
    text = described.pop("text")
    described["text"] = None if binary else writer.add(f"{file}.{emitted.source.language}", text.encode())
    described["binary"] = writer.add(f"{file}.bin", binary) if binary else None
    del described["reports"]
    return described


__all__ = ["Built", "build"]
