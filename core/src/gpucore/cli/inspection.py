"""`gpucore inspect`: the source generated from a kernel for a target, or for one device with `--device`.

MODULE:KERNEL names a kernel in an importable module (`package.module:kernel`) or in a file (`path/to/file.py:kernel`).
The target is a language or a backend, or `ir`. `--bind` gives the values of compile-time parameters
(numbers, true, false, dtypes) and the dtypes of type variables. Importing a module runs it.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from typing import Any

from gpucore import front
from gpucore.cli.failures import OK
from gpucore.cli.modules import import_place
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import ArgumentError, BackendUnavailableError
from gpucore.front import ConstParameter
from gpucore.kernel import Kernel
from gpucore.offline.specialisations import read_bindings
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import hint_to_install

_OFFICIAL_TARGETS = {"wgsl": "wgpu", "cuda": "cuda", "opencl": "opencl", "llvm": "cpu", "python": "simulator"}


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("inspect", help="print the source generated from a kernel")
    parser.add_argument("kernel", metavar="MODULE:KERNEL", help="package.module:name or path/to/file.py:name")
    targets = ", ".join((*_OFFICIAL_TARGETS, "ir"))
    parser.add_argument(
        "--target", required=True, metavar="TARGET", help=f"one of {targets}, or another backend's name"
    )
    parser.add_argument("--device", metavar="DEVICE", help=(
        "print the source for this device, such as wgpu:vulkan:0; without it, no device is opened"))  # fmt: skip
    parser.add_argument("--bind", action="append", default=[], metavar="NAME=VALUE", help=(
        "a compile-time parameter (a number, true, false, a string in double quotes or a dtype) or a type variable (a "
        "dtype such as f32); may be repeated"))  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the source."""
    with stdout_to_stderr():
        bindings = read_bindings(options.bind, "--bind")
        _check_target(options.target)
        kernel = _find_kernel(options.kernel)
        _check_bindings(kernel, bindings)
        where = {"device": options.device} if options.device else {}
        text = (
            kernel.ir(**where, **bindings) if options.target == "ir"
            else kernel.source(options.target, **where, **bindings)
        )  # fmt: skip
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    return OK


# ---------------------------------------------------------------- the kernel


def _find_kernel(name: str) -> Kernel:
    place, colon, attribute = name.rpartition(":")
    if not colon or not place or not attribute:
        raise ArgumentError(f"{name!r} does not name a kernel; write MODULE:KERNEL, as in my_kernels.py:saxpy")
    module = import_place(place)
    found: Any = module
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if isinstance(found, Kernel):
        return found
    kernels = [key for key, value in vars(module).items() if isinstance(value, Kernel)]
    listed = f"; its kernels are {', '.join(kernels)}" if kernels else "; it has no kernel"
    if found is not None:
        raise ArgumentError(
            f"{attribute} in {place} is a {type(found).__name__}, not a kernel made by @gp.kernel{listed}"
        )
    raise ArgumentError(f"{place} has no {attribute!r}{listed}")


# ---------------------------------------------------------------- the target and the bindings


def _check_target(target: str) -> None:
    """Tell a misspelt target (ArgumentError) from one whose backend is not installed (BackendUnavailableError)."""
    records = TABLE.load_all()
    known = {name for record in records for backend in record.backends for name in (backend.name, backend.language)}
    if target in known | {"ir"}:
        return
    names = sorted({*known, *_OFFICIAL_TARGETS, *_OFFICIAL_TARGETS.values(), "ir"})
    backend = _OFFICIAL_TARGETS.get(target, target)
    if backend not in _OFFICIAL_TARGETS.values():
        close = difflib.get_close_matches(target, names, n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"the targets are {', '.join(names)}"
        raise ArgumentError(f"there is no target {target!r}; {advice}")
    refused = next((record for record in records if record.name == backend), None)
    reason = f"is {refused.status.value}: {refused.reason}" if refused else "is not installed"
    hint = refused.hint if refused else hint_to_install(backend)
    advice = f"\n  hint: {hint}" if hint else ""
    raise BackendUnavailableError(f"target {target!r} needs the backend {backend!r}, which {reason}{advice}")


def _check_bindings(kernel: Kernel, bindings: dict[str, Any]) -> None:
    """Check the values of the compile-time parameters; the kernel checks the rest."""
    signature = kernel.signature
    constants = [one for one in signature.parameters if isinstance(one, ConstParameter)]
    missing = [one.name for one in constants if one.name not in bindings]
    if missing:
        options = " ".join(f"--bind {name}=..." for name in missing)
        raise ArgumentError(f"{kernel.name} has compile-time parameters without a value; add {options}")
    for one in constants:
        if not front.check_constant(bindings[one.name], one.type):
            wanted = getattr(one.type, "__name__", str(one.type))
            raise ArgumentError(f"--bind {one.name}={bindings[one.name]}: {kernel.name} takes {wanted}")
