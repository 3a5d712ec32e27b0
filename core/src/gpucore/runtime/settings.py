"""Settings from environment variables. They are read at each use; an invalid value is an error, never ignored."""

from __future__ import annotations

import difflib
import enum
import math
import os
import re
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from gpucore.errors import BackendError
from gpucore.immutable import Immutable

_ON, _OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
PREFIX = "GPUCORE_"
DEFAULT_PROBE_TIMEOUT = 10.0
_MAX_PROBE_TIMEOUT = 86400
_MAX_RECORDS = 10_000_000
_DEFAULT_CACHE_MIB, _MAX_CACHE_MIB = 1024, 1 << 20


class CacheMode(enum.Enum):
    """What is done with the cache on disk."""

    ON = "on"
    READ_ONLY = "ro"
    OFF = "off"


class Variable(Immutable):
    """What docs/reference.md says of an environment variable, as Markdown."""

    meaning: str
    values: str
    default: str
    read: str  # when a change takes effect


_AT_CHOICE = "each choice of a device"
_AT_REFRESH = "the first use of plugins, and after `gp.refresh()`"

VARIABLES = {
    "GPUCORE_BACKEND": Variable(
        "The device, where the program names none. The first of the list that can be used is taken; an error if none "
        "can, or if a name is unknown.",
        "devices as `device=` takes them, separated by commas: `cuda:1,gpu,cpu`",
        "the device in the [config file](#config-file); without one, the best device",
        _AT_CHOICE,
    ),
    "GPUCORE_BLOCK": Variable(
        "Plugins that are never imported.",
        "their entry points or distributions, separated by commas: `opencl,gpucore-foo`",
        "none",
        _AT_REFRESH,
    ),
    "GPUCORE_CACHE": Variable(
        "The cache on disk: compiled kernels, and which plugins crashed or hung (automatic choice skips them for an "
        "hour). With `ro` kernels are read, and nothing is written; with `off` neither: [caching.md](caching.md).",
        "`on`, `ro` or `off`",
        "`on`",
        "each compilation, each import and each probe of a plugin",
    ),
    "GPUCORE_CACHE_DIR": Variable(
        "The folder of the cache. It must belong to the user or to root, and others must not be able to write to it.",
        "a folder, which is made if there is none",
        "`gpucore` in the user's cache folder: `~/.cache` (`$XDG_CACHE_HOME`), `~/Library/Caches` on macOS, "
        "`%LOCALAPPDATA%` on Windows",
        "as of GPUCORE_CACHE",
    ),
    "GPUCORE_CACHE_SIZE": Variable(
        "The most that compiled kernels take in the cache. What was used least recently is removed first.",
        f"1 to {_MAX_CACHE_MIB} (MiB)",
        f"{_DEFAULT_CACHE_MIB}",
        "as of GPUCORE_CACHE",
    ),
    "GPUCORE_CONFIG": Variable(
        "The [config file](#config-file), which names a device where `GPUCORE_BACKEND` does not.",
        "a file that exists, or `off`",
        "`gpucore/config.toml` in the user's folder for settings: `~/.config` (`$XDG_CONFIG_HOME`), "
        "`~/Library/Application Support` on macOS, `%APPDATA%` on Windows",
        _AT_CHOICE,
    ),
    "GPUCORE_DEBUG": Variable(
        "The `debug` option of kernels that do not set it, gpucore's own included: check indices, and execute asserts "
        "and prints; `ordered` sorts the prints.",
        "`1`, `0` or `ordered`",
        "`0`",
        "the definition of a kernel",
    ),
    "GPUCORE_DEBUG_RECORDS": Variable(
        "How many failures, and how many prints, of one dispatch are kept in debug mode.",
        f"1 to {_MAX_RECORDS}",
        "as many as fit in 1 MiB",
        "each dispatch",
    ),
    "GPUCORE_PROBE": Variable(
        "Where plugins are imported and probed: in this process, or in child processes, which isolate it from crashes.",
        "`inprocess` or `subprocess`",
        "`inprocess`",
        _AT_REFRESH,
    ),
    "GPUCORE_PROBE_TIMEOUT": Variable(
        "How long the import of a plugin, and the probe of a backend, may take.",
        f"seconds, more than 0 and less than {_MAX_PROBE_TIMEOUT}",
        f"{DEFAULT_PROBE_TIMEOUT:g}",
        _AT_REFRESH,
    ),
    "GPUCORE_REQUIRE": Variable(
        "With `gpu` it is an error if automatic choice, `GPUCORE_BACKEND` or the config file gives a device that is no "
        "GPU.",
        "`gpu`",
        "nothing is required",
        _AT_CHOICE,
    ),
    "GPUCORE_REQUIRE_BACKENDS": Variable(
        "Backends without which the tests of `gpucore.testing` fail, instead of being skipped.",
        "names of backends or devices, separated by commas: `simulator,cpu`",
        "none",
        "each test",
    ),
}
"""The variables of core. Those of a plugin begin with GPUCORE_ and the plugin's name."""

_OF_CHOICE = [name for name, variable in VARIABLES.items() if variable.read == _AT_CHOICE]


# ---------------------------------------------------------------- readers, for plugins too


def read_switch(variable: str, default: bool = False) -> bool:
    """A variable that is on (1, true, yes, on) or off (0, false, no, off); `default` if it is not set.

    Raises BackendError for other text.
    """
    word = _read_text(variable).lower()
    if word and word not in _ON + _OFF:
        raise BackendError(_describe_choice(variable, word, ("1", "0")))
    return word in _ON if word else default


def read_choice(variable: str, allowed: Collection[str]) -> str:
    """One of the allowed words, in lower case; "" if the variable is not set. Raises BackendError for other text."""
    word = _read_text(variable).lower()
    if word and word not in allowed:
        raise BackendError(_describe_choice(variable, word, allowed))
    return word


def read_list(variable: str) -> tuple[str, ...]:
    """The words of a comma-separated list, in order, without empty ones and repeats; in lower case, so they are names,
    not options of a program."""
    words = (word.strip().lower() for word in _read_text(variable).split(","))
    return tuple(dict.fromkeys(word for word in words if word))


def read_integer(variable: str, minimum: int, maximum: int) -> int | None:
    """A whole number from `minimum` (0 or more) to `maximum`; None if the variable is not set.

    Raises BackendError for other text.
    """
    text = _read_text(variable)
    if not text:
        return None
    if not text.isdecimal() or not minimum <= int(text) <= maximum:
        raise BackendError(f"{variable}={text!r} is not a whole number from {minimum} to {maximum}")
    return int(text)


def _read_text(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def _describe_choice(variable: str, word: str, allowed: Collection[str]) -> str:
    *others, last = map(repr, allowed)
    choices = f"{', '.join(others)} or {last}" if others else last
    return f"{variable}={word!r} is not valid; set this environment variable to {choices}, or remove it"


# ---------------------------------------------------------------- core's own variables


def read_backend_order() -> tuple[str, ...]:
    """The entries of GPUCORE_BACKEND in order, lower case, without empty ones and repeats; () if it is not set."""
    return read_list("GPUCORE_BACKEND")


def read_blocked() -> frozenset[str]:
    """Names of blocked plugins, normalised as distribution names are ("gpucore_foo" becomes "gpucore-foo")."""
    return frozenset(normalize_name(name) for name in read_list("GPUCORE_BLOCK"))


def read_probe_timeout() -> float:
    """The timeout, in seconds, of the import of a plugin and of the probe of a backend."""
    text = _read_text("GPUCORE_PROBE_TIMEOUT")
    if not text:
        return DEFAULT_PROBE_TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < _MAX_PROBE_TIMEOUT:
        limits = f"between 0 and {_MAX_PROBE_TIMEOUT}"
        raise BackendError(f"GPUCORE_PROBE_TIMEOUT={text!r} is not a number of seconds {limits}")
    return seconds


def is_probe_isolated() -> bool:
    """Whether plugins are imported and probed in child processes."""
    return read_choice("GPUCORE_PROBE", ("inprocess", "subprocess")) == "subprocess"


def is_gpu_required() -> bool:
    """Whether automatic choice must give a GPU."""
    return read_choice("GPUCORE_REQUIRE", ("gpu",)) == "gpu"


def read_debug_records() -> int | None:
    """Records for the failures, and for the prints, of one dispatch; None if the variable is not set."""
    return read_integer("GPUCORE_DEBUG_RECORDS", 1, _MAX_RECORDS)


def read_cache_mode() -> CacheMode:
    """Whether data are kept between processes."""
    word = _read_text("GPUCORE_CACHE").lower()
    if word in _ON or not word:
        return CacheMode.ON
    if word not in (*_OFF, CacheMode.READ_ONLY.value):
        advice = "; GPUCORE_CACHE_DIR names the folder" if os.sep in word else ""
        raise BackendError(_describe_choice("GPUCORE_CACHE", word, ("on", "ro", "off")) + advice)
    return CacheMode.READ_ONLY if word == CacheMode.READ_ONLY.value else CacheMode.OFF


def read_cache_folder() -> Path | None:
    """The folder for data kept between processes, which need not exist; None if there is no place for it."""
    return _read_path("GPUCORE_CACHE_DIR", "", ("LOCALAPPDATA", "~/Library/Caches", "XDG_CACHE_HOME", "~/.cache"))


def is_cache_folder_named() -> bool:
    """Whether GPUCORE_CACHE_DIR says where the cache is, or that there is none."""
    return bool(_read_text("GPUCORE_CACHE_DIR"))


def read_cache_limit() -> int:
    """The most bytes that compiled kernels take in the cache."""
    return (read_integer("GPUCORE_CACHE_SIZE", 1, _MAX_CACHE_MIB) or _DEFAULT_CACHE_MIB) << 20


def read_preferences() -> tuple[str | None, ...]:
    """The text of each variable that a choice of a device depends on."""
    return tuple(map(os.environ.get, _OF_CHOICE))


def read_config_path() -> Path | None:
    """The config file, which need not exist; None if there is none."""
    places = "APPDATA", "~/Library/Application Support", "XDG_CONFIG_HOME", "~/.config"
    return _read_path("GPUCORE_CONFIG", "config.toml", places)


def is_config_named() -> bool:
    """Whether the config file is one that GPUCORE_CONFIG names."""
    return bool(_read_text("GPUCORE_CONFIG"))


def _read_path(variable: str, name: str, places: tuple[str, str, str, str]) -> Path | None:
    """The path in a variable; None if that is "off". Without it, `name` in gpucore's folder in the user's one, which is
    named by: a variable on Windows; a path on macOS; a variable, and a path if it is not set, elsewhere.

    Raises BackendError for "~name" of a user who is unknown.
    """
    text = _read_text(variable)
    if text.lower() in _OFF:
        return None
    if text:
        try:
            return Path(text).expanduser()
        except RuntimeError as error:
            raise BackendError(f"{variable}={text!r} is not a path: {error}") from None
    windows, mac, xdg, default = places
    if sys.platform == "win32":
        base = os.environ.get(windows, "")
    elif sys.platform == "darwin":
        base = os.path.expanduser(mac)
    else:  # the XDG specification says to ignore relative paths
        base = os.environ.get(xdg, "")
        base = base if os.path.isabs(base) else os.path.expanduser(default)
    return Path(base, "gpucore", name) if os.path.isabs(base) else None


def debug_mode() -> bool | str:
    """The default of the `debug` option of kernels: True, False or "ordered"."""
    word = _read_text("GPUCORE_DEBUG").lower()
    if word in ("", "ordered", *_ON, *_OFF):
        return word if word == "ordered" else word in _ON
    raise BackendError(_describe_choice("GPUCORE_DEBUG", word, ("1", "0", "ordered")))


def normalize_name(name: str) -> str:
    """The normalised name of a distribution (the rule of Python packaging)."""
    return re.sub(r"[-_.]+", "-", name).lower()


# ---------------------------------------------------------------- mistakes


def find_mistakes() -> list[str]:
    """The error messages for invalid values of core's variables."""
    readers: tuple[Callable[[], object], ...] = (
        read_probe_timeout, is_probe_isolated, is_gpu_required, debug_mode, read_debug_records, read_cache_mode,
        read_cache_folder, read_cache_limit, read_config_path,
    )  # fmt: skip
    mistakes = []
    for read in readers:
        try:
            read()
        except BackendError as error:
            mistakes.append(str(error))
    return mistakes


def find_unknown_variables(plugin_names: Collection[str]) -> list[str]:
    """A message for each variable GPUCORE_* that belongs neither to core nor to a plugin."""
    prefixes = tuple(f"{PREFIX}{name.upper()}_" for name in plugin_names)
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in VARIABLES)
    return [_describe_unknown(name, VARIABLES, PREFIX, "gpucore") for name in unknown if not name.startswith(prefixes)]


def find_unknown_blocked(names: Collection[str]) -> list[str]:
    """A message for each entry of GPUCORE_BLOCK that is not among the names of plugins and distributions."""
    known = sorted({normalize_name(name) for name in names})
    messages = []
    for name in sorted(read_blocked().difference(known)):
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        advice = f"did you mean {close[0]!r}?" if close else f"the plugins are {', '.join(known)}"
        messages.append(f"{name!r} in GPUCORE_BLOCK has no effect: no plugin has that name; {advice}")
    return messages


def find_unknown_settings(plugin: str, settings: Collection[str], plugin_names: Collection[str]) -> list[str]:
    """A message for each variable that begins with GPUCORE_ and a plugin's name, and is not among its settings.

    A variable of another plugin whose name continues this one's ("acme_fast" and "acme") is not meant.
    """
    prefix = f"{PREFIX}{plugin.upper()}_"
    others = tuple(f"{PREFIX}{name.upper()}_" for name in plugin_names if name.startswith(f"{plugin}_"))
    known = {*settings, *VARIABLES}
    unknown = sorted(name for name in os.environ if name.startswith(prefix) and name not in known)
    owner = f"the plugin {plugin!r}"
    return [_describe_unknown(name, sorted(settings), prefix, owner) for name in unknown if not name.startswith(others)]


def _describe_unknown(name: str, known: Collection[str], prefix: str, owner: str) -> str:
    rests = [one.removeprefix(prefix) for one in known]
    close = difflib.get_close_matches(name.removeprefix(prefix), rests, n=1, cutoff=0.7)
    advice = f"did you mean {prefix}{close[0]}?" if close else f"the variables of {owner} are {', '.join(known)}"
    advice = advice if known else f"{owner} has no variables"
    return f"the environment variable {name} has no effect; {advice}"
