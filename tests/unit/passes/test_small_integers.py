"""emulate_small_integers: what accesses become, and that they give what small integers give."""

from __future__ import annotations

import numpy as np
import pytest
from emulated import run_plainly

from gpucore.ir import (
    F16,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Bitcast,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Convert,
    DeclareArray,
    Let,
    Load,
    Module,
    Param,
    Place,
    Prefetch,
    PrivateArray,
    ScalarType,
    Select,
    ShapeOrigin,
    Stmt,
    Store,
    Value,
    WorkgroupArray,
    build,
    lay_out,
    print_module,
)
from gpucore.passes.small_integers import emulate_small_integers
from gpucore.span import Span

LID = Builtin(BuiltinKind.LOCAL_ID, 0)
SPAN = Span("kernel.py", 7, 4, 7, 9)
NONE = frozenset[Capability]()
NUMPY = {I8: np.int8, U8: np.uint8, I16: np.int16, U16: np.uint16}


def c(value: int) -> Constant:
    return Constant(value, I32)


def module(buffers: tuple[Buffer, ...], *body: Stmt, arrays: tuple[WorkgroupArray, ...] = ()) -> Module:
    return Module("k", (8, 1, 1), buffers, (), (), arrays, body)


def text_of(made: Module) -> str:
    return print_module(made).split("body\n")[1]


def test_a_load_takes_its_bits_out_of_a_word() -> None:
    x = Buffer(0, "x", I8, True, False)
    made = emulate_small_integers(module((x,), Load(Value(0, "v", I8), Place(x, LID), SPAN)), NONE)
    assert made.buffers == (Buffer(0, "x", U32, True, False),)
    assert text_of(made) == (
        "  let index.1: u32 = u32(local_id(0))\n"
        "  let byte.2: u32 = ((index.1 * 1:u32) + 0:u32)\n"
        "  load word.3: u32 = x[(0:u32 + ((byte.2 + 0:u32) >> 2:u32))]\n"
        "  let v.0: i32 = ((i32((word.3 >> ((byte.2 + 0:u32) << 3:u32))) << 24:i32) >> 24:i32)\n"
    )
    assert all(statement.span == SPAN for statement in made.body)


def test_a_store_sets_its_bits_before_it_clears_them() -> None:
    """With `and` first, an element that already holds the number would be 0 in between."""
    y = Buffer(0, "y", U16, False, True)
    made = emulate_small_integers(module((y,), Store(Place(y, LID), Convert(c(7), U16), SPAN)), NONE)
    assert made.buffers == (Buffer(0, "y", U32, False, True),)  # no read that a buffer for writing would not allow
    *_, first, second = text_of(made).splitlines()
    assert first.strip().startswith("atomic or y[word.")
    assert second.strip().startswith("atomic and y[word.")
    assert "(~(65535:u32 << shift." in second
    assert all(statement.span == SPAN for statement in made.body)


@pytest.mark.parametrize("type", [I8, U8, I16, U16], ids=str)
def test_loads_and_stores_of_every_element_of_a_word(type: ScalarType) -> None:
    x, y = Buffer(0, "x", type, True, False), Buffer(1, "y", type, False, True)
    v = Value(0, "v", type)
    doubled = Convert(build.mul(build.convert(v, I32), 2), type)
    body = (Load(v, Place(x, build.sub(c(7), LID))), Store(Place(y, LID), doubled))
    ends = np.iinfo(NUMPY[type])
    given = np.array([ends.min, ends.max, 1, 0, ends.max - 1, ends.min + 1, 3, 100], NUMPY[type])
    before = np.full(12, ends.max // 3, NUMPY[type])  # four more than are stored to
    _, found = run_plainly(emulate_small_integers(module((x, y), *body), NONE), [given, before])
    np.testing.assert_array_equal(found[:8], given[::-1] * NUMPY[type](2))
    np.testing.assert_array_equal(found[8:], before[8:])


def test_arrays_and_values_hold_the_same_numbers_in_32_bits() -> None:
    out = Buffer(0, "out", I32, False, True)
    shared, mine = WorkgroupArray(1, "shared", I8, 8), PrivateArray(2, "mine", U16, 2)
    v, w, chosen = Value(3, "v", I8), Value(4, "w", U16), Value(5, "chosen", U8)
    body = (
        Store(Place(shared, LID), Convert(build.sub(LID, 300), I8)),
        DeclareArray(mine),
        Store(Place(mine, c(1)), Convert(build.sub(LID, 5), U16)),
        Load(v, Place(shared, LID)),
        Load(w, Place(mine, c(1))),
        Let(chosen, Select(build.lt(LID, 4), Bitcast(v, U8), Constant(9, U8), U8)),
        Store(
            Place(out, LID),
            build.add(build.add(Convert(v, I32), build.mul(Convert(w, I32), 1000)), Convert(chosen, I32)),
        ),
    )
    made = emulate_small_integers(module((out,), *body, arrays=(shared,)), NONE)
    assert made.workgroup_arrays == (WorkgroupArray(1, "shared", I32, 8),)
    (found,) = run_plainly(made, [np.zeros(8, np.int32)])
    lid = np.arange(8)
    first = (lid - 300).astype(np.int8)
    wanted = first + (lid - 5).astype(np.uint16).astype(np.int32) * 1000 + np.where(lid < 4, first.astype(np.uint8), 9)
    np.testing.assert_array_equal(found, wanted)


def test_what_was_never_written_is_in_the_range_of_its_type() -> None:
    """It may be an index that is not clamped because its type has few values."""
    shared = WorkgroupArray(1, "shared", U8, 8)
    made = emulate_small_integers(module((), Load(Value(2, "v", U8), Place(shared, LID)), arrays=(shared,)), NONE)
    assert text_of(made).endswith("let v.2: u32 = (v_wide.3 & 255:u32)\n")


def test_a_struct_whose_size_is_no_multiple_of_a_word() -> None:
    pixel = lay_out("Pixel", (("red", U8), ("green", I8), ("blue", U8)))
    x, y = Buffer(0, "x", pixel, True, False), Buffer(1, "y", pixel, True, True)
    values = [Value(number, name, kind) for number, (name, kind) in enumerate((("r", U8), ("g", I8), ("b", U8)))]
    loads = [Load(value, Place(x, LID, (number,))) for number, value in enumerate(values)]
    r, g, b = values
    stores = (Store(Place(y, LID, (0,)), b), Store(Place(y, LID, (1,)), g), Store(Place(y, LID, (2,)), r))
    given = np.random.default_rng(1).integers(0, 256, 24).astype(np.uint8)
    made = emulate_small_integers(module((x, y), *loads, *stores), NONE)
    _, found = run_plainly(made, [given, np.zeros(24, np.uint8)])
    np.testing.assert_array_equal(found.reshape(8, 3), given.reshape(8, 3)[:, ::-1])


def test_other_fields_are_whole_words_without_atomics() -> None:
    record = lay_out("Record", (("real", F32), ("flag", U8)))
    y = Buffer(0, "y", record, True, True)
    v = Value(0, "v", F32)
    body = (Load(v, Place(y, LID, (0,))), Store(Place(y, LID, (0,)), build.mul(v, 2.0)))
    text = text_of(emulate_small_integers(module((y,), *body), NONE))
    assert "atomic" not in text
    assert "bitcast[f32](word." in text


def test_only_what_is_lacking_changes() -> None:
    bytes_, shorts = Buffer(0, "x", U8, True, False), Buffer(1, "y", I16, True, True)
    pair = lay_out("Pair", (("small", U8), ("short", I16)))
    pairs = Buffer(2, "pairs", pair, True, True)
    u, v, w = Value(0, "u", U8), Value(1, "v", I16), Value(2, "w", I16)
    total = build.add(build.add(Convert(u, I32), Convert(v, I32)), Convert(w, I32))
    body = (
        Load(u, Place(bytes_, LID)),
        Load(v, Place(shorts, LID)),
        Load(w, Place(pairs, LID, (1,))),
        Store(Place(shorts, LID), Convert(total, I16)),
        Store(Place(pairs, LID, (1,)), v),
    )
    whole = module((bytes_, shorts, pairs), *body)
    assert emulate_small_integers(whole, frozenset({Capability.INT8, Capability.INT16})) is whole
    made = emulate_small_integers(whole, frozenset({Capability.INT16}))
    assert [buffer.element for buffer in made.buffers] == [U32, I16, U32]
    x, y = np.arange(8, dtype=np.uint8) * 30, np.arange(8, dtype=np.int16) - 4
    z = np.zeros(8, np.dtype([("small", "u1"), ("short", "<i2")], align=True))
    z["small"], z["short"] = 77, np.arange(8) * -1000
    for lacking in ({Capability.INT16}, {Capability.INT8}, set()):
        half_way = emulate_small_integers(whole, frozenset(lacking))
        done = emulate_small_integers(half_way, NONE)  # the simulator of these tests has neither
        _, found, found_pairs = run_plainly(done, [x, y, z.view(np.uint8)])
        np.testing.assert_array_equal(found, (x.astype(np.int32) + y + z["short"]).astype(np.int16))
        np.testing.assert_array_equal(found_pairs.view(z.dtype)["short"], y)
        np.testing.assert_array_equal(found_pairs.view(z.dtype)["small"], 77)


def test_params_prefetches_and_halves() -> None:
    x = Buffer(0, "x", U16, True, False)
    by, length = Param(0, "by", I8), Param(1, "length", I32)
    bits = Let(Value(0, "bits", U16), Bitcast(Constant(1.5, F16), U16))
    back = Let(Value(1, "back", F16), Bitcast(bits.value, F16))
    origins = (ShapeOrigin("x", 0), ShapeOrigin("x", 0))
    made = emulate_small_integers(
        Module("k", (8, 1, 1), (x,), (by, length), origins, (), (Prefetch(Place(x, LID)), bits, back)), NONE
    )
    assert made.params == (Param(0, "by", I32), length)
    assert "prefetch x[" in text_of(made)
    assert "let bits.0: u32 = (bitcast[u32](f16x2(1.5:f16, 0.0:f16)) & 65535:u32)" in text_of(made)
    assert "let back.1: f16 = bitcast[f16x2](bits.0).x" in text_of(made)


def test_other_modules_are_left_alone() -> None:
    plain = Buffer(0, "y", U32, True, True)
    body = (Load(Value(0, "v", U32), Place(plain, LID)), Store(Place(plain, LID), Constant(1, U32)))
    whole = module((plain,), *body)
    assert emulate_small_integers(whole, NONE) is whole
