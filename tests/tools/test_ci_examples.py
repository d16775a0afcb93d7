# SPDX-License-Identifier: Apache-2.0
"""examples/ci: each file parses, names what there is, and runs as far as this machine can run it."""

import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

CI = t.ROOT / "examples/ci"
W = np.arange(3, dtype=np.float32)


def model(value=1.0):
    nodes = [node("Add", ["w", "w"], ["s"], name="add"), node("Mul", ["x", "s"], ["y"], name="mul")]
    return m.model(nodes, [info("x")], [info("y")], [const("w", W * value)])


def run(*command, cwd=None, **environment):
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60
    )


def parsed(path):
    """A YAML file, by a Python that has PyYAML."""
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        if shutil.which(python) and run(python, "-c", "import yaml").returncode == 0:
            done = run(python, "-c", "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout, default=str)", path)
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)
    pytest.skip("no Python with PyYAML")


@pytest.fixture
def path(folder):
    """PATH with onnx-fold in it."""
    (folder / "bin").mkdir()
    os.symlink(t.TOOL, folder / "bin/onnx-fold")
    return f"{folder / 'bin'}:{os.environ['PATH']}"


@pytest.fixture
def repository(folder):
    """A repository with a model that is committed, and its folder."""
    place = folder / "repository"
    (place / "models").mkdir(parents=True)
    onnx.save(model(), place / "models/a.onnx")
    for arguments in (["init", "-q"], ["config", "user.email", "a@b.c"], ["config", "user.name", "a"], ["add", "."], ["commit", "-qm", "1"]):
        assert run("git", *arguments, cwd=place).returncode == 0
    return place


def test_scripts_are_sound():
    for script in (CI / "fold-comment.sh", CI / "conda/build.sh"):
        assert run("bash", "-n", script).returncode == 0 and os.access(script, os.X_OK)
        if shutil.which("shellcheck"):
            done = run("shellcheck", "-x", script)
            assert done.returncode == 0, done.stdout


def test_the_comment(repository, path, folder):
    """What a pull request changed, in Markdown; a name of a model is no Markdown."""
    if not shutil.which("jq"):
        pytest.skip("jq is not installed")
    script = CI / "fold-comment.sh"
    done = run(script, "HEAD", cwd=repository, PATH=path)
    assert done.returncode == 0 and done.stdout == "No model changed.\n", done
    onnx.save(model(2.0), repository / "models/a.onnx")
    onnx.save(model(), repository / "models/b|`x.onnx")
    (repository / "models/bad.onnx").write_bytes(b"\x08\x08\x12\x03abc")
    run("git", "add", ".", cwd=repository)
    before = t.folderState(repository / "models")
    done = run(script, "HEAD", "--max-growth=1M", cwd=repository / "models", PATH=path)
    assert done.returncode == 1, "a model cannot be folded"
    rows = done.stdout.splitlines()
    assert rows[:2] == ["| model | nodes | bytes | folded |", "|---|---|---|---|"]
    assert re.match(r"\| `models/a\.onnx` \| 2 → 1 \| \d+ → \d+ \| 1 \|$", rows[2]), rows
    assert rows[3] == "| `models/bad.onnx` | failed | | |", rows
    assert re.match(r"\| `models/b  x\.onnx` \| 2 → 1 \| ", rows[4]), rows
    assert "<details><summary>`models/a.onnx` and that of the base</summary>" in done.stdout and "constant w" in done.stdout
    assert "`models/bad.onnx` cannot be folded:" in done.stdout and "    onnx-fold: error: models/bad.onnx: " in done.stdout
    t.expectUnchanged(before, repository / "models", "the working tree")


def test_the_action():
    action = parsed(CI / "github-action.yml")
    steps = action["jobs"]["fold"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step]
    assert action["permissions"] == {"contents": "read", "pull-requests": "write"} and len(scripts) == 4
    assert not any("${{" in script for script in scripts), "what others write gets into a script through the environment"
    assert "ci/fold-comment.sh" in scripts[1] and "gh pr comment" in scripts[2]
    for script in scripts:
        assert run("bash", "-n", "-c", script).returncode == 0, script


def test_the_hooks(repository, path):
    """What pre-commit runs: the entry, and the names of files behind it."""
    hooks = {hook["id"]: hook for hook in parsed(t.ROOT / ".pre-commit-hooks.yaml")}
    [example] = parsed(CI / "pre-commit-config.yaml")["repos"]
    assert example["repo"] == "local" and all(hooks[one["id"]]["entry"] == one["entry"] for one in example["hooks"])
    onnx.save(model(), repository / "models/b.onnx")
    files = ["models/a.onnx", "models/b.onnx"]
    for hook in hooks.values():
        assert hook["language"] == "system" and all(re.search(hook["files"], name) for name in files)

    def status(name, *which):
        return run(*hooks[name]["entry"].split(), *which, cwd=repository, PATH=path).returncode

    assert status("onnx-fold-check", *files) == 2 and status("onnx-fold-check", files[0]) == 2
    assert status("onnx-fold", *files) == 0 and status("onnx-fold-check", *files) == 0, "folded in place"


def test_the_image(folder):
    """Its steps, done by hand: nothing but the program is in the root file system."""
    text = (CI / "Dockerfile").read_text()
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    assert [line[0] for line in lines] == ["FROM", "COPY", "WORKDIR", "ENV", "ENTRYPOINT"] and lines[0][1] == "scratch"
    root = folder / "root"
    (root / "models").mkdir(parents=True)
    shutil.copy(t.TOOL, root / "onnx-fold")
    onnx.save(model(), root / "models/model.onnx")
    enter = ["unshare", "--map-root-user", "chroot", root]
    if run(*enter, "/onnx-fold", "--version").returncode != 0:
        pytest.skip("no chroot here, or a program that is not static")
    done = run(*enter, "/onnx-fold", "--verify", "/models/model.onnx", TMPDIR="/models")
    assert done.returncode == 0 and (root / "models/model.folded.onnx").is_file(), done


def test_the_recipes(folder):
    """The recipe's script, and what both install, from what an archive of a release has."""
    release, prefix = folder / "release", folder / "prefix"
    release.mkdir()
    installed = run("cmake", "--install", t.TOOL.parents[1], "--component", "release_share", "--prefix", release)
    if installed.returncode != 0 or not (release / "share").is_dir():
        pytest.skip("a build without the files of a release")
    for name in ("onnx-fold", "onnx-to-dml", "dml-to-onnx"):
        (release / name).write_text("#!/bin/sh\n")
    done = run("bash", CI / "conda/build.sh", cwd=release, PREFIX=str(prefix))
    assert done.returncode == 0, done
    recipe, formula = (CI / "conda/meta.yaml").read_text(), (CI / "onnx-fold.rb").read_text()
    for name in re.findall(r'\$PREFIX/([\w/.-]+)"', recipe):
        assert (prefix / name).is_file(), name
    assert os.access(prefix / "bin/onnx-to-dml", os.X_OK)
    for pattern in re.findall(r'Dir\["([^"]+)"\]', formula):
        assert len(list(release.glob(pattern))) == 3, pattern
    if shutil.which("ruby"):
        assert run("ruby", "-c", CI / "onnx-fold.rb").returncode == 0


def test_no_registry_is_named():
    for file in [*CI.rglob("*"), t.ROOT / ".pre-commit-hooks.yaml"]:
        if file.is_file():
            assert not re.search(r"https?://|\b(?:pypi|conda-forge|docker\.io|ghcr|quay)\b", file.read_text()), file
