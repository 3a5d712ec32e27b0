"""Makes cffi parse the names of C types faster.

wgpu-py passes some fifty C types as strings ("WGPULimits *") before the first kernel has run. For each, cffi parses a C
source that declares all 430 names of wgpu.h, although the string uses one or two: 15 ms each. Here only the names in
the string are declared. This uses private parts of cffi: if they differ from what is expected, cffi works as it does
without this module.
"""

from __future__ import annotations

import copy
import re
from typing import Any


def declare_only_used_names(ffi: Any) -> bool:
    """Let `ffi` (a cffi.FFI) parse each string with only the typedefs in it. Returns whether `ffi` supports that."""
    parser: Any = getattr(ffi, "_parser", None)
    declared = getattr(parser, "_declarations", None)
    if not isinstance(declared, dict) or not callable(getattr(parser, "_parse", None)):
        return False
    parse_with_all = parser._parse

    def parse(source: str) -> Any:
        keys = {f"typedef {word}" for word in re.findall(r"\w+", source)}
        light = copy.copy(parser)
        light.__dict__.pop("_parse", None)  # restores the class's own
        light._declarations = {key: parser._declarations[key] for key in keys & parser._declarations.keys()}
        try:
            return light._parse(source)
        except Exception:  # noqa: BLE001 (an error in the string is raised again below, with cffi's own message)
            return parse_with_all(source)

    try:
        parser._parse = parse
    except AttributeError:  # a parser with slots, or one written in C
        return False
    return True
