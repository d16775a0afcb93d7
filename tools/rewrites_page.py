#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the lists of docs/rewrites.md: every name that --disable takes, with its algebra, by level. To be run again
whenever a rewrite is added or described anew; tests/tools/test_docs.py fails as long as the page is not true.

    tools/rewrites_page.py [--check] [TOOL]     --check: writes nothing, prints what is wrong (exit 1)

Names and algebra come from `onnx-fold --list-patterns` (TOOL, default build/bin/onnx-fold), levels of patterns from
the table of patterns in onnx/transforms/rewrite. The text above the tables is written by hand.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/rewrites.md"
PATTERNS = next((ROOT / "onnx/transforms/rewrite").glob("CleanUp*.def"))
TOOL = ROOT / "build/bin/onnx-fold"
BEGIN = "<!-- Written by tools/rewrites_page.py from `onnx-fold --list-patterns`; do not edit below. -->\n"

# An entry of the table: PATTERN(function, "name", ...), REWRITE and INPUTS with a level after the name.
ENTRY = re.compile(r'^(PATTERN|REWRITE|INPUTS|RULES)\([^"]*"([^"]+)"(?:,\s*(\d))?', re.MULTILINE)
RULES = "../onnx/transforms/rules/rewrites.rules"
TABLES = {
    "Exact patterns, from -O1 on": "A node is replaced by an existing value, or by simpler nodes. What says `rule` is one in a text, as users "
    "write them ([rules.md](rules.md)), and is proved when the tests run.",
    "Operands, from -O1 on": "The node is kept, and an operand is left out or replaced. These are exact too.",
    "Graphs, from -O1 on": "Several nodes, bodies or functions are rewritten together. These are exact too.",
    "Within a bound, at -O2": "The algebra ends with the bound on the error of the result; an ulp is a unit in the last place.",
}
EXACT, OPERANDS, GRAPHS, BOUND = TABLES


def listed(tool):
    """[(name, algebra)] as the tool prints them."""
    done = subprocess.run([tool, "--list-patterns"], capture_output=True, text=True, check=True)
    return [tuple(line.split(maxsplit=1)) for line in done.stdout.splitlines()]


def tableOf(name, entries):
    if name not in entries:
        return GRAPHS
    macro, level = entries[name]
    return BOUND if level == "2" else OPERANDS if macro == "INPUTS" else EXACT


def rule(name, entries):
    """What is a rule leads to its text."""
    return f" ([rule]({RULES}))" if name in entries and entries[name][0] == "RULES" else ""


def tables(patterns):
    """The text of the page from BEGIN on."""
    entries = {name: (macro, level) for macro, name, level in ENTRY.findall(PATTERNS.read_text())}
    lines = []
    for title, text in TABLES.items():
        rows = [(name, algebra) for name, algebra in patterns if tableOf(name, entries) == title]
        lines += [f"## {title}", "", text, ""]
        lines += [f"- `{name}`: {algebra.replace('*', chr(92) + '*')}{rule(name, entries)}" for name, algebra in rows] + [""]
    return BEGIN + "\n" + "\n".join(lines[:-1]) + "\n"


def page(tool):
    """The page as it should be."""
    byHand = PAGE.read_text().partition(BEGIN)[0]
    return byHand + tables(listed(tool))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    wanted = page(arguments[0] if arguments else TOOL)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(wanted)
    elif PAGE.read_text() != wanted:
        print("docs/rewrites.md is not what tools/rewrites_page.py writes")
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())
