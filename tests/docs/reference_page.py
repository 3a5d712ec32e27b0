"""Generates docs/reference.md from signatures, docstrings and the descriptions of environment variables:

python tests/docs/reference_page.py > docs/reference.md

It is here, and not in core, because it reads the source tree: core's stubs, and the settings of plugins that may not be
installed. Written here are only the order of the page and its introductions; a test finds names that have no place.
"""

from __future__ import annotations

import enum
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from reference_text import (
    documentation_of,
    first_line,
    members_of,
    names_only,
    paragraphs_of,
    signatures_of,
    stub_signatures,
    table,
)

import gpucore as gp
from gpucore import lang
from gpucore.array import DeviceLike, Shape
from gpucore.bound import BoundKernel
from gpucore.exports import Exports
from gpucore.findings import Invocation
from gpucore.graphs import Graph
from gpucore.ir import Limits
from gpucore.offline.export import Bundle
from gpucore.operators import Operators
from gpucore.profile import Profile, ProfileRow
from gpucore.runtime import DeviceInfo, ProbeResult, Variable, config
from gpucore.runtime.settings import VARIABLES
from gpucore.simulator.device import VARIABLES as SIMULATOR_VARIABLES
from gpucore.span import Span
from gpucore.streams import Stream
from gpucore.timing import Mark, Timer
from gpucore.tuning.results import Trial, Tuning
from gpucore.types import DTYPES, Vector, bf16

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference.md"

_HEAD = """\
# Reference

The names of `gpucore` on the host: devices, arrays, kernels and their calls, algorithms, settings. What a kernel may
contain is in [language.md](language.md); [tutorial.md](tutorial.md) is the place to begin. This page is made from the
docstrings (`make pages`), so `help(gp.asarray)` says the same. `gp.__version__` is the version of core, a str.

```python
import gpucore as gp
```

In signatures, `DeviceLike` is `{device}`: a name such as `"cuda"`, `"cuda:1"` or `"gpu"`, a
member of `gp.devices()`, an open device, or None for `gp.default_device()`. `Shape` is `{shape}`. A dtype
is one of the [types](#types), a struct, or what NumPy takes as one.

A heading without `gp.` is the class of an attribute or a result. A program that needs it, as an annotation, imports it
from its module: {others}."""


class Section(NamedTuple):
    """A part of the page. Its names are those of gpucore, without the prefix, and those in OTHERS."""

    title: str
    introduction: str = ""
    names: tuple[str, ...] = ()


SECTIONS = (
    Section(
        "Devices",
        "Several devices can be open at once. Each array is on one, and a kernel runs on that of its arrays.",
        (
            "devices", "device", "default_device", "use", "set_default_device", "add_device_argument", "synchronize",
            "Device", "Timer", "Mark", "Stream", "Graph", "DeviceInfo", "DeviceKind", "Capability", "Limits", "probe",
            "ProbeResult", "ProbeStatus", "refresh", "register_backend", "unregister_backend",
        ),
    ),
    Section("Settings"),
    Section(
        "Types",
        "Dtypes of arrays, annotations of parameters that are passed by value, and conversions in kernels "
        "([language.md](language.md#types)). On the host `gp.f32(x)` is a NumPy scalar, and `gp.f32.dtype` the NumPy "
        "dtype, for a vector that of its components.",
    ),
    Section(
        "Arrays",
        "[arrays.md](arrays.md) shows them at work, [transfers.md](transfers.md) copies from and to the host. The "
        "[functions of numbers](#functions-of-numbers), such as `gp.exp(x)`, take whole arrays, too.",
        (
            "asarray", "empty", "zeros", "ones", "full", "empty_like", "zeros_like", "ones_like", "full_like", "arange",
            "linspace", "empty_pinned", "Array", "elementwise", "where",
        ),
    ),
    Section(
        "Kernels",
        "What they may contain: [language.md](language.md). With `debug=True`: [debugging.md](debugging.md). What type "
        "checkers check: [typing.md](typing.md).",
        ("kernel", "Kernel", "BoundKernel", "struct", "func", "kernel_from_text", "native_kernel"),
    ),
    Section(
        "Packages",
        "[packages.md](packages.md) shows how they are built, and what they contain.",
        ("build", "load", "Package"),
    ),
    Section(
        "Export",
        "[web.md](web.md) shows what a page does with it.",
        ("export.record", "Bundle"),
    ),
    Section("Algorithms", "They are kernels themselves, and run on every device.",
            ("sort", "argsort", "sort_by_key", "segmented_sort", "SortOrder", "searchsorted", "merge", "topk",
             "partition", "quantile", "percentile", "median", "unique", "matmul")),
    Section(
        "Reductions and scans",
        "[reductions.md](reductions.md) shows them at work.",
        (
            "sum", "prod", "mean", "min", "max", "any", "all", "count_nonzero", "argmin", "argmax", "reduce", "cumsum",
            "cumprod", "scan", "segmented_reduce", "segmented_scan", "histogram", "bincount", "compact", "nonzero",
        ),
    ),
    Section("Linear algebra", "", ("linalg.dot", "linalg.matvec", "linalg.outer", "linalg.norm")),
    Section("Random numbers", "", ("random.uniform", "random.normal", "random.integers", "random.philox")),
    Section(
        "Checking",
        "[checking.md](checking.md) shows what is found, and how to stop in a kernel with a debugger.",
        ("check", "CheckReport", "Finding", "Invocation", "Span"),
    ),
    Section(
        "Profiling",
        "[profiling.md](profiling.md) shows a table and a trace, and what measuring costs.",
        ("profile", "Profile", "ProfileRow"),
    ),
    Section(
        "Tuning",
        "[tuning.md](tuning.md) shows an example, and what `gpucore tune` keeps for a device.",
        ("tune", "Tuning", "Trial"),
    ),
    Section(
        "Sharing memory",
        "With PyTorch, CuPy, JAX, Numba and NumPy, without a copy: [interop.md](interop.md).",
        ("from_dlpack", "Exports"),
    ),
    Section("Errors", "[errors.md](errors.md) lists the codes of compile errors and of findings."),
    Section(
        "Names in kernels",
        "Outside of kernels they raise `gp.KernelOnlyError`, but the functions of numbers take device arrays there. "
        "Types and details: [language.md](language.md).",
    ),
)  # fmt: skip

BLOCKS = ("sum", "min", "max", "inclusive_add", "exclusive_add", "reduce", "scan", "radix_rank", "sort")
IN_KERNELS = {
    "Ids": (
        "global_id", "local_id", "local_index", "workgroup_id", "num_workgroups", "workgroup_size", "subgroup_id",
        "subgroup_invocation_id", "subgroup_size", "num_subgroups",
    ),
    "Memory": (
        "workgroup_array", "private_array", "barrier", "assume_uniform", "device_fence", "vload", "vstore", "prefetch",
    ),
    "Compile time": ("static", "unroll", "target", "max_value", "min_value"),
    "Values": ("select", "bitcast", "div_trunc", "rem"),
    "Functions of numbers": tuple(name for name in lang.MATH if name not in ("min", "max")),  # see Reductions
    "Atomics": tuple(f"atomic_{name}" for name in lang.ATOMICS),
    "Subgroups": tuple(f"subgroup_{name}" for name in lang.SUBGROUPS),
    "Blocks of a workgroup": tuple(f"workgroup_{name}" for name in BLOCKS),
    "Matrices of a workgroup": (
        "tiles", "copy_tile", "copy_group", "copy_wait", "matrix", "multiply_add", "map",
        "reduce_rows", "load_matrix", "store_matrix",
    ),
}  # fmt: skip
PARAMETERS = ("In", "Out", "InOut", "Const")
TYPES = {dtype.__name__.rstrip("_"): dtype for dtype in (*DTYPES, bf16)}
ERRORS = [
    name for name in gp.__all__ if isinstance(getattr(gp, name), type) and issubclass(getattr(gp, name), Exception)
]

OTHERS: dict[str, Any] = {
    "Timer": Timer, "Mark": Mark, "Stream": Stream, "Graph": Graph, "BoundKernel": BoundKernel,
    "DeviceInfo": DeviceInfo, "Limits": Limits, "ProbeResult": ProbeResult, "Invocation": Invocation,
    "Span": Span, "Profile": Profile, "ProfileRow": ProfileRow, "Tuning": Tuning, "Trial": Trial, "Exports": Exports,
    "Bundle": Bundle,
}  # fmt: skip
"""Classes that are no names of gpucore: a program gets objects of them."""

HEADINGS = {"Exports": "For other libraries"}
OBJECTS = {"Array": "x.", "Device": "device.", "Kernel": "kernel.", "Timer": "t.", "Mark": "mark.",
           "Graph": "graph.", "BoundKernel": "bound.", "CheckReport": "report.",
           "Profile": "profile.", "ProfileRow": "row.", "Tuning": "found.", "Trial": "trial.",
           "Package": "kernels.", "Bundle": "bundle."}  # fmt: skip
"""What stands before the members of a class."""

SPECIAL = {
    "Array": {
        "__getitem__": "x[key]",
        "__setitem__": "x[key] = values",
        "__iter__": "for element in x",
        "__add__": "+ - * / // % ** & | ^ << >> == != < <= > >=",
    },
    "Kernel": {"__call__": "kernel"},
    "Package": {"__getitem__": "kernels[name]"},
    "BoundKernel": {"__call__": "bound"},
    "Exports": {name: f"x.{name}" for name in ("__dlpack__", "__dlpack_device__", "__cuda_array_interface__")},
}
"""Methods that Python and other libraries call, and how they are shown."""

INTERNAL = {
    "Bundle": {"end"},
    "Array": {"buffer", "start", "storage", "check_open", "write_elements", "has_memory_of", "apply_function"},
    "Device": {
        "driver_device", "wait", "allocate", "adopt", "dispatch_reporting", "read", "peek", "write", "discard",
        "discard_pipeline", "add_close_listener", "collect_garbage", "last_report", "refuse_while_recording",
        "forget_dropped_graphs", "keep_until", "export", "wait_for_room", "free_memory",
    },
    "Kernel": {"body", "documentation", "check_arguments", "lower_for", "lower", "prepare"},
    "Graph": {"is_recording", "dispatch", "copy", "write", "end"},
    "DeviceKind": {"rank"},
    "Profile": {"table", "opened", "queued", "ran", "compiled", "spent"},
}  # fmt: skip
"""Members that other modules of gpucore use, and programs do not. They are not on the page."""


# ---------------------------------------------------------------- the page


def render() -> str:
    """The page as Markdown."""
    modules = [f"`from {cls.__module__} import {name}`" for name, cls in OTHERS.items() if name not in HEADINGS]
    head = _HEAD.format(device=_plain(DeviceLike), shape=_plain(Shape), others=", ".join(modules))
    parts = [head, _contents()]
    for section in SECTIONS:
        parts += [f"## {section.title}", section.introduction]
        if section.title == "Random numbers":
            parts += paragraphs_of(gp.random)
        if section.title == "Linear algebra":
            parts += paragraphs_of(gp.linalg)
        for name in section.names:
            parts += [f"### {_heading(name)}", *_entry(name)]
        parts += TABLES.get(section.title, list)()
    return _with_links("\n\n".join(part for part in parts if part)) + "\n"


def _plain(alias: object) -> str:
    """A type alias without the modules of its types."""
    return re.sub(r"\b(\w+\.)+(?=[A-Z])", "", str(alias)).replace("NoneType", "None")


def _heading(name: str) -> str:
    kind = "class " if isinstance(_find(name), type) else ""
    return HEADINGS.get(name) or f"{kind}{name if name in OTHERS else f'gp.{name}'}"


def _find(name: str) -> Any:
    if name in OTHERS:
        return OTHERS[name]
    found: Any = gp
    for part in name.split("."):
        found = getattr(found, part)
    return found


def anchor_of(heading: str) -> str:
    """The name by which links find a heading, as Markdown's renderers make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _contents() -> str:
    """A table of the sections, with links to all names."""
    tables = {
        "Settings": ["Environment variables", "Config file"],
        "Kernels": ["Parameters"],
        "Names in kernels": [*IN_KERNELS],
    }
    without_links = {"Types": "`gp.f32`, `gp.i32`, `gp.f32x4`, ...", "Errors": "exceptions and warnings"}
    rows = []
    for section in SECTIONS:
        links = [f"[{name}](#{anchor_of(_heading(name))})" for name in section.names if name not in HEADINGS]
        links += [f"[{title.lower()}](#{anchor_of(title)})" for title in tables.get(section.title, ())]
        names = ", ".join(links) or without_links[section.title]
        rows.append([f"[{section.title}](#{anchor_of(section.title)})", names])
    return table("section | names", rows)


def _with_links(page: str) -> str:
    """The page with names in code as links to their entries, except in headings, in blocks of code and in the entries
    themselves."""
    anchors = {f"gp.{name}": anchor_of(_heading(name)) for section in SECTIONS for name in section.names}
    anchors |= {f"gp.{name}": "errors" for name in ERRORS}
    anchors |= {f"gp.{name}": "parameters" for name in PARAMETERS}
    anchors |= {f"gp.{name}": anchor_of(title) for title, names in IN_KERNELS.items() for name in names}
    anchors |= dict.fromkeys(variables(), "environment-variables")
    anchors |= {f"Device.{member.name}": anchors["gp.Device"] for member in members_of(gp.Device)}
    own, is_code, lines = "", False, []
    for line in page.split("\n"):
        is_code ^= line.startswith("```")
        if line.startswith("#"):
            own = anchor_of(line.lstrip("# "))
        elif not is_code:
            for code in dict.fromkeys(re.findall(r"(?<!\[)`[^`]+`(?!\])", line)):
                anchor = anchors.get(code.strip("`").partition("(")[0], own)
                line = line if anchor == own else line.replace(code, f"[{code}](#{anchor})")
        lines.append(line)
    return "\n".join(lines)


# ---------------------------------------------------------------- one name


def _entry(name: str) -> list[str]:
    found = _find(name)
    if isinstance(found, type):
        return _class(name, found)
    calls = stub_signatures("gp.kernel", "kernel") if name == "kernel" else signatures_of(f"gp.{name}", found)
    return ["\n".join(["```", *calls, "```"]), *paragraphs_of(found)]


def _class(name: str, cls: type) -> list[str]:
    """Its docstring, its properties in a table, and its methods in a list."""
    members = [member for member in members_of(cls) if member.name not in INTERNAL.get(name, ())]
    owner = OBJECTS.get(name, "")
    head = "property | type | what"
    if issubclass(cls, enum.Enum):
        owner, head = f"{name}." if name in OTHERS else f"gp.{name}.", "member | value | what"
    rows = [[f"`{owner}{each.name}`", f"`{each.type}`", each.what] for each in members if each.type]
    parts = paragraphs_of(cls) if name not in HEADINGS else []
    parts += [table(head, rows)] if rows else []
    parts += [_method(getattr(cls, special), shown) for special, shown in SPECIAL.get(name, {}).items()]
    return parts + [_method(getattr(cls, each.name), f"{owner}{each.name}") for each in members if not each.type]


def _method(method: Any, shown: str) -> str:
    """An item of a list, with its further paragraphs."""
    paragraphs = paragraphs_of(Operators if method is Operators.__add__ else method)
    if inspect.isfunction(method) and re.fullmatch(r"[\w.]+", shown):
        (shown,) = signatures_of(shown, method, width=None)
    return "\n\n".join([f"- `{shown}`\\\n  {paragraphs[0]}", *(f"  {each}" for each in paragraphs[1:])])


# ---------------------------------------------------------------- tables


def _types() -> list[str]:
    """A row for each scalar, and one for all vectors, which have one docstring."""
    vectors = {name: dtype for name, dtype in TYPES.items() if issubclass(dtype, Vector)}
    rows = [
        [f"`gp.{name}`", str(dtype.itemsize) if name != "bool" else "", documentation_of(dtype)]
        for name, dtype in TYPES.items()
        if name not in vectors
    ]
    sizes = [str(size) for size in sorted({dtype.itemsize for dtype in vectors.values()})]
    named = ", ".join(f"`gp.{name}`" for name in vectors)
    return [table("type | bytes | what", [*rows, [named, ", ".join(sizes), documentation_of(Vector)]])]


def _parameters() -> list[str]:
    rows = [[f"`gp.{name}`", documentation_of(_find(name))] for name in PARAMETERS]
    introduction = (
        "Annotations of a kernel's parameters, besides [types](#types) and structs, which are passed by value."
    )
    return ["### Parameters", introduction, table("name | what", rows)]


def _errors() -> list[str]:
    """In the order of the source, each under its base, with the warnings at the end."""
    order = [*vars(gp.errors)]
    found = [getattr(gp, name) for name in ERRORS]
    found.sort(key=lambda cls: [order.index(each.__name__) for each in reversed(cls.__mro__) if each.__name__ in order])
    rows = [
        [f"`gp.{cls.__name__}`", ", ".join(f"`{base.__name__}`" for base in cls.__bases__), first_line(cls)]
        for cls in found
    ]
    more = [f"`gp.{cls.__name__}`: {text}" for cls in found for text in paragraphs_of(cls)[1:]]
    return [table("exception or warning | base | what", rows), *more]


def _in_kernels() -> list[str]:
    parts = []
    for title, names in IN_KERNELS.items():
        rows = [[f"`{names_only(f'gp.{name}', _find(name))}`", first_line(_find(name))] for name in names]
        parts += [f"### {title}", table("name | what", rows)]
    return parts


def variables() -> dict[str, Variable]:
    """All environment variables, by name: core's, the simulator's, and those of the plugins in the source tree."""
    found = VARIABLES | SIMULATOR_VARIABLES
    for path in sorted(ROOT.glob("plugins/*/src/*/settings.py")):
        specification = importlib.util.spec_from_file_location(f"{path.parent.name}.settings", path)
        assert specification is not None and specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        found |= module.VARIABLES
    return found


def _settings() -> list[str]:
    rows = [[f"`{name}`", each.meaning, each.values, each.default, each.read] for name, each in variables().items()]
    return [
        "### Environment variables",
        "An invalid value is an error, and an unknown variable whose name begins with `GPUCORE_` gives a "
        "`gp.BackendWarning`. One that is empty counts as not set. `true`, `yes` and `on` mean `1`; `false`, `no` and "
        "`off` mean `0`.",
        table("variable | what it sets | values | default | read at", rows),
        "### Config file",
        *paragraphs_of(config, "toml"),
    ]


TABLES = {
    "Settings": _settings, "Types": _types, "Kernels": _parameters, "Errors": _errors, "Names in kernels": _in_kernels,
}  # fmt: skip
"""What follows the entries of a section."""

if __name__ == "__main__":
    sys.stdout.write(render())
