# SPDX-License-Identifier: Apache-2.0
"""Runs of the module: progress, cancellation, Ctrl-C, threads, and what an import costs."""

import os
import signal
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

import onnx_fold
import onnxfold_testing as t
from python_cases import operators, save, simple, slow


def test_progress_is_told(folder):
    path, seen = save(folder, simple()), []
    onnx_fold.fold(path, folder / "out.onnx", progress=seen.append, verify=True)
    assert [(one.step, one.unit) for one in seen if one.unit == "nodes"][0] == ("fold", "nodes"), f"{seen}"
    [written] = [one for one in seen if one.step == "write"][-1:]
    assert written.unit == "bytes" and written.done <= written.total == (folder / "out.onnx").stat().st_size, f"{written!r}"


class Bar:
    """What tqdm has of which the module makes use."""

    made = []

    def __init__(self, desc, total, unit, unit_scale):
        self.desc, self.total, self.unit, self.n, self.isClosed = desc, total, unit, 0, False
        self.made.append(self)

    def update(self, more):
        self.n += more

    def close(self):
        self.isClosed = True


def test_progress_as_a_bar(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    Bar.made.clear()
    onnx_fold.fold(save(folder, simple()), folder / "out.onnx", progress=True)
    size = (folder / "out.onnx").stat().st_size
    assert [(bar.desc, bar.unit, bar.total) for bar in Bar.made] == [("fold", "node", None), ("write", "byte", size)], "bars"
    assert all(bar.isClosed for bar in Bar.made), "bars are closed"


def test_progress_without_tqdm(monkeypatch):
    """Nothing needs it."""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert operators(onnx_fold.fold(simple(), progress=True).model) == ["Mul"], "operators"


class Enough(Exception):
    pass


def stop(progress):
    raise Enough


@pytest.mark.parametrize("kind", ("path", "bytes"))
def test_what_progress_raises_ends_the_run(folder, kind):
    path = save(folder, slow())
    before = t.folderState(folder)
    begin = t.processorSeconds()
    with pytest.raises(Enough):
        onnx_fold.fold(
            path if kind == "path" else path.read_bytes(), folder / "out.onnx", progress=stop, max_growth="unlimited"
        )
    assert t.processorSeconds() - begin < 60, "processor seconds until it ended"
    t.expectUnchanged(before, folder, "a cancelled run")
    assert not children(), "processes that are left"


def children(pid="self"):
    """Processes that it started and that have not ended."""
    listed = f"/proc/{pid}/task/{os.getpid() if pid == 'self' else pid}/children"
    names = []
    for child in open(listed).read().split():
        try:
            names.append(open(f"/proc/{child}/comm").read().strip())
        except OSError:
            pass
    return [name for name in names if name == "onnx-fold"]


PROGRAM = """
import sys, onnx_fold
try:
    onnx_fold.fold(sys.argv[1], sys.argv[2], max_growth="unlimited", progress=lambda progress: print("runs", flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    raise
"""


@pytest.mark.parametrize("whom", ("python", "both"))
def test_ctrl_c(folder, whom):
    """A terminal sends SIGINT to both processes, `kill -INT` to one: the run ends, and nothing is left."""
    path = save(folder, slow())
    before = t.folderState(folder)
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python")}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, path, folder / "out.onnx"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
        text=True,
    )
    assert process.stdout.readline() == "runs\n", "the run has begun"
    (os.kill if whom == "python" else os.killpg)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert "interrupted" in out and process.returncode in (-signal.SIGINT, 130, 1), f"{process.returncode}: {out} {err}"
    t.expectUnchanged(before, folder, f"Ctrl-C for {whom}")


def test_threads_at_once(folder):
    expected = onnx_fold.fold(simple().SerializeToString()).model
    path = save(folder, simple())

    def work(number):
        if number % 3 == 0:
            with pytest.raises(onnx_fold.FoldError):
                onnx_fold.fold(b"no model")
        elif number % 3 == 1:
            assert onnx_fold.fold(path, folder / "out.onnx").changed, "all write one file, in turns"
        return onnx_fold.fold(simple().SerializeToString()).model

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(24)))
    assert all(result == expected for result in results), "results"
    assert (folder / "out.onnx").read_bytes() == expected, "the file"
    assert sorted(one.name for one in folder.iterdir()) == ["model.onnx", "out.onnx"], "files that are left"


def test_no_files_are_left_open():
    onnx_fold.fold(simple())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        onnx_fold.fold(simple())
        with pytest.raises(onnx_fold.FoldError):
            onnx_fold.fold(b"no model")
    assert len(os.listdir("/proc/self/fd")) <= before, "open files"


def test_import_brings_nothing_along():
    """What `import onnx_fold` loads: nothing of others, and of Python only what it has loaded itself at its start."""
    program = "import sys; before = set(sys.modules); import onnx_fold; print(*sorted(set(sys.modules) - before))"
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python")}
    out = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment, text=True, check=True
    ).stdout
    assert set(out.split()) <= {"__future__", "onnx_fold"}, f"modules {out}"


def test_as_a_program(folder):
    path = save(folder, simple())
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python")}
    done = subprocess.run([sys.executable, "-m", "onnx_fold", "--check", path], env=environment, stderr=subprocess.PIPE)
    assert done.returncode == 2, f"exit status {done.returncode}: {done.stderr}"
