"""Every planted bug is found, at its lines, and nothing else is."""

from __future__ import annotations

import pytest
from gallery import found
from planted import GALLERY


@pytest.mark.parametrize("name", GALLERY.cases)
def test_the_bug_is_found_at_its_lines_and_nothing_else(name: str) -> None:
    case = GALLERY.cases[name]
    expected = case.expected()
    assert expected, "the kernel announces no finding"
    report = case.check()
    assert found(report) == expected, str(report)
    assert not report.ok
    assert all(finding.count >= 1 and finding.spans for finding in report.findings)


def test_the_gallery_is_large_and_uses_every_code() -> None:
    assert len(GALLERY.cases) >= 25
