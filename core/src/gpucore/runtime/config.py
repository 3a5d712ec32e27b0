"""The user's config file, which names the preferred device:

    # ~/.config/gpucore/config.toml
    device = "cuda:1"              # or a list, of which the first that can be used is taken: ["cuda", "gpu", "cpu"]

The file is `~/.config/gpucore/config.toml` (`$XDG_CONFIG_HOME/gpucore/config.toml`); on macOS
`~/Library/Application Support/gpucore/config.toml`; on Windows `%APPDATA%\\gpucore\\config.toml`. GPUCORE_CONFIG names
another one, which must exist, or is `off`.

A device is that of an argument, else of `gp.use`, else of `gp.set_default_device`, else of GPUCORE_BACKEND, else of
this file, else the best one. So the file is read when a device is first chosen that nothing before it names, and again
after `gp.refresh()`. Choosing one raises BackendError if the file cannot be read, is not TOML, or has another setting.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path

from gpucore.errors import BackendError
from gpucore.immutable import Immutable
from gpucore.runtime.settings import is_config_named, read_config_path

_DEVICE = "device"


class Config(Immutable):
    """What the file says."""

    devices: tuple[str, ...]  # in order, lower case, without repeats
    text: str  # for messages: the setting as it is written, and the path


_known: dict[Path, tuple[int, Config | None]] = {}  # the generation in which it was read, and what it says


def read_config(generation: int) -> Config | None:
    """What the file says; None if there is no file, or no device in it. It is read once in each generation of the table
    of plugins. Raises BackendError for a wrong file, and if there is none although GPUCORE_CONFIG names it."""
    path = read_config_path()
    if path is None:
        return None
    known = _known.get(path)
    if known is None or known[0] != generation:
        known = _known[path] = generation, _read(path)
    return known[1]


def _read(path: Path) -> Config | None:
    is_named = is_config_named()
    if not is_named and not os.path.exists(path):
        return None
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        advice = "; set GPUCORE_CONFIG to another file or to off, or remove it" if is_named else ""
        raise BackendError(f"the config file {path} cannot be read: {error}{advice}") from None
    for name in settings:
        if name != _DEVICE:
            advice = f"did you mean {_DEVICE}?" if difflib.get_close_matches(name, [_DEVICE]) else f"it has {_DEVICE}"
            raise BackendError(f"the config file {path} has no setting {name!r}; {advice}")
    devices = settings.get(_DEVICE, [])
    if isinstance(devices, str):
        text, devices = f'{_DEVICE} = "{devices}" in the config file {path}', [devices]
        if "," in devices[0]:
            raise BackendError(
                f"{text}: write a list as {_DEVICE} = {_quoted([one.strip() for one in devices[0].split(',')])}"
            )
    elif isinstance(devices, list):
        text = f"{_DEVICE} = {_quoted(devices)} in the config file {path}"
    if not isinstance(devices, list) or not all(isinstance(one, str) and one.strip() for one in devices):
        raise BackendError(f'{_DEVICE} in the config file {path} must be a name like "cuda:1", or a list of names')
    return Config(tuple(dict.fromkeys(one.strip().lower() for one in devices)), text) if devices else None


def _quoted(names: list[object]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
