"""Environment variables: what each may say, and what is told about text without a meaning."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_backend import FakeBackend
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import ArgumentError, BackendError
from gpucore.runtime import read_choice, read_integer, read_list, read_switch
from gpucore.runtime.plugins.manager import register_backend
from gpucore.runtime.plugins.records import OFFICIAL
from gpucore.runtime.settings import debug_mode, read_cache_limit, read_cache_mode

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


@pytest.mark.parametrize(
    ("text", "mode"),
    [("", "on"), ("1", "on"), ("On", "on"), ("ro", "ro"), (" RO ", "ro"), ("0", "off"), ("no", "off"), ("off", "off")],
)
def test_mode_of_the_cache(monkeypatch: pytest.MonkeyPatch, text: str, mode: str) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", text)
    assert read_cache_mode().value == mode


@pytest.mark.parametrize("path", ["/tmp/cache", "~/cache", "here/there"])
def test_a_folder_where_the_mode_of_the_cache_stands_is_an_error(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", path)
    with pytest.raises(BackendError) as caught:
        read_cache_mode()
    assert str(caught.value) == (
        f"GPUCORE_CACHE={path!r} is not valid; set this environment variable to 'on', 'ro' or 'off', or remove it; "
        "GPUCORE_CACHE_DIR names the folder"
    )
    monkeypatch.setenv("GPUCORE_CACHE", "maybe")
    with pytest.raises(BackendError, match=r"or remove it$"):
        read_cache_mode()


def test_size_of_the_cache_is_in_mib(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_cache_limit() == 1 << 30
    monkeypatch.setenv("GPUCORE_CACHE_SIZE", "3")
    assert read_cache_limit() == 3 << 20


# ---------------------------------------------------------------- variables of plugins

CHOOSE_TWICE = """
    import json, warnings
    from gpucore.errors import BackendWarning
    from gpucore.runtime.select import choose
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BackendWarning)
        choose({name}), choose("acme")
    print(json.dumps([str(one.message) for one in caught]))
"""


@pytest.mark.parametrize("mode", ["inprocess", "subprocess"])
@pytest.mark.parametrize("name", ["", '"acme:0"'])
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("{'GPUCORE_ACME_CHECKED', 'GPUCORE_ACME_THREADS'}", "did you mean GPUCORE_ACME_CHECKED?"),
        ("{'GPUCORE_ACME_THREADS'}", "the variables of the plugin 'acme' are GPUCORE_ACME_THREADS"),
        ("()", "the plugin 'acme' has no variables"),
        ("{'GPUCORE_ACME_CHEKED'}", ""),
        ("{'GPUCORE_OTHER_MODE'}", ""),  # inherited from another plugin's backend
        (None, ""),
    ],
)
def test_variable_that_a_plugin_does_not_have_is_reported_once(
    site: Path, ask_python: Callable[..., Any], mode: str, name: str, settings: str | None, told: str
) -> None:
    listed = f"settings=frozenset({settings})" if settings else ""
    write_plugin(site, "acme", good_plugin("acme", listed))
    write_plugin(site, "acme_fast", good_plugin("acme_fast", "priority=10, settings=frozenset()"))
    variables = {"GPUCORE_ACME_CHEKED": "1", "GPUCORE_ACME_THREADS": "2"}
    if settings and "THREADS" not in settings:
        del variables["GPUCORE_ACME_THREADS"]
    messages = ask_python(CHOOSE_TWICE.format(name=name), site, GPUCORE_PROBE=mode, **variables)
    assert messages == ([f"the environment variable GPUCORE_ACME_CHEKED has no effect; {told}"] if told else [])


def test_longest_name_of_a_plugin_owns_a_variable(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "acme", good_plugin("acme", "settings=frozenset()"))
    fast = "settings=frozenset({'GPUCORE_ACME_FAST_MODE'})"
    write_plugin(site, "acme_fast", good_plugin("acme_fast", fast))
    variables = {"GPUCORE_ACME_FAST_MODE": "1", "GPUCORE_ACME_FAST_MOD": "1"}
    messages = ask_python(CHOOSE_TWICE.format(name='"acme_fast"'), site, **variables)
    assert messages == ["the environment variable GPUCORE_ACME_FAST_MOD has no effect; did you mean "
                        "GPUCORE_ACME_FAST_MODE?"]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"GPUCORE_ACME_MODE"}, "settings is {'GPUCORE_ACME_MODE'}, not a frozenset of str"),
        (frozenset({1}), "not a frozenset of str"),
        (frozenset({"ACME_MODE"}), "the name of its setting 'ACME_MODE' must begin with GPUCORE_"),
    ],
)
def test_list_of_variables_is_checked(settings: Any, reason: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        register_backend(FakeBackend("acme", settings=settings))
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", ["simulator", *OFFICIAL])
def test_own_backends_list_the_variables_that_they_read(name: str) -> None:
    module = importlib.import_module("gpucore.simulator.plugin" if name == "simulator" else f"gpucore_{name}.plugin")
    folder = Path(str(module.__file__)).parent
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    read = {found for text in texts for found in re.findall(rf'"(GPUCORE_{name.upper()}_\w+)"', text)}
    (backend,) = module.gpucore_backends()
    assert backend.settings == read
