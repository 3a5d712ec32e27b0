"""Immutable classes behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from gpucore import ir
from gpucore.immutable import Immutable, field


class Point(Immutable):
    x: int
    y: int = 0
    note: str = field(default="", compare=False, repr=False)

    @property
    def total(self) -> int:
        return self.x + self.y


class Tagged(Point, Immutable):
    tag: str = "none"


class Identity(Immutable, eq=False):
    x: int


def test_fields_by_position_and_by_name() -> None:
    assert (Point(1).x, Point(1).y, Point(y=2, x=1).y, Point(1, 2, "n").note) == (1, 0, 2, "n")
    assert Point(3, 4).total == 7
    for arguments, names in (((), {}), ((1, 2, "n", 4), {}), ((1,), {"z": 1}), ((1,), {"x": 1})):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            Point(*arguments, **names)  # type: ignore[arg-type]


def test_equality_hash_and_repr() -> None:
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert hash(Point(1, 2, "a")) == hash(Point(1, 2, "b"))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != (1, 2)
    assert Tagged(1, 2) != Point(1, 2)
    assert repr(Point(1, 2, "a")) == "Point(x=1, y=2)"
    one, other = Identity(1), Identity(1)
    assert one != other
    assert len({one, other}) == 2


def test_nothing_is_assigned_or_deleted() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError, match="'x' cannot be assigned"):
        point.x = 2
    with pytest.raises(AttributeError, match="'z' cannot be assigned"):
        point.z = 2
    with pytest.raises(AttributeError, match="'x' cannot be deleted"):
        del point.x
    assert not hasattr(point, "__dict__")


def test_a_derived_class_has_the_fields_of_both() -> None:
    tagged = Tagged(1, 2, "n", "t")
    assert (tagged.total, tagged.tag) == (3, "t")
    assert isinstance(tagged, Point)
    assert repr(tagged) == "Tagged(x=1, y=2, tag='t')"
    assert dataclasses.replace(tagged, tag="u", x=5) == Tagged(5, 2, "n", "u")


def test_patterns_and_the_functions_of_dataclasses() -> None:
    match Point(1, 2):
        case Point(x, 2):
            assert x == 1
        case _:
            pytest.fail("the pattern does not match")
    assert dataclasses.replace(Point(1, 2, "n"), y=5).note == "n"
    assert dataclasses.asdict(Point(1, 2)) == {"x": 1, "y": 2, "note": ""}
    assert [made.name for made in dataclasses.fields(Tagged)] == ["x", "y", "note", "tag"]
    assert [made.compare for made in dataclasses.fields(Tagged)] == [True, True, False, True]
    with pytest.raises(TypeError):
        dataclasses.replace(Point(1), z=1)


def test_copies_and_pickles() -> None:
    node = ir.Binary(ir.BinaryOp.ADD, ir.Constant(1, ir.I32), ir.Constant(2, ir.I32), ir.I32)
    assert copy.deepcopy(node) == copy.copy(node) == pickle.loads(pickle.dumps(node)) == node
    assert copy.copy(Point(1, 2, "n")).note == "n"


def test_a_field_without_default_after_one_with() -> None:
    with pytest.raises(TypeError, match="b has no default, but a field before it has"):

        class Wrong(Immutable):
            a: int = 0
            b: int  # type: ignore[misc]
