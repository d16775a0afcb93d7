#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/api.md from cmake/PublicHeaders.txt, the list of the headers that are installed, and from their first lines. To be
run again whenever the list changes; tests/tools/test_public_headers.py fails while the page differs, or the list is wrong.

    tools/public_headers.py [--check] [ROOT]     --check: writes nothing, exit status 1 if the page differs
"""

import dataclasses
import re
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
LIST = "cmake/PublicHeaders.txt"
MOST = 90  # headers: an entry more needs another number here, and a reason
INCLUDE = re.compile(r'^\s*#\s*include\s*"onnxfold/([^"]+)"', re.MULTILINE)

INTRODUCTION = """<!-- Made by tools/public_headers.py from cmake/PublicHeaders.txt; edit that. -->

# Headers of the libraries

These headers are the API: `cmake --install` installs them and no others, they compile alone, and the projects in `examples/`
build with nothing else. They are included as `"onnxfold/elements/Elements.h"`. Each is the manual of what it declares. Other
headers of the repository are for the repository, and may change or go without a word.

[linking-elements.md](linking-elements.md) shows their use from outside, [passes.md](passes.md) lists the passes.
"""


@dataclasses.dataclass
class Section:
    title: str
    components: list
    entries: list = dataclasses.field(default_factory=list)
    others: list = dataclasses.field(default_factory=list)  # included by the entries

    def all(self):
        return self.entries + self.others


def sections(root):
    found = []
    for line in (root / LIST).read_text().splitlines():
        if line.startswith("=="):
            title, _, components = line[2:].partition(":")
            found.append(Section(title.strip(), [name.strip() for name in components.split(",")]))
        elif line and not line.startswith("#"):
            (found[-1].others if line.startswith(" ") else found[-1].entries).append(line.strip())
    return found


def listed(root):
    """All files of the list, tables and generated ones too."""
    return [name for section in sections(root) for name in section.all()]


def complaints(root, generated, most=MOST):
    """What is wrong with the list. `generated`: the folder with the generated headers."""
    names = listed(root)
    wrong = [f"{name} is listed twice" for name in sorted(set(names)) if names.count(name) > 1]
    reached = set()
    for section in sections(root):
        for name in section.all():
            path = root / name if (root / name).is_file() else generated / name
            if not path.is_file():
                wrong.append(f"{name} does not exist")
                continue
            if "/internal/" in name:
                wrong.append(f"{name} is internal")
            included = set(INCLUDE.findall(path.read_text())) if name.endswith(".h") else set()
            reached |= included
            wrong += [f"{name} includes {other}, which is not listed" for other in sorted(included - set(names))]
    wrong += [f"{name} is indented, and no listed header includes it"
              for section in sections(root) for name in section.others if name not in reached]
    count = sum(name.endswith(".h") for name in names)
    if count > most:
        wrong.append(f"{count} headers are listed, expected at most {most}")
    return wrong


def titleOf(path):
    """`//===- Shape.h - Shapes, strides, broadcasting ---*- C++ -*-===//`: what stands between the dashes."""
    match = re.search(rf"===- {re.escape(path.name)} - (.*?) *-*(\*- C.*)?=", path.read_text())
    return match[1] if match else ""


def document(root):
    parts = [INTRODUCTION]
    for section in sections(root):
        components = ", ".join(f"`{name}`" for name in section.components)
        rows = "".join(f"- `{name}`: {titleOf(root / name)}\n" for name in section.entries)
        text = f"\n## {section.title}\n\nIn {components}.\n\n{rows}"
        others = [f"`{name}`" for name in section.others if name.endswith(".h")]
        parts.append(text + ("\nThey include " + ", ".join(others) + ".\n" if others else ""))
    return "".join(parts)


def main():
    arguments = [one for one in sys.argv[1:] if one != "--check"]
    root = Path(arguments[0]) if arguments else HOME
    page, text = root / "docs/api.md", document(root)
    if "--check" not in sys.argv:
        page.write_text(text)
    elif not page.is_file() or page.read_text() != text:
        print("docs/api.md differs: run tools/public_headers.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
