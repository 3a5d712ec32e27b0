"""`gpucore conformance`: the kit without pytest, its reports, expected failures and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fake_plugins import write_plugin

CONFORMANCE = Path(__file__).parents[1] / "conformance"
sys.path.insert(0, str(CONFORMANCE))  # mutant_backends

UNSTEADY = """
    import dataclasses
    from mutant_backends import WrappedBackend
    from gpucore.runtime import hookimpl

    GPUCORE_API = "2.0"

    def emit(source):
        return dataclasses.replace(source, text=f"{source.text}# {hash('gpucore')}\\n")

    @hookimpl
    def gpucore_backends():
        return [WrappedBackend("unsteady", emit=emit)]
"""


def test_numbers_and_names_select(run: Any) -> None:
    shown = run("conformance", "simulator", "--in-process", "-k", "C200", "-k", "Buffer.forget", "-k", "test_chain")
    assert (shown.code, shown.err) == (0, "")
    head, device, summary = shown.out.splitlines()
    assert head.startswith("== gpucore conformance simulator ===")
    assert device.startswith("simulator:0: Python simulator (software)")
    assert summary.startswith("3 passed in ")


def test_tier_and_report(run: Any) -> None:
    shown = run("conformance", "simulator", "--tier", "basic", "-k", "C0", "--json", "-")
    assert (shown.code, shown.err) == (0, "")
    report = json.loads(shown.out)
    assert (report["format"], report["version"], report["tier"], report["isolated"]) == (
        "gpucore conformance", 1, "basic", True,
    )  # fmt: skip
    assert report["device"]["id"] == "simulator:0" and report["time_limit"] == 120
    assert report["counts"] == {"passed": len(report["behaviours"]), "failed": 0, "expected": 0, "skipped": 0}
    assert {one["tier"] for one in report["behaviours"]} == {"basic"}
    first = report["behaviours"][0]
    assert (first["number"], first["test"], first["status"], first["reason"]) == ("C001", "test_backend", "passed", "")
    assert set(first) == {
        "number", "test", "case", "text", "contract", "tier", "status", "reason", "seconds", "trace",
    }  # fmt: skip


class _Text(HTMLParser):
    """The text of a page, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.open, self.loaded = "", list[str](), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "html"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "html":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_failures_end_with_1_and_are_in_the_page(run_process: Any, tmp_path: Path) -> None:
    page, report = tmp_path / "report.html", tmp_path / "report.json"
    shown = run_process(
        "conformance", "exits_in_write", "--import", "fatal_backends", "-k", "C001", "-k", "C021", "-k", "C083",
        "--time-limit", "20", "--html", page, "--json", report, folders=(CONFORMANCE,),
    )  # fmt: skip
    assert (shown.code, shown.err) == (1, "")
    said = "ended the process with exit code 3 and no answer; it printed: the driver gives up"
    assert f"C021 test_write_at_offset failed: {said}" in shown.out.splitlines()
    assert "skipped    1  exits_in_write:0 has no stream" in shown.out
    assert "1 passed, 1 failed, 1 skipped in " in shown.out
    assert json.loads(report.read_text())["counts"] == {"passed": 1, "failed": 1, "expected": 0, "skipped": 1}
    parsed = _Text()
    parsed.feed(page.read_text(encoding="utf-8"))
    assert parsed.open == [] and parsed.loaded == []
    assert "prefers-color-scheme: dark" in parsed.text
    for part in ("Conformance of exits_in_write:0", said, "1 failed", "1 skipped", "C001", "test_backend"):
        assert part in parsed.text


def test_expected_failures(run_process: Any, tmp_path: Path) -> None:
    expected, others = tmp_path / "expected.toml", tmp_path / "others.json"
    expected.write_text('C021 = "the driver exits"\n')
    others.write_text('{"C500": "is not run"}')
    arguments = ("conformance", "exits_in_write", "--import", "fatal_backends", "-k", "C021", "-k", "C001")
    shown = run_process(*arguments, "--expect", expected, "--expect", others, folders=(CONFORMANCE,))
    assert (shown.code, shown.err) == (0, "")
    assert "C021 test_write_at_offset expected: the driver exits (ended the process with exit code 3" in shown.out
    assert "1 passed, 1 expected in " in shown.out


def test_expected_failure_that_passes_is_a_failure(run: Any) -> None:
    shown = run("conformance", "simulator", "--in-process", "-k", "C001", "--expect", "C001=it has no name")
    assert shown.code == 1
    text = "it passes, and a failure was expected: it has no name. Take the expectation back"
    assert f"C001 test_backend failed: {text}" in shown.out.splitlines()


@pytest.mark.parametrize(("arguments", "said"), [
    (("--tier", "bsic"), "no tier 'bsic': tiers are basic, full, stress, algorithms, debugging and all; did you mean"),
    (("--expect", "C0001=slow"), "no behaviour has that number; near it are C001"),
    (("--expect", "C001="), "a failure of C001 is expected without a reason"),
    (("--expect", "C001=a", "--expect", "C001=b"), "--expect names C001 twice"),
    (("--expect", "nowhere.toml"), 'neither C123="reason" nor a file that can be read'),
    (("-k", "no such text"), "no behaviour of the tier full has 'no such text' in it"),
    (("--time-limit", "0"), "a time limit is a number of seconds above 0, not '0'"),
    (("--html", "-"), "a page is not written to standard output"),
])  # fmt: skip
def test_mistakes(run: Any, arguments: tuple[str, ...], said: str) -> None:
    shown = run("conformance", "simulator", *arguments)
    assert (shown.code, shown.out) == (2, "")
    assert said in shown.err


@pytest.mark.parametrize("option", [(), ("--in-process",)])
def test_missing_device_is_3(run: Any, option: tuple[str, ...]) -> None:
    shown = run("conformance", "simulator:7", *option)
    assert shown.code == 3 and "simulator:7" in shown.err


def test_module_that_cannot_be_imported_is_4(run: Any) -> None:
    shown = run("conformance", "simulator", "--in-process", "--import", "no_such_module")
    assert shown.code == 4 and "no_such_module cannot be imported: ModuleNotFoundError" in shown.err


def test_modules_of_the_current_folder_can_be_imported(
    tmp_path: Path, environment: Callable[..., dict[str, str]]
) -> None:
    """Also by the command, for which Python does not look there."""
    (tmp_path / "own_module.py").write_text("import fatal_backends\n")
    command = "import sys, gpucore.cli as cli; sys.exit(cli.main(sys.argv[1:]))"
    given = ["conformance", "aborts_in_open", "--import", "own_module", "-k", "C001"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", command, *given], env=environment(CONFORMANCE), cwd=tmp_path, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "opening aborts_in_open crashed the process with SIGABRT" in done.stderr


def test_failure_without_a_text_names_its_line(run_process: Any) -> None:
    given = "conformance", "asserts_in_elapsed", "--import", "fatal_backends", "-k", "C038"
    shown = run_process(*given, folders=(CONFORMANCE,))
    assert shown.code == 1
    assert re.search(r"AssertionError: in \S*fatal_backends\.py:\d+: assert not given", " ".join(shown.out.split()))


def test_device_that_cannot_be_opened_is_4(run_process: Any) -> None:
    shown = run_process("conformance", "aborts_in_open", "--import", "fatal_backends", folders=(CONFORMANCE,))
    assert shown.code == 4 and "opening aborts_in_open crashed the process with SIGABRT" in shown.err


def test_hang_in_the_process_ends_it_with_a_stack(run_process: Any) -> None:
    shown = run_process(
        "conformance", "hangs_in_dispatch", "--import", "fatal_backends", "--in-process", "-k", "C032",
        "--time-limit", "1", folders=(CONFORMANCE,),
    )  # fmt: skip
    assert shown.code == 1 and "Timeout (0:00:01)!" in shown.err and " in test_chain" in shown.err


def test_it_needs_no_pytest_and_finds_installed_plugins(run_process: Any, tmp_path: Path) -> None:
    """Text that depends on the process is found where the plugin is installed, which another process needs."""
    write_plugin(tmp_path / "plugins", "unsteady", UNSTEADY)
    (tmp_path / "pytest.py").write_text("raise ImportError('there is no pytest')\n")
    folders = (tmp_path, tmp_path / "plugins", CONFORMANCE)
    shown = run_process(
        "conformance", "unsteady", "-k", "C006", "-k", "C087", "-k", "C650", "--json", "-", folders=folders
    )
    assert shown.code == 1, shown.err
    ended = {one["number"]: (one["status"], one["reason"]) for one in json.loads(shown.out)["behaviours"]}
    assert (ended["C006"][0], ended["C650"][0]) == ("passed", "passed")
    assert ended["C087"] == ("failed", "AssertionError: another process emits another text of affine")
