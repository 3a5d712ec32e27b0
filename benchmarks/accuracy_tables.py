"""Generates the tables of docs/numbers.md from benchmarks/results/accuracy-*.json.

python benchmarks/accuracy_tables.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "numbers.md"
RESULTS = ROOT / "benchmarks" / "results"
_TABLES = re.compile(r"(?<=<!-- measured -->\n\n).*?(?=\n<!-- end of measured -->)", re.DOTALL)
_TYPES = ("f32", "f64", "f16")
_LARGE = 100.0  # ulp; beyond it the absolute error is shown


def measured() -> str:
    """A table for each type, with a column for each device."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("accuracy-*.json"))]
    parts = []
    for type in _TYPES:
        chosen = [report for report in reports if any(row["type"] == type for row in report["rows"])]
        heads = [_head(report) for report in chosen]
        lines = [f"| {type} | arguments | {' | '.join(heads)} |", "|---" * (len(chosen) + 2) + "|"]
        tables = [{(r["function"], r["domain"]): r for r in report["rows"] if r["type"] == type} for report in chosen]
        for key in dict.fromkeys(key for table in tables for key in table):
            cells = " | ".join(_cell(table.get(key)) for table in tables)
            lines.append(f"| `{key[0]}` | {key[1]} | {cells} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join([*parts, _remarks(reports)])


def _head(report: Any) -> str:
    ((name, device),) = report["machine"]["devices"].items()
    backend = name.partition(":")[0]
    return backend if device["name"] in ("Python simulator",) else f"{backend}: {device['name']}"


def _cell(row: Any) -> str:
    if row is None:
        return "-"
    if "missing" in row:
        return "none"
    ulp, large, absolute = row["max_ulp"], row["max_ulp_from_1_16"], row["max_absolute"]
    if ulp <= _LARGE or large > _LARGE:
        text = f"{ulp:.3g}"
    else:
        text = f"{large:.3g}; {absolute:.1e}" if absolute < 1 else f"{large:.3g} from 1/16"
    return f"{text} *" if row["not_finite"] or row["edges_off"] else text


def _remarks(reports: list[Any]) -> str:
    """What the stars mean: finite results that came out as infinity or NaN, and results of the wrong kind at edges."""
    lines = [
        "`-`: not measured on this device yet.",
        "`none`: the backend has no such function of this type, and says so when the kernel is compiled. Stars:",
        "",
    ]
    seen = set()
    for report in reports:
        for row in report["rows"]:
            if row.get("not_finite"):
                where = f"`{row['function']}` of {row['type']} on {_head(report)}"
                lines.append(
                    f"- {where}: {row['not_finite']} of {row['count']} finite results came out as infinity or NaN."
                )
            for edge in row.get("edges_off", ()):
                text = f"- `{edge}` of {row['type']} on {_head(report)}."
                if text not in seen:
                    seen.add(text)
                    lines.append(text)
    return "\n".join(lines) + "\n"


def render(page: str) -> str:
    """The page with its tables generated again."""
    made = measured()
    return _TABLES.sub(lambda _: made, page)


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
