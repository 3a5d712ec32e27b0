"""Every planted bug is found, at its lines, and nothing else is."""

from __future__ import annotations

import pytest
from gallery import found
from planted import GALLERY
from planted_teams import GALLERY as TEAMS

from gpucore.findings import FindingCode

CASES = GALLERY.cases | TEAMS.cases


@pytest.mark.parametrize("name", CASES)
def test_the_bug_is_found_at_its_lines_and_nothing_else(name: str) -> None:
    case = CASES[name]
    expected = case.expected()
    assert expected, "the kernel announces no finding"
    report = case.check()
    assert found(report) == expected, str(report)
    assert not report.ok
    assert all(finding.count >= 1 and finding.spans for finding in report.findings)


def test_the_gallery_is_large_and_has_every_code() -> None:
    assert len(CASES) >= 25
    announced = {code for case in GALLERY.cases.values() for code, _ in case.expected()}
    assert announced == {kind.value for kind in FindingCode}


@pytest.mark.parametrize("subgroup_size", [32, 64])
def test_what_presumes_a_size_is_clean_with_that_size(subgroup_size: int) -> None:
    assert GALLERY.cases["butterfly_for_32_lanes"].check(subgroup_size=subgroup_size).ok
    if subgroup_size == 32:
        assert GALLERY.cases["two_subgroups_presumed"].check(subgroup_size=subgroup_size).ok
