"""Nothing that is read from files, metadata or the environment is executed: no pickle, no `eval`, no shell,
but what Dask carries between its own processes."""

from __future__ import annotations

import ast

from source_tree import name_of, parsed, product_files

MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
OF_THE_USER = {
    "core/src/gpucore/from_text.py",
    "core/src/gpucore/front/language/compile_time.py",
    "core/src/gpucore/front/text/signature.py",
    "core/src/gpucore/front/walk/inlining.py",
}
"""Those that run expressions and annotations in the text of a kernel, which is Python of the user's own."""
SHIPPED = {"scale/src/gpucore_dask/shipping.py": {"pickle", "cloudpickle"}}
"""Kernels on their way to workers of Dask, which run what they unpickle: SECURITY.md says so."""
GENERATED = {
    "core/src/gpucore/immutable.py",
    "core/src/gpucore/ir/arithmetic.py",
    "core/src/gpucore/launch_text.py",
    "core/src/gpucore/simulator/checking/emit.py",
    "core/src/gpucore/simulator/device.py",
    "core/src/gpucore/simulator/memory.py",
}
"""Those that run Python which they have written."""


def found_in(tree: ast.AST) -> set[str]:
    """What executes data: modules, functions, and arguments."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} & MODULES
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
                found.add(node.func.id)
            text = ast.unparse(node.func)
            found |= {text} & {"os.system", "os.popen", "subprocess.getoutput"}
            for keyword in node.keywords:
                value = keyword.value
                if keyword.arg in ("shell", "allow_pickle") and not (
                    isinstance(value, ast.Constant) and not value.value
                ):
                    found.add(keyword.arg)
    return found


def test_nothing_from_outside_is_executed() -> None:
    found = {name_of(path): found_in(parsed(path)) for path in product_files()}
    assert len(found) > 300
    assert {name: what for name, what in found.items() if what - {"exec", "eval"}} == SHIPPED
    assert {name for name, what in found.items() if what} - SHIPPED.keys() == OF_THE_USER | GENERATED


def test_the_search_finds_what_it_looks_for() -> None:
    text = (
        "import pickle\nfrom marshal import loads\neval('1')\nexec(x)\nrun(x, shell=True)\nnp.load(f, allow_pickle=a)"
    )
    text += "\nos.system(x)\nrun(x, shell=False)"
    assert found_in(ast.parse(text)) == {"pickle", "marshal", "eval", "exec", "shell", "allow_pickle", "os.system"}
