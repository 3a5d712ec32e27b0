"""A bad plugin costs nobody else anything, and its record says what is wrong with it."""

from __future__ import annotations

import py_compile
import sys
from pathlib import Path

import pytest
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import BackendUnavailableError
from gpucore.runtime.plugins import manager
from gpucore.runtime.plugins.manager import PluginTable
from gpucore.runtime.plugins.records import PluginRecord, PluginStatus


def load(name: str) -> PluginRecord:
    """The record of one plugin, from a fresh table that has loaded everything."""
    (record,) = (record for record in PluginTable().load_all() if record.name == name)
    return record


def load_beside_good(site: Path, name: str, source: str) -> PluginRecord:
    """The record of a bad plugin, after a look that its good neighbour is not touched."""
    write_plugin(site, name, source)
    write_plugin(site, "zebra", good_plugin("zebra"))
    assert load("zebra").status is PluginStatus.LOADED
    return load(name)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module_anywhere", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("def broken(:", "SyntaxError: invalid syntax"),
        ("raise OSError('libfoo.so.1: cannot open shared object file')", "OSError: libfoo.so.1: cannot open"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise GeneratorExit('odd')", "GeneratorExit: odd"),
        (
            "try:\n    raise OSError('the root')\nexcept OSError as e:\n    raise ImportError('the top') from e",
            "OSError: the root (seen as ImportError: the top)",
        ),
        (
            "class Bad(Exception):\n    def __str__(self): raise RuntimeError()\nraise Bad()",
            "Bad: <its text raises RuntimeError>",
        ),
    ],
)
def test_import_that_fails_is_broken_with_the_root_cause(site: Path, source: str, reason: str) -> None:
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.BROKEN
    assert reason in record.reason
    assert "pip install" in record.hint and "dist-bad" in record.hint


def test_interrupt_during_import_passes_and_the_next_try_loads(site: Path) -> None:
    flag = site / "interrupted"
    once = f"import pathlib\nif not pathlib.Path({str(flag)!r}).exists():\n"
    once += f"    pathlib.Path({str(flag)!r}).touch()\n    raise KeyboardInterrupt\n"
    write_plugin(site, "slow", once + good_plugin("slow"))
    table = PluginTable()
    with pytest.raises(KeyboardInterrupt):
        table.load_all()
    assert table.find("slow")[1].name == "slow"


def test_hook_of_wrong_signature_refuses_the_whole_plugin(site: Path) -> None:
    source = good_plugin("bad").replace("gpucore_backends()", "gpucore_backends(wrong_argument)")
    other = "\n@hookimpl(specname='gpucore_backends')\ndef another():\n    raise SystemExit('it was called')\n"
    record = load_beside_good(site, "bad", source + other)
    assert record.status is PluginStatus.BROKEN
    assert "wrong_argument" in record.reason and "it was called" not in record.reason
    assert record.backends == ()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (good_plugin("bad").replace("gpucore_backends()", "gpucore_backend()"), "did you mean gpucore_backends?"),
        (good_plugin("bad").replace("gpucore_backends()", "backends()"), "backends is not a hook of gpucore"),
        (good_plugin("bad").replace("@hookimpl", ""), "lacks the decorator @hookimpl"),
        (good_plugin("bad") + "\ndef gpucore_devices():\n    return []\n", "gpucore_devices is not a hook of gpucore"),
        ("GPUCORE_API = '2.0'", "it has no hook"),
    ],
)
def test_misspelt_hook_is_reported(site: Path, source: str, reason: str) -> None:
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.BROKEN
    assert reason in record.reason


def test_module_named_like_a_hook_is_none(site: Path) -> None:
    (site / "gpucore_acme.py").write_text("")
    write_plugin(site, "acme", "import gpucore_acme\n" + good_plugin("acme"))
    assert load("acme").status is PluginStatus.LOADED


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("None", "returned None, not an iterable of Backend"),
        ("7", "returned builtins.int, not an iterable of Backend"),
        ("'fake'", "returned builtins.str, not an iterable of Backend"),
        ("[]", "returned no backend"),
        ("[object()]", "builtins.object, which is not a Backend"),
        ("[FakeBackend]", "which is not a Backend"),
        ("[FakeBackend('Bad')]", "name is 'Bad'"),
        ("[FakeBackend('')]", "name is ''"),
        ("[FakeBackend(None)]", "name is None"),
        ("[FakeBackend('other')]", "must be named 'bad' like its entry point"),
        ("[FakeBackend('bad', priority=101)]", "priority is 101"),
        ("[FakeBackend('bad', priority=-1)]", "priority is -1"),
        ("[FakeBackend('bad', priority=True)]", "priority is True"),
        ("[FakeBackend('bad', priority=1.5)]", "priority is 1.5"),
        ("[FakeBackend('bad', language='')]", "language is ''"),
        ("[FakeBackend('bad', capabilities={'f64'})]", "not a frozenset of Capability"),
        ("[FakeBackend('bad', capabilities=frozenset({'f64'}))]", "not a frozenset of Capability"),
        ("[FakeBackend('bad', hint=None)]", "hint is not a str"),
        ("[FakeBackend('bad'), FakeBackend('bad')]", "two backends named 'bad'"),
        ("1 / 0", "its hook gpucore_backends failed: ZeroDivisionError"),
        ("exit(4)", "its hook gpucore_backends failed: SystemExit: 4"),
        ("(1 / 0 for _ in [1])", "its hook gpucore_backends failed: ZeroDivisionError"),
    ],
)
def test_hook_with_a_bad_answer_is_broken(site: Path, answer: str, reason: str) -> None:
    source = good_plugin("bad").replace("[FakeBackend('bad')]", answer)
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.BROKEN
    assert reason in record.reason


def test_emit_without_the_device_is_broken(site: Path) -> None:
    """The signature of version 1 of the interface, in a plugin that claims to be of this version."""
    source = good_plugin("bad").replace("[FakeBackend('bad')]", "[Old('bad')]")
    source += "\nclass Old(FakeBackend):\n    def emit(self, module):\n        return None\n"
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.BROKEN
    assert "'bad': emit(module, device) cannot be called: too many positional arguments" in record.reason


def test_backend_whose_attribute_raises_is_broken(site: Path) -> None:
    source = good_plugin("bad").replace("[FakeBackend('bad')]", "[Bad('bad')]")
    source += "\nclass Bad(FakeBackend):\n    hint = property(lambda self: 1 / 0, lambda self, value: None)\n"
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.BROKEN
    assert "ZeroDivisionError" in record.reason


@pytest.mark.parametrize(
    ("declaration", "reason"),
    [
        ("", "does not declare GPUCORE_API"),
        ("GPUCORE_API = '2.1'", "written for version 2.1"),
        ("GPUCORE_API = '3.0'", "written for version 3.0"),
        ("GPUCORE_API = '1.0'", "written for version 1.0"),
        ("GPUCORE_API = '0.9'", "written for version 0.9"),
        ("GPUCORE_API = '1'", "not a str like"),
        ("GPUCORE_API = '1.0.0'", "not a str like"),
        ("GPUCORE_API = 'one.two'", "not a str like"),
        ("GPUCORE_API = '1.0\\n'", "not a str like"),
        ("GPUCORE_API = 1.0", "not a str like"),
        ("GPUCORE_API = (1, 0)", "not a str like"),
    ],
)
def test_other_version_of_the_interface_is_incompatible(site: Path, declaration: str, reason: str) -> None:
    source = good_plugin("bad").replace('GPUCORE_API = "2.0"', declaration)
    record = load_beside_good(site, "bad", source)
    assert record.status is PluginStatus.INCOMPATIBLE
    assert reason in record.reason


@pytest.mark.parametrize(
    "declaration",
    [
        "from gpucore.runtime import GPUCORE_API",
        "import gpucore.runtime\nGPUCORE_API = gpucore.runtime.GPUCORE_API",
        "from gpucore import runtime\nGPUCORE_API = str(runtime.GPUCORE_API)",
        "from gpucore.runtime.protocol import GPUCORE_API  # not 2.0",
    ],
)
@pytest.mark.parametrize("is_compiled", [False, True])
def test_version_of_the_interface_that_is_not_the_plugins_own_is_refused(
    site: Path, declaration: str, is_compiled: bool
) -> None:
    """It would fit every core for ever. A module without its text is known by its constants."""
    write_plugin(site, "bad", good_plugin("bad").replace('GPUCORE_API = "2.0"', declaration))
    write_plugin(site, "zebra", good_plugin("zebra"))
    if is_compiled:
        for path in site.glob("plugin_*.py"):
            py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")))
            path.unlink()
    assert load("zebra").status is PluginStatus.LOADED
    record = load("bad")
    assert record.status is PluginStatus.INCOMPATIBLE
    assert "has no literal as its GPUCORE_API" in record.reason
    assert record.hint.startswith('write GPUCORE_API = "2.0" in plugin_bad_')


@pytest.mark.parametrize("declaration", ["GPUCORE_API: str = '2.0'", "if True:\n    GPUCORE_API = '2.0'"])
def test_other_ways_to_write_the_literal_are_taken(site: Path, declaration: str) -> None:
    write_plugin(site, "acme", good_plugin("acme").replace('GPUCORE_API = "2.0"', declaration))
    assert load("acme").status is PluginStatus.LOADED


def test_hint_names_the_older_half(site: Path) -> None:
    newer = load_beside_good(site, "newer", good_plugin("newer").replace("2.0", "2.7"))
    assert newer.hint == "pip install --upgrade ./core, in the folder of gpucore's source"
    write_plugin(site, "older", good_plugin("older").replace("2.0", "1.0"))
    assert load("older").hint == "pip install --upgrade dist-older"


def test_plugin_that_asks_for_devices_while_imported_is_broken(site: Path) -> None:
    source = "from gpucore.runtime.plugins.manager import TABLE\nimport sys\nTABLE.load_all()\n" + good_plugin("bad")
    write_plugin(site, "bad", source)
    table = PluginTable()
    manager.__dict__["TABLE"], kept = table, manager.TABLE
    try:
        (record,) = (record for record in table.load_all() if record.name == "bad")
    finally:
        manager.__dict__["TABLE"] = kept
    assert record.status is PluginStatus.BROKEN
    assert "requested devices while it was being imported" in record.reason


def test_looking_for_one_backend_imports_no_other(site: Path) -> None:
    write_plugin(site, "wanted", good_plugin("wanted"), module="plugin_wanted_alone")
    write_plugin(site, "other", good_plugin("other"), module="plugin_other_alone")
    table = PluginTable()
    record, backend = table.find("wanted")
    assert (record.status, backend.name) == (PluginStatus.LOADED, "wanted")
    assert "plugin_wanted_alone" in sys.modules and "plugin_other_alone" not in sys.modules


def test_several_backends_of_one_plugin(site: Path) -> None:
    source = good_plugin("acme").replace("[FakeBackend('acme')]", "[FakeBackend('acme_b'), FakeBackend('acme_a')]")
    write_plugin(site, "acme", source)
    table = PluginTable()
    assert table.find("acme_b")[1].name == "acme_b"
    with pytest.raises(BackendUnavailableError, match=r"has no backend of that name; it has 'acme_b', 'acme_a'"):
        table.find("acme")
    with pytest.raises(BackendUnavailableError, match="there is no backend 'acme_c'"):
        table.find("acme_c")
