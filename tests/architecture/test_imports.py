"""Who may import whom, when, and where."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys

import pytest
from source_tree import EXAMPLES, PLUGINS, ROOT, name_of, package, parsed, product_files

from gpucore.version import __version__

ALLOWED_IN_FUNCTIONS = {
    (
        "core/src/gpucore/algorithms/shapes.py",
        "gpucore.algorithms.kept_shapes",
    ): "tables that were tuned are read where there are some; it imports this module",
    ("core/src/gpucore/check.py", "gpucore.simulator"): "a backend, loaded when it is used",
    (
        "core/src/gpucore/cli/__init__.py",
        "gpucore.cli.commands",
    ): "`gpucore --version` loads neither NumPy nor the compiler",
    ("core/src/gpucore/cli/screen.py", "gpucore.cli.rich_screen"): "rich is an optional extra",
    ("core/src/gpucore/types.py", "ml_dtypes"): "an optional extra, for NumPy arrays of bf16",
    (
        "core/src/gpucore/runtime/plugins/manager.py",
        "gpucore.runtime.plugins.discovery",
    ): "entry points take 45 ms, which `import gpucore` must not pay for",
    (
        "core/src/gpucore/runtime/plugins/manager.py",
        "gpucore.runtime.plugins.verdicts",
    ): "what was found out about plugins is read when one is imported, not by `import gpucore`",
    (
        "core/src/gpucore/runtime/probing/probe.py",
        "gpucore.runtime.plugins.verdicts",
    ): "as above",
    (
        "core/src/gpucore/runtime/probing/probe.py",
        "gpucore.runtime.probing.in_child",
    ): "subprocesses take 8 ms, which `import gpucore` must not pay for",
    (
        "core/src/gpucore/offline/building.py",
        "gpucore.offline.container",
    ): "zipfile takes 3 ms, which programs without packages must not pay for",
    ("core/src/gpucore/offline/packages.py", "gpucore.offline.container"): "as above",
    (
        "core/src/gpucore/hatch_plugin.py",
        "gpucore.cli.build",
    ): "hatchling imports this module for each project; gpucore is imported for those with the hook",
    (
        "core/src/gpucore_pytest/__init__.py",
        "gpucore.testing.pytest_plugin",
    ): "pytest imports this module in every run; gpucore is imported where it is asked for",
    (
        "core/src/gpucore/cli/conformance.py",
        "gpucore.testing.session",
    ): "the suites take 150 ms",
    ("core/src/gpucore/cli/conformance.py", "gpucore.testing.report_page"): "as above",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "llvmlite"): "a driver",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "llvmlite.binding"): "a driver",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "gpucore_cpu.cross"): "imports LLVM, for builds of packages",
    ("core/src/gpucore/offline/targets.py", "gpucore.offline.spirv"): "an emitter, loaded when it is used",
    ("plugins/cpu_backend/src/gpucore_cpu/device.py", "gpucore_cpu.jit"): "imports LLVM, which packages do not need",
    ("plugins/cpu_backend/src/gpucore_cpu/processor.py", "llvmlite.binding"): "as above",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "gpucore_cpu.device"): "imports the driver",
    ("plugins/wgpu_backend/src/gpucore_wgpu/plugin.py", "gpucore_wgpu.adapters"): "imports the driver",
    ("plugins/wgpu_backend/src/gpucore_wgpu/plugin.py", "gpucore_wgpu.device"): "imports the driver",
    ("examples/plugins/vulkan_backend/src/gpucore_vulkan/plugin.py", "gpucore_vulkan.adapters"): "imports the driver",
    ("examples/plugins/vulkan_backend/src/gpucore_vulkan/plugin.py", "gpucore_vulkan.device"): "imports the driver",
    ("scale/src/gpucore_dask/streams/zarr_library.py", "zarr"): "an extra",
    ("scale/src/gpucore_dask/streams/progress.py", "rich.console"): "an extra of core",
    ("scale/src/gpucore_dask/streams/progress.py", "rich.progress"): "an extra of core",
}
"""(File, module imported inside a function) -> why it may be. Nothing else is imported inside a function."""

DRIVERS = {"wgpu", "pyopencl", "pycuda", "llvmlite", "rendercanvas", "vulkan"}
EXTRAS = {"ml_dtypes", "rich", "pytest", "hypothesis", "_pytest"}


def test_the_architecture_page_has_every_module_in_a_layer() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    files = (ROOT / "core" / "src" / "gpucore").iterdir()
    modules = {path.stem for path in files if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert named == {name for name in modules if not name.startswith("__")}


def test_import_contracts() -> None:
    """The layers of the root pyproject.toml."""
    pytest.importorskip("importlinter")
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert " 0 broken" in run.stdout


def test_no_import_inside_a_function_but_the_allowed() -> None:
    found = set()
    for path in product_files():
        for function in ast.walk(parsed(path)):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                for node in ast.walk(function):
                    if isinstance(node, ast.Import):
                        found |= {(name_of(path), alias.name) for alias in node.names}
                    elif isinstance(node, ast.ImportFrom):
                        names = [f"{node.module}.{alias.name}" for alias in node.names]
                        is_package = f"{name_of(path)}", names[0]
                        found.add(
                            is_package if is_package in ALLOWED_IN_FUNCTIONS else (name_of(path), str(node.module))
                        )
    assert found - set(ALLOWED_IN_FUNCTIONS) == set(), "new imports inside functions"
    assert set(ALLOWED_IN_FUNCTIONS) - found == set(), "the list names imports that are gone"


def _modules_after(statement: str) -> set[str]:
    code = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert not run.stderr
    return set(json.loads(run.stdout))


def test_importing_the_face_loads_no_plugin_no_driver_and_no_extra() -> None:
    modules = _modules_after("import gpucore")
    packages = {module.partition(".")[0] for module in modules}
    assert not packages & (DRIVERS | EXTRAS | {f"gpucore_{name}" for name in PLUGINS})
    loaded = {"gpucore.simulator", "gpucore.cli", "gpucore.testing", "gpucore.runtime.plugins.discovery"} & modules
    assert not loaded, "importing gpucore loads a backend, the command line or the scan of entry points"


AT_FIRST_USE = {
    "gpucore.front.walk": "the front end: the first kernel that is lowered",
    "gpucore.passes.pipeline": "the passes: the first kernel that is compiled",
    "gpucore.passes.folding": "the same",
    "gpucore.valid.validation": "the checks of a module: the first kernel that is compiled",
    "gpucore.simulator": "a backend: its first use",
    "gpucore.back": "the toolkit of emitters: the first backend of the C family",
    "gpucore.testing": "the conformance kit: a plugin's tests",
    "gpucore.cli.commands": "the command line",
    "argparse": "the command line",
    "unittest": "tests",
}
"""What a program that defines a kernel does not load -> what loads it."""


def test_importing_gpucore_loads_nothing_else() -> None:
    modules = _modules_after("import gpucore")
    assert {module for module in modules if module.startswith("gpucore")} == {
        "gpucore",
        "gpucore.lazy",
        "gpucore.version",
    }
    assert not modules & {"numpy", "pluggy", "dataclasses", "inspect", "ast"}


@pytest.mark.parametrize(
    "run",
    ["runpy.run_module('gpucore', run_name='__main__')", "sys.exit(importlib.import_module('gpucore.cli').main())"],
)
def test_the_version_is_shown_without_numpy_and_compiler(run: str) -> None:
    statement = f"""
import importlib, io, runpy
sys.argv = ["gpucore", "--version"]
kept, sys.stdout = sys.stdout, io.StringIO()
try:
    {run}
except SystemExit as end:
    assert not end.code
shown, sys.stdout = sys.stdout.getvalue(), kept
assert shown.splitlines() == ["gpucore {__version__}"], shown"""
    modules = _modules_after(statement)
    ours = {module for module in modules if module.startswith("gpucore")} - {"gpucore.__main__"}
    assert ours == {"gpucore", "gpucore.lazy", "gpucore.version", "gpucore.cli"}
    assert not modules & {"numpy", "pluggy", "argparse"}


def test_a_kernel_that_is_defined_loads_no_compiler() -> None:
    modules = _modules_after(
        "import gpucore as gp\n@gp.kernel(workgroup_size=64)\ndef double(x: gp.InOut[gp.f32]):\n    x[0] = x[0] * 2.0"
    )
    assert {name for name in AT_FIRST_USE if name in modules} == set()


def test_the_import_makes_few_classes_by_compiling_text() -> None:
    """dataclass compiles text for each class, and 121 were most of the time of the import."""
    counted = """
import dataclasses
made = []
ordinary = dataclasses._process_class
dataclasses._process_class = lambda cls, *rest: (made.append(cls.__qualname__), ordinary(cls, *rest))[1]
import gpucore
gpucore.kernel
assert len(made) <= 5, made
"""
    _modules_after(counted)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_and_its_emitter_import_no_driver(plugin: str) -> None:
    pytest.importorskip(f"gpucore_{plugin}", reason=f"gpucore-{plugin} is not installed")
    modules = _modules_after(f"import gpucore_{plugin}.plugin")  # which imports its emitter
    packages = {module.partition(".")[0] for module in modules}
    assert not packages & (DRIVERS | EXTRAS)
    assert not packages & {f"gpucore_{name}" for name in PLUGINS if name != plugin}


@pytest.mark.parametrize("plugin", EXAMPLES)
def test_an_example_plugin_is_written_with_the_interface_alone(plugin: str) -> None:
    distribution = f"gpucore-{plugin}"
    own = package(distribution)
    imported = set()
    for path in sorted(own.rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module))
    ours = {name for name in imported if name.split(".")[0].startswith("gpucore")}
    assert {name for name in ours if name.split(".")[0] != own.name} <= {
        "gpucore.plugin", "gpucore.plugin.ir", "gpucore.plugin.c_family", "gpucore.plugin.spirv"
    }  # fmt: skip
    code = f"sys.path.insert(0, {str(own.parent)!r})\nimport {own.name}.plugin"
    packages = {module.partition(".")[0] for module in _modules_after(code)}
    assert not packages & (DRIVERS | EXTRAS)


def test_a_function_that_uses_the_package_can_be_sent_before_a_name_is_loaded() -> None:
    pytest.importorskip("cloudpickle", reason="cloudpickle is in requirements-dev.txt")
    code = """
import cloudpickle
import gpucore as gp
sent = cloudpickle.dumps(lambda: gp)
print(type(gp).__name__, cloudpickle.loads(sent)() is gp)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout == "Guarded True\n", run.stderr


def test_the_kit_has_names_for_those_without_pytest() -> None:
    code = """
import importlib.util, sys
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "pytest" else find_spec(name, *rest)
sys.modules["pytest"] = None
from gpucore.testing import ConformanceTests, check_dialect
print(check_dialect.__name__)
try:
    class Tests(ConformanceTests):
        device = "any"
except ModuleNotFoundError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.splitlines() == [
        "check_dialect",
        "gpucore.testing.ConformanceTests needs pytest: install pytest, or run `gpucore conformance`, which needs none",
    ], run.stderr
