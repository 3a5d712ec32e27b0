"""What `@gp.kernel` decorates: functions, also in classes. Anything else is an error at the decorator."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gpucore as gp


class Fills:
    """Kernels in a class, with the decorators in both orders."""

    @staticmethod
    @gp.kernel
    def above(y: gp.InOut[gp.i32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = i + 1

    @gp.kernel(workgroup_size=8)
    @staticmethod
    def below(y: gp.InOut[gp.i32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = i + 2

    @gp.kernel
    def without(y: gp.InOut[gp.i32]):  # noqa: N805 (called without an object)
        i = gp.global_id(0)
        if i < y.size:
            y[i] = i + 3


@pytest.mark.parametrize("owner", [Fills, Fills()])
@pytest.mark.parametrize(("name", "first"), [("above", 1), ("below", 2), ("without", 3)])
def test_kernels_in_a_class(owner: object, name: str, first: int) -> None:
    y = gp.zeros(7, gp.i32, device="simulator")
    kernel = getattr(owner, name)
    assert isinstance(kernel, gp.Kernel)
    kernel(y, invocations=7)
    np.testing.assert_array_equal(y.numpy(), np.arange(7) + first)


def plain(x, y):
    y[0] = x[0]


async def asynchronous(y: gp.Out[gp.i32]):
    y[0] = 1


def generator(y: gp.Out[gp.i32]):
    yield y


async def asynchronous_generator(y: gp.Out[gp.i32]):
    yield y


class Callable:
    def __call__(self, y: gp.Out[gp.i32]):
        y[0] = 1

    def method(self, y: gp.Out[gp.i32]):
        y[0] = 1

    @classmethod
    def of_class(cls, y: gp.Out[gp.i32]):
        y[0] = 1


@functools.wraps(plain)
def wrapper(*args):
    return plain(*args)


REFUSED = {
    "a lambda": (lambda y: None, "is a lambda", "def"),
    "a partial": (functools.partial(plain, 1), "a functools.partial of plain", "that calls plain"),
    "a builtin": (sum, "sum is a function written in C", "def"),
    "a class": (Callable, "Callable is a class", "def"),
    "an object": (Callable(), "is not a plain Python function", "def"),
    "a coroutine": (asynchronous, "asynchronous is a coroutine", "without yield and await"),
    "a generator": (generator, "generator is a generator", "without yield and await"),
    "an asynchronous generator": (asynchronous_generator, "is a generator", "without yield and await"),
    "a function of a class": (Callable.method, "Callable.method is a method", "@staticmethod above @gp.kernel"),
    "a method": (Callable().method, "method is a method of an object", "static method"),
    "a class method": (vars(Callable)["of_class"], "of_class is a class method", "@staticmethod above @gp.kernel"),
    "a bound class method": (Callable.of_class, "of_class is a method of an object", "static method"),
    "a wrapped function": (wrapper, "plain is wrapped by a decorator", "remove the decorator"),
    "a kernel": (Fills.above, "above is already a kernel", "once"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("decorate", [gp.kernel, gp.kernel(workgroup_size=4)], ids=["plain", "with arguments"])
def test_anything_else_is_refused_at_the_decorator(what: str, decorate) -> None:
    thing, message, fix = REFUSED[what]
    with pytest.raises(gp.KernelSyntaxError) as caught:
        decorate(thing)
    assert caught.value.code == "GP101"
    assert message in caught.value.message
    assert fix in caught.value.fix


def test_a_number_is_taken_for_the_workgroup_size() -> None:
    with pytest.raises(gp.ArgumentError, match="workgroup_size by name"):
        gp.kernel(64)
