"""Words of other libraries in kernels: the error says what gpucore calls them."""

from __future__ import annotations

import functools
import re
from types import ModuleType

import pytest

import gpucore as gp
from gpucore.front.text.foreign import ADVICE, EXPRESSIONS

WORDS = EXPRESSIONS | ADVICE
HEAD = "def k(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):\n    i = gp.global_id(0)\n"


def fix_of(statement: str, **names: object) -> str:
    """The fix for a statement in a kernel, which must be an error."""
    with pytest.raises(gp.CompileError) as caught:
        gp.kernel_from_text(f"{HEAD}    {statement}\n", globals=names).ir()
    return caught.value.fix


@pytest.mark.parametrize("word", WORDS)
def test_a_word_whose_library_is_not_imported(word: str) -> None:
    use = word.replace("()", "(x[i])")
    expected = f"write {EXPRESSIONS[word]}" if word in EXPRESSIONS else ADVICE[word]
    assert fix_of(f"y[i] = {use}") == expected
    if "." not in word or word.split(".")[0] not in ("ti", "tl", "wp"):
        assert fix_of(f"y[i] = lib.{use}") == expected
        assert fix_of(f"y[i] = lib.part.{use} + 1.0") == expected


def test_every_name_of_gpucore_in_the_table_exists() -> None:
    named = {name for text in WORDS.values() for name in re.findall(r"\bgp\.(\w+)", text)}
    assert len(named) > 40
    assert {name for name in named if name not in gp.__all__} == set()


def test_no_word_stands_twice() -> None:
    assert set(EXPRESSIONS) & set(ADVICE) == set()


@pytest.mark.parametrize(
    ("statement", "fix"),
    [
        ("y[i] = cuda.grid(1)", "write gp.global_id(0), and gp.global_id(1) for the second axis"),
        ("y[i] = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x", "write gp.local_id(0)"),
        ("tile = cuda.shared.array(32, float32)", "write gp.workgroup_array(T, shape)"),
        ("cuda.atomic.add(y, i, 1)", "write gp.atomic_add(x, i, v)"),
        ("y[i] = numba.cuda.blockDim.y", "write gp.workgroup_size(1)"),
        ("barrier(CLK_LOCAL_MEM_FENCE)", "write gp.barrier()"),
        (
            "gp.barrier(CLK_LOCAL_MEM_FENCE)",
            "write gp.barrier(), or gp.barrier(buffers=False) for one that does not order accesses to buffers",
        ),
        ("y[i] = tl.load(x + i)", "write x[i], in an `if i < x.size:`"),
        ("y[i] = np.where(x[i] > 0.0, x[i], 0.0)", "write gp.select(c, a, b)"),
        ("y[i] = float32(i)", "write gp.f32"),
        ("y[i] = f32(i)", "write gp.f32"),
        ("y[i] = gp.float32(i)", "write gp.f32"),
        ("gp.syncthreads()", "write gp.barrier()"),
        ("y[i] = vec3(x[i])", "write gp.f32x3"),
        ("for j in prange(3):\n        y[i] = x[j]", ADVICE["prange()"]),
        ("y[i] = clamp(x[i], 0.0, 1.0)", "write gp.clamp"),
        ("y[i] = np.arcsin(x[i])", "write gp.asin"),
        ("ti.atomic_add(y[i], 1.0)", "write gp.atomic_add"),
        ("y[i] = arry.min()", "define it before the kernel is called"),  # a word of its own
        ("y[i] = step", "define it before the kernel is called"),  # not called: a variable
        ("y[i] = grid[i]", "define it before the kernel is called"),
    ],
)
def test_what_people_write(statement: str, fix: str) -> None:
    assert fix_of(statement) == fix


def test_a_variable_of_such_a_name_is_not_touched() -> None:
    text = HEAD + "    grid = x[i]\n    double = grid + grid\n    y[i] = double\n"
    assert "y" in gp.kernel_from_text(text).ir()


def library() -> ModuleType:
    """What libraries have behind their names: classes, objects, wrapped functions, properties."""

    class Stub:
        @property
        def x(self) -> int:
            raise NotImplementedError

    def plain() -> None:
        raise NotImplementedError

    made = ModuleType("lib")
    made.__dict__.update(
        grid=Stub, threadIdx=Stub, blockIdx=Stub(), syncthreads=functools.wraps(plain)(lambda: None), printf=Stub()
    )
    return made


@pytest.mark.parametrize(
    ("statement", "fix"),
    [
        ("y[i] = lib.grid(1)", "write gp.global_id(0), and gp.global_id(1) for the second axis"),
        ("y[i] = lib.threadIdx.x", "write gp.local_id(0)"),
        ("y[i] = lib.blockIdx.x", "write gp.workgroup_id(axis)"),
        ("lib.syncthreads()", "write gp.barrier()"),
        ("y[i] = lib.gridDim.x", "write gp.num_workgroups(0)"),
        ("y[i] = lib.nothing", "check the spelling"),
    ],
)
def test_words_of_a_library_that_is_imported(statement: str, fix: str) -> None:
    assert fix_of(statement, lib=library()) == fix


@pytest.mark.parametrize(
    ("annotation", "fix"),
    [("float32", "write gp.f32"), ("ti.float64", "write gp.f64"), ("tl.constexpr", "write gp.Const[int]"),
     ("f32", "write gp.f32"), ("nothing", "define its names before the kernel")],
)  # fmt: skip
def test_annotations(annotation: str, fix: str) -> None:
    text = f"from __future__ import annotations\ndef k(n: {annotation}, y: gp.Out[gp.f32]):\n    y[0] = 1.0\n"
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(text).ir()
    assert caught.value.fix == fix


def test_annotations_of_a_library_that_is_imported() -> None:
    text = "def k(n: lib.constexpr, y: gp.Out[gp.f32]):\n    y[0] = 1.0\n"
    made = ModuleType("lib")
    made.__dict__["constexpr"] = object()
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(text, globals={"lib": made}).ir()
    assert caught.value.fix == "write gp.Const[int]"
