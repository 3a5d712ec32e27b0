"""Environment variables: what each may say, and what is told about text without a meaning."""

from __future__ import annotations

import pytest

from gpucore.errors import BackendError
from gpucore.runtime import read_choice, read_integer, read_list, read_switch
from gpucore.runtime.settings import debug_mode

NAME = "GPUCORE_ACME_SETTING"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", True), (" Yes ", True), ("ON", True), ("true", True),
        ("0", False), ("no", False), ("off", False), ("False", False),
    ],
)  # fmt: skip
def test_switch_takes_the_usual_words(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool) -> None:
    monkeypatch.setenv(NAME, text)
    assert read_switch(NAME, default=not expected) is expected


@pytest.mark.parametrize("default", [False, True])
def test_switch_that_is_not_set_has_its_default(monkeypatch: pytest.MonkeyPatch, default: bool) -> None:
    monkeypatch.delenv(NAME, raising=False)
    assert read_switch(NAME, default) is default
    monkeypatch.setenv(NAME, " ")
    assert read_switch(NAME, default) is default


def test_switch_refuses_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "maybe")
    with pytest.raises(BackendError) as caught:
        read_switch(NAME)
    expected = f"{NAME}='maybe' is not valid; set this environment variable to '1' or '0', or remove it"
    assert str(caught.value) == expected


def test_choice_is_one_of_the_allowed_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_choice(NAME, ("fast", "exact")) == ""
    monkeypatch.setenv(NAME, " Fast ")
    assert read_choice(NAME, ("fast", "exact")) == "fast"
    monkeypatch.setenv(NAME, "slow")
    with pytest.raises(BackendError, match="set this environment variable to 'fast' or 'exact', or remove it"):
        read_choice(NAME, ("fast", "exact"))


def test_list_keeps_the_order_and_no_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_list(NAME) == ()
    monkeypatch.setenv(NAME, "AVX2, fma,,avx2 ,")
    assert read_list(NAME) == ("avx2", "fma")


def test_integer_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_integer(NAME, 1, 8) is None
    monkeypatch.setenv(NAME, " 8 ")
    assert read_integer(NAME, 1, 8) == 8
    for text in ("0", "9", "-1", "two", "1.5"):
        monkeypatch.setenv(NAME, text)
        with pytest.raises(BackendError, match=f"{NAME}='{text}' is not a whole number from 1 to 8"):
            read_integer(NAME, 1, 8)


@pytest.mark.parametrize(("text", "expected"), [("ordered", "ordered"), ("yes", True), ("off", False), ("", False)])
def test_debug_mode_is_a_switch_or_ordered(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool | str) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG", text)
    assert debug_mode() == expected
