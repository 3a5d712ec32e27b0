"""One open device for each id, whoever asks; forgotten when closed; quiet at exit; refused in a forked child."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_backend import FakeBackend, Faults
from fake_plugins import good_plugin, write_plugin

from gpucore.errors import BackendUnavailableError, ClosedError, FallbackWarning, NoDeviceError, OutOfMemoryError
from gpucore.runtime import DeviceInfo, DeviceKind, Source, registry
from gpucore.runtime.plugins.manager import register_backend, unregister_backend
from gpucore.runtime.registry import OpenDevice, close_all, open_device, open_devices
from gpucore.runtime.select import choose

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@pytest.fixture(autouse=True)
def _registry_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests of this process leave devices open."""
    monkeypatch.setattr(registry, "_open", {})


@pytest.fixture
def fake(only_fakes: None) -> Any:
    backend = FakeBackend("acme", kinds=(DeviceKind.GPU, DeviceKind.GPU))
    register_backend(backend)
    yield backend
    backend.faults.close = None
    close_all()


def test_a_device_that_was_opened_apart_leaves_the_other_open(fake: FakeBackend) -> None:
    device = open_device("acme:0")
    OpenDevice(fake.open(0), fake).close()
    assert open_device("acme:0") is device and device.is_usable


def test_one_device_for_each_id(fake: FakeBackend) -> None:
    first = open_device("acme:0")
    assert open_device("acme") is first
    assert open_device(first.info) is first
    assert open_device(choose("acme:0")) is first
    assert open_device("acme:1") is not first
    assert [device.info.id for device in open_devices()] == ["acme:0", "acme:1"]
    assert fake.calls == ["probe", "open", "open"]


def test_sixteen_threads_open_one_device(fake: FakeBackend) -> None:
    fake.faults.open_sleep = 0.05
    barrier = threading.Barrier(16)
    found: list[OpenDevice] = []

    def work() -> None:
        barrier.wait()
        found.append(open_device())

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16 and len(set(map(id, found))) == 1
    assert fake.calls == ["probe", "open"]


def test_device_passes_every_call_on(fake: FakeBackend) -> None:
    device = open_device("acme")

    def add_one(buffers: list[bytearray], scalars: bytes, workgroups: tuple[int, int, int]) -> None:
        for index, value in enumerate(buffers[0]):
            buffers[1][index] = value + scalars[0] * workgroups[0]

    source = Source("fake", "add", "add", (1, 1, 1), (False, True), 16, payload=add_one)
    first, second = device.allocate(4), device.allocate(4)
    first.write(memoryview(b"\x01\x02\x03\x04"))
    start = device.mark()
    device.dispatch(device.compile(source), [first, second], bytes([5] * 16), (2, 1, 1))
    device.copy(second, first, 2)
    end = device.mark()
    assert start.is_done() and end.is_done() and device.elapsed(start, end) > 0
    out = bytearray(4)
    second.read(memoryview(out))
    assert bytes(out) == bytes([11, 12, 13, 14])
    first.read(memoryview(out))
    assert bytes(out) == bytes([11, 12, 3, 4])


def test_closed_device_is_forgotten_and_refuses(fake: FakeBackend) -> None:
    device = open_device("acme:0")
    device.close()
    device.close()
    assert fake.calls == ["probe", "open", "close"] and open_devices() == [] and not device.is_usable
    for call in (device.mark, device.check, lambda: device.allocate(4)):
        with pytest.raises(ClosedError, match="acme:0 is closed"):
            call()
    again = open_device("acme:0")
    assert again is not device and again.is_usable
    device.close()
    assert open_device("acme:0") is again


def test_device_that_fails_to_close_is_forgotten_too(fake: FakeBackend) -> None:
    fake.faults.close = RuntimeError("the driver is upset")
    device = open_device("acme")
    with pytest.raises(RuntimeError, match="upset"):
        device.close()
    assert open_devices() == []
    open_device("acme:0")
    open_device("acme:1")
    close_all()
    assert open_devices() == [] and fake.calls.count("close") == 3


def test_failure_to_open_says_which_and_why(fake: FakeBackend) -> None:
    fake.faults.open = ValueError("no context")
    with pytest.raises(BackendUnavailableError, match="acme:0 was found, but cannot be opened: ValueError: no context"):
        open_device("acme")
    fake.faults.open = OutOfMemoryError("full")
    with pytest.raises(OutOfMemoryError):
        open_device("acme")
    fake.faults.open = None
    assert open_device("acme").is_usable


def test_automatic_choice_takes_the_next_device_and_says_so(fake: FakeBackend) -> None:
    best = FakeBackend("zbest", priority=99, faults=Faults(open=ValueError("no context")))
    register_backend(best)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert [open_device().info.id for _ in range(3)] == ["acme:0"] * 3
        (warning,) = caught
        assert warning.category is FallbackWarning
        assert str(warning.message).splitlines() == [
            "zbest:0 was found, but cannot be opened: ValueError: no context",
            "    hint: GPUCORE_BLOCK=zbest disables it; `gpucore doctor` checks it",
            "  acme:0 (gpu) is used instead; choose a device by name to prevent this",
        ]
        assert warning.filename == __file__
        assert best.calls.count("open") == 1
        with pytest.raises(BackendUnavailableError, match="zbest:0 was found, but cannot be opened"):
            open_device("zbest")  # a choice by name never falls back
    finally:
        unregister_backend("zbest")


def test_replacement_can_be_an_error_every_time(fake: FakeBackend) -> None:
    fake.faults.open = ValueError("no context")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(FallbackWarning, match="acme:0 was found, but cannot be opened"):
                open_device()


def test_replacement_is_a_gpu_where_one_is_required(fake: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.faults.open = ValueError("no context")
    monkeypatch.setenv("GPUCORE_REQUIRE", "gpu")
    with pytest.raises(NoDeviceError, match="GPUCORE_REQUIRE=gpu") as caught:
        open_device()
    text = str(caught.value)
    assert "acme:0 was found, but cannot be opened: ValueError: no context" in text
    assert "acme:1 was found, but cannot be opened" in text and "GPUCORE_BLOCK=acme" in text


@pytest.mark.parametrize(
    ("opened", "reason"), [(None, "a NoneType, which is not a Device"), (1, "opened 'acme:1' instead")]
)
def test_backend_that_opens_something_else(
    fake: FakeBackend, monkeypatch: pytest.MonkeyPatch, opened: int | None, reason: str
) -> None:
    real = FakeBackend.open
    monkeypatch.setattr(FakeBackend, "open", lambda self, index: None if opened is None else real(self, opened))
    with pytest.raises(BackendUnavailableError, match=reason):
        open_device("acme:0")


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_a_device_is_opened(fake: FakeBackend, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """It is raised when the device is registered, so that somebody closes it; a second one is raised at once."""
    real, handler = FakeBackend.open, signal.getsignal(signal.SIGINT)

    def interrupted(self: FakeBackend, index: int) -> Any:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        return real(self, index)

    with monkeypatch.context() as patch:
        patch.setattr(FakeBackend, "open", interrupted)
        with pytest.raises(KeyboardInterrupt):
            open_device("acme:0")
    assert signal.getsignal(signal.SIGINT) is handler
    assert [device.info.id for device in open_devices()] == ["acme:0"][: 2 - times]
    assert fake.calls == ["probe", "open"][: 3 - times]
    assert open_device("acme:0").is_usable
    assert fake.calls == ["probe", "open"]


def test_ctrl_c_without_a_handler_and_in_threads(fake: FakeBackend) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert open_device("acme:0").is_usable
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    thread = threading.Thread(target=open_device, args=("acme:1",))
    thread.start()
    thread.join()
    assert [device.info.id for device in open_devices()] == ["acme:0", "acme:1"]


def test_faults_reach_the_caller(fake: FakeBackend) -> None:
    device = open_device("acme")
    fake.faults.allocate = OutOfMemoryError("full")
    with pytest.raises(OutOfMemoryError):
        device.allocate(4)
    fake.faults.allocate = None
    assert device.allocate(1 << 40).nbytes == 1 << 40  # fakes can be larger than the memory


FORKING = """
    import os, sys, json, time
    from fake_backend import FakeBackend
    from gpucore.errors import ForkedProcessError
    from gpucore.runtime.plugins.manager import register_backend
    from gpucore.runtime.registry import open_device, open_devices
    from gpucore.runtime.select import choose, devices

    backend = FakeBackend("acme")
    register_backend(backend)

    def in_child(call):
        '''What `call` returns in a forked child, within a second.'''
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, json.dumps(call()).encode())
            os._exit(0)
        os.close(writer)
        start = time.monotonic()
        answer = b"".join(iter(lambda: os.read(reader, 4096), b""))
        assert os.waitpid(child, 0)[1] == 0 and time.monotonic() - start < 1.0
        return json.loads(answer)
"""


@needs_fork
def test_device_of_the_parent_is_refused_in_a_child(ask_python: Callable[..., Any]) -> None:
    code = (
        FORKING
        + """
    backend.survives_fork = True
    device = open_device("acme")
    calls = len(backend.calls)
    def use_old():
        answers = []
        for call in (device.mark, device.check, lambda: device.allocate(4), lambda: device.copy(None, None, 4)):
            try:
                call()
            except ForkedProcessError as error:
                answers.append(str(error))
        device.close()
        new = open_device("acme")
        new.allocate(4)
        return answers, backend.calls[calls:], new is device, len(open_devices()), device.is_usable
    child = in_child(use_old)
    device.allocate(4)
    print(json.dumps([child, device.is_usable, backend.calls[calls:]]))
    """
    )
    (answers, calls, is_same, count, is_usable), parent_usable, parent_calls = ask_python(code)
    assert len(answers) == 4 and all("acme:0 was opened before this process was forked" in one for one in answers)
    assert "spawn" in answers[0]
    assert calls == ["open", "allocate"]  # the old device's driver was not touched
    assert (is_same, count, is_usable) == (False, 1, False)
    assert parent_usable and parent_calls == ["allocate"]


@needs_fork
def test_child_of_a_parent_that_used_nothing_opens_its_own(ask_python: Callable[..., Any]) -> None:
    code = (
        FORKING
        + """
    print(json.dumps(in_child(lambda: [open_device("acme").info.id, backend.calls])))
    """
    )
    assert ask_python(code) == ["acme:0", ["probe", "open"]]


@needs_fork
@pytest.mark.parametrize("use", ["devices()", "open_device('acme')", "open_device('acme').close()"])
@pytest.mark.parametrize("mend", ["", "refresh()"])
def test_child_does_not_call_a_driver_that_the_parent_used(ask_python: Callable[..., Any], use: str, mend: str) -> None:
    code = (
        FORKING
        + f"""
    from gpucore.runtime.plugins.manager import refresh
    {use}
    calls = len(backend.calls)
    def reopen():
        {mend or "pass"}
        try:
            open_device("acme")
        except Exception as error:
            return type(error).__name__, str(error), backend.calls[calls:], open_device("simulator").info.id
    print(json.dumps(in_child(reopen)))
    """
    )
    kind, text, calls, other = ask_python(code)
    assert kind == ("BackendUnavailableError" if mend else "ForkedProcessError")
    assert "forked" in text and '"spawn"' in text and "GPUCORE_PROBE=subprocess" in text
    assert calls == [] and other == "simulator:0"


@needs_fork
def test_fork_while_other_threads_hold_every_lock(ask_python: Callable[..., Any]) -> None:
    code = (
        FORKING
        + """
    import threading
    from gpucore.runtime import registry
    from gpucore.runtime.plugins import manager
    from gpucore.runtime.probing import probe
    held = [manager.TABLE._lock, probe._cache_lock, probe._cache.lock_of("acme"), registry._lock]
    ready, stop = threading.Event(), threading.Event()
    def hold():
        for lock in held:
            lock.acquire()
        ready.set()
        stop.wait()
        for lock in reversed(held):
            lock.release()
    thread = threading.Thread(target=hold)
    thread.start()
    ready.wait()
    print(json.dumps(in_child(lambda: open_device("acme").info.id)))
    stop.set()
    thread.join()
    """
    )
    assert ask_python(code) == "acme:0"


@needs_fork
def test_child_of_a_parent_that_opened_a_device_and_probed_in_children(
    site: Path, ask_python: Callable[..., Any]
) -> None:
    """Opening a device alone puts its driver to use."""
    write_plugin(site, "real", good_plugin("real"))
    code = (
        FORKING
        + """
    open_device("real:0").close()
    def reopen():
        try:
            return open_device("real").info.id
        except ForkedProcessError as error:
            return str(error)
    print(json.dumps(in_child(reopen)))
    """
    )
    text = ask_python(code, site, GPUCORE_PROBE="subprocess")
    assert text.startswith("real:0 cannot be opened in this process: it was forked while the driver was in use")


@needs_fork
def test_fork_while_another_thread_opens_the_device(ask_python: Callable[..., Any]) -> None:
    code = (
        FORKING
        + """
    import signal, threading
    backend.survives_fork = True
    backend.faults.open_sleep = 3.0
    thread = threading.Thread(target=open_device, args=("acme",))
    thread.start()
    while "open" not in backend.calls:
        time.sleep(0.01)
    def reopen():
        signal.alarm(10)
        backend.faults.open_sleep = 0.0
        return open_device("acme").info.id
    print(json.dumps(in_child(reopen)))
    thread.join()
    """
    )
    assert ask_python(code) == "acme:0"


@needs_fork
def test_pool_of_forked_workers_gets_the_error_not_a_hang(ask_python: Callable[..., Any]) -> None:
    code = (
        FORKING
        + """
    import multiprocessing
    device = open_device("acme")
    def work(_):
        try:
            device.mark()
        except ForkedProcessError as error:
            return str(error)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(json.dumps(pool.map_async(work, range(2)).get(10)))
    """
    )
    assert all('multiprocessing\'s "spawn"' in answer for answer in ask_python(code))


@pytest.mark.parametrize(
    "ending",
    ["", "sys.exit(0)", "threading.Thread(target=sys.exit).start()", "os._exit(0)", "device.allocate(4)"],
)
@pytest.mark.parametrize("fault", ["", "faults.close = RuntimeError('upset')", "faults.lost = True"])
def test_exit_with_open_devices_is_quiet(run_python: Callable[..., Any], ending: str, fault: str) -> None:
    code = f"""
        import os, sys, threading
        from fake_backend import FakeBackend
        from gpucore.runtime.plugins.manager import register_backend
        from gpucore.runtime.registry import open_device
        backend = FakeBackend("acme")
        register_backend(backend)
        device = open_device("acme")
        buffer = device.allocate(16)
        {ending}
        {f"backend.{fault}" if fault else ""}
    """
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_driver_that_does_not_close_does_not_keep_the_process(run_python: Callable[..., Any]) -> None:
    code = """
        import time
        from fake_backend import FakeBackend
        from gpucore.runtime import registry
        from gpucore.runtime.plugins.manager import register_backend
        backend = FakeBackend("acme")
        register_backend(backend)
        registry.open_device("acme").plugin_device.close = lambda: time.sleep(60)
        registry.EXIT_SECONDS = 0.5
    """
    done = run_python(code, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Timeout (0:00:00.5") and "_close_at_exit" in done.stderr


def test_devices_are_closed_before_their_drivers_own_exit_code(site: Path, run_python: Callable[..., Any]) -> None:
    driver = "import atexit\natexit.register(print, 'driver is gone')\n"
    for name in ("one", "two"):
        (site / f"driver_{name}.py").write_text(driver)
        source = (
            good_plugin(name).replace("FakeBackend(", "Mine(")
            + f"""
class Mine(FakeBackend):
    def open(self, index):
        import driver_{name}
        device = super().open(index)
        device.close = lambda: print("closed")
        return device
"""
        )
        write_plugin(site, name, source)
    code = """
        from gpucore.runtime.registry import open_device
        open_device("one"), open_device("two")
    """
    assert run_python(code, site).stdout.split("\n") == ["closed", "closed", "driver is gone", "driver is gone", ""]


def test_info_is_the_opened_devices_own(fake: FakeBackend) -> None:
    info: DeviceInfo = open_device("acme:1").info
    assert (info.id, info.index, info.kind) == ("acme:1", 1, DeviceKind.GPU)
    assert open_device("acme:1").info is info
    assert Faults() == fake.faults
