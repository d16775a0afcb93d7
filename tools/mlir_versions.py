#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the libraries that use MLIR need that another version's headers do not have. Nothing is linked or run: each source is
compiled for its errors, against headers made by that version's mlir-tblgen. docs/mlir-versions.md has its table.

    tools/mlir_versions.py PREFIX [--build FOLDER] [--write]      PREFIX: /usr/lib/llvm-19, or the same in an unpacked package

--write: puts the table into the page. A build folder that is configured is needed, and what it has generated.
"""

import argparse
import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/mlir-versions.md"
PARTS = ("elements/ir", "gc", "constprop", "upstream", "sequence", "dealloc", "tensorfolding")
ERROR = re.compile(r"^([^\s:]+):(\d+):\d+: (?:fatal )?error: (.*)$", re.M)


def version(prefix):
    text = (prefix / "include/llvm/Config/llvm-config.h").read_text()
    return re.search(r'LLVM_VERSION_STRING "([^"]*)"', text)[1]


def generate(prefix, build, out):
    """The generated headers of the build, by the other version's mlir-tblgen; those that it refuses, with its first error."""
    refused = {}
    libraries = os.pathsep.join(str(prefix.parent / name) for name in (f"{prefix.name}/lib", "x86_64-linux-gnu"))
    for command in sorted(set(re.findall(r"(\S*/mlir-tblgen .*?) -d ", (build / "build.ninja").read_text()))):
        words = shlex.split(command)
        file = out / Path(words[words.index("-o") + 1]).relative_to(build / "generated/include")
        file.parent.mkdir(parents=True, exist_ok=True)
        words[0], words[words.index("-o") + 1] = str(prefix / "bin/mlir-tblgen"), str(file)
        words = [f"-I{prefix}/include" if word.startswith("-I/usr/lib/llvm") else word for word in words]
        done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"LD_LIBRARY_PATH": libraries})
        if done.returncode:
            refused[file.relative_to(out).as_posix()] = done.stderr.strip().splitlines()[0]
    return refused


def compile_unit(entry, prefix, build, generated, stubs):
    """The errors of a unit, and the headers that are missing, for which empty ones stand."""
    command = shlex.split(entry["command"])
    command = command[next(i for i, word in enumerate(command) if re.search(r"(g\+\+|clang\+\+)(-\d+)?$", word)):]
    command = [f"{prefix}/include" if word.startswith("/usr/lib/llvm-") and word.endswith("/include") else word for word in command]
    drop = {index + step for index, word in enumerate(command) if word in {"-o", "-MF", "-MT"} for step in (0, 1)}
    command = [word for index, word in enumerate(command) if index not in drop and word not in {"-c", "-MD", "-Werror", "-O2"}]
    # A folder of the user stands before those of the system.
    command[1:1] = [f"-I{generated}", f"-I{stubs}", "-fsyntax-only", "-fmax-errors=0", "-w"]
    # Make's rule of the unit has the headers that are not there, too, by their names alone.
    rule = subprocess.run([*command, "-M", "-MG"], capture_output=True, text=True, cwd=entry["directory"]).stdout
    missing = set(re.findall(r"(?<=\s)(?:mlir|llvm)/\S+", rule))
    for name in missing:
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).touch()
    return subprocess.run(command, capture_output=True, text=True, cwd=entry["directory"]).stderr, missing


def sources_of(part):
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / part).rglob("*.cpp") if "runtime" not in path.parts}


def survey(prefix, build):
    units = [entry for entry in json.loads((build / "compile_commands.json").read_text())
             if any(entry["file"].startswith(f"{build}/{part}/") for part in PARTS)
             and "_verify_interface" not in entry["file"] and "/runtime/" not in entry["file"]]
    errors, missing = collections.defaultdict(collections.Counter), set()
    with tempfile.TemporaryDirectory() as work:
        generated, stubs = Path(work) / "generated", Path(work) / "stubs"
        stubs.mkdir()
        refused = generate(prefix, build, generated)
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda entry: compile_unit(entry, prefix, build, generated, stubs), units))
    for text, without in done:
        missing |= without
        for file, _, message in set(ERROR.findall(text)):
            name = re.sub(rf"^({re.escape(str(build))}/include/onnxfold|{re.escape(str(ROOT))})/", "", file)
            errors[name][re.sub(r"‘|’", "'", message)] += 1
    return refused, missing, errors


def table(prefix, build):
    refused, missing, errors = survey(prefix, build)
    rows = []
    for part in PARTS:
        sources = sources_of(part)
        wrong = sorted(name for name in errors if name in sources)
        headers = sorted(name for name in errors if name.startswith(part + "/") and name not in sources)
        count = sum(sum(errors[name].values()) for name in [*wrong, *headers])
        rows.append(f"| `{part}` | {len(sources)} | {len(sources) - len(wrong)} | {count} | {', '.join(f'`{Path(one).name}`' for one in headers)} |")
    causes = collections.Counter()
    for messages in errors.values():
        for message, times in messages.items():
            # What is not there names itself; what follows from it does not.
            if "has not been declared" in message or "is not a member of" in message or "has no member named" in message:
                message = re.sub(r"^'create' is not a member of .*", "'create' is not a member of operations", message)
                causes[re.sub(r";.*|\[.*", "", message).replace("mlir::", "").strip()] += times
    lines = [f"### MLIR {version(prefix)}", "",
             "| folder | sources | without errors of their own | errors | headers of ours with errors |", "|---|---|---|---|---|", *rows, "",
             "Headers that it does not have: " + (", ".join(f"`{name}`" for name in sorted(missing)) or "none") + ".", "",
             "Definitions that its `mlir-tblgen` refuses: " + (", ".join(f"`{name}`" for name in sorted(refused)) or "none") + ".", "",
             "What is not there, the most frequent first:", "", *(f"- {message} ({times})" for message, times in causes.most_common(8))]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    prefix = arguments.prefix.resolve()
    text = table(prefix, arguments.build.resolve())
    if not arguments.write:
        print(text, end="")
        return 0
    name = version(prefix)
    page = PAGE.read_text()
    section = re.compile(rf"<!-- {re.escape(name)} -->\n.*?<!-- end -->", re.S)
    if not section.search(page):
        print(f"{PAGE.name} has no section <!-- {name} -->", file=sys.stderr)
        return 1
    PAGE.write_text(section.sub(lambda _: f"<!-- {name} -->\n{text}<!-- end -->", page))
    return 0


if __name__ == "__main__":
    sys.exit(main())
