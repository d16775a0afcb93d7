# SPDX-License-Identifier: Apache-2.0
"""Runs on one target take turns, and whatever ends a run, its temporaries go: at once, or with the next run after a kill."""

import fcntl
import os
import signal
import subprocess
import time

import numpy as np
from onnx import helper, numpy_helper

import onnxfold_testing as t
from bad_cases import put, smallModel

LOCK = ".out.onnx.onnxfold-lock"


def slowModel():
    """Two products of f64 [1200, 1200], computed one after the other while the lock is held."""
    weight = numpy_helper.from_array(np.ones((1200, 1200)) * 0.001, "w")
    nodes = [
        helper.make_node("MatMul", ["w", "w"], ["a"]),
        helper.make_node("MatMul", ["a", "w"], ["b"]),
        helper.make_node("ReduceSum", ["b"], ["c"], keepdims=0),
        helper.make_node("Cast", ["c"], ["d"], to=1),
        helper.make_node("Mul", ["x", "d"], ["y"]),
    ]
    return smallModel(nodes, [weight])


def start(folder, *more):
    return subprocess.Popen(
        [str(t.TOOL), *more, "-o", folder / "out.onnx", folder / "model.onnx"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def waitFor(condition, what, child=None, seconds=600):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        if child and child.poll() is not None:
            raise AssertionError(f"{what}: the tool ended with {child.returncode}: {child.stderr.read()!r}")
        time.sleep(0.002)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


class Held:
    """The lock of out.onnx, as another run would hold it."""

    def __init__(self, folder):
        self.path = folder / LOCK
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self.fd, fcntl.LOCK_EX)

    def release(self):
        self.path.unlink()
        os.close(self.fd)


def test_second_run_waits_for_the_first(folder):
    put(folder, smallModel())
    held = Held(folder)
    child = start(folder)
    line = child.stderr.readline().decode()
    assert "waiting" in line and "out.onnx" in line, f"it does not say that it waits: {line!r}"
    assert child.poll() is None and not (folder / "out.onnx").exists(), "it did not wait"
    (folder / "out.onnx").write_bytes(b"of the first run")
    held.release()
    assert child.wait(timeout=600) == 0, f"exit status ({child.stderr.read()!r})"
    assert names(folder) == ["model.onnx", "out.onnx"], "files"
    assert (folder / "out.onnx").read_bytes() != b"of the first run", "the output was written before the lock was free"


def test_other_targets_and_checks_do_not_wait(folder):
    put(folder, smallModel())
    held = Held(folder)
    t.runOk("-o", folder / "other.onnx", folder / "model.onnx", timeout=600)
    result = t.run("--check", "-o", folder / "out.onnx", folder / "model.onnx", timeout=600)
    assert result.code == 2, f"exit status of --check ({result})"
    assert t.runOk("-o", "-", folder / "model.onnx", timeout=600).out, "nothing on standard output"
    held.release()


def test_many_runs_at_once(folder):
    """All succeed, and the output is what one run gives."""
    put(folder, smallModel())
    alone = t.fold(folder / "model.onnx", folder / "alone.onnx").read_bytes()
    children = [start(folder, "--quiet") for _ in range(8)]
    for child in children:
        assert child.wait(timeout=600) == 0, f"exit status ({child.stderr.read()!r})"
    assert (folder / "out.onnx").read_bytes() == alone, "output of eight runs at once"
    assert names(folder) == ["alone.onnx", "model.onnx", "out.onnx"], "files"


def test_signals_leave_nothing(folder):
    put(folder, slowModel())
    (folder / "out.onnx").write_bytes(b"old")
    before = t.folderState(folder)
    for number in (signal.SIGINT, signal.SIGTERM):
        child = start(folder, "--threads=1")
        waitFor((folder / LOCK).exists, "the lock file appears", child)
        child.send_signal(number)
        child.wait(timeout=600)
        assert child.returncode in (-number, 128 + number), f"exit status after signal {number}: {child.returncode}"
        t.expectUnchanged(before, folder, f"signal {number}")


def test_two_signals_at_once_leave_nothing(folder):
    """Ctrl-C in a terminal reaches the tool and the program that waits for it and ends it, too. The second signal found the
    default action while the first removed the files: three of four such runs left their lock."""
    put(folder, slowModel())
    before = t.folderState(folder)
    for attempt in range(40):
        child = start(folder, "--threads=1")
        while LOCK not in os.listdir(folder) and child.poll() is None:
            pass
        child.send_signal(signal.SIGINT)
        for _ in range(5 * attempt):
            os.getpid()  # a few microseconds
        child.send_signal(signal.SIGTERM)
        child.wait(timeout=600)
        assert child.returncode in (-signal.SIGINT, -signal.SIGTERM), f"exit status {child.returncode}"
        t.expectUnchanged(before, folder, "two signals")


def test_signal_while_waiting(folder):
    """It ends at once, and the lock of the other run is kept."""
    put(folder, smallModel())
    held = Held(folder)
    before = t.folderState(folder)
    child = start(folder)
    child.stderr.readline()
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=600) in (-signal.SIGTERM, 128 + signal.SIGTERM), f"exit status {child.returncode}"
    t.expectUnchanged(before, folder, "SIGTERM while waiting")
    held.release()


def test_killed_run_leaves_a_lock_that_nobody_holds(folder):
    put(folder, slowModel())
    child = start(folder, "--threads=1")
    waitFor((folder / LOCK).exists, "the lock file appears", child)
    child.kill()
    child.wait()
    assert names(folder) == [LOCK, "model.onnx"], "files after the kill"
    put(folder, smallModel())
    # Another leftover, as where files cannot be without a name.
    (folder / ".out.onnx.onnxfold-1-0.tmp").write_bytes(b"half")
    result = t.runOk("-o", folder / "out.onnx", folder / "model.onnx", timeout=600)
    assert "waiting" not in result.err, f"it waited for nobody: {result.err}"
    assert names(folder) == ["model.onnx", "out.onnx"], "files after the next run"


def test_leftovers_of_other_targets_stay(folder):
    put(folder, smallModel())
    for name in (".other.onnx.onnxfold-1-0.tmp", ".other.onnx.onnxfold-lock", ".out.onnx.mine", "out.onnx.tmp"):
        (folder / name).write_bytes(b"not ours")
    before = t.folderState(folder)
    t.runOk("--quiet", "-o", folder / "out.onnx", folder / "model.onnx")
    t.expectUnchanged(before, folder, "leftovers of other targets", added=["out.onnx"])


def test_permissions_are_kept(folder):
    put(folder, smallModel())
    out = folder / "out.onnx"
    for mode in (0o600, 0o640, 0o664, 0o755):
        out.write_bytes(b"old")
        out.chmod(mode)
        t.fold(folder / "model.onnx", out)
        assert oct(out.stat().st_mode & 0o7777) == oct(mode), "permissions of a replaced output"
    out.unlink()
    t.fold(folder / "model.onnx", out, preexec_fn=lambda: os.umask(0o027))
    assert oct(out.stat().st_mode & 0o7777) == oct(0o640), "permissions of a new output under umask 027"


def test_link_to_the_output_stays_a_link(folder):
    (folder / "store").mkdir()
    (folder / "store/real.onnx").write_bytes(b"old")
    (folder / "out.onnx").symlink_to("store/real.onnx")
    put(folder, smallModel())
    t.fold(folder / "model.onnx", folder / "out.onnx")
    assert (folder / "out.onnx").is_symlink(), "the link was replaced"
    assert (folder / "store/real.onnx").stat().st_size > 3, "the file behind the link was not replaced"
    assert names(folder / "store") == ["real.onnx"], "files in the folder of the file"
