# SPDX-License-Identifier: Apache-2.0
"""Runs of the module: progress, cancellation, Ctrl-C, threads, and what an import costs."""

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

import onnx_fold
import onnxfold_testing as t
from python_cases import operators, outOfOrder, save, simple, slow


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


def test_progress_without_tqdm(monkeypatch, caplog):
    """Nothing needs it: the log has the lines instead."""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with caplog.at_level(logging.INFO, "onnx_fold"):
        assert operators(onnx_fold.fold(simple(), progress=True).model) == ["Mul"], "operators"
    assert "fold: 1 nodes" in caplog.text, f"{caplog.text}"


def test_progress_and_warnings_in_the_log(folder, caplog):
    """A warning, one line for each model, and progress for who asks for it, with the name of the model."""
    path = save(folder, outOfOrder())
    with caplog.at_level(logging.INFO, "onnx_fold"), pytest.warns(onnx_fold.FoldWarning):
        onnx_fold.fold(path, folder / "out.onnx")
    levels = [(one.levelname, str(path) in one.getMessage()) for one in caplog.records]
    assert levels == [("WARNING", True), ("INFO", True)] and "2 nodes before, 1 after" in caplog.text, f"{caplog.text}"
    caplog.clear()
    with caplog.at_level(logging.DEBUG, "onnx_fold"):
        onnx_fold.fold(simple())
    assert "<memory>: fold: 1 nodes" in caplog.text, f"{caplog.text}"
    caplog.clear()
    with caplog.at_level(logging.INFO, "mine"):
        onnx_fold.fold(simple(), progress=logging.getLogger("mine"))
    assert {one.name for one in caplog.records} == {"mine"} and "<memory>: fold: 1 nodes" in caplog.text, f"{caplog.text}"


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


def stateOf(folder, older):
    """The names in a folder, and whether the older output is still there."""
    out = folder / "out.onnx"
    return sorted(one.name for one in folder.iterdir()), older and out.read_bytes() == OLDER


OLDER = b"an older file"


def test_cancelled_at_random_moments(folder):
    """Raising in `progress` left the output in 18 of 30 runs: the process had ended before the exception was raised. Now it asks
    before a file gets its name, and an older file of that name survives."""
    path = save(folder, simple())
    chooser = random.Random(t.options.seed)
    cancelled = 0
    for number in range(1000 if t.options.long else 120):
        isOlder, left = chooser.random() < 0.5, chooser.randrange(3)
        (folder / "out.onnx").write_bytes(OLDER) if isOlder else (folder / "out.onnx").unlink(missing_ok=True)
        before = stateOf(folder, isOlder)

        def stopLater(progress):
            nonlocal left
            left -= 1
            if left < 0:
                raise Enough

        try:
            onnx_fold.fold(path, folder / "out.onnx", progress=stopLater, external_data=chooser.choice((None, True)))
        except Enough:
            cancelled += 1
            assert stateOf(folder, isOlder) == before, f"run {number} of seed {t.options.seed}"
        for rest in folder.glob("out.onnx?*"):
            rest.unlink()
    assert cancelled > 30, f"{cancelled} runs were cancelled"


def test_interrupted_at_random_moments(folder):
    """What a handler of a signal raises: the old files, or the complete new one if its name came first; nothing else."""
    path, out = save(folder, simple()), folder / "out.onnx"
    expected = t.fold(path, folder / "expected.onnx").read_bytes()
    chooser = random.Random(t.options.seed)

    def stopNow(*_):
        raise Enough

    begin = time.monotonic()
    onnx_fold.fold(path, out)
    span = time.monotonic() - begin
    earlier = signal.signal(signal.SIGALRM, stopNow)
    undone = 0
    try:
        for number in range(500 if t.options.long else 60):
            out.write_bytes(OLDER)
            try:
                signal.setitimer(signal.ITIMER_REAL, chooser.uniform(1e-4, span))
                onnx_fold.fold(path, out)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Enough:
                undone += out.read_bytes() == OLDER
            assert out.read_bytes() in (OLDER, expected), f"run {number} of seed {t.options.seed}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
    assert undone, "none was interrupted in time"


def test_a_caller_that_goes_away(folder):
    """--confirm: files get their names when a byte comes, and none if the descriptor is closed or says nothing."""
    path = save(folder, simple())
    for answer in (b"\n", b""):
        reader, writer = os.pipe()
        command = [t.TOOL, "--messages=json", f"--confirm={reader}", "-o", folder / "out.onnx", path]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, pass_fds=(reader,), text=True)
        os.close(reader)
        lines = iter(process.stderr.readline, "")
        ready = next(json.loads(line) for line in lines if '"kind":"ready"' in line)
        assert ready["files"] == [str(folder / "out.onnx")] and not (folder / "out.onnx").exists(), f"{ready}"
        os.write(writer, answer)
        os.close(writer)
        said = process.communicate()[1]
        assert process.returncode == (0 if answer else 1) and (folder / "out.onnx").exists() == bool(answer), said
        (folder / "out.onnx").unlink(missing_ok=True)
    assert sorted(one.name for one in folder.iterdir()) == ["model.onnx"], "files that are left"


@pytest.mark.parametrize(
    "flags, text",
    [
        (["--messages=json", "--confirm=x"], "expected the number of an open descriptor"),
        (["--messages=json", "--confirm=99"], "--confirm=99: cannot be read: bad file descriptor"),
        (["--confirm=0"], "--confirm is given without --messages"),
    ],
)
def test_confirm_is_refused(folder, flags, text):
    done = t.run(*flags, "-o", folder / "out.onnx", save(folder, simple()))
    assert done.code == 1 and text in done.err and not (folder / "out.onnx").exists(), f"{done.err}"


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
