# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be read or written, outputs that are inputs, full disks, signals, and wrong command lines.

Exit 1 and a message that names the file or the flag; the input is never opened for writing; no output and no temporary is left.
"""

import ctypes
import fcntl
import os
import resource
import signal
import stat
import subprocess
import termios
from pathlib import Path

import numpy as np
import pytest
from onnx import helper, numpy_helper

import onnxfold_testing as t
from bad_cases import expectRefused, external, info, put, smallModel

NOBODY = 65534


def largeModel(elements=500_000):
    """Folds into a constant of `elements` floats: larger than any pipe or write buffer."""
    weight = numpy_helper.from_array(np.arange(elements, dtype=np.float32), "w")
    nodes = [helper.make_node("Add", ["w", "w"], ["v"]), helper.make_node("Mul", ["x", "v"], ["y"])]
    graph = helper.make_graph(nodes, "g", [info("x", (elements,))], [info("y", (elements,))], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def asNobody():
    """Keywords that run the tool without root's rights."""
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def needsToolForNobody(folder):
    """Root may open anything: where the tests run as root, the tool must be reachable for somebody else."""
    if os.geteuid() != 0:
        return
    folder.chmod(0o777)
    try:
        done = subprocess.run(
            [str(t.TOOL), "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **asNobody()
        )
    except PermissionError:
        pytest.skip("running as root, and nobody may not reach the tool")
    if done.returncode != 0:
        pytest.skip("running as root, and nobody cannot run the tool")


def test_input_that_does_not_exist(folder):
    expectRefused(folder, says=["no such file", "not exist", "not found", "cannot open"])


def test_input_that_is_a_directory(folder):
    (folder / "model.onnx").mkdir()
    expectRefused(folder, says=["directory", "folder"])


def test_input_that_is_a_device_or_a_pipe(folder):
    expectRefused(folder, "-o", folder / "out.onnx", "/dev/null", names=("/dev/null",))
    os.mkfifo(folder / "model.onnx")
    keep = os.open(folder / "model.onnx", os.O_RDWR)  # a writer, so that opening does not wait
    try:
        os.set_blocking(keep, False)
        result = subprocess.run(
            [str(t.TOOL), "-o", folder / "out.onnx", folder / "model.onnx"], capture_output=True, timeout=600
        )
        assert result.returncode == 1, f"exit status for a named pipe ({result.stderr!r})"
    except subprocess.TimeoutExpired:
        raise AssertionError("the tool waits for a named pipe instead of refusing it")
    finally:
        os.close(keep)


def test_input_that_may_not_be_read(folder):
    needsToolForNobody(folder)
    put(folder, smallModel()).chmod(0)
    expectRefused(folder, says=["permission denied"], **asNobody())


def test_external_file_that_may_not_be_read(folder):
    needsToolForNobody(folder)
    (folder / "weights.bin").write_bytes(bytes(24))
    put(folder, smallModel(initializers=[external("w", "weights.bin")])).chmod(0o644)
    (folder / "weights.bin").chmod(0)
    expectRefused(folder, names=("weights.bin", "w"), says=["permission denied"], **asNobody())


def test_input_is_only_read(folder):
    """A model and its data that may be read but not written, in a folder that may not be written, fold elsewhere."""
    needsToolForNobody(folder)
    home, elsewhere = folder / "home", folder / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    (home / "weights.bin").write_bytes(np.arange(6, dtype=np.float32).tobytes())
    put(home, smallModel(initializers=[external("w", "weights.bin")])).chmod(0o444)
    (home / "weights.bin").chmod(0o444)
    home.chmod(0o555)
    before = t.folderState(home)
    t.runOk("-o", elsewhere / "out.onnx", home / "model.onnx", **asNobody())
    t.expectUnchanged(before, home, "input")
    home.chmod(0o755)


def test_output_folder_that_does_not_exist(folder):
    put(folder, smallModel())
    expectRefused(folder, names=("nowhere",), out="nowhere/out.onnx")


def test_output_folder_that_is_a_file(folder):
    put(folder, smallModel())
    (folder / "file").write_bytes(b"a file")
    expectRefused(folder, names=("file",), out="file/out.onnx")


def test_output_folder_that_may_not_be_written(folder):
    needsToolForNobody(folder)
    put(folder, smallModel()).chmod(0o644)
    (folder / "closed").mkdir(mode=0o555)
    expectRefused(folder, names=("closed",), out="closed/out.onnx", says=["permission denied"], **asNobody())


def test_output_that_is_a_directory(folder):
    put(folder, smallModel())
    (folder / "out.onnx").mkdir()
    expectRefused(folder, names=("out.onnx",), says=["directory", "folder"])


def test_output_is_the_input(folder):
    put(folder, smallModel())
    (folder / "link.onnx").symlink_to("model.onnx")
    (folder / "sub").mkdir()
    for out in ("model.onnx", "link.onnx", "sub/../model.onnx", "./model.onnx"):
        expectRefused(folder, names=(Path(out).name,), says=["same", "input"], out=out, what=f"-o {out}")
    os.link(folder / "model.onnx", folder / "hard.onnx")
    expectRefused(folder, names=("hard.onnx",), says=["same", "input"], out="hard.onnx", what="-o a hard link")
    result = t.run("-o", "model.onnx", "model.onnx", cwd=folder)
    assert result.code == 1, f"exit status of relative names ({result})"


def test_output_is_the_external_data(folder):
    (folder / "weights.bin").write_bytes(bytes(24))
    put(folder, smallModel(initializers=[external("w", "weights.bin")]))
    (folder / "link.bin").symlink_to("weights.bin")
    for out in ("weights.bin", "link.bin"):
        expectRefused(folder, names=(out,), says=["same", "input", "data"], out=out, what=f"-o {out}")
    os.link(folder / "weights.bin", folder / "hard.bin")
    before = t.folderState(folder)
    result = t.run("-o", folder / "hard.bin", folder / "model.onnx")
    assert result.code == 1, f"exit status of -o a hard link of the data ({result})"
    t.expectUnchanged(before, folder, "hard link of the data")


def test_report_is_the_input_or_the_output(folder):
    put(folder, smallModel())
    expectRefused(
        folder,
        f"--report=json:{folder}/model.onnx",
        "-o",
        folder / "out.onnx",
        folder / "model.onnx",
        what="report over the input",
    )
    expectRefused(
        folder,
        f"--report=json:{folder}/out.onnx",
        "-o",
        folder / "out.onnx",
        folder / "model.onnx",
        names=("out.onnx",),
        what="report over the output",
    )


def test_report_that_cannot_be_written(folder):
    put(folder, smallModel())
    expectRefused(
        folder,
        f"--report=json:{folder}/nowhere/r.json",
        "-o",
        folder / "out.onnx",
        folder / "model.onnx",
        names=("nowhere",),
    )


def test_existing_output_survives_a_failure(folder):
    """The output is replaced whole or not at all."""
    put(folder, smallModel().SerializeToString()[:-3])
    (folder / "out.onnx").write_bytes(b"precious")
    expectRefused(folder)
    assert (folder / "out.onnx").read_bytes() == b"precious", "content of the old output"


def test_existing_output_is_replaced_and_other_names_of_it_are_not(folder):
    put(folder, smallModel())
    (folder / "out.onnx").write_bytes(b"old")
    os.link(folder / "out.onnx", folder / "other.onnx")
    t.runOk("-o", folder / "out.onnx", folder / "model.onnx")
    assert (folder / "out.onnx").stat().st_size > 3, "the output was not replaced"
    assert (folder / "other.onnx").read_bytes() == b"old", "the other name of the old output"


def test_standard_output_is_full(folder):
    put(folder, largeModel())
    with open("/dev/full", "wb") as full:
        expectRefused(
            folder, "-o", "-", folder / "model.onnx", stdout=full, names=(), says=["no space", "standard output"]
        )


def test_standard_output_is_closed(folder):
    """A reader that closes the pipe: an error or SIGPIPE, and no trace either way."""
    put(folder, largeModel())
    before = t.folderState(folder)
    child = subprocess.Popen(
        [str(t.TOOL), "-o", "-", folder / "model.onnx"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    child.stdout.close()
    child.stderr.read()
    assert child.wait(timeout=600) in (1, -signal.SIGPIPE, 128 + signal.SIGPIPE), f"exit status {child.returncode}"
    t.expectUnchanged(before, folder, "reader that closes the pipe")


def test_output_is_a_full_device(folder):
    """A device of our own that is as /dev/full: written to, or refused, but never replaced by a file."""
    device = folder / "full"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        with open(device, "wb", buffering=0) as file:
            file.write(b"x")
    except PermissionError:
        pytest.skip("no device can be made here")
    except OSError:
        pass  # "no space left": it works
    put(folder, largeModel())
    result = t.run("-o", device, folder / "model.onnx")
    assert result.code == 1, f"exit status ({result})"
    assert str(device) in result.err, f"the message does not name the output: {result}"
    assert stat.S_ISCHR(os.lstat(device).st_mode), "the device was replaced by a file"
    assert sorted(path.name for path in folder.iterdir()) == ["full", "model.onnx"], "files in the folder"


def test_disk_is_full(folder):
    """A file system of 1 MB, and a model that becomes larger."""
    small = folder / "small"
    small.mkdir()
    put(folder, largeModel())
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() != 0 or libc.mount(b"none", str(small).encode(), b"tmpfs", 0, b"size=1m") != 0:
        pytest.skip("no file system can be mounted here")
    try:
        before = t.folderState(folder)
        for existing in (False, True):
            if existing:
                (small / "out.onnx").write_bytes(b"old")
                before = t.folderState(folder)
            result = t.run("-o", small / "out.onnx", folder / "model.onnx")
            assert result.code == 1, f"exit status ({result})"
            assert (
                "out.onnx" in result.err and "space" in result.err.lower()
            ), f"the message does not say what is full: {result}"
            t.expectUnchanged(before, folder, f"full disk, existing output: {existing}")
    finally:
        libc.umount2(str(small).encode(), 2)


def test_file_size_limit(folder):
    """The limit's signal ends the tool or the error is reported; in both cases nothing is left."""
    put(folder, largeModel())
    before = t.folderState(folder)

    def limited(action):
        def prepare():
            signal.signal(signal.SIGXFSZ, action)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        return prepare

    for action, allowed in ((signal.SIG_IGN, {1}), (signal.SIG_DFL, {1, 128 + signal.SIGXFSZ})):
        result = t.run(
            "-o", folder / "out.onnx", folder / "model.onnx", preexec_fn=limited(action), restore_signals=False
        )
        assert result.code in allowed, f"exit status is not in {allowed}: {result}"
        if result.code == 1:
            assert "out.onnx" in result.err, f"the message does not name the output: {result}"
        t.expectUnchanged(before, folder, "file size limit")


def waitUntilTaken(pipe):
    """Until the other end has read all that was written."""
    while any(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))):
        os.sched_yield()


def test_ended_by_a_signal(folder):
    """Stopped while it waits for its input: the status says which signal, and nothing is left."""
    before = t.folderState(folder)
    for number in (signal.SIGTERM, signal.SIGINT):
        child = subprocess.Popen(
            [str(t.TOOL), "-o", folder / "out.onnx", "-"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        child.stdin.write(b"\x08\x0a")
        child.stdin.flush()
        waitUntilTaken(child.stdin)
        child.send_signal(number)
        try:
            child.wait(timeout=600)
        except subprocess.TimeoutExpired:
            child.kill()
            raise AssertionError(f"signal {number} does not end the tool")
        finally:
            child.stdin.close()
            child.stderr.close()
        assert child.returncode in (-number, 128 + number), f"exit status after signal {number} is {child.returncode}"
        t.expectUnchanged(before, folder, f"signal {number}")


def test_unknown_flags(folder):
    put(folder, smallModel())
    for flag in ("--no-such-flag", "-z", "-O3", "--max-grow", "--report-json", "--skipp=*"):
        expectRefused(folder, flag, "-o", folder / "out.onnx", folder / "model.onnx", names=(flag,), what=flag)


def test_bad_flag_values(folder):
    put(folder, smallModel())
    for flag in (
        "--max-growth=lots",
        "--max-growth=-1",
        "--max-growth=5X",
        "--max-growth=",
        "--max-growth=1e400%",
        "--max-growth=nan%",
        "--max-result=big",
        "--max-result=99999999999999999999",
        "--max-work=-3",
        "--max-trip-count=-1",
        "--unroll=some",
        "--max-work=",
        "--threads=-2",
        "--threads=two",
        "--report=xml",
        "--emit=tflite",
        "--fold-quantization=some",
    ):
        name = flag.split("=")[0]
        expectRefused(folder, flag, "-o", folder / "out.onnx", folder / "model.onnx", names=(name,), what=flag)


def test_wrong_number_of_files(folder):
    put(folder, smallModel())
    for arguments in (
        (),
        ("-o", folder / "out.onnx"),
        (folder / "model.onnx", "-o"),
    ):
        expectRefused(folder, *(arguments or ("--quiet",)), names=(), what=f"arguments {arguments}")


def test_messages_are_one_line_without_noise(folder):
    """`onnx-fold: FILE: what is wrong`: one line, no stack, no full stop at the end."""
    put(folder, smallModel().SerializeToString()[:-3])
    result = expectRefused(folder)
    lines = result.err.strip().splitlines()
    assert len(lines) == 1, f"number of lines of the message {result.err!r}"
    assert not lines[0].endswith("."), f"the message ends with a full stop: {lines[0]!r}"
