"""The option `--device` for programs that use argparse."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gpucore.errors import GpucoreError
from gpucore.host import host_only
from gpucore.runtime.parse import parse_device
from gpucore.runtime.probing.probe import check_known

if TYPE_CHECKING:
    import argparse

_HELP = "where to run: a backend (cuda, wgpu, opencl, cpu), a device (cuda:1) or gpu, the best GPU; default: "
_NO_DEFAULT = None, "==SUPPRESS=="  # the second is argparse.SUPPRESS


@host_only
def add_device_argument(parser: Any, *flags: str, **options: Any) -> argparse.Action:
    """Add the option `--device`, or `flags`, to an `argparse.ArgumentParser` or a group of it.

    Its value is a name for `device=`, or None if it is not given. A name that is not a device's or a known backend's is
    an error of the command line. `options` are those of `add_argument`, such as `default` and `help`. Returns what
    `add_argument` returns.
    """
    default = "%(default)s"
    if options.get("default") in _NO_DEFAULT:
        default = "that of the program, GPUCORE_BACKEND or the config file, else the best"
    settings = {"metavar": "DEVICE", "help": _HELP + default} | options
    action: argparse.Action = parser.add_argument(*(flags or ("--device",)), type=_device_name, **settings)
    return action


def _device_name(text: str) -> str:
    try:
        request = parse_device(text)
        check_known(request.backend)
    except GpucoreError as error:
        raise importlib.import_module("argparse").ArgumentTypeError(str(error)) from None
    return request.text
