"""`gp.load`: the kernels of a file that `gp.build` or `gpucore build` wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError, BackendUnavailableError
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.offline.ready import PackageBody, ReadySpecialisation, read_specialisation
from gpucore.offline.signatures import SignatureReader
from gpucore.options import check_options, read_debug_mode
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.protocol import DeviceInfo
from gpucore.runtime.select import devices, is_chosen, pick
from gpucore.structs import StructDType

if TYPE_CHECKING:
    from gpucore.offline.container import PackageFile


class Package:
    """The kernels of a package, as attributes and by name: `package.saxpy`, `package["scale[T=f32,n=4]"]`.

    A name without brackets is that of a kernel with all its specialisations, of which a call has the one that its
    dtypes and compile-time values choose. Kernels are called as those in Python are.
    """

    def __init__(self, file: PackageFile, compiles: bool) -> None:
        self._file, self._compiles = file, compiles
        manifest, reader = file.manifest, SignatureReader()
        try:
            self._targets = {str(name): str(facts["backend"]) for name, facts in manifest["targets"].items()}
            self._kernels: dict[str, Kernel] = {}
            for data in manifest["kernels"]:
                self._add(data, reader)
        except ArgumentError as error:
            raise file.refuse(f"its manifest cannot be used: {error}", "build it again") from error
        except Exception as error:
            what = f"its manifest cannot be used: {type(error).__name__}: {error}"
            raise file.refuse(what, "build it again") from error
        self._structs = reader.structs

    def _add(self, data: Any, reader: SignatureReader) -> None:
        """Add a kernel, and each of its specialisations as one of its own."""
        signature = reader.read(data["signature"])
        chosen = data["options"]
        size, unchecked, coarsens = data["workgroup_size"], chosen["unchecked"], chosen["coarsens"]
        options = check_options(size, unchecked, chosen["min_workgroups"], coarsens)
        every = [read_specialisation(each) for each in data["specialisations"]]

        def add(name: str, some: list[ReadySpecialisation]) -> None:
            if name not in self._kernels:
                body = PackageBody(self._file, self._targets, data, signature, some, self._compiles)
                self._kernels[name] = Kernel(body, options, read_debug_mode())

        add(str(data["name"]), every)
        for each in every:
            add(each.name, [each])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the kernels, and of their specialisations."""
        return tuple(self._kernels)

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that it was built for."""
        return tuple(self._targets)

    @property
    def structs(self) -> Mapping[str, StructDType]:
        """The structs of the kernels' parameters by name, for programs without the classes that they were built
        with."""
        return self._structs

    def device(self) -> Device:
        """Open the device that all kernels have code for: the one that the program or the environment has chosen (see
        `gp.default_device`), else the first of `gp.devices()` that runs them. Raises BackendUnavailableError if there
        is none."""
        bodies = [kernel.body for kernel in self._kernels.values()]
        every = [each for body in bodies if isinstance(body, PackageBody) for each in body.specialisations]
        for info in [pick().info] if is_chosen() else devices():
            if all(_runs(each, self._targets, info) for each in every):
                return open_device(info)
        raise BackendUnavailableError(
            f"no device here runs the kernels of {self._file.where}, which are for {', '.join(self._targets)}; "
            "`gpucore devices` lists the devices: build the package for one of them"
        )

    def __getitem__(self, name: str) -> Kernel:
        """The kernel with a name. Raises KeyError, which lists the names, if there is none."""
        if name not in self._kernels:
            raise KeyError(f"{self._file.where} has no kernel {name!r}; it has {', '.join(self._kernels)}")
        return self._kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_") or name not in self._kernels:
            known = f"; it has {', '.join(self._kernels)}" if not name.startswith("_") else ""
            raise AttributeError(f"the package has no kernel {name!r}{known}", name=name, obj=self)
        return self._kernels[name]

    def __contains__(self, name: object) -> bool:
        return name in self._kernels

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._kernels if name.isidentifier())]

    def __repr__(self) -> str:
        return f"<gpucore package {self._file.where}: {', '.join(self._kernels)}; for {', '.join(self._targets)}>"


@host_only
def load(source: Any, *, compile: bool = False) -> Package:
    """The kernels of a package: of a path, of bytes, or of a resource such as
    `importlib.resources.files("mine") / "kernels.gpu"`.

    Nothing is compiled from Python. What a package has no code for (another device, dtype or constant) is an
    ArgumentError at the call, which says what it has; with `compile=True` it is compiled from the kernel in Python,
    whose module is imported then. A package contains machine code: load what you would import.

    Raises ArgumentError for a file that cannot be read, or is no package of this version.
    """
    from gpucore.offline.container import PackageFile  # noqa: PLC0415 (zipfile takes 3 ms)

    if isinstance(source, (bytes, bytearray, memoryview)):
        return Package(PackageFile(bytes(source), "the given bytes"), compile)
    if isinstance(source, (str, os.PathLike)):
        source = Path(source)
    if not hasattr(source, "read_bytes"):
        raise ArgumentError(f"gp.load takes a path, bytes or a resource, not {source!r:.60}")
    try:
        content = source.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise ArgumentError(f"{source} cannot be read: {reason}; give the file that gp.build wrote") from error
    return Package(PackageFile(content, str(source)), compile)


def _runs(found: ReadySpecialisation, owners: Mapping[str, str], info: DeviceInfo) -> bool:
    """Whether a device runs the first form of a kernel."""
    own = [name for name in found.targets if owners.get(name) == info.backend]
    target = TABLE.find(info.backend)[1].choose_offline(own, info) if own else ""
    return bool(target) and not found.targets[target][0].obstacle(info)


__all__ = ["Package", "load"]
