# SPDX-License-Identifier: Apache-2.0
"""Every command that docs/tensor-folding.md shows runs as it stands there, on the files of examples/tensor-folding, and
prints what the page shows."""

import os
import re
import shutil
import subprocess
import sys

import onnxfold_testing as t

PAGE = t.ROOT / "docs/tensor-folding.md"


def commands():
    """(command, lines that are shown after it); a line that ends in a backslash is continued."""
    found = []
    for line in PAGE.read_text().splitlines():
        if line.startswith("    $ "):
            found.append((line.removeprefix("    $ "), []))
        elif line.startswith("    ") and found and found[-1] is not None:
            found[-1][1].append(line.removeprefix("    "))
        elif found:
            found.append(None)
    return [entry for entry in found if entry]


def test_commands_run_as_they_stand(folder):
    for file in (t.ROOT / "examples/tensor-folding").iterdir():
        shutil.copy(file, folder)
    path = os.pathsep.join([str(t.TOOL.parent), os.environ["PATH"]])
    wanted = commands()
    assert len(wanted) >= 6 and sum("fold-run" in command for command, _ in wanted) >= 2
    for command, shown in wanted:
        command = re.sub(r"^python3\b", sys.executable, command)
        result = subprocess.run(
            ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        assert result.returncode == 0, f"{command}\n{result.stderr}"
        printed = (result.stdout + result.stderr).splitlines()
        # The page breaks no lines: what it shows is printed, in its order, and nothing else unless it says `...`.
        if shown and not any(line.strip() == "..." for line in shown):
            assert printed == shown, f"{command} prints\n" + "\n".join(printed)
        else:
            rest = iter(printed)
            assert all(line in rest for line in shown if line.strip() != "..."), f"{command} prints\n" + "\n".join(printed)


def test_options_of_the_page_exist(folder):
    """Those of fold-run and fold-opt that prose and commands name."""
    text = "".join(
        subprocess.run([t.TOOL.parent / tool, "--help"], capture_output=True, text=True).stdout
        for tool in ("fold-run", "fold-opt")
    )
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", PAGE.read_text()))
    assert len(named) > 5
    assert {name for name in named if f"--{name}" not in text} <= {"help", "run-once"}  # the latter is of onnx-fold
