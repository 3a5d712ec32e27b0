"""`help` and `inspect.signature` show the parameters of a kernel and the keywords of its calls."""

from __future__ import annotations

import inspect
import pydoc

import gpucore as gp


@gp.kernel
def documented(a: gp.f32, x: gp.InOut[gp.f32, 2], n: gp.Const[int] = 3) -> None:
    """Scale a matrix."""
    x[0, 0] = a * n


@gp.kernel
def undocumented(x: gp.Out[gp.i32]) -> None:
    x[0] = 1


def test_the_signature_has_the_parameters_and_the_keywords() -> None:
    parameters = inspect.signature(documented).parameters
    assert list(parameters) == ["a", "x", "n", "invocations", "workgroups"]
    assert parameters["n"].default == 3 and parameters["n"].annotation == "gp.Const[int]"
    assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in ("invocations", "workgroups"))


def test_help_shows_the_call_and_the_docstring() -> None:
    call = "documented(a: 'gp.f32', x: 'gp.InOut[gp.f32, 2]', n: 'gp.Const[int]' = 3, "
    call += "*, invocations=None, workgroups=None)"
    assert documented.__doc__ == f"{call}\n\nScale a matrix."
    assert call in pydoc.render_doc(documented)
    assert undocumented.__doc__ == "undocumented(x: 'gp.Out[gp.i32]', *, invocations=None, workgroups=None)"


def test_a_native_kernel_has_a_signature() -> None:
    kernel = gp.native_kernel("opencl", "", entry="fill", signature={"x": gp.Out[gp.f32], "value": gp.f32})
    assert str(inspect.signature(kernel)) == "(x, value, *, invocations=None, workgroups=None)"


def test_the_class_keeps_its_own() -> None:
    assert (gp.Kernel.__doc__ or "").startswith("A kernel. Call it")
    assert "body" in inspect.signature(gp.Kernel).parameters


def test_the_functions_of_the_language_have_signatures() -> None:
    assert list(inspect.signature(gp.atomic_compare_exchange).parameters) == ["array", "index", "expected", "value"]
    assert list(inspect.signature(gp.clamp).parameters) == ["x", "low", "high"]
    assert repr(gp.Const[int]) == "Const[int]"
