"""A dialect without one of its entries: a kernel that needs the entry is an EmitError, others are written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

import language_kernels
import pytest
from ir_build import KernelBuilder, constant

from gpucore.back.c_family import CDialect, emit
from gpucore.errors import EmitError
from gpucore.ir import F32, I32, U32, Constant, ValidModule
from gpucore_cuda.dialect import DIALECT as CUDA
from gpucore_opencl.dialect import DIALECT as OPENCL

DIALECTS = {"opencl": OPENCL, "cuda": CUDA}


def infinity() -> ValidModule:
    kernel = KernelBuilder("infinity")
    x = kernel.buffer("x", F32)
    kernel.store(x, constant(0), Constant(math.inf, F32))
    kernel.store(x, constant(1), Constant(1.5, F32))
    return kernel.valid()


KERNELS = [
    infinity(),
    language_kernels.storage_conversions(),
    language_kernels.storage_params(),
    language_kernels.struct_atomics(),
    language_kernels.counting(I32),
    language_kernels.exchanging(U32, "workgroup"),
    language_kernels.subgroup_values(F32, (32, 1, 1)),
    language_kernels.subgroup_votes((32, 1, 1)),
]
TEXTS_OF_OTHERS = ("prologue", "type_headers", "capability_headers")  # what templates refer to, not operations


def _holes(dialect: CDialect) -> Iterator[tuple[str, CDialect]]:
    """The dialect without each entry of each table in turn."""
    for field in fields(dialect):
        table = getattr(dialect, field.name)
        if isinstance(table, Mapping) and field.name not in TEXTS_OF_OTHERS:
            for key in table:
                left = {one: text for one, text in table.items() if one != key}
                yield f"{field.name}[{key}]", replace(dialect, **{field.name: left})


@pytest.mark.parametrize("name", DIALECTS)
def test_no_missing_entry_is_an_exception_of_pythons_own(name: str) -> None:
    refused = set()
    for hole, dialect in _holes(DIALECTS[name]):
        for kernel in KERNELS:
            if _is_refused(kernel, dialect, hole):
                refused.add(hole.partition("[")[0])
    assert {"types", "literals", "special_floats", "builtins", "subgroup", "atomics"} <= refused


def _is_refused(kernel: ValidModule, dialect: CDialect, hole: str) -> bool:
    try:
        emit(kernel, dialect)
    except EmitError:
        return True
    except Exception as error:
        raise AssertionError(f"without {hole}, {kernel.module.name}: {error!r}") from error
    return False
