# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/reference.md, of the table of options."""

from __future__ import annotations

import re

from option_table import ROOT, Table

REFERENCE = ROOT / "docs/reference.md"
BEGIN = re.compile(r"<!-- options: (\w+) -->\n")


def _rules(table: Table) -> list[str]:
    """One row for each option and verb."""
    made: dict[tuple[str, str], list[str]] = {}
    for rule in table.rules:
        first, second = (table.option(rule[one]["def"]) for one in ("First", "Second"))
        if "OnnxFold" not in first.programs or "OnnxFold" not in second.programs:
            continue
        kind = rule["!superclasses"][-1]
        spelled = second.dashes + second.name
        if kind == "ExcludesValue":
            spelled += rule["Value"] if second.name == "O" else "=" + rule["Value"]
        verb = "needs" if kind == "Needs" else "excludes"
        why = f" ({rule['Why']})" if rule["Why"] else ""
        made.setdefault((f"`{first.dashes}{first.name}`", verb), []).append(f"`{spelled}`{why}")
    return [f"| {name} | {verb} {', '.join(others)} |" for (name, verb), others in made.items()]


def _rows(table: Table, group: str) -> list[str]:
    if group == "rules":
        return _rules(table)
    if group == "subcommands":
        return [
            f"| `onnx-fold {name} {about['Usage'].replace('[options] ', '')}` | {about['HelpText']} |"
            for name, about in table.subcommands.items()
        ]
    options = [one for one in table.options if "OnnxFold" in one.programs and one.group == group]
    return [f"| {row} |" for one in options for row in one.fields.get("Rows", [])]


def reference(table: Table) -> str:
    """The page with its tables as they should be. A comment `options: group` stands before each; its head is kept."""
    parts = BEGIN.split(REFERENCE.read_text())
    made = [parts[0]]
    for group, text in zip(parts[1::2], parts[2::2]):
        head, rest = re.match(r"((?:\|[^\n]*\n){2})(?:\|[^\n]*\n)*(.*)", text, re.DOTALL).groups()
        made.append(f"<!-- options: {group} -->\n{head}" + "".join(row + "\n" for row in _rows(table, group)) + rest)
    return "".join(made)
