"""A report of the kit as one page of HTML that needs nothing beside it, light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

_STYLE = """\
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --faint: #59636e; --line: #d1d9e0;
  --passed: #1a7f37; --failed: #cf222e; --expected: #9a6700; --skipped: #59636e; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #3d444d;
    --passed: #3fb950; --failed: #f85149; --expected: #d29922; --skipped: #9198a1; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 600; } td.seconds { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
.passed { color: var(--passed); } .failed { color: var(--failed); font-weight: 600; }
.expected { color: var(--expected); } .skipped { color: var(--skipped); } .contract { color: var(--faint); }
"""

_SHOWN_FIRST = ("failed", "expected", "skipped", "passed")


def render_page(report: Mapping[str, Any]) -> str:
    """The page of a report, as `Session.report` makes it."""
    device = report["device"]
    title = f"Conformance of {device['id']}"
    facts = {
        "device": f"{device['name']} ({device['kind']})",
        "driver": device["driver"],
        "gpucore": report["gpucore"],
        "Python": report["python"],
        "platform": report["platform"],
        "tier": report["tier"] + (f", with {', '.join(report['texts'])}" if report["texts"] else ""),
        "run": f"{report['seconds']:.1f} s, {'in a child process' if report['isolated'] else 'in one process'}, "
               f"{report['time_limit']:g} s for each behaviour at most",
    }  # fmt: skip
    counts = ", ".join(
        f'<span class="{status}">{report["counts"][status]} {status}</span>'
        for status in _SHOWN_FIRST
        if report["counts"][status]
    )
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>\n" for name, text in facts.items())
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n<h1>{escape(title)}</h1>\n<p>{counts}</p>\n"
        f"<dl>\n{lines}</dl>\n" + "".join(_section(report, status) for status in _SHOWN_FIRST) + "</html>\n"
    )


def _section(report: Mapping[str, Any], status: str) -> str:
    rows = [_row(one) for one in report["behaviours"] if one["status"] == status]
    if not rows:
        return ""
    head = "<tr><th>number</th><th>behaviour</th><th>test</th><th>seconds</th></tr>"
    return f'<h2 class="{status}">{len(rows)} {status}</h2>\n<table>\n{head}\n{"".join(rows)}</table>\n'


def _row(one: Mapping[str, Any]) -> str:
    what = f'{escape(one["text"])} <span class="contract">[{escape(one["contract"])}]</span>'
    if one["reason"]:
        what += f'<pre class="{one["status"]}">{escape(one["reason"])}</pre>'
    if one["trace"]:
        what += f"<details><summary>traceback</summary><pre>{escape(one['trace'])}</pre></details>"
    test = f"{one['test']}[{one['case']}]" if one["case"] else one["test"]
    return (
        f'<tr id="{one["number"]}"><td>{one["number"]}</td><td>{what}</td><td>{escape(test)}</td>'
        f'<td class="seconds">{one["seconds"]:.2f}</td></tr>\n'
    )
