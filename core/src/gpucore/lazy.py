"""Packages whose names are loaded when one of them is first used."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Collection
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

IMPORTED_AT = time.time()
"""When this process imported gpucore. A file that is older has not changed since."""


def load_on_use(
    package: str, source: str, hides: Collection[str] = (), advisor: str | None = None
) -> Callable[[str], Any]:
    """`__getattr__` for a package (PEP 562) that has the names in `__all__` of the module `source`.

    The first use of one of them imports `source` and gives the package all of them. Submodules are imported when they
    are used. `hides` are names that are also those of submodules: in the package they refer to the objects in `source`,
    or to nothing. `advice(name)` of the module `advisor` is what to write for a name that does not exist.
    """
    module = sys.modules[package]

    class Guarded(ModuleType):
        """The package before its names are loaded: the import of a submodule does not set a name of `hides`."""

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in hides or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            load("__all__")
            return dir(self)

        def __reduce__(self) -> tuple[Any, ...]:
            """By its name: cloudpickle does so with modules, and knows them by their type."""
            return importlib.import_module, (self.__name__,)

    def load(name: str) -> Any:
        text = f"module {package!r} has no attribute {name!r}"
        missing = AttributeError(text, name=name, obj=module)
        if name.startswith("__") and name != "__all__":
            raise missing
        if name not in hides and PathFinder.find_spec(f"{package}.{name}", module.__path__) is not None:
            return importlib.import_module(f"{package}.{name}")
        loaded = importlib.import_module(source)
        names = getattr(loaded, "__all__", None)
        if names is None:  # `source` is being imported, and a module that it imports uses the name
            raise missing
        module.__class__ = ModuleType
        vars(module).update({"__all__": names, **{name: getattr(loaded, name) for name in names}})
        if name in vars(module):
            return vars(module)[name]
        fix = importlib.import_module(advisor).advice(name) if advisor and not name.startswith("_") else ""
        raise AttributeError(f"{text}; {fix}", name=name, obj=module) if fix else missing

    module.__class__ = Guarded
    return load
