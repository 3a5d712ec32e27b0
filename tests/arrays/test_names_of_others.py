"""Names and calls of other libraries on the host: the error says what to write."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.host_words import OUTSIDE


@gp.kernel(workgroup_size=64)
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@pytest.fixture
def x() -> gp.Array:
    return gp.arange(6, dtype=gp.f32, device="simulator")


def path(word: str) -> str:
    return word.partition("(")[0]


@pytest.mark.parametrize("word", [word for word in OUTSIDE if word.startswith("x.")])
def test_every_name_of_arrays(x: gp.Array, word: str) -> None:
    name = path(word).removeprefix("x.")
    with pytest.raises(AttributeError) as caught:
        getattr(x, name)
    ours = OUTSIDE[word].replace("{word}", name)
    assert str(caught.value) == f"'Array' object has no attribute {name!r}; write {ours}"


@pytest.mark.parametrize(
    "word",
    [word for word in OUTSIDE if "(" in word and path(word).replace(".", "").isidentifier() and "x." not in word],
)
def test_every_function(word: str) -> None:
    name = path(word).rpartition(".")[2]
    if name == "init":  # of `ti`, twice
        assert word in ("ti.init(arch=ti.gpu)", "ti.init(debug=True)")
        return
    if hasattr(gp, name):
        assert name == "synchronize"
        return
    with pytest.raises(AttributeError) as caught:
        getattr(gp, name)
    ours = OUTSIDE[word].replace("{word}", name)
    assert str(caught.value) == f"module 'gpucore' has no attribute {name!r}; write {ours}"


@pytest.mark.parametrize("word", [word for word in OUTSIDE if word.startswith("random.")])
def test_every_random_function(word: str) -> None:
    name = path(word).removeprefix("random.")
    with pytest.raises(AttributeError) as caught:
        getattr(gp.random, name)
    assert str(caught.value) == f"module 'gpucore.random' has no attribute {name!r}; write {OUTSIDE[word]}"
    assert not hasattr(gp.random, name) and not hasattr(gp.random, "nothing")


def test_what_is_written_for_random_functions_and_repeat_works(x: gp.Array) -> None:
    names = {"gp": gp, "np": np, "x": x, "n": 6, "seed": 3, "low": -2, "high": 9, "shape": (2, 3)}
    made = {}
    for word, ours in OUTSIDE.items():
        if word.startswith(("random.", "repeat")):
            code = ours.split("`")[1] if "`" in ours else ours
            with gp.use("simulator"):
                made[path(word)] = eval(code, names).numpy()  # noqa: S307 (the text is ours)
    assert sorted(made["random.permutation"]) == [0, 1, 2, 3, 4, 5]
    np.testing.assert_array_equal(made["repeat"], np.repeat(x.numpy(), 6))
    assert ((made["random.randint"] >= -2) & (made["random.randint"] < 9)).all()
    assert ((made["random.rand"] >= 0) & (made["random.rand"] < 1)).all() and made["random.randn"].shape == (6,)


def test_what_is_written_for_streams_marks_graphs_and_copies_works(x: gp.Array) -> None:
    names = {"gp": gp, "x": x, "device": x.device, "host": np.ones(6, np.float32), "shape": 6, "dtype": gp.f32}
    names["start"] = x.device.mark()

    def run(word: str, block: str = "") -> None:
        ours = OUTSIDE[word]
        exec((ours.split("`")[1] if "`" in ours else ours) + block, names)  # noqa: S102 (the text is ours)

    run("cuMemcpyHtoDAsync")
    for word in ("cuda.Stream()", "cuda.graph(g)", "wp.ScopedTimer(name)", "torch.profiler"):
        run(word, "\n    x += 1.0")
    for word in ("cudaGraphLaunch", "cudaEventRecord", "cuMemcpyDtoHAsync", "cudaEventSynchronize", "cudaEventQuery"):
        run(word)
    names["end"] = names["mark"]
    for word in ("cudaEventElapsedTime", "cudaMallocHost"):
        run(word)
    assert names["host"].tolist() == [5.0] * 6  # type: ignore[attr-defined]


@pytest.mark.parametrize("keyword", ["reverse", "kind", "order"])
def test_keywords_of_other_sorts(x: gp.Array, keyword: str) -> None:
    known = ["x", "descending", "axis", "stable", "out", "variant", "device"]
    assert [*inspect.signature(gp.sort).parameters] == known
    for given in (x, x.numpy()):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
            gp.sort(given, **{keyword: True})


def test_functions_of_numpy_and_words_of_kernels(x: gp.Array) -> None:
    for name, fix in (
        ("maximum", "write gp.max(x, y)"), ("arctan2", "write gp.atan2(y, x)"),
        ("clip", "write gp.clamp(x, low, high)"), ("float32", "write gp.f32"),
        ("threadIdx", "write gp.local_id(axis)"), ("jit", "write @gp.kernel"),
        ("cuda", f"write {OUTSIDE['cp.cuda']}"), ("profiler", f"write {OUTSIDE['torch.profiler']}"),
    ):  # fmt: skip
        with pytest.raises(AttributeError) as caught:
            getattr(gp, name)
        assert str(caught.value) == f"module 'gpucore' has no attribute {name!r}; {fix}"
    with pytest.raises(AttributeError) as caught:
        x.exp()  # type: ignore[attr-defined]
    assert str(caught.value) == "'Array' object has no attribute 'exp'; write gp.exp(x)"


def test_names_that_nobody_has(x: gp.Array) -> None:
    for name in ("nothing", "_sum"):
        with pytest.raises(AttributeError, match=rf"^module 'gpucore' has no attribute '{name}'$"):
            getattr(gp, name)
        with pytest.raises(AttributeError, match=rf"^'Array' object has no attribute '{name}'$"):
            getattr(x, name)
        assert not hasattr(gp, name) and not hasattr(x, name)
    with pytest.raises(AttributeError, match="this array is on simulator:0, not on CUDA"):
        x.__cuda_array_interface__  # noqa: B018 (the property raises)


def test_the_module_array_is_no_name_of_gpucore() -> None:
    import gpucore.array as by_alias  # noqa: PLC0415 (what is tested)
    from gpucore import array as by_name  # noqa: PLC0415

    assert by_alias is by_name and by_name.Array is gp.Array
    assert not hasattr(gp, "array")


TO_THE_HOST = "give it x.numpy(), which copies the elements to the host"


@pytest.mark.parametrize(
    ("call", "name", "fix"),
    [
        ("np.exp(x)", "exp", "write gp.exp(x), or np.exp of x.numpy() for a result on the host"),
        ("np.maximum(x, 1)", "maximum", "write gp.max(x, y), or np.maximum of x.numpy() for a result on the host"),
        ("np.add.reduce(x)", "add", "write x.sum()"),
        ("np.minimum.reduce(x)", "minimum", "write x.min()"),
        ("np.add.accumulate(x)", "add", TO_THE_HOST),
        ("np.logaddexp(x, x)", "logaddexp", TO_THE_HOST),
        ("np.add(h, x, out=h)", "add", TO_THE_HOST),
    ],
)  # fmt: skip
def test_functions_of_numpy_given_an_array(x: gp.Array, call: str, name: str, fix: str) -> None:
    with pytest.raises(TypeError) as caught:
        eval(call, {"np": np, "x": x, "h": np.ones(6, np.float32)})  # noqa: S307 (a call above)
    assert str(caught.value) == f"np.{name} does not take a device array; {fix}"


@pytest.mark.parametrize("number", [np.float32(3), np.array(3, np.float32)])
def test_numbers_of_numpy_on_the_left(x: gp.Array, number: Any) -> None:
    host = x.numpy()
    for made, expected in (
        (number + x, number + host), (number - x, number - host), (number * x, number * host),
        (number / (x + 1), number / (host + 1)), (number**x, number**host), (number // (x + 1), number // (host + 1)),
        (number % (x + 1), number % (host + 1)), (x - number, host - number),
    ):  # fmt: skip
        assert isinstance(made, gp.Array) and made.dtype is gp.f32
        np.testing.assert_allclose(made.numpy(), expected, rtol=1e-5)
    for mask, expected in (
        (number < x, number < host), (number <= x, number <= host), (number > x, number > host),
        (number >= x, number >= host), (number == x, number == host), (number != x, number != host),
    ):  # fmt: skip
        assert isinstance(mask, gp.Array)
        np.testing.assert_array_equal(mask.numpy(), expected.astype(np.uint32))
    bits = np.uint32(6)
    i = gp.arange(6, dtype=gp.u32, device="simulator")
    for made, expected in (
        (bits & i, bits & i.numpy()), (bits | i, bits | i.numpy()), (bits ^ i, bits ^ i.numpy()),
        (bits << i, bits << i.numpy()), (bits >> i, bits >> i.numpy()),
    ):  # fmt: skip
        np.testing.assert_array_equal(made.numpy(), expected)


@pytest.mark.parametrize("name", ["f32", "i32", "u8", "f64"])
def test_a_type_does_not_convert_an_array(x: gp.Array, name: str) -> None:
    for given in (x, x[:1]):
        with pytest.raises(gp.ArgumentError) as caught:
            getattr(gp, name)(given)
        assert str(caught.value) == (
            f"gp.{name}(...) converts a number; x.astype(gp.{name}) converts the elements of an array"
        )
    assert getattr(gp, name)(x[3]) == 3


def test_a_grid_in_brackets(x: gp.Array) -> None:
    for grid, blocks, threads in (((3, 128), 3, 128), (7, 7, 64), (((1, 2), (8, 8)), (1, 2), (8, 8))):
        with pytest.raises(TypeError) as caught:
            double[grid](x, x.copy())
        assert str(caught.value) == (
            "a kernel is called without [blocks, threads]: write double(..., invocations=n) with the number of "
            f"elements, or double(..., workgroups={blocks}); the size of a workgroup belongs to the kernel, "
            f"@gp.kernel(workgroup_size={threads})"
        )


@pytest.mark.parametrize(
    ("keyword", "end"),
    [
        ("invocation", "; did you mean invocations?"), ("workgroup", "; write workgroups=n"),
        ("grid", "; write workgroups=n"), ("dim", "; write invocations=n"),
        ("block", "; write @gp.kernel(workgroup_size=n) where the kernel is defined"), ("other", ""),
    ],
)  # fmt: skip
def test_keywords_of_other_libraries(x: gp.Array, keyword: str, end: str) -> None:
    with pytest.raises(gp.ArgumentError) as caught:
        double(x, x.copy(), **{keyword: 3})
    assert str(caught.value) == (
        f"double: got an unexpected keyword argument {keyword!r}; the kernel takes (x, y){end}"
    )
