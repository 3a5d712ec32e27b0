"""Constants as text."""

from __future__ import annotations

import math
import struct

from gpucore.ir import Constant, ScalarType

_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


def integer_literal(value: int, type: ScalarType, template: str) -> str:
    """An integer literal. C has no literal for the minimum of a signed type, so that is written as a difference."""
    if type.is_signed and value == type.min_value:
        return f"({template.format(value=value + 1)} - 1)"
    return template.format(value=value)


def float_literal(constant: Constant, template: str, special: str) -> str:
    """A float: the shortest decimal that reads back to the same bits."""
    value = float(constant.value)
    bits = float_bits(value, constant.type)
    if not math.isfinite(value):
        return special.format(bits=bits)
    return template.format(value=_shortest(value, constant.type), bits=bits)


def float_bits(value: float, type: ScalarType) -> str:
    """The bit pattern in hexadecimal; every NaN is the canonical quiet one."""
    float_format, integer_format = _FORMATS[type.bits]
    if math.isnan(value):
        quiet = {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8000000000000}[type.bits]
        return hex(quiet)
    return hex(struct.unpack(integer_format, struct.pack(float_format, value))[0])


def _shortest(value: float, type: ScalarType) -> str:
    float_format, _ = _FORMATS[type.bits]
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        try:
            if struct.unpack(float_format, struct.pack(float_format, float(text)))[0] == value:
                break
        except OverflowError:  # rounded beyond the type's greatest value; with more digits it fits
            continue
    return text if any(c in text for c in ".e") else text + ".0"
