"""Metadata in every state: what is found, what is refused before it is imported, and what two plugins claim."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest
from fake_backend import FakeBackend
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import ArgumentError, BackendError, BackendUnavailableError
from gpucore.runtime.plugins import records
from gpucore.runtime.plugins.manager import PluginTable
from gpucore.runtime.plugins.records import PluginRecord, PluginStatus
from gpucore.version import __version__


def records_of(name: str) -> list[PluginRecord]:
    return [record for record in PluginTable().load_all() if record.name == name]


@pytest.mark.parametrize("is_reversed", [False, True])
def test_two_distributions_that_claim_one_name_are_both_refused(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch, is_reversed: bool
) -> None:
    folders = [site / "first", site / "second"]
    for folder, distribution in zip(folders, ("dist-one", "dist-two"), strict=True):
        write_plugin(folder, "acme", good_plugin("acme"), distribution=distribution, module=f"claim_{folder.name}")
    for folder in reversed(folders) if is_reversed else folders:
        monkeypatch.syspath_prepend(str(folder))
    records = records_of("acme")
    expected = "conflict: 'acme' is the name of a backend in dist-one 1.0 (claim_first) and dist-two 1.0 (claim_second)"
    assert [(record.status, record.reason) for record in records] == [(PluginStatus.BROKEN, expected)] * 2
    assert "claim_first" not in sys.modules and "claim_second" not in sys.modules
    with pytest.raises(BackendUnavailableError, match=r"dist-one 1.0 .* and dist-two"):
        PluginTable().find("acme")


def test_blocking_one_distribution_settles_a_conflict(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plugin(site / "a", "acme", good_plugin("acme"), distribution="dist-one", module="settled_one")
    write_plugin(site / "b", "acme", good_plugin("acme"), distribution="Dist_Two", module="settled_two")
    monkeypatch.syspath_prepend(str(site / "a"))
    monkeypatch.syspath_prepend(str(site / "b"))
    monkeypatch.setenv("GPUCORE_BLOCK", "dist.two")
    statuses = {record.distribution: record.status for record in records_of("acme")}
    assert statuses == {"dist-one": PluginStatus.LOADED, "dist-two": PluginStatus.BLOCKED}


@pytest.mark.parametrize("asked_first", ["acme", "acme_fast"])
def test_conflict_between_different_entry_points_does_not_depend_on_the_order_of_questions(
    site: Path, asked_first: str
) -> None:
    both = good_plugin("acme").replace("[FakeBackend('acme')]", "[FakeBackend('acme'), FakeBackend('acme_fast')]")
    write_plugin(site, "acme", both, distribution="dist-one")
    write_plugin(site, "acme_fast", good_plugin("acme_fast"), distribution="dist-two")
    with pytest.raises(
        BackendUnavailableError, match=r"'acme_fast' is the name of a backend in dist-one 1.0 .* and dist-two 1.0"
    ):
        PluginTable().find(asked_first)


def test_the_simulator_cannot_be_replaced(site: Path) -> None:
    write_plugin(site, "simulator", good_plugin("simulator"), distribution="evil", module="evil_simulator")
    own, evil = records_of("simulator")
    assert (own.distribution, own.module) == ("gpucore", "gpucore.simulator.plugin")
    assert own.status is not PluginStatus.BROKEN
    assert evil.status is PluginStatus.BROKEN and "built in" in evil.reason
    assert "evil_simulator" not in sys.modules


def test_cores_own_entry_point_is_not_a_second_simulator(site: Path) -> None:
    info = write_plugin(site, "simulator", "", distribution="gpucore", version="0.1.0", module="unused_module")
    (info / "entry_points.txt").write_text("[gpucore.backends]\nsimulator = gpucore.simulator.plugin\n")
    assert len(records_of("simulator")) == 1


def test_one_distribution_found_twice_is_one_plugin(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale, current = site / "stale", site / "current"
    write_plugin(stale, "acme", "raise AssertionError('stale')", distribution="dist_acme", module="stale_acme")
    write_plugin(current, "acme", good_plugin("acme"), distribution="Dist-Acme", version="2.0", module="current_acme")
    monkeypatch.syspath_prepend(str(stale))
    monkeypatch.syspath_prepend(str(current))
    (record,) = records_of("acme")
    assert (record.version, record.module, record.status) == ("2.0", "current_acme", PluginStatus.LOADED)


@pytest.mark.parametrize("versions", [("1.9", "1.10"), ("1.10", "1.9"), ("garbage", "1.10")])
def test_of_two_versions_in_one_folder_the_newest_counts(site: Path, versions: tuple[str, str]) -> None:
    for version in versions:
        write_plugin(site, "acme", good_plugin("acme"), version=version)
    assert [record.version for record in records_of("acme")] == ["1.10"]


def test_a_current_distribution_without_plugin_hides_a_stale_one_with(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plugin(site / "stale", "acme", good_plugin("acme"), version="1.0")
    info = write_plugin(site / "current", "acme", good_plugin("acme"), version="2.0")
    (info / "entry_points.txt").write_text("[console_scripts]\nacme = acme:main\n")
    monkeypatch.syspath_prepend(str(site / "stale"))
    monkeypatch.syspath_prepend(str(site / "current"))
    assert records_of("acme") == []


@pytest.mark.parametrize(
    "requirement",
    [
        "gpucore>=99",
        "gpucore<0.1",
        "GpuCore ==3.*",
        "gpucore (>=99)",
        "gpucore>=99; python_version >= '3'",
        "gpucore >> 1",
    ],
)
def test_plugin_for_another_core_is_incompatible_and_not_imported(site: Path, requirement: str) -> None:
    write_plugin(site, "acme", "raise SystemExit", requires=("numpy", requirement), module="module_for_another_core")
    (record,) = records_of("acme")
    assert record.status is PluginStatus.INCOMPATIBLE
    assert (
        "gpucore" in record.reason
        and record.hint == "pip install --upgrade ./core dist-acme, in the folder of gpucore's source"
    )
    assert "module_for_another_core" not in sys.modules


@pytest.mark.parametrize(
    "requires",
    [
        (), ("numpy",), (f"gpucore=={__version__}",), ("gpucore>=0.1.0rc1",), ("gpucore>=99; python_version < '3'",),
        ("gpucore>=99; extra == 'new'",), ("gpucore-tools>=99",), ("not a requirement at all !!",),
        ("gpucore @ file:///somewhere",),
    ],
)  # fmt: skip
def test_requirements_that_this_core_meets(site: Path, requires: tuple[str, ...]) -> None:
    write_plugin(site, "acme", good_plugin("acme"), requires=requires)
    assert [record.status for record in records_of("acme")] == [PluginStatus.LOADED]


def test_a_prerelease_of_core_meets_a_requirement(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.runtime.plugins.discovery.__version__", "0.3.0.dev1")
    write_plugin(site, "acme", good_plugin("acme"), requires=("gpucore>=0.2",))
    assert [record.status for record in records_of("acme")] == [PluginStatus.LOADED]


@pytest.mark.parametrize(
    "metadata",
    [None, b"", b"Metadata-Version: 2.1\nVersion: 1.0\n", b"\xff\xfe\x00broken", b"Name\n\n\nName: late"],
    ids=["absent", "empty", "no-name", "undecodable", "malformed"],
)
def test_corrupt_metadata_refuses_that_plugin_alone(site: Path, metadata: bytes | None) -> None:
    write_plugin(site, "good", good_plugin("good"))
    info = write_plugin(site, "bad", "raise SystemExit", module="module_of_corrupt")
    (info / "METADATA").unlink()
    if metadata is not None:
        (info / "METADATA").write_bytes(metadata)
    (record,) = records_of("bad")
    assert record.status is PluginStatus.BROKEN
    assert "corrupt" in record.reason and str(site) in record.reason + record.hint
    assert "module_of_corrupt" not in sys.modules
    assert [one.status for one in records_of("good")] == [PluginStatus.LOADED]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[gpucore.backends]\nbad\n", "corrupt"),
        ("[gpucore.backends]\nbad = module:attribute\n", "must name a module"),
        ("[gpucore.backends]\nbad = ../evil\n", "must name a module"),
        ("[gpucore.backends]\nbad =\n", "must name a module"),
        ("[gpucore.backends]\nBad-Name = module\n", "is not [a-z][a-z0-9_]*"),
    ],
)
def test_malformed_entry_points_are_refused(site: Path, text: str, reason: str) -> None:
    info = write_plugin(site, "bad", "raise SystemExit")
    (info / "entry_points.txt").write_text(text)
    write_plugin(site, "good", good_plugin("good"))
    records = PluginTable().load_all()
    (record,) = (record for record in records if record.distribution == "dist-bad")
    assert record.status is PluginStatus.BROKEN and reason in record.reason
    assert [one.status for one in records if one.name == "good"] == [PluginStatus.LOADED]


def test_leftovers_of_pip_are_not_plugins(site: Path) -> None:
    info = write_plugin(site, "acme", good_plugin("acme"))
    info.rename(info.with_name(f"~{info.name[1:]}"))
    half = write_plugin(site, "half", good_plugin("half"), version="1.0", module="half_module")
    (half / "METADATA").unlink()
    write_plugin(site, "half", good_plugin("half"), version="2.0", module="half_module")
    assert records_of("acme") == []
    assert [(record.version, record.status) for record in records_of("half")] == [("2.0", PluginStatus.LOADED)]


def test_without_any_distribution_there_is_the_simulator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **_: iter(()))
    monkeypatch.setenv("GPUCORE_BLOCK", "")
    table = PluginTable()
    assert [record.name for record in table.list_installed()] == ["simulator"]
    with pytest.raises(
        BackendUnavailableError,
        match=r'not installed\n  hint: pip install --upgrade "./plugins/cuda_backend\[wheels\]", in',
    ):
        table.find("cuda")


def test_a_broken_finder_leaves_the_simulator_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("this finder is broken")

    monkeypatch.setattr(importlib.metadata, "distributions", fail)
    simulator, unknown = PluginTable().list_installed()
    assert simulator.status is PluginStatus.FOUND
    assert unknown.status is PluginStatus.BROKEN and "this finder is broken" in unknown.reason


def test_plugin_installed_later_is_found_after_refresh(site: Path) -> None:
    table = PluginTable()
    assert "late" not in [record.name for record in table.load_all()]
    write_plugin(site, "late", good_plugin("late"))
    assert "late" not in [record.name for record in table.load_all()]
    with pytest.raises(BackendUnavailableError):
        table.find("late")
    table.refresh()
    assert table.find("late")[1].name == "late"


def test_plugin_uninstalled_is_gone_after_refresh(site: Path) -> None:
    info = write_plugin(site, "early", good_plugin("early"))
    table = PluginTable()
    assert table.find("early")[1].name == "early"
    info.rename(site / "removed")
    table.refresh()
    with pytest.raises(BackendUnavailableError, match="there is no backend 'early'"):
        table.find("early")


@pytest.mark.parametrize("blocked", ["acme", " other , ACME ", "dist_acme", "DIST.ACME"])
def test_blocked_plugin_is_never_imported(site: Path, monkeypatch: pytest.MonkeyPatch, blocked: str) -> None:
    monkeypatch.setenv("GPUCORE_BLOCK", blocked)
    write_plugin(site, "acme", "raise SystemExit", module="module_that_is_blocked")
    (record,) = records_of("acme")
    assert (record.status, record.reason) == (PluginStatus.BLOCKED, "it is named in GPUCORE_BLOCK")
    with pytest.raises(BackendUnavailableError, match="blocked: it is named in GPUCORE_BLOCK"):
        PluginTable().find("acme")
    assert "module_that_is_blocked" not in sys.modules


def test_registered_backend_needs_a_free_name_and_sound_attributes(site: Path) -> None:
    write_plugin(site, "acme", good_plugin("acme"))
    table = PluginTable()
    table.register(FakeBackend("mine"))
    for taken in ("mine", "acme", "simulator"):
        with pytest.raises(BackendError, match=f"'{taken}' already exists"):
            table.register(FakeBackend(taken))
    with pytest.raises(ArgumentError, match="priority is 1000"):
        table.register(FakeBackend("other", priority=1000))
    with pytest.raises(ArgumentError, match="not a Backend"):
        table.register("mine")  # type: ignore[arg-type]
    table.unregister("mine")
    with pytest.raises(ArgumentError, match="no backend named 'mine' was registered"):
        table.unregister("mine")


def test_plugin_installed_under_a_registered_name_is_refused(site: Path) -> None:
    table = PluginTable()
    table.register(mine := FakeBackend("mine"))
    write_plugin(site, "mine", good_plugin("mine"), module="module_of_a_registered_name")
    table.refresh()
    assert table.find("mine")[1] is mine
    (record,) = (one for one in table.load_all() if one.distribution == "dist-mine")
    assert record.status is PluginStatus.BROKEN and "registered" in record.reason
    assert "module_of_a_registered_name" not in sys.modules


def test_no_command_or_page_installs_the_strangers_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name on PyPI is not ours yet. Its extras and commands stand in one place, for the day it is."""
    root = Path(__file__).parents[2]
    pattern = re.compile(r"pip install[^\n]*[ \"'`](gpucore(-\w+)?)\b")
    pages = [root / "README.md", *root.glob("core/*.md"), *root.glob("docs/*.md"), *root.glob("plugins/*/*.md")]
    for path in [*pages, *root.glob("core/src/**/*.py"), *root.glob("plugins/*/src/**/*.py")]:
        assert not pattern.search(path.read_text()), path
    monkeypatch.setattr(records, "REPOSITORY", "https://example.org/gpucore.git")
    assert records.hint_to_install("cuda") == (
        'pip install --upgrade "gpucore-cuda[wheels] @ git+https://example.org/gpucore.git'
        '#subdirectory=plugins/cuda_backend"'
    )
    monkeypatch.setattr(records, "IS_PUBLISHED", True)
    assert records.hint_to_install("cuda") == 'pip install --upgrade "gpucore[cuda-wheels]"'
    assert records.install_command("gpucore", "acme") == "pip install --upgrade gpucore acme"
    for official in records.OFFICIAL.values():
        project = tomllib.loads((root / official.folder / "pyproject.toml").read_text())["project"]
        assert project["name"] == official.distribution
        assert not official.needs or official.needs in project["optional-dependencies"]
        core = tomllib.loads((root / "core" / "pyproject.toml").read_text())["project"]
        assert official.extra in core["optional-dependencies"]


def test_projects_name_the_repository_once_there_is_one() -> None:
    root = Path(__file__).parents[2]
    for folder in ("core", *(official.folder for official in records.OFFICIAL.values())):
        project = tomllib.loads((root / folder / "pyproject.toml").read_text())["project"]
        assert project.get("urls", {}).get("Repository", "") == records.REPOSITORY
