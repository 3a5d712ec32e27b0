"""The user's config file, which names the preferred device:

    # ~/.config/gpucore/config.toml
    device = "cuda:1"              # or a list, of which the first that can be used is taken: ["cuda", "gpu", "cpu"]

It is read when a device is chosen that neither the program nor GPUCORE_BACKEND names, and again after it has changed.
Choosing one raises BackendError if the file is not TOML, or has another setting.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path

from gpucore.errors import BackendError
from gpucore.runtime.settings import read_config_path

_DEVICE = "device"
_read: dict[Path, tuple[int, tuple[str, ...]]] = {}  # the time of the file's change, and its devices


def read_devices() -> tuple[str, ...]:
    """The devices that the file names, in order; () if there is no file. Raises BackendError for a wrong file."""
    path = read_config_path()
    if path is None:
        return ()
    try:
        changed = os.stat(path).st_mtime_ns
    except OSError:
        return ()
    known = _read.get(path)
    if known is None or known[0] != changed:
        known = _read[path] = changed, _parse(path)
    return known[1]


def _parse(path: Path) -> tuple[str, ...]:
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BackendError(f"the config file {path} cannot be read: {error}") from None
    for name in settings:
        if name != _DEVICE:
            advice = f"did you mean {_DEVICE}?" if difflib.get_close_matches(name, [_DEVICE]) else f"it has {_DEVICE}"
            raise BackendError(f"the config file {path} has no setting {name!r}; {advice}")
    devices = settings.get(_DEVICE, [])
    devices = [devices] if isinstance(devices, str) else devices
    if not isinstance(devices, list) or not all(isinstance(one, str) and one.strip() for one in devices):
        raise BackendError(f'{_DEVICE} in the config file {path} must be a name like "cuda:1", or a list of names')
    return tuple(dict.fromkeys(one.strip().lower() for one in devices))
