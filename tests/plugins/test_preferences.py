"""The preferred device: of the process, of the config file, "gpu", and the option of command lines."""

from __future__ import annotations

import argparse
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_backend import FakeBackend

import gpucore as gp
from gpucore.errors import ArgumentError, BackendError, BackendUnavailableError
from gpucore.runtime import DeviceKind, ProbeStatus
from gpucore.runtime.plugins.manager import register_backend
from gpucore.runtime.select import choose
from gpucore.runtime.settings import read_config_path

pytestmark = pytest.mark.usefixtures("only_fakes")


@pytest.fixture(autouse=True)
def fakes() -> Iterator[None]:
    register_backend(FakeBackend("fast", kinds=(DeviceKind.CPU, DeviceKind.GPU)))
    register_backend(FakeBackend("slow", kinds=(DeviceKind.IGPU,)))
    register_backend(FakeBackend("host", kinds=(DeviceKind.CPU,)))
    yield
    gp.set_default_device(None)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    path.touch()
    monkeypatch.setenv("GPUCORE_CONFIG", str(path))
    return path


def chosen(explicit: Any = None) -> str:
    return choose(explicit).info.id


def test_the_devices_of_a_process(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument precedes gp.use, that set_default_device, that the environment, that the config file."""
    assert chosen() == "fast:1"
    config.write_text('device = "host"')
    gp.refresh()
    assert chosen() == "host:0"
    monkeypatch.setenv("GPUCORE_BACKEND", "slow")
    assert chosen() == "slow:0"
    gp.set_default_device("fast:0")
    assert chosen() == "fast:0" and "set_default_device('fast:0')" in choose().why
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(chosen()))
    thread.start()
    thread.join()
    assert found == ["fast:0"]
    with gp.use("host"):
        assert chosen() == "host:0" and chosen("slow") == "slow:0"
    with gp.use(None):
        assert chosen() == "fast:0"
    gp.set_default_device(None)
    assert chosen() == "slow:0"
    with pytest.raises(BackendUnavailableError, match="there is no backend 'fats'; did you mean 'fast'"):
        gp.set_default_device("fats")


def test_an_open_device_is_chosen_as_its_name_is() -> None:
    host = gp.device("host")
    gp.set_default_device(host)
    assert gp.default_device() is host and "set_default_device('host:0')" in choose().why
    slow = gp.device("slow")
    with gp.use(slow) as chosen_device:
        assert gp.default_device() is slow and repr(chosen_device) == "gpucore.use('slow:0')"
    assert gp.default_device() is host
    slow.close()
    for choice in (gp.use, gp.set_default_device):
        with pytest.raises(gp.ClosedError, match=r"slow:0 is closed; gp\.device\('slow:0'\) opens it again"):
            choice(slow)
        with pytest.raises(ArgumentError, match=r"an open gp\.Device, not a list"):
            choice([host])  # type: ignore[arg-type]
    assert gp.default_device() is host


def test_the_config_file(config: Path) -> None:
    config.write_text('device = ["nowhere:3", " Host "]')
    with pytest.raises(BackendUnavailableError) as caught:
        chosen()
    assert str(caught.value).startswith(
        f'device = ["nowhere:3", " Host "] in the config file {config}: there is no backend'
    )
    register_backend(FakeBackend("nowhere", unavailable=ProbeStatus.NO_DRIVER, reason="no library"))
    assert chosen() == "host:0"
    assert f"in the config file {config}; skipped: nowhere: no_driver: no library" in choose().why
    for text, match in (
        ("devise = 'host'", r"config\.toml has no setting 'devise'; did you mean device\?"),
        ("x = 1", "has no setting 'x'; it has device"),
        ("device = 3", 'device in the config file .* must be a name like "cuda:1", or a list of names'),
        ("device = ['']", "or a list of names"),
        ("device = 'host, slow'", r'^device = "host, slow" in .*config\.toml: write .* device = \["host", "slow"\]$'),
        ("device =", r"the config file .*config\.toml cannot be read: "),
    ):
        config.write_text(text)
        gp.refresh()
        with pytest.raises(BackendError, match=match):
            chosen()
    config.write_text("")
    assert chosen() == "fast:1"
    gp.refresh()
    config.write_text('device = "slow"', encoding="utf-8-sig")  # as editors on Windows may store it
    assert chosen() == "slow:0"


def test_the_default_device_follows_each_change(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is kept, for calls without `device=`; the config file is read again after `gp.refresh()` alone."""
    fast = gp.default_device()
    assert fast.id == "fast:1" and gp.device() is fast and gp.default_device() is fast
    config.write_text('device = "slow"')
    assert gp.default_device() is fast
    gp.refresh()
    assert gp.default_device().id == "slow:0"
    monkeypatch.setenv("GPUCORE_CONFIG", "off")
    assert gp.default_device() is fast
    monkeypatch.setenv("GPUCORE_BACKEND", "host")
    assert gp.default_device().id == "host:0"
    gp.set_default_device("slow")
    assert gp.default_device().id == "slow:0"
    with gp.use("fast:0"):
        assert gp.default_device().id == "fast:0"
        with gp.use("fast:1"):
            assert gp.default_device() is fast
        assert gp.default_device().id == "fast:0"
    gp.set_default_device(None)
    assert gp.default_device().id == "host:0"
    monkeypatch.setenv("GPUCORE_REQUIRE", "gpu")
    with pytest.raises(gp.NoDeviceError, match="GPUCORE_REQUIRE=gpu"):
        gp.default_device()
    monkeypatch.delenv("GPUCORE_BACKEND")
    assert gp.default_device() is fast
    fast.close()
    opened = gp.default_device()
    assert opened is not fast and opened.id == "fast:1" and gp.default_device() is opened
    gp.unregister_backend("fast")
    assert gp.default_device().id == "slow:0"


def test_a_config_file_that_cannot_be_read(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that GPUCORE_CONFIG names must be there; the one in the user's folder need not."""
    for path in (config.with_name("missing.toml"), config / "below_a_file.toml", config.parent):
        monkeypatch.setenv("GPUCORE_CONFIG", str(path))
        with pytest.raises(BackendError, match=f"the config file {re.escape(str(path))} cannot be read: "):
            chosen()
    monkeypatch.setenv("GPUCORE_CONFIG", "~nosuchuser/c.toml")
    with pytest.raises(BackendError, match=r"GPUCORE_CONFIG='~nosuchuser/c\.toml' is not a path: "):
        chosen()
    monkeypatch.setenv("GPUCORE_CONFIG", "")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))  # a file, not a folder
    assert chosen() == "fast:1"


def test_no_backend_is_named_gpu() -> None:
    with pytest.raises(ArgumentError, match="cannot be registered: the name 'gpu' means the best GPU of all backends"):
        gp.register_backend(FakeBackend("gpu"))


def test_where_the_config_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("GPUCORE_CONFIG", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert read_config_path() == tmp_path / "gpucore" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_config_path() == tmp_path / ".config" / "gpucore" / "config.toml"
    monkeypatch.setenv("GPUCORE_CONFIG", "~/mine.toml")
    assert read_config_path() == tmp_path / "mine.toml"
    monkeypatch.setenv("GPUCORE_CONFIG", "off")
    assert read_config_path() is None


def test_gpu_is_the_best_gpu_of_all_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen("gpu") == chosen(" GPU ") == "fast:1"
    assert choose("gpu").why == 'requested by device="gpu": the best GPU'
    with gp.use("gpu"):
        assert chosen() == "fast:1"
    monkeypatch.setenv("GPUCORE_BACKEND", "gpu,host")
    assert chosen() == "fast:1"
    with pytest.raises(ArgumentError, match="'gpu' is the best GPU; name another one by its id"):
        chosen("gpu:1")


def test_without_a_gpu_it_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    gp.unregister_backend("fast")
    gp.unregister_backend("slow")
    register_backend(FakeBackend("broken", unavailable=ProbeStatus.BROKEN, reason="its driver crashed"))
    with pytest.raises(BackendUnavailableError, match='device="gpu" cannot be used: no GPU can be used') as caught:
        chosen("gpu")
    assert "\n  broken: broken: its driver crashed" in str(caught.value)
    assert "\n  cuda: not installed\n      hint: pip install" in str(caught.value)
    monkeypatch.setenv("GPUCORE_BACKEND", "gpu,host")
    assert chosen() == "host:0"


def test_the_option_of_a_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser("program")
    action = gp.add_device_argument(parser)
    gp.add_device_argument(parser.add_argument_group("more"), "-o", "--other", default="gpu")
    assert parser.parse_args([]) == argparse.Namespace(device=None, other="gpu")
    assert parser.parse_args(["--device", "Fast:1", "-o", "host"]) == argparse.Namespace(device="fast:1", other="host")
    shown = " ".join(parser.format_help().split())
    assert action.metavar == "DEVICE"
    assert "gpu, the best GPU; default: that of the program, GPUCORE_BACKEND or the config file, else the best" in shown
    assert shown.endswith("gpu, the best GPU; default: gpu")
    assert "else the best" in str(gp.add_device_argument(parser, "--hidden", default=argparse.SUPPRESS).help)
    for text, message in (("fats", "there is no backend 'fats'"), ("a,b", "does not name a device")):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args(["--device", text])
        assert ended.value.code == 2 and f"argument --device: {message}" in capsys.readouterr().err.replace(
            f"{text!r} does", "does"
        )


@pytest.mark.parametrize(("order", "wanted"), [("mute,slow", "slow:0"), ("mute", "mute:0"), ("mute,mute:0", "mute:0")])
def test_a_device_without_a_compiler_is_the_last_of_several(
    config: Path, monkeypatch: pytest.MonkeyPatch, order: str, wanted: str
) -> None:
    """It runs packages only."""
    register_backend(FakeBackend("mute", compiles=False))
    monkeypatch.setenv("GPUCORE_BACKEND", order)
    assert chosen() == wanted
