"""The conformance kit on the backend of examples/plugins/cc_backend, which `gpucore new-backend` writes.

Each kernel is compiled by the C compiler: by default the tier for new backends runs, and all of it with --run-large.
"""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.cli import main
from gpucore.testing import ConformanceTests, check_dialect

pytestmark = [pytest.mark.usefixtures("cc"), pytest.mark.xdist_group("cc")]


class TestBasic(ConformanceTests):
    device = "cc"
    tier = "basic"


@pytest.mark.large
def test_the_whole_kit(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "cc", "--tier", "all"]) == 0
    assert " failed" not in capfd.readouterr().out


def test_what_the_compiler_refuses_in_the_runtime_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpucore_cc import device  # noqa: PLC0415 (as below)
    from gpucore_cc.plugin import CcBackend  # noqa: PLC0415 (as below)

    monkeypatch.setattr(device, "_OPTIONS", ("-no-such-option",))
    with pytest.raises(gp.BackendUnavailableError, match=r"the C compiler cc failed: .*-no-such-option"):
        CcBackend().open(0)


def test_its_table_lacks_nothing() -> None:
    from gpucore_cc.emit import CAPABILITIES, DIALECT  # noqa: PLC0415 (the fixture puts it on the path)

    assert check_dialect(DIALECT, CAPABILITIES) == []
