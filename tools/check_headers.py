#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a public header (cmake/PublicHeaders.txt), or a source of a batch, does not compile alone. Checks those that the
change can have broken: headers that differ from the base, and headers and sources that include, directly or not, one that has
lost what they may need; all of them where there is no base. Of more than 40 such sources every second, third and so on is compiled. Sources that differ
are left to tools/check_changed.sh, where clang-tidy reads some of them alone.

A header has lost what is not in it any more of the `#include` lines and identifiers of the base. Whoever includes it may have
had it from there, and batches of sources hide that. What came with an `#include` is not known, so all count; a lost
identifier matters to files in which it stands, or a macro that they may use (to all, if it is a word that declares what is
used without a name). What a header gains breaks others in the batches, too.

    tools/check_headers.py BUILD [--all] [--base COMMIT] [--list]

BUILD must be configured and its generated headers made. The base is COMMIT, or that of tools/check_changed.sh: the merge
base with origin/main, or, where that is HEAD, the last commit of the day before. Files that are not committed count as
changed. --all, or ONNXFOLD_LONG in the environment, checks every header outside of internal/, public or not, and every source
of a batch; --list only says which would be compiled.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

MARK = "_verify_interface_header_sets/onnxfold/"  # in the path of the source that CMake makes for a header
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(r"^[ \t]*#[ \t]*include[^\n]*|\w+", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
APART = {"tests", "bench", "examples", "cmake"}  # their headers are for one program
MOST_SOURCES = 40  # after a change of a header that all include it would be a thousand, for half an hour
UNNAMED = {"operator", "template", "using", "namespace"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"onnxfold/([^"]+)"', re.MULTILINE)
BATCHED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)  # in the source that CMake makes for a batch


def commands(build, root):
    """The compile command of each public header and of each source of a batch: {path in the repository: entry of
    compile_commands.json}."""
    entries = json.loads((build / "compile_commands.json").read_text())
    found = {entry["file"].partition(MARK)[2].removesuffix(".cxx"): entry for entry in entries if MARK in entry["file"]}
    for batch in (entry for entry in entries if "/Unity/unity_" in entry["file"]):
        for source in map(Path, BATCHED.findall(Path(batch["file"]).read_text())):
            if source.is_relative_to(root) and not source.is_relative_to(build):
                found[source.relative_to(root).as_posix()] = {**batch, "alone": [str(source)]}
    return found


def otherHeaders(root, entries):
    """{header that is not public: the compile command of the nearest source}, of the folders that have a source in a batch."""
    nearest = {}
    for name in (name for name in entries if not name.endswith(".h")):
        for folder in Path(name).parents[:-1]:
            nearest.setdefault(folder, entries[name])
    found = {}
    for name in ownHeaders(root) - set(entries):
        folder = next((one for one in Path(name).parents if one in nearest), None)
        if folder and Path(name).parts[0] not in APART and "internal" not in Path(name).parts:
            found[name] = {**nearest[folder], "alone": ["-x", "c++", "-include", str(root / name), os.devnull]}
    return found


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def baseOf(root):
    """The base where none is given; "" if there is no commit of a day before."""
    head, main = (git(root, *words) or [""] for words in (("rev-parse", "HEAD"), ("merge-base", "HEAD", "origin/main")))
    if main != [""] and main != head:
        return main[0]
    day = (git(root, "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d") or [""])[0]
    return (git(root, "rev-list", "-1", f"--before={day} 00:00", "HEAD") or [""])[0]


def changed(root, base):
    """The files that differ from the base, or None if that is not known."""
    if not base:
        return None
    tracked = git(root, "diff", "--name-only", base)
    added = git(root, "ls-files", "--others", "--exclude-standard")
    return None if tracked is None or added is None else {*tracked, *added}


def includers(root, texts):
    """{header: the files that include it}; a generated header counts as the .td files beside it."""
    result = {}
    for name, text in texts.items():
        for included in INCLUDE.findall(text):
            names = [included]
            if included.endswith(".inc"):
                names = [path.relative_to(root).as_posix() for path in (root / included).parent.glob("*.td")]
            for one in names:
                result.setdefault(one, set()).add(name)
    return result


def ownHeaders(root):
    folders = [path for path in root.iterdir() if path.is_dir() and not path.name.startswith((".", "build"))]
    return {path.relative_to(root).as_posix() for folder in folders for path in folder.rglob("*.h")}


def closure(graph, names):
    """What leads to one of the names, in one step or more."""
    found, queue = set(), [one for name in names for one in graph.get(name, ())]
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += graph.get(name, ())
    return found


def tokens(text):
    """Its `#include` lines and identifiers."""
    return set(TOKEN.findall(COMMENT.sub("", text)))


def lostBy(root, base, name):
    """The `#include` lines and identifiers that a header had; None, which is anything, for other files."""
    if not name.endswith(".h"):
        return None  # a .td file: what is generated is not compared
    before = subprocess.run(["git", "-C", root, "show", f"{base}:{name}"], capture_output=True, text=True)
    if before.returncode:
        return set()  # a new file
    after = (root / name).read_text() if (root / name).exists() else ""
    return tokens(before.stdout) - tokens(after)


def affected(root, checked, files, base):
    """The headers among `files`, those that include what has lost something that they may need, and those that include
    themselves with one of `files`; of the sources those that include such a header and are not among `files`."""
    sources = {name for name in checked if not name.endswith(".h")}
    texts = {name: (root / name).read_text() for name in ownHeaders(root) | sources}
    words = {name: tokens(text) for name, text in texts.items()}
    graph = includers(root, texts)
    for name, text in texts.items():  # a macro is used where its header is included
        macro = set().union(*map(tokens, MACRO.findall(text)))
        for header in closure(graph, [name]) if macro else ():
            words[header] = words[header] | macro
    found = set(files)
    for name in files:
        above, lost = closure(graph, [name]), lostBy(root, base, name)
        if lost is None or name in above or any("#" in one for one in lost) or lost & UNNAMED:
            found |= above
        else:
            found |= {one for one in above if lost & words[one]}
    chosen = sorted((found & sources) - set(files))
    return sorted(found & checked - sources) + chosen[::-(-len(chosen) // MOST_SOURCES) or 1]


def complaint(entry):
    """What the compiler says of one file, or None."""
    words = ((entry.get("alone", [word]) if word == entry["file"] else [word]) for word in shlex.split(entry["command"]))
    arguments = [one for some in words for one in some]
    arguments[arguments.index("-o") + 1] = os.devnull
    done = subprocess.run([*arguments, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr[-3000:] or "the compiler failed" if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true", default=bool(os.environ.get("ONNXFOLD_LONG")))
    parser.add_argument("--base", help="the commit to compare with")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    entries = commands(options.build.resolve(), options.root)
    if not entries:
        sys.exit(f"{options.build}/compile_commands.json has no headers")
    if options.all:
        entries |= otherHeaders(options.root, entries)
    base = options.base or baseOf(options.root)
    files = None if options.all else changed(options.root, base)
    checked = sorted(entries) if files is None else affected(options.root, set(entries), files, base)
    if options.list:
        print(*checked, sep="\n")
        return 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(checked, pool.map(lambda name: complaint(entries[name]), checked)))
    wrong = {name: text for name, text in found.items() if text}
    for name, text in wrong.items():
        print(f"{name} does not compile alone:\n{text}")
    headers = sum(name.endswith(".h") for name in checked)
    print(f"{headers} headers and {len(checked) - headers} sources of {len(entries)} compiled, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
