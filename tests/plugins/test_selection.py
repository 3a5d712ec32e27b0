"""Which device is chosen, by whom, and what is said when none can be."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
import warnings
from typing import Any

import pytest
from fake_backend import FakeBackend

from gpucore.errors import (
    ArgumentError,
    BackendError,
    BackendUnavailableError,
    BackendWarning,
    FallbackWarning,
    NoDeviceError,
)
from gpucore.runtime import DeviceKind, ProbeStatus
from gpucore.runtime.parse import DeviceRequest, parse_device
from gpucore.runtime.plugins.manager import refresh, register_backend
from gpucore.runtime.select import choose, devices
from gpucore.runtime.use import use

pytestmark = pytest.mark.usefixtures("only_fakes")


def add(name: str, *kinds: DeviceKind, **options: Any) -> FakeBackend:
    """Register a fake backend with these devices; without any it has no driver."""
    if not kinds:
        options = {"unavailable": ProbeStatus.NO_DRIVER, "reason": f"lib{name} is not there", **options}
    backend = FakeBackend(name, kinds=kinds, **options)
    register_backend(backend)
    return backend


def chosen(explicit: Any = None) -> str:
    return choose(explicit).info.id


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cuda", DeviceRequest("cuda")),
        (" CUDA:1 ", DeviceRequest("cuda", "1")),
        ("wgpu:Vulkan:0", DeviceRequest("wgpu", "vulkan:0")),
        (FakeBackend().info(0), DeviceRequest("fake", "0", is_exact=True)),
    ],
)
def test_names_of_devices(text: Any, expected: DeviceRequest) -> None:
    assert parse_device(text) == expected


@pytest.mark.parametrize(
    "text", ["", ":0", "cuda:", "cuda::1", "a:b:c:d", "cu da", "cuda,cpu", "1cuda", "cuda\n:1", 7, b"cuda"]
)
def test_other_text_names_no_device(text: Any) -> None:
    with pytest.raises(ArgumentError):
        choose(text)


def test_argument_names_backend_device_or_position() -> None:
    add("acme", DeviceKind.CPU, DeviceKind.GPU, DeviceKind.GPU, api="vulkan")
    assert chosen("acme") == "acme:vulkan:1"  # its best, the first of equals
    assert chosen("acme:vulkan:2") == "acme:vulkan:2"
    assert chosen("acme:vulkan") == "acme:vulkan:1"
    assert chosen("acme:0") == "acme:vulkan:0"
    assert chosen(devices()[1]) == "acme:vulkan:2"
    for absent in ("acme:3", "acme:metal", "acme:vulkan:7"):
        with pytest.raises(BackendUnavailableError, match="it has acme:vulkan:0, acme:vulkan:1, acme:vulkan:2"):
            choose(absent)


def test_info_of_a_device_that_is_gone_picks_no_other() -> None:
    backend = add("acme", DeviceKind.GPU)
    stranger = FakeBackend("acme", kinds=(DeviceKind.GPU,) * 3).info(2)
    with pytest.raises(BackendUnavailableError, match="no device 'acme:2'; it has acme:0"):
        choose(stranger)
    assert backend.calls == ["probe"]


def test_explicit_choice_that_fails_says_why_and_probes_nothing_else() -> None:
    add("absent", hint="install the driver")
    other = add("other", DeviceKind.GPU)
    with pytest.raises(BackendUnavailableError) as caught:
        choose("absent")
    text = str(caught.value)
    assert text.startswith('device="absent" cannot be used: absent: no_driver: libabsent is not there')
    assert "no_driver: libabsent is not there" in text and "hint: install the driver" in text
    assert other.calls == []


def test_unknown_backend_is_spelt_out() -> None:
    add("vendor", DeviceKind.GPU)
    with pytest.raises(BackendUnavailableError, match=r"there is no backend 'vendr'; did you mean 'vendor'\?"):
        choose("vendr")


def test_order_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = add("first"), add("second", DeviceKind.CPU), add("third", DeviceKind.GPU)
    monkeypatch.setenv("GPUCORE_BACKEND", " First ,, second,first, third ,")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        decision = choose()
    assert decision.info.id == "second:0" and decision.backend is second
    expected = 'requested by GPUCORE_BACKEND="first,second,third"; skipped: first: no_driver: libfirst is not there'
    assert decision.why == expected
    assert (first.calls, third.calls) == (["probe"], [])


def test_nothing_of_the_environment_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    add("first", hint="do this")
    add("second")
    usable = add("usable", DeviceKind.GPU)
    monkeypatch.setenv("GPUCORE_BACKEND", "first,second,second:4")
    with pytest.raises(BackendUnavailableError) as caught:
        choose()
    for part in ("none of these can be used", "libfirst is not there", "hint: do this", "libsecond is not there"):
        assert part in str(caught.value)
    assert usable.calls == []


@pytest.mark.parametrize("text", ["cud", "second,cud", "sec ond", "second,:0"])
def test_misspelt_environment_is_an_error_wherever_it_stands(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    second = add("second", DeviceKind.GPU)
    monkeypatch.setenv("GPUCORE_BACKEND", text)
    with pytest.raises(BackendUnavailableError, match="GPUCORE_BACKEND=") as caught:
        choose()
    assert "did you mean 'cuda'?" in str(caught.value) or "does not name a device" in str(caught.value)
    assert second.calls == []


@pytest.mark.parametrize("text", ["", "  ", ",", " , ,, "])
def test_empty_environment_is_automatic(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    add("best", DeviceKind.GPU)
    monkeypatch.setenv("GPUCORE_BACKEND", text)
    assert choose().why.startswith("the best of")


def test_argument_before_use_before_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "three"):
        add(name, DeviceKind.GPU)
    add("best", DeviceKind.GPU, priority=100)
    assert chosen() == "best:0"
    monkeypatch.setenv("GPUCORE_BACKEND", "three")
    assert chosen() == "three:0"
    with use("two"):
        assert chosen() == "two:0"
        assert chosen("one") == "one:0"
        monkeypatch.setenv("GPUCORE_BACKEND", "one")
        assert chosen() == "two:0"
        with use(None):
            assert chosen() == "one:0"
    assert chosen() == "one:0"  # a change of the environment counts from the next choice on
    assert "use('two')" in run_in_context(lambda: (use("two"), choose().why)[1])


def run_in_context(call: Any) -> Any:
    return contextvars.copy_context().run(call)


def test_rank_is_kind_then_priority_then_name() -> None:
    add("zcpu", DeviceKind.CPU, priority=100)
    add("soft", DeviceKind.SOFTWARE, priority=0)
    add("bgpu", DeviceKind.GPU, DeviceKind.IGPU, priority=10)
    add("agpu", DeviceKind.GPU, priority=10)
    add("cgpu", DeviceKind.GPU, priority=20)
    found = [info.id for info in devices() if info.backend != "simulator"]
    assert found == ["cgpu:0", "agpu:0", "bgpu:0", "bgpu:1", "zcpu:0", "soft:0"]


def test_devices_are_shown_in_a_line_each() -> None:
    add("acme", DeviceKind.GPU)
    assert repr(devices()[0]) == "<device acme:0: Fake 0, gpu>"
    assert len(repr(devices())) < 120


def test_the_simulator_is_last_and_is_there_without_metadata() -> None:
    assert [info.backend for info in devices()] == ["simulator"]
    assert choose().backend.name == "simulator"
    add("soft", DeviceKind.SOFTWARE, priority=0)
    assert [info.backend for info in devices()] == ["soft", "simulator"]


def test_fallback_warns_once_and_says_why() -> None:
    add("absent", hint="install the driver")
    add("soft", DeviceKind.SOFTWARE)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            assert chosen() == "soft:0"
    (warning,) = [one for one in caught if one.category is FallbackWarning]
    text = str(warning.message)
    assert "soft:0 (software) was chosen instead" in text
    assert "absent: no_driver: libabsent is not there" in text and "hint: install the driver" in text
    assert "soft:0 is software (Fake 0)" in text
    assert warning.filename == __file__  # the user's line, not gpucore's


def test_fallback_warning_can_be_an_error_every_time() -> None:
    add("absent")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(FallbackWarning):
                choose()


def test_sixteen_threads_are_warned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    add("absent")
    devices()
    given: list[object] = []

    def warn_slowly(*arguments: object, **_: object) -> None:
        given.append(arguments)
        time.sleep(0.05)

    monkeypatch.setattr(warnings, "warn", warn_slowly)
    threads = [threading.Thread(target=choose) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == 1


@pytest.mark.parametrize("name", ["cpu", "vendor_cpu"])
def test_no_warning_without_a_plugin_that_could_bring_a_gpu(name: str) -> None:
    """Whoever the plugin comes from: the kinds of devices count."""
    add(name, DeviceKind.CPU)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen() == f"{name}:0"


def test_a_backend_for_processors_that_finds_none_is_no_lost_gpu() -> None:
    backend = FakeBackend("host", kinds=(), unavailable=ProbeStatus.NO_DRIVER, reason="no compiler")
    backend.kind = DeviceKind.CPU
    register_backend(backend)
    add("vendor", DeviceKind.CPU)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen() == "vendor:0"


def test_the_simulator_is_never_the_silent_choice() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            assert chosen() == "simulator:0"
    (warning,) = caught
    assert warning.category is FallbackWarning and warning.filename == __file__
    text = str(warning.message)
    assert text.startswith("simulator:0 was chosen, which is for debugging: it is slow.")
    assert (
        "cpu: not installed\n    hint: pip install --upgrade ./plugins/cpu_backend, in" in text
        and "GPUCORE_BACKEND=simulator" in text
    )


def test_the_simulator_by_name_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chosen("simulator") == "simulator:0"
        monkeypatch.setenv("GPUCORE_BACKEND", "simulator")
        assert chosen() == "simulator:0"


def test_a_language_is_not_a_backend() -> None:
    add("vendor", DeviceKind.GPU, language="vgsl")
    assert chosen("vendor") == "vendor:0"
    with pytest.raises(BackendUnavailableError) as caught:
        choose("vgsl")
    assert "'vgsl' is the language of the backend 'vendor'; did you mean 'vendor'?" in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "advice"),
    [
        ("GPUCORE_BACKENDS", "did you mean GPUCORE_BACKEND?"),
        ("GPUCORE_PROBE_TIME", "did you mean GPUCORE_PROBE_TIMEOUT?"),
        ("GPUCORE_ELSE", "the variables of gpucore are GPUCORE_BACKEND, GPUCORE_BLOCK, "),
    ],
)
def test_variable_that_no_setting_has_is_told_once(monkeypatch: pytest.MonkeyPatch, variable: str, advice: str) -> None:
    add("acme", DeviceKind.GPU)
    monkeypatch.setenv(variable, "cpu")
    monkeypatch.setenv("GPUCORE_ACME_CHECKED", "1")  # a plugin's own
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert (chosen(), chosen("acme")) == ("acme:0", "acme:0")
    (warning,) = caught
    assert str(warning.message).startswith(f"the environment variable {variable} has no effect; {advice}")
    assert warning.category is BackendWarning and warning.filename == __file__


@pytest.mark.parametrize(
    ("blocked", "told"),
    [
        ("opncl", "did you mean 'opencl'?"),
        ("cpu, GPUcore_WGPU,nosuch", "the plugins are acme, cpu, "),
        ("simulator,cpu,gpucore-cuda", None),
    ],
)
def test_blocked_plugin_that_does_not_exist_is_told_once(
    monkeypatch: pytest.MonkeyPatch, blocked: str, told: str | None
) -> None:
    add("acme", DeviceKind.GPU)
    monkeypatch.setenv("GPUCORE_BLOCK", blocked)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert (chosen("acme"), chosen("acme")) == ("acme:0", "acme:0")
    name = blocked.split(",")[-1]
    message = f"'{name}' in GPUCORE_BLOCK has no effect: no plugin has that name; {told}"
    assert [str(one.message)[: len(message)] for one in caught] == ([message] if told else [])
    assert all(one.category is BackendWarning for one in caught)


def test_gpu_can_be_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_REQUIRE", "gpu")
    add("soft", DeviceKind.SOFTWARE)
    add("absent", hint="install the driver")
    for order in ("", "absent,soft"):
        monkeypatch.setenv("GPUCORE_BACKEND", order)
        with pytest.raises(NoDeviceError) as caught:
            choose()
        assert "GPUCORE_REQUIRE=gpu" in str(caught.value)
        assert "libabsent is not there" in str(caught.value) and "install the driver" in str(caught.value)
    assert chosen("soft") == "soft:0"  # what the program names itself is meant
    add("chip", DeviceKind.IGPU)
    monkeypatch.setenv("GPUCORE_BACKEND", "")
    assert chosen() == "chip:0"


def test_require_of_something_else_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_REQUIRE", "cuda")
    add("soft", DeviceKind.SOFTWARE)
    with pytest.raises(BackendError, match="set this environment variable to 'gpu', or remove it"):
        choose()


def test_no_device_at_all_says_every_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_BLOCK", "simulator")
    refresh()
    add("absent")
    with pytest.raises(NoDeviceError) as caught:
        choose()
    text = str(caught.value)
    assert "no device can be used" in text and "simulator: blocked" in text and "libabsent is not there" in text
    assert 'cuda: not installed\n    hint: pip install --upgrade "./plugins/cuda_backend[wheels]", in' in text


def test_not_installed_backends_come_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendUnavailableError, match=r"pip install --upgrade \./plugins/wgpu_backend, in"):
        choose("wgpu")
    monkeypatch.setenv("GPUCORE_BACKEND", "wgpu,simulator")
    decision = choose()
    assert decision.backend.name == "simulator" and "skipped: backend 'wgpu' is not installed" in decision.why


@pytest.fixture
def three() -> None:
    for name in ("one", "two", "three"):
        add(name, DeviceKind.GPU)


@pytest.mark.usefixtures("three")
class TestUse:
    """Every test runs in a context of its own, so that a plain call of `use` ends with it."""

    @pytest.fixture(autouse=True)
    def restore(self) -> Any:
        with use(None):
            yield

    def test_plain_call_holds_from_then_on(self) -> None:
        use("two")
        assert chosen() == "two:0"
        use("three")
        assert chosen() == "three:0"
        use(None)
        assert chosen() == "one:0"

    def test_nested_blocks_restore_what_was_before_the_call(self) -> None:
        use("three")
        with use("one"):
            with use("two"):
                assert chosen() == "two:0"
            assert chosen() == "one:0"
            use("two")
            assert chosen() == "two:0"
        assert chosen() == "three:0"

    def test_exceptions_restore(self) -> None:
        with pytest.raises(ZeroDivisionError), use("two"), use("three"):
            raise ZeroDivisionError
        assert chosen() == "one:0"

    def test_one_object_can_be_entered_again(self) -> None:
        block = use("two")
        with block:
            assert chosen() == "two:0"
        assert chosen() == "one:0"
        use("three")
        with block, block:
            assert chosen() == "two:0"
        assert chosen() == "three:0"

    def test_other_threads_are_not_changed(self) -> None:
        seen: dict[str, str] = {}
        inside = threading.Barrier(2)

        def work(name: str, other: str) -> None:
            seen[f"{name} starts with"] = chosen()
            with use(name):
                inside.wait()
                seen[name] = chosen()
                inside.wait()
            seen[f"{name} ends with"] = chosen()

        use("three")
        threads = [threading.Thread(target=work, args=pair) for pair in (("one", "two"), ("two", "one"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen.pop("one") == "one:0" and seen.pop("two") == "two:0"
        assert set(seen.values()) == {"one:0"}  # automatic: a new thread starts without the choice
        assert chosen() == "three:0"

    def test_tasks_inherit_and_do_not_leak(self) -> None:
        async def work(name: str) -> tuple[str, str]:
            before = chosen()
            with use(name):
                await asyncio.sleep(0.01)
                return before, chosen()

        async def main() -> list[tuple[str, str]]:
            with use("three"):
                found = await asyncio.gather(work("one"), work("two"))
                assert chosen() == "three:0"
            return list(found)

        assert asyncio.run(main()) == [("three:0", "one:0"), ("three:0", "two:0")]
        assert chosen() == "one:0"

    def test_generator_closed_elsewhere_does_not_raise(self) -> None:
        def generate() -> Any:
            with use("two"):
                yield chosen()

        generator = contextvars.copy_context().run(lambda: (made := generate(), next(made))[0])
        generator.close()
        assert chosen() == "one:0"

    def test_bad_names_fail_at_the_call_and_change_nothing(self) -> None:
        for name, error in (("thre", BackendUnavailableError), ("a b", ArgumentError), (3, ArgumentError)):
            with pytest.raises(error):
                use(name)  # type: ignore[arg-type]
        assert chosen() == "one:0"

    def test_nothing_is_probed_before_the_use(self) -> None:
        backend = add("lazy")
        with use("lazy"):
            assert backend.calls == []
            with pytest.raises(
                BackendUnavailableError, match=r"device=\"lazy\", requested by use\('lazy'\), cannot be used: "
            ):
                choose()
