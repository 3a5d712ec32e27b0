"""docs/reference.md is what the generator makes of the source, and has every name, method and environment variable."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
import reference_page
from page_programs import ROOT
from reference_page import INTERNAL, OTHERS, SECTIONS, SPECIAL, variables
from reference_text import members_of

import gpucore as gp
from gpucore.runtime.settings import VARIABLES, find_mistakes
from gpucore.simulator.device import VARIABLES as SIMULATOR_VARIABLES
from gpucore.simulator.device import capabilities, subgroup_size
from gpucore.testing import require_device

PAGE = reference_page.PAGE.read_text(encoding="utf-8")
NOT_VARIABLES = {"GPUCORE_API", "GPUCORE_ACME_CHECKED"}
"""A constant of plugins, and the variable of an imagined plugin in a docstring."""


def section_of(heading: str) -> str:
    """The text under a heading, up to the next one."""
    (found,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def sources() -> dict[str, str]:
    """The source of all distributions, by path."""
    folders = [ROOT / "core" / "src", *ROOT.glob("plugins/*/src")]
    return {str(path): path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py")}


def test_page_is_current() -> None:
    assert reference_page.render() == PAGE, "run: python tests/docs/reference_page.py > docs/reference.md"


def test_every_name_has_an_entry_or_a_row() -> None:
    heads = re.findall(r"^### (?:class )?gp\.([\w.]+)$", PAGE, re.MULTILINE)
    cells = re.findall(r"^\| (`gp\..*?) \|", PAGE, re.MULTILINE)
    rows = [name for cell in cells for name in re.findall(r"`gp\.(\w+)(?:\([^)]*\))?`", cell)]
    inner = {
        f"{module.__name__.partition('.')[2]}.{name}" for module in (gp.linalg, gp.random) for name in module.__all__
    } | {f"export.{name}" for name in gp.export.__all__}
    names = {*gp.__all__, *inner} - {"export", "linalg", "random", "__version__"}
    assert len(names) > 150
    assert sorted(heads + rows) == sorted(names), "a name is missing, unknown, or there twice"
    assert "## Random numbers" in PAGE and "`gp.__version__`" in PAGE


def test_the_classes_that_are_no_names_of_gpucore_can_be_imported() -> None:
    """Those of headings without `gp.`, as the page says."""
    heads = re.findall(r"^### class (\w+)$", PAGE, re.MULTILINE)
    lines = re.findall(r"`(from [\w.]+ import (\w+))`", PAGE.partition("| section |")[0])
    assert sorted(name for _, name in lines) == sorted(heads)
    names: dict[str, Any] = {}
    exec("\n".join(line for line, _ in lines), names)  # noqa: S102 (the page is ours)
    device = gp.device("simulator")
    assert type(device.info) is names["DeviceInfo"] and type(device.limits) is names["Limits"]


def test_kinds_of_devices_and_results_of_probes_are_compared_with_names_of_gpucore() -> None:
    assert gp.device("simulator").kind is gp.DeviceKind.SOFTWARE
    results = {backend: result for _, backend, result in gp.probe(isolated=False)}
    assert results["simulator"].status is gp.ProbeStatus.AVAILABLE


@pytest.mark.parametrize("name", ["Array", "Device", "Kernel", "CheckReport", "Finding"])
def test_every_public_member_is_in_the_entry_of_its_class(name: str) -> None:
    cls, internal = getattr(gp, name), INTERNAL.get(name, set())
    public = {member for member in dir(cls) if not member.startswith("_")}
    assert internal <= public
    text = section_of(f"class gp.{name}")
    named = set(re.findall(r"^(?:\||-) `(?:[a-z]+\.)?(\w+)", text, re.MULTILINE))
    assert public - internal - named == set()


def test_every_environment_variable_has_a_row() -> None:
    words = {word for text in sources().values() for word in re.findall(r"\bGPUCORE_[A-Z_]*[A-Z]\b", text)}
    assert len(words) > 12
    rows = re.findall(r"^\| `(GPUCORE_\w+)` \|", section_of("Environment variables"), re.MULTILINE)
    assert sorted(rows) == sorted(words - NOT_VARIABLES)


def test_every_described_variable_of_core_is_read() -> None:
    """Those of backends: tests/plugins/test_settings.py."""
    texts = "".join(sources().values())
    assert [name for name in VARIABLES if texts.count(f'"{name}"') < 2] == []


def lanes() -> int:
    require_device("cpu")
    from gpucore_cpu.processor import read_processor  # noqa: PLC0415 (the plugin may be missing)

    return read_processor().num_lanes


def mistakes() -> str:
    return "".join(find_mistakes())


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("GPUCORE_CACHE", mistakes),
        ("GPUCORE_CACHE_SIZE", mistakes),
        ("GPUCORE_DEBUG", mistakes),
        ("GPUCORE_DEBUG_RECORDS", mistakes),
        ("GPUCORE_PROBE", mistakes),
        ("GPUCORE_PROBE_TIMEOUT", mistakes),
        ("GPUCORE_REQUIRE", mistakes),
        ("GPUCORE_SIMULATOR_SUBGROUP_SIZE", subgroup_size),
        ("GPUCORE_SIMULATOR_MATRIX_GROUPS", capabilities),
        ("GPUCORE_SIMULATOR_COOPERATIVE_MATRICES", capabilities),
        ("GPUCORE_CPU_LANES", lanes),
    ],
)
def test_the_values_of_a_variable_are_those_that_are_accepted(
    monkeypatch: pytest.MonkeyPatch, name: str, read: Callable[[], Any]
) -> None:
    def is_accepted(text: str) -> bool:
        monkeypatch.setenv(name, text)
        try:
            return name not in str(read())
        except (gp.BackendError, gp.BackendUnavailableError):
            return False

    described = variables()[name].values
    words, numbers = re.findall(r"`(\w+)`", described), [int(text) for text in re.findall(r"\b\d+\b", described)]
    assert words or len(numbers) == 2
    if words:
        assert [word for word in words if not is_accepted(word)] == []
        assert not is_accepted("another")
    else:
        low, high = numbers
        inside = (low, high) if " to " in described else (low + 0.001, high - 0.001)
        outside = (low - 1, high + 1) if " to " in described else (low, high)
        assert [is_accepted(f"{number}") for number in (*inside, *outside)] == [True, True, False, False]


@pytest.mark.parametrize("name", sorted(VARIABLES | SIMULATOR_VARIABLES))
def test_a_variable_is_described_completely(name: str) -> None:
    each = (VARIABLES | SIMULATOR_VARIABLES)[name]
    assert all(text.strip() for text in (each.meaning, each.values, each.default, each.read))


def test_links_lead_to_headings() -> None:
    heads = [reference_page.anchor_of(head) for head in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)]
    assert len(set(heads)) == len(heads), "two headings have one anchor"
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert len(links) > 60
    assert links - set(heads) == set()


def test_the_signature_of_a_kernel_in_the_stubs_is_the_real_one() -> None:
    block = section_of("gp.kernel").split("```")[1]
    calls = [re.findall(r"^    (\w+): ", call, re.MULTILINE) for call in block.split("gp.kernel(")[1:]]
    assert calls == [[*inspect.signature(gp.kernel).parameters]] * 2


def test_every_error_on_the_page_exists() -> None:
    named = set(re.findall(r"\b[A-Z]\w+(?:Error|Warning)\b", PAGE))
    assert len(named) > 25
    assert {name for name in named if not hasattr(gp, name) and not hasattr(builtins, name)} == set()


@functools.cache
def functions() -> dict[str, Any]:
    """The functions and methods that have their own text on the page."""
    found: dict[str, Any] = {}
    for name in (name for section in SECTIONS for name in section.names):
        thing = reference_page._find(name)
        if not isinstance(thing, type):
            found[name] = thing
            continue
        members = [member.name for member in members_of(thing) if member.name not in INTERNAL.get(name, ())]
        for member in [*members, *SPECIAL.get(name, {})]:
            method = inspect.getattr_static(thing, member, None)
            found[f"{name}.{member}"] = method.fget if isinstance(method, property) else method
    return {name: thing for name, thing in found.items() if inspect.isfunction(thing)}


@pytest.mark.parametrize("name", sorted(functions()))
def test_a_docstring_names_the_errors_that_its_function_raises_itself(name: str) -> None:
    """Errors of functions that it calls are not found here."""
    function = inspect.unwrap(functions()[name])
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    raised = {
        node.exc.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
    }
    assert {error for error in raised if error not in (inspect.getdoc(function) or "")} == set()


def test_classes_that_are_no_names_of_gpucore_are_not() -> None:
    assert [name for name in OTHERS if hasattr(gp, name)] == []
