"""What the environment says. Read anew at each use; a value that makes no sense is an error, never ignored.

    GPUCORE_BACKEND        "cuda,wgpu": the first of these that is available is used
    GPUCORE_REQUIRE        "gpu": automatic choice, or GPUCORE_BACKEND, that ends on anything else is an error
    GPUCORE_BLOCK          "opencl,gpucore-foo": plugins (by entry point or distribution) never to import
    GPUCORE_DEBUG_RECORDS  how many failures, and how many prints, of one dispatch are kept (default: what 1 MiB holds)
    GPUCORE_PROBE          "inprocess" (default) or "subprocess"
    GPUCORE_DEBUG          "1": kernels check indices, and do asserts and prints; "ordered": prints by invocation
    GPUCORE_PROBE_TIMEOUT  seconds that the import of a plugin, and the probe of a backend, may take (10)

A change of GPUCORE_BACKEND or GPUCORE_REQUIRE counts from the next choice on; of GPUCORE_DEBUG for
kernels that are defined from then on; of the others from the next `refresh()`.
"""

from __future__ import annotations

import math
import os
import re

from gpucore.errors import BackendError

DEFAULT_PROBE_TIMEOUT = 10.0
_MOST_RECORDS = 10_000_000


def read_backend_order() -> tuple[str, ...]:
    """The entries of GPUCORE_BACKEND in order, lower case, without empty ones and repeats; () where it is not set."""
    return _read_list("GPUCORE_BACKEND")


def read_blocked() -> frozenset[str]:
    """Names of blocked plugins, normalised as distribution names are ("gpucore_foo" becomes "gpucore-foo")."""
    return frozenset(normalize_name(name) for name in _read_list("GPUCORE_BLOCK"))


def read_probe_timeout() -> float:
    """Seconds that the import of one plugin, or the probe of one backend, may take."""
    text = os.environ.get("GPUCORE_PROBE_TIMEOUT", "").strip()
    if not text:
        return DEFAULT_PROBE_TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < 86400:
        raise BackendError(f"GPUCORE_PROBE_TIMEOUT={text!r} is not a number of seconds between 0 and 86400")
    return seconds


def is_probe_isolated() -> bool:
    """Whether plugins are imported and probed in child processes."""
    return _read_word("GPUCORE_PROBE", ("inprocess", "subprocess")) == "subprocess"


def is_gpu_required() -> bool:
    """Whether automatic choice must end on a GPU."""
    return _read_word("GPUCORE_REQUIRE", ("gpu",)) == "gpu"


def read_debug_records() -> int | None:
    """Records for the failures, and for the prints, of one dispatch; None where the environment does not say."""
    text = os.environ.get("GPUCORE_DEBUG_RECORDS", "").strip()
    if not text:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_RECORDS:
        raise BackendError(f"GPUCORE_DEBUG_RECORDS={text!r} is not a whole number from 1 to {_MOST_RECORDS}")
    return int(text)


def debug_mode() -> bool | str:
    """Whether kernels are made with debug=True where they do not say; "ordered" for prints in order."""
    word = _read_word("GPUCORE_DEBUG", ("0", "1", "ordered"))
    return word if word == "ordered" else word == "1"


def normalize_name(name: str) -> str:
    """A distribution's name in the form that two spellings of it share (the rule of Python packaging)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_list(variable: str) -> tuple[str, ...]:
    words = (word.strip().lower() for word in os.environ.get(variable, "").split(","))
    return tuple(dict.fromkeys(word for word in words if word))


def _read_word(variable: str, allowed: tuple[str, ...]) -> str:
    word = os.environ.get(variable, "").strip().lower()
    if word and word not in allowed:
        raise BackendError(
            f"{variable}={word!r} has no meaning; set this environment variable to {' or '.join(map(repr, allowed))}, "
            "or remove it"
        )
    return word
