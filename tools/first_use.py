#!/usr/bin/env python3
"""Writes tools/onnx-fold/first-use.ld: which functions run in a fold of two nodes, in the order of their addresses. The linker
puts them side by side. The kernel maps a program in pieces of 64 KB around what is touched, so functions that are spread over
13 MB of code made 7 MB of it resident, and each piece costs a page fault.

    tools/first_use.py [BUILD]      BUILD: default build. Needs valgrind. Then build again.

A name that is no longer there does no harm, and a function that is missing costs memory and no more. So the list is to be
written again only when tests/tools/test_static.py says that a start takes too much.
"""

import bisect
import collections
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "tools/onnx-fold/first-use.ld"
FRAME = """/* Written by tools/first_use.py, which says why; do not edit. */
SECTIONS
{{
.text.first_use :
{{
{}
}}
}}
INSERT BEFORE .text;
"""


def linkMap(build, folder):
    """The program's sections of code as (address, size, name, file): it is linked once more, into `folder`."""
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "bin/onnx-fold"], capture_output=True, text=True, check=True)
    command = commands.stdout.splitlines()[-1].replace(" -o bin/onnx-fold ", f" -o {folder}/onnx-fold -Wl,-Map,{folder}/map ")
    subprocess.run(command, shell=True, cwd=build, check=True)
    # A long name has a line of its own, before its address.
    entry = re.compile(r"^ (\.text\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$", re.MULTILINE)
    found = entry.findall((folder / "map").read_text())
    sections = ((int(address, 16), int(size, 16), name, file) for name, address, size, file in found)
    return sorted(section for section in sections if section[0] and section[1])  # without what was left out


def executed(program, folder):
    """The addresses of all instructions that run when two nodes fold, to a new file and then in place of it."""
    profile, model = folder / "profile", folder / "model.onnx"
    runpy.run_path(str(ROOT / "bench/tool/models.py"))["tiny"](model)
    counter = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", f"--callgrind-out-file={profile}"]
    fold = [program, "--quiet", "-o", folder / "out.onnx", model]
    addresses = set()
    for _ in range(2):
        subprocess.run([*counter, *fold], capture_output=True, check=True)
        addresses.update(int(address, 16) for address in re.findall(r"^0x([0-9a-f]+) ", profile.read_text(), re.MULTILINE))
    return addresses


def statement(section, isOnly):
    """What places a section: its name if no other has it, else its file too; none for what the linker gathers itself."""
    _, _, name, file = section
    if name.startswith((".text.startup", ".text.unlikely")):
        return None
    if isOnly:
        return f"*({name})"
    member = re.search(r"(lib[^/]*\.a)\((.*)\)$", file)
    return f"*{member[1]}:{member[2]}({name})" if member else None


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sections = linkMap(build, folder)
        addresses = executed(folder / "onnx-fold", folder)
    starts = [section[0] for section in sections]
    used = {bisect.bisect(starts, address) - 1: address for address in sorted(addresses)}
    used = [sections[index] for index, address in used.items() if index >= 0 and address < sum(sections[index][:2])]
    count = collections.Counter(section[2] for section in sections)
    lines = [statement(section, count[section[2]] == 1) for section in used]
    SCRIPT.write_text(FRAME.format("\n".join(line for line in lines if line)))


if __name__ == "__main__":
    main()
