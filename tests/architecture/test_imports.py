"""Who may import whom, when, and where."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest
from source_tree import PLUGINS, ROOT, name_of, parsed, product_files

ALLOWED_IN_FUNCTIONS = {
    ("core/src/gpucore/check.py", "gpucore.simulator"): "a backend, loaded when it is used",
    ("core/src/gpucore/cli/screen.py", "gpucore.cli.rich_screen"): "rich is an optional extra",
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
        "core/src/gpucore_pytest/__init__.py",
        "gpucore.testing.pytest_plugin",
    ): "pytest imports this module in every run; gpucore is imported where it is asked for",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "llvmlite"): "a driver",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "llvmlite.binding"): "a driver",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "gpucore_cpu.processor"): "imports the driver",
    ("plugins/cpu_backend/src/gpucore_cpu/plugin.py", "gpucore_cpu.device"): "imports the driver",
    ("plugins/wgpu_backend/src/gpucore_wgpu/plugin.py", "gpucore_wgpu.adapters"): "imports the driver",
    ("plugins/wgpu_backend/src/gpucore_wgpu/plugin.py", "gpucore_wgpu.device"): "imports the driver",
}
"""(File, module imported inside a function) -> why it may be. Nothing else is imported inside a function."""

DRIVERS = {"wgpu", "pyopencl", "pycuda", "llvmlite", "rendercanvas"}
EXTRAS = {"rich", "pytest", "hypothesis", "_pytest"}


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


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_and_its_emitter_import_no_driver(plugin: str) -> None:
    pytest.importorskip(f"gpucore_{plugin}", reason=f"gpucore-{plugin} is not installed")
    modules = _modules_after(f"import gpucore_{plugin}.plugin, gpucore_{plugin}.emit")
    packages = {module.partition(".")[0] for module in modules}
    assert not packages & (DRIVERS | EXTRAS)
    assert not packages & {f"gpucore_{name}" for name in PLUGINS if name != plugin}
