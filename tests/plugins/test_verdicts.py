"""What one process finds out about a plugin the hard way, and the next ones know."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_plugins import good_plugin, write_plugin

CHOOSE = """
    import json, warnings
    from gpucore.errors import BackendWarning, FallbackWarning
    from gpucore.runtime.select import choose
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", BackendWarning)
        warnings.simplefilter("ignore", FallbackWarning)
        chosen = choose().info.id
    print(json.dumps([chosen, [str(one.message) for one in caught]]))
"""
NAMED = """
    import json, warnings
    from gpucore.errors import BackendUnavailableError
    from gpucore.runtime.select import choose
    warnings.simplefilter("ignore")
    try:
        print(json.dumps(choose("bad").info.id))
    except BackendUnavailableError as error:
        print(json.dumps(str(error)))
"""


def kept_in(folder: Path) -> dict[str, str]:
    """Variables for a process that keeps what it finds out in a folder."""
    return {"GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(folder)}


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("source", "code", "step"),
    [
        ("import os; os._exit(41)", 41, "importing plugin_bad_"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9, "importing plugin_bad_"),
        (
            good_plugin("bad").replace("    return", "    import os; os._exit(42)\n    return"),
            42,
            "importing plugin_bad_",
        ),
        (good_plugin("bad", "faults=Faults(probe_exit=43)"), 43, "probing bad"),
    ],
)
def test_plugin_that_ends_the_process_is_skipped_by_the_next(
    site: Path, cache: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any], source: str, code: int,
    step: str,
) -> None:  # fmt: skip
    write_plugin(site, "bad", source)
    write_plugin(site, "good", good_plugin("good"))
    settings = kept_in(cache)
    assert run_python(CHOOSE, site, check=False, **settings).returncode == code
    for _ in range(2):
        chosen, told = ask_python(CHOOSE, site, **settings)
        (warning,) = told
        assert chosen == "good:0" and "'bad' (dist-bad 1.0) is skipped: process " in warning.replace("of plugin ", "")
        assert f"ended while {step}" in warning and "a crash, os._exit or SIGKILL" in warning
        assert (
            "a choice by name, or `gpucore doctor --refresh`, tries it again; GPUCORE_BLOCK=bad disables it" in warning
        )
    assert list(cache.rglob("*.attempt")) == []


ENDINGS = {
    "import": "{crash}\n" + good_plugin("bad"),
    "probe": good_plugin("bad", "on_probe=lambda: exec({crash!r})"),
}
REQUESTS = {
    "argument": "choose('bad:0')",
    "use": "gp.use('bad'); choose()",
    "environment": "os.environ['GPUCORE_BACKEND'] = 'bad'; choose()",
    "argument after automatic choice": "choose(); choose('bad')",
}


@pytest.mark.parametrize(
    ("request_", "mode", "step"),
    [(REQUESTS["argument"], mode, step) for mode in ("inprocess", "subprocess") for step in ENDINGS]
    + [(request, "inprocess", "probe") for name, request in REQUESTS.items() if name != "argument"],
)
def test_choice_by_name_tries_again_in_a_child(
    site: Path, cache: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any], request_: str,
    mode: str, step: str,
) -> None:  # fmt: skip
    """It lives on while the plugin crashes, and uses it once it does not."""
    mended = site / "mended"
    crash = f"import os, pathlib; pathlib.Path({str(mended)!r}).exists() or os._exit(41)"
    write_plugin(site, "bad", ENDINGS[step].format(crash=crash))
    settings = {**kept_in(cache), "GPUCORE_PROBE": mode}
    run_python(CHOOSE, site, check=False, **settings)
    *others, last = request_.split("; ")
    code = f"""
        import json, os, warnings
        import gpucore as gp
        from gpucore.errors import BackendUnavailableError
        from gpucore.runtime.select import choose
        warnings.simplefilter("ignore")
        {"; ".join(others)}
        answers = []
        for _ in range(2):
            try:
                answers.append({last}.info.id)
            except BackendUnavailableError as error:
                answers.append(str(error))
        print(json.dumps(answers))
    """
    for text in ask_python(code, site, **settings):
        assert "bad" in text and "the process with exit code 41 and no answer" in text and "choice by name" not in text
    chosen, (warning,) = ask_python(CHOOSE, site, **settings)
    assert chosen == "simulator:0" and "is skipped: " in warning and "exit code 41" in warning
    mended.touch()
    assert ask_python(CHOOSE, site, **settings)[0] == "simulator:0"  # automatic choice does not try
    assert ask_python(code, site, **settings) == ["bad:0"] * 2
    assert ask_python(CHOOSE, site, **settings) == ["bad:0", []]
    assert list((cache / "plugins").iterdir()) == []


def test_choice_by_name_tries_a_plugin_that_fails_elsewhere_meanwhile(
    site: Path, cache: Path, ask_python: Callable[..., Any]
) -> None:
    write_plugin(site, "bad", good_plugin("bad"))
    code = """
        import json
        from gpucore.runtime.plugins import verdicts
        from gpucore.runtime.plugins.manager import TABLE
        from gpucore.runtime.plugins.records import PluginStatus
        from gpucore.runtime.select import choose
        find = TABLE.find
        def find_late(name, timeout=None):
            record, backend = find(name, timeout)
            verdicts.remember(record, name, PluginStatus.BROKEN, "process 1 ended while probing bad")
            return record, backend
        TABLE.find = find_late
        print(json.dumps(choose("bad").info.id))
    """
    assert ask_python(code, site, **kept_in(cache)) == "bad:0"


@pytest.mark.parametrize("step", ENDINGS)
def test_plugin_that_crashes_a_child_process_is_named_by_the_first_program_as_by_the_next(
    site: Path, cache: Path, ask_python: Callable[..., Any], step: str
) -> None:
    write_plugin(site, "bad", ENDINGS[step].format(crash="import os; os.abort()"))
    write_plugin(site, "good", good_plugin("good"))
    settings = {**kept_in(cache), "GPUCORE_PROBE": "subprocess"}
    chosen, (warning,) = first = ask_python(CHOOSE, site, **settings)
    assert chosen == "good:0" and "(dist-bad 1.0) is skipped: " in warning
    assert "crashed the process with SIGABRT" in warning and "GPUCORE_BLOCK=bad disables it" in warning
    assert ask_python(CHOOSE, site, **settings) == first


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("step", "number"),
    [(step, number) for step in ENDINGS for number in ("SIGTERM", "SIGINT", "SIGHUP")]
    + [("probe", number) for number in ("SIGALRM", "SIGUSR1", "SIGUSR2", "SIGXCPU")],
)
def test_signal_that_ends_the_program_is_no_crash(
    site: Path, cache: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any], step: str, number: str
) -> None:
    """While two threads import or probe, one of them with the interpreter lock held, so that Python runs no code."""
    done = site / "done"
    wait = f"""
import ctypes, os, pathlib, signal, subprocess, sys
if not pathlib.Path({str(done)!r}).exists():
    pathlib.Path({str(done)!r}).touch()
    subprocess.Popen([sys.executable, "-c",
        f"import os, time; time.sleep(0.3); os.kill({{os.getpid()}}, {getattr(signal, number):d})"])
    ctypes.PyDLL(None).usleep(20_000_000)
"""
    write_plugin(site, "bad", ENDINGS[step].format(crash=wait))
    busy = f"""
import pathlib, time
if not pathlib.Path({str(done)!r}).exists():
    while not pathlib.Path({str(done)!r}).exists():
        time.sleep(0.01)
    time.sleep(10.0)
"""
    write_plugin(site, "other", busy + good_plugin("other", "priority=10"))
    settings = kept_in(cache)
    code = f"""
        import signal, threading, time
        from gpucore.runtime.select import choose
        signal.signal(signal.{number}, signal.SIG_DFL)
        threading.Thread(target=choose, args=("other",), daemon=True).start()
        time.sleep(0.3)
        choose("bad")
    """
    assert run_python(code, site, check=False, **settings).returncode == -getattr(signal, number)
    assert done.exists() and len(list((cache / "plugins").glob("*.attempt"))) == 2
    assert ask_python(CHOOSE, site, **settings) == ["bad:0", []]
    assert list((cache / "plugins").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_handlers_of_signals_are_as_before(site: Path, cache: Path, run_python: Callable[..., Any]) -> None:
    """Those of the program run, during a probe too; and no other stays behind."""
    probe = "on_probe=lambda: __import__('os').kill(__import__('os').getpid(), __import__('signal').SIGTERM)"
    write_plugin(site, "acme", good_plugin("acme", probe))
    code = """
        import os, signal, time
        from gpucore.runtime.select import choose
        signal.signal(signal.SIGTERM, lambda number, frame: print("handled", flush=True))
        choose("acme")
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5.0)
    """
    done = run_python(code, site, check=False, **kept_in(cache))
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "handled\n", "")
    assert list((cache / "plugins").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_handlers_in_c_are_as_before(site: Path, cache: Path, run_python: Callable[..., Any]) -> None:
    """Of `faulthandler.register` in the program and in a plugin, and of a driver that ignores a signal from its probe
    on."""
    ignore = (
        "__import__('ctypes').CDLL(None).signal(int(__import__('signal').SIGUSR1), __import__('ctypes').c_void_p(1))"
    )
    register = "import faulthandler, signal; faulthandler.register(signal.SIGUSR2, chain=False)\n"
    write_plugin(site, "acme", register + good_plugin("acme", f"on_probe=lambda: {ignore}"))
    code = """
        import faulthandler, os, signal
        from gpucore.runtime.select import choose
        faulthandler.register(signal.SIGTERM, chain=False)
        print(choose("acme").info.id, flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGUSR2)
    """
    done = run_python(code, site, check=False, **kept_in(cache))
    assert (done.returncode, done.stdout) == (0, "acme:0\n")
    assert done.stderr.count("(most recent call first)") == 2
    assert list((cache / "plugins").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGHUP", "SIGXCPU"])
def test_signal_that_ends_a_child_process_is_no_crash(
    site: Path, cache: Path, run_python: Callable[..., Any], number: str
) -> None:
    write_plugin(site, "bad", f"import os, signal; os.kill(os.getpid(), signal.{number})")
    done = run_python(NAMED, site, **kept_in(cache), GPUCORE_PROBE="subprocess")
    assert number in done.stdout
    assert list(cache.rglob("*.verdict")) == []


def test_another_version_of_the_plugin_is_tried_again(
    site: Path, cache: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any]
) -> None:
    write_plugin(site, "bad", "import os; os._exit(3)")
    settings = kept_in(cache)
    assert run_python(NAMED, site, check=False, **settings).returncode == 3
    chosen, (warning,) = ask_python(CHOOSE, site, **settings)
    assert chosen == "simulator:0" and "ended while" in warning
    (path,) = site.glob("plugin_bad_*.py")
    path.write_text(good_plugin("bad"))
    assert ask_python(CHOOSE, site, **settings) == ["bad:0", []]


@pytest.mark.parametrize("mode", ["off", "ro"])
def test_nothing_is_kept_where_that_is_switched_off(site: Path, run_python: Callable[..., Any], mode: str) -> None:
    write_plugin(site, "bad", "import os; os._exit(3)")
    for _ in range(2):
        done = run_python(NAMED, site, check=False, GPUCORE_CACHE=mode, XDG_CACHE_HOME=str(site / "caches"))
        assert done.returncode == 3
    assert not (site / "caches").exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_files_are_private_and_expire(
    site: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any]
) -> None:
    write_plugin(site, "bad", "import os; os._exit(3)")
    settings = {"XDG_CACHE_HOME": str(site / "caches"), "GPUCORE_CACHE": ""}
    run_python(NAMED, site, check=False, **settings)
    assert "ended the process with exit code 3" in ask_python(NAMED, site, **settings)
    folder = site / "caches" / "gpucore" / "plugins"
    (verdict,) = folder.iterdir()
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(verdict.stat().st_mode)) == (0o700, 0o600)
    fields = json.loads(verdict.read_text())
    verdict.write_text(json.dumps({**fields, "until": 1.0}))
    assert run_python(NAMED, site, check=False, **settings).returncode == 3  # it was tried again


def test_a_folder_that_cannot_be_written_changes_nothing(site: Path, ask_python: Callable[..., Any]) -> None:
    write_plugin(site, "bad", good_plugin("bad"))
    (site / "file").write_text("")
    assert ask_python(NAMED, site, **kept_in(site / "file" / "below")) == "bad:0"
    assert ask_python(NAMED, site, **kept_in(Path("/proc/nowhere"))) == "bad:0"


@pytest.mark.parametrize("mode", ["inprocess", "subprocess"])
@pytest.mark.parametrize("step", ["import", "probe"])
def test_plugin_that_is_too_slow_costs_one_process_the_wait(
    site: Path, cache: Path, ask_python: Callable[..., Any], mode: str, step: str
) -> None:
    counted = f"open({str(site / 'begun')!r}, 'a').write('x')\n"
    slow = "import time; time.sleep(60)\n" if step == "import" else ""
    faults = f"on_probe=lambda: open({str(site / 'begun')!r}, 'a').write('x'), faults=Faults(probe_sleep=60)"
    source = counted + slow + good_plugin("bad") if step == "import" else good_plugin("bad", faults)
    write_plugin(site, "bad", source)
    write_plugin(site, "good", good_plugin("good"))
    settings = {**kept_in(cache), "GPUCORE_PROBE": mode}
    chosen, (warning,) = first = ask_python(CHOOSE, site, GPUCORE_PROBE_TIMEOUT="2", **settings)
    assert chosen == "good:0" and "is skipped: " in warning and " in 2 s" in warning
    assert ask_python(CHOOSE, site, GPUCORE_PROBE_TIMEOUT="2", **settings) == first
    assert (site / "begun").read_text() == "x"
    ask_python(CHOOSE, site, GPUCORE_PROBE_TIMEOUT="2.5", **settings)
    assert (site / "begun").read_text() == "xx"  # more time was granted


def test_probe_that_stops_the_interpreter_is_timed_out(site: Path, ask_python: Callable[..., Any]) -> None:
    """It answers, but too late: nothing can interrupt it."""
    hold = "on_probe=lambda: __import__('ctypes').PyDLL(None).usleep(1_500_000)"
    write_plugin(site, "bad", good_plugin("bad", hold))
    text = ask_python(NAMED, site, GPUCORE_PROBE_TIMEOUT="0.5")
    assert "timed_out: its probe gave no answer in 0.5 s" in text


def test_many_processes_at_once_see_no_crash(
    site: Path, cache: Path, python_environment: Callable[..., dict[str, str]]
) -> None:
    write_plugin(site, "bad", "import time; time.sleep(0.4)\n" + good_plugin("bad", "faults=Faults(probe_sleep=0.2)"))
    variables = python_environment(site, **kept_in(cache))
    code = "from gpucore.runtime.select import choose; print(choose('bad').info.id)"
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([sys.executable, "-c", code], env=variables, **pipes) for _ in range(6)]
    assert [process.communicate(timeout=60) for process in processes] == [("bad:0\n", "")] * 6
    assert list((cache / "plugins").iterdir()) == []


@pytest.mark.parametrize("ending", ["raise KeyboardInterrupt", "sys.exit(0)"])
def test_program_that_ends_in_the_middle_is_no_crash(
    site: Path, cache: Path, run_python: Callable[..., Any], ask_python: Callable[..., Any], ending: str
) -> None:
    write_plugin(site, "bad", "import time; time.sleep(1.0)\n" + good_plugin("bad"))
    code = f"""
        import sys, threading, time
        from gpucore.runtime.select import choose
        threading.Thread(target=choose, args=("bad",), daemon=True).start()
        time.sleep(0.3)
        {ending}
    """
    run_python(code, site, check=False, **kept_in(cache))
    assert ask_python(NAMED, site, **kept_in(cache)) == "bad:0"
