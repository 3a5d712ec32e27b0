"""What a launch needs of a kernel, as plain data: its parameters, and each form in which it is compiled for a target.

    {"name": "saxpy", "workgroup_size": [256, 1, 1], "doc": "...",
     "parameters": [{"name": "a", "kind": "scalar", "element": "f32"},
                    {"name": "x", "kind": "array", "mode": "In", "element": "f32", "rank": 1}, ...],
     "forms": [{"folded": false, "fallback": false, "language": "wgsl", "entry": "saxpy", "text": "...",
                "workgroup_size": [256, 1, 1], "writes": [false, true], "scalars_nbytes": 16, "workgroup_memory": 0,
                "payload": ..., "layout": {...}, "reports": null,
                "places": ["mine.py:8", ...], "lines": [-1, 0, 0, ...]}, ...]}

The `layout` is that of `gpucore.layout`: which values are packed, and where. A `folded` form is for grids beyond the
limits of a dispatch, a `fallback` for calls that do not satisfy the assumptions in the layout of the others. For each
line of the text `lines` has the number of its place in the user's code, or -1. `reports` says what a form of a kernel
in debug mode may report: `gpucore.passes.instrument` says how.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any, TypeVar

from gpucore import ir
from gpucore.arguments import element_of, specialise_by_name
from gpucore.compiler import Emitted, Form, Target, emit_form
from gpucore.diagnostics import Reporting
from gpucore.errors import ArgumentError
from gpucore.front.text.signature import BufferParameter, ConstParameter, Parameter, StructParameter
from gpucore.offline.specialisations import Specialisation
from gpucore.runtime.protocol import Source
from gpucore.saved import source_to_json
from gpucore.span import Span


def describe(wanted: Specialisation, target: Target) -> dict[str, Any]:
    """A kernel for a target. Raises CompileError for one that the target cannot run."""
    kernel = wanted.kernel
    forms = [
        {**describe_form(form, emitted), **_describe_lines(emitted.source)}
        for form, emitted in emit_forms(wanted, target)
    ]
    return {
        "name": kernel.name,
        "doc": inspect.getdoc(kernel.function) or "",
        "workgroup_size": list(kernel.workgroup_size),
        "parameters": describe_parameters(wanted),
        "forms": forms,
    }


def emit_forms(wanted: Specialisation, target: Target, *, slices: bool = False) -> Iterator[tuple[Form, Emitted]]:
    """A kernel for a target in each form that calls may need, with arrays that begin where their memory does; with
    `slices` also with others, but for grids beyond the limits of a dispatch where arrays begin within a part of memory
    that devices can bind."""
    kernel = wanted.kernel
    if kernel.is_native:
        raise ArgumentError(f"{kernel.name} is written in the language of one backend; only kernels in Python can be "
                            "compiled for a target")  # fmt: skip
    specialisation = specialise_by_name(kernel.name, kernel.signature, wanted.bindings)
    lowered = kernel.lower_for(specialisation, target)
    debug = kernel.debug
    forms = [Form(False), Form(True)]
    if slices and target.limits.part_alignment != 1:  # else every array begins where a part of memory may
        forms.append(Form(starts=tuple(range(len(lowered.buffers)))))
    for form in forms:
        plain = emit_form(target, lowered, form, debug=bool(debug), ordered=debug == "ordered")
        yield form, plain
        others = []
        if slices and plain.layout.is_wide and not form.starts:
            others.append(dataclasses.replace(form, is_aligned=False))
        if plain.layout.assumptions:
            others.append(dataclasses.replace(form, is_fallback=True, is_aligned=not slices))
        for other in others:
            yield other, emit_form(target, lowered, other, debug=bool(debug), ordered=debug == "ordered")


def describe_parameters(wanted: Specialisation) -> list[dict[str, Any]]:
    """The parameters of a kernel, in order, with the types and the values of the specialisation."""
    kernel = wanted.kernel
    specialisation = specialise_by_name(kernel.name, kernel.signature, wanted.bindings)
    types, constants = dict(specialisation.types), dict(specialisation.constants)
    return [_parameter(kernel.name, each, types, constants) for each in kernel.signature.parameters]


def describe_element(element: ir.Element | ir.Type) -> Any:
    """The type of elements of an array, or of a scalar: "f32", "f32x4", or the fields of a struct."""
    if not isinstance(element, ir.StructType):
        return str(element)
    fields = [
        {"name": field.name, "offset": field.offset, "element": describe_element(field.type)}
        for field in element.fields
    ]
    return {"struct": element.name, "nbytes": element.nbytes, "fields": fields}


def _parameter(
    kernel: str, parameter: Parameter, types: dict[TypeVar, ir.Type], constants: dict[str, Any]
) -> dict[str, Any]:
    match parameter:
        case BufferParameter(name, mode, element, rank):
            own = types[element] if isinstance(element, TypeVar) else element_of(element)
            return {"name": name, "kind": "array", "mode": mode, "element": describe_element(own), "rank": rank}
        case StructParameter(name, cls):
            return {"name": name, "kind": "struct", "element": describe_element(cls.ir_type)}
        case ConstParameter(name):
            value = constants[name]
            if not isinstance(value, (bool, int, float, str)):
                raise ArgumentError(f"{kernel}: the value of {name}, {value!r:.60}, is no number, bool or str")
            return {"name": name, "kind": "const", "value": value}
    own_type = types[parameter.type] if isinstance(parameter.type, TypeVar) else element_of(parameter.type)
    return {"name": parameter.name, "kind": "scalar", "element": describe_element(own_type)}


def describe_form(form: Form, emitted: Emitted) -> dict[str, Any]:
    """One form of a kernel."""
    return {
        "folded": form.is_folded,
        "fallback": form.is_fallback,
        **source_to_json(emitted.source),
        "layout": emitted.layout.to_json(),
        "reports": None if emitted.reporting is None else _describe_reports(emitted.reporting),
    }


def _describe_lines(source: Source) -> dict[str, Any]:
    """Where the lines of a text come from."""
    shown = [f"{_file(span.in_kernel())}:{span.in_kernel().line}" if span is not None else "" for span in source.lines]
    places = list(dict.fromkeys(filter(None, shown)))
    numbers = {place: number for number, place in enumerate(places)}
    return {"places": places, "lines": [numbers.get(place, -1) for place in shown]}


def _describe_reports(reporting: Reporting) -> dict[str, Any]:
    reports = [
        {
            "kind": report.kind.value,
            "place": _place(report.span),
            "array": report.array,
            "parts": [part if isinstance(part, str) else {"type": str(part)} for part in report.parts],
        }
        for report in reporting.reports
    ]
    planes = [
        {"buffer": plane.buffer, "array": plane.array, "field": plane.field, "place": _place(plane.span)}
        for plane in reporting.planes
    ]
    return {"reports": reports, "planes": planes, "is_ordered": reporting.is_ordered}


def _place(span: Span | None) -> dict[str, Any] | None:
    """A place in the user's code: the name of the file alone, which another machine can show."""
    if span is None:
        return None
    return {"file": _file(span), "line": span.line, "text": span.source_line()}


def _file(span: Span) -> str:
    return span.file.replace("\\", "/").rpartition("/")[2]
