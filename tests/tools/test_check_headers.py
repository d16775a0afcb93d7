# SPDX-License-Identifier: Apache-2.0
"""tools/check_headers.py names headers that do not compile alone, and compiles those that a change can have broken."""

import json
import os
import subprocess
import sys
from pathlib import Path

import onnxfold_testing as t

CHECK = t.ROOT / "tools/check_headers.py"
COMPILER = t.cmakeCache(t.TOOL.parents[1], "CMAKE_CXX_COMPILER")
HEADERS = {
    "gc/Low.h": "#include <vector>\ninline std::vector<int> low();\n",
    "gc/High.h": '#include "onnxfold/gc/Low.h"\ninline std::vector<int> high();\n',
    "gc/Other.h": "struct Other {};\n",
    "gc/Made.h": '#include "onnxfold/gc/Made.h.inc"\n',
    "gc/Made.td": "",
}


def git(folder, *arguments, day=2):
    who = ["-c", "user.name=test", "-c", "user.email=test"]
    date = f"2020-01-0{day} 12:00"
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True,
                   env={**os.environ, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date})


def tree(folder):
    """A repository with a commit of HEADERS, and a compile command for each as CMake writes it."""
    (folder / "root/gc").mkdir(parents=True)
    (folder / "build/include").mkdir(parents=True)
    (folder / "build/include/onnxfold").symlink_to(folder / "root")
    entries = []
    for name, text in HEADERS.items():
        (folder / "root" / name).write_text(text)
        if not name.endswith(".h"):
            continue
        source = folder / f"build/gc_verify_interface_header_sets/onnxfold/{name}.cxx"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(f'#include "onnxfold/{name}"\n')
        entries.append({"directory": str(folder), "file": str(source),
                        "command": f"{COMPILER} -I{folder}/build/include -std=c++20 -o x.o -c {source}"})
    (folder / "build/include/onnxfold/gc/Made.h.inc").write_text("")
    (folder / "build/compile_commands.json").write_text(json.dumps(entries))
    git(folder / "root", "init", "-q")
    git(folder / "root", "add", "-A")
    git(folder / "root", "commit", "-q", "-m", "one", day=1)
    git(folder / "root", "commit", "-q", "--allow-empty", "-m", "two")


def check(folder, *options):
    command = [sys.executable, "-B", CHECK, folder / "build", "--root", folder / "root", *options]
    environment = {"PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def listed(folder, *options):
    return check(folder, "--list", *options).stdout.split()


def test_only_what_a_change_can_break(folder):
    tree(folder)
    assert listed(folder) == [], "headers without a change"
    assert len(listed(folder, "--all")) == 4, "all headers"
    assert listed(folder, "--base", "nothing") == listed(folder, "--all"), "headers without a base"
    (folder / "root/gc/Other.h").write_text("struct Another {};\n")
    assert listed(folder) == ["gc/Other.h"], "headers after a change of Other.h"
    (folder / "root/gc/Low.h").write_text("#include <list>\n")
    assert listed(folder) == ["gc/High.h", "gc/Low.h", "gc/Other.h"], "with a change of Low.h, which High.h includes"
    git(folder / "root", "commit", "-qam", "three")
    assert listed(folder) == ["gc/High.h", "gc/Low.h", "gc/Other.h"], "headers of the last day"
    (folder / "root/gc/Made.td").write_text("def X;\n")
    git(folder / "root", "commit", "-qam", "four", day=3)
    assert listed(folder) == ["gc/Made.h"], "headers that include what is generated"
    git(folder / "root", "update-ref", "refs/remotes/origin/main", "HEAD~2")
    assert len(listed(folder)) == 4, "headers that differ from the merge base"


def test_includers_are_compiled_where_a_header_has_lost_something(folder):
    tree(folder)
    low = folder / "root/gc/Low.h"
    low.write_text("// low() of the manual\n" + HEADERS["gc/Low.h"] + "inline int more();\n")
    assert listed(folder) == ["gc/Low.h"], "after a function and a comment that are new"
    low.write_text(HEADERS["gc/Low.h"].replace("<vector>", "<list>"))
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "after another include"
    low.write_text(HEADERS["gc/Low.h"].replace("low()", "lowest()") + "// low()\n")
    assert listed(folder) == ["gc/Low.h"], "after another name, which stands nowhere else"
    (folder / "root/gc/High.h").write_text(HEADERS["gc/High.h"] + "inline auto highest() { return low(); }\n")
    git(folder / "root", "commit", "-qm", "its user", "gc/High.h", day=1)
    git(folder / "root", "commit", "-qm", "empty", "--allow-empty")
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "after another name"
    (folder / "root/gc/High.h").write_text('#include "onnxfold/gc/Other.h"\n' + HEADERS["gc/High.h"])
    (folder / "root/gc/Other.h").write_text("#define OF_LOW() \\\n  low()\n")
    git(folder / "root", "commit", "-qm", "a macro", "gc/High.h", "gc/Other.h", day=1)
    git(folder / "root", "commit", "-qm", "empty", "--allow-empty")
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "after another name that stands in a macro"
    low.write_text(HEADERS["gc/Low.h"] + '#include "onnxfold/gc/High.h"\n')
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "headers that include each other"
    low.unlink()
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "after the header is gone"


def test_headers_that_need_another_are_named(folder):
    tree(folder)
    done = check(folder, "--all")
    assert (done.returncode, done.stdout) == (0, "4 headers and 0 sources of 4 compiled, 0 failed\n"), "the check of good headers"
    (folder / "root/gc/Low.h").write_text("inline void low();\n")  # High.h had <vector> from here
    done = check(folder)
    assert done.returncode == 1, "exit status"
    assert "gc/High.h does not compile alone" in done.stdout and "vector" in done.stdout, done.stdout
    assert "2 headers and 0 sources of 4 compiled, 1 failed" in done.stdout, done.stdout


def addBatch(folder, sources):
    """A target whose sources are compiled in one batch."""
    batch = folder / "build/gc.dir/Unity/unity_0_cxx.cxx"
    batch.parent.mkdir(parents=True)
    for name, text in sources.items():
        (folder / "root" / name).write_text(text)
    batch.write_text("".join(f'#include "{folder}/root/{name}"\n' for name in sources))
    path = folder / "build/compile_commands.json"
    entry = {"directory": str(folder), "file": str(batch),
             "command": f"{COMPILER} -I{folder}/build/include -std=c++20 -o x.o -c {batch}"}
    path.write_text(json.dumps([*json.loads(path.read_text()), entry]))
    git(folder / "root", "add", "-A")
    git(folder / "root", "commit", "-qm", "sources", day=1)
    git(folder / "root", "commit", "-qm", "empty", "--allow-empty")


def test_sources_of_a_batch_that_need_another_are_named(folder):
    """Three sources needed what others of their batch include, after a header had lost an include; a build with
    ONNXFOLD_ALONE, or without batches, failed."""
    tree(folder)
    use = '#include "onnxfold/gc/High.h"\nstd::vector<int> use() { return high(); }\n'
    addBatch(folder, {"gc/First.cpp": "#include <vector>\n", "gc/Use.cpp": use, "gc/Alone.cpp": "int alone;\n"})
    assert listed(folder) == [], "without a change"
    assert len(listed(folder, "--all")) == 7, "all headers and sources"
    done = check(folder, "--all")
    assert (done.returncode, done.stdout) == (0, "4 headers and 3 sources of 7 compiled, 0 failed\n"), done.stdout
    (folder / "root/gc/Low.h").write_text("inline void low();\n")
    (folder / "root/gc/High.h").write_text('#include "onnxfold/gc/Low.h"\ninline auto high() { return 0; }\n')
    assert listed(folder) == ["gc/High.h", "gc/Low.h", "gc/Use.cpp"], "after <vector> is lost"
    done = check(folder)
    assert done.returncode == 1 and "gc/Use.cpp does not compile alone" in done.stdout, done.stdout
    (folder / "root/gc/Use.cpp").write_text("#include <vector>\n" + use.replace("high()", "{}"))
    assert listed(folder) == ["gc/High.h", "gc/Low.h"], "a source that differs is read by clang-tidy"


def test_of_many_sources_some_are_compiled(folder):
    tree(folder)
    addBatch(folder, {f"gc/Use{i}.cpp": '#include "onnxfold/gc/Low.h"\n' for i in range(100, 200)})
    (folder / "root/gc/Low.h").write_text("inline void low();\n")
    assert listed(folder)[2:] == [f"gc/Use{i}.cpp" for i in range(100, 200, 3)], "every third of a hundred"
    assert len(listed(folder, "--all")) == 104, "all of them when asked"


def test_headers_that_are_not_public_are_compiled_when_all_are_asked_for(folder):
    """338 headers were compiled by a newcomer's first test run, which took twenty minutes, and most of them were no API."""
    tree(folder)
    addBatch(folder, {"gc/Use.cpp": "int use;\n"})
    for name in ("gc/Own.h", "gc/internal/Hidden.h", "tests/Test.h"):
        (folder / "root" / name).parent.mkdir(exist_ok=True)
        (folder / "root" / name).write_text("std::vector<int> own();\n")
    assert listed(folder) == [], "a header without a command of its own"
    done = check(folder, "--all")
    assert done.returncode == 1 and "gc/Own.h does not compile alone" in done.stdout, done.stdout
    assert "5 headers and 1 sources of 6 compiled, 1 failed" in done.stdout, done.stdout
    (folder / "root/gc/Own.h").write_text('#include "onnxfold/gc/Low.h"\nstd::vector<int> own();\n')
    assert check(folder, "--all").returncode == 0, "a good header"


def test_a_build_without_headers_is_an_error(folder):
    (folder / "build").mkdir()
    (folder / "build/compile_commands.json").write_text("[]")
    assert check(folder).returncode != 0, "nothing to check counts as success"
