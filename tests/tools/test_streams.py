# SPDX-License-Identifier: Apache-2.0
"""Pipes and devices as inputs and outputs: what can be read or written is, and nothing waits for ever."""

import os
import subprocess

import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import external, put, smallModel

LIMIT = 60  # seconds, for what would wait for ever


def runWithPipe(data, *arguments, **more):
    """Runs the tool with a pipe of its own, whose path is in the place of PIPE in the arguments."""
    reading, writing = os.pipe()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=writing) as writer:
        os.close(writing)
        command = [str(t.TOOL), *(str(one).replace("PIPE", f"/dev/fd/{reading}") for one in arguments)]
        tool = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[reading], **more)
        os.close(reading)
        writer.stdin.write(data)
        writer.stdin.close()
        out, err = tool.communicate(timeout=LIMIT)
    return t.Result(command, tool.returncode, out, err, 0)


def expectFolded(data, what):
    model = onnx.load_model_from_string(data)
    assert m.operators(model) == ["Mul"], f"operators ({what})"


def test_a_pipe_of_the_shell_is_read(folder):
    """`onnx-fold <(producer)`: /dev/fd/63 was refused as no regular file. The result goes where that of `-` goes."""
    data = smallModel().SerializeToString()
    result = runWithPipe(data, "--quiet", "PIPE")
    assert result.code == 0, str(result)
    expectFolded(result.out, "a pipe")
    result = runWithPipe(data, "--quiet", "-o", folder / "out.onnx", "PIPE")
    assert result.code == 0, str(result)
    expectFolded((folder / "out.onnx").read_bytes(), "a pipe to a file")
    path = put(folder, data)
    result = runWithPipe(data, "compare", path, "PIPE")
    assert result.code == 0, str(result)
    result = runWithPipe(b"", "--quiet", "PIPE")
    assert result.code == 1 and "has no graph" in result.err, str(result)


def test_a_large_model_through_a_pipe(folder):
    """More than a pipe holds at once."""
    model = smallModel()
    model.doc_string = "d" * (1 << 20)
    result = runWithPipe(model.SerializeToString(), "--quiet", "PIPE")
    assert result.code == 0 and onnx.load_model_from_string(result.out).doc_string == model.doc_string, str(result)[:300]


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_names_of_standard_input(folder, name):
    data = smallModel().SerializeToString()
    result = t.runOk("--quiet", name, stdin=data, apart=True)
    expectFolded(result.out, name)
    with open(put(folder, data), "rb") as file:  # and where it is no pipe
        result = t.runOk("--quiet", name, stdin=file)
    expectFolded(result.out, f"{name} from a file")
    result = t.run("--in-place", name, stdin=data, apart=True)
    assert result.code == 1 and "--in-place is given with standard input" in result.err, str(result)


def test_external_data_of_a_pipe(folder):
    """As on standard input: --folder says where it is."""
    (folder / "w.bin").write_bytes(bytes(24))
    data = smallModel(initializers=[external("w", "w.bin")]).SerializeToString()
    result = runWithPipe(data, "--quiet", f"--folder={folder}", "PIPE")
    assert result.code == 0, str(result)
    expectFolded(result.out, "with external data")


def test_a_named_pipe_is_no_input(folder):
    """A near miss: it may have no writer, or another reader."""
    os.mkfifo(folder / "pipe")
    result = t.run("-o", folder / "out.onnx", folder / "pipe", apart=True, timeout=LIMIT)
    assert result.code == 1 and "pipe: is not a regular file" in result.err, str(result)


@pytest.mark.parametrize("flags", [["-o", "PIPE"], ["-o", "out.onnx", "--report=json:PIPE"], ["--emit=mlir", "-o", "PIPE"]])
def test_a_pipe_that_nobody_reads(folder, flags):
    """An output to such a pipe waited for ever, with the locks that the run holds."""
    os.mkfifo(folder / "pipe")
    put(folder, smallModel().SerializeToString())
    flags = [one.replace("PIPE", "pipe") for one in flags]
    result = t.run(*flags, "model.onnx", cwd=folder, apart=True, timeout=LIMIT)
    assert result.code == 1 and "pipe: is a pipe that nobody reads" in result.err, str(result)
    assert sorted(one.name for one in folder.iterdir()) == ["model.onnx", "pipe"], "nothing else is left"


def test_a_pipe_that_is_read(folder):
    """A near miss: with a reader a named pipe is an output, also if the reader is slow."""
    os.mkfifo(folder / "pipe")
    model = smallModel()
    model.doc_string = "d" * (1 << 20)
    path = put(folder, model.SerializeToString())
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    tool = subprocess.Popen([str(t.TOOL), "--quiet", "-o", folder / "pipe", path], stderr=subprocess.PIPE)
    os.set_blocking(reader, True)
    data = b""
    while len(data) < 1 << 20:
        data += os.read(reader, 4096)
    data += os.read(reader, 1 << 20)
    assert tool.wait(LIMIT) == 0, tool.stderr.read()
    os.close(reader)
    tool.stderr.close()
    expectFolded(data, "a named pipe")


@pytest.mark.parametrize("reads", [False, True])
def test_a_data_file_that_is_a_pipe(folder, reads):
    os.mkfifo(folder / "data")
    put(folder, smallModel().SerializeToString())
    reader = os.open(folder / "data", os.O_RDONLY | os.O_NONBLOCK) if reads else None
    result = t.run("--external-data=data,threshold=1", "-o", "out.onnx", "model.onnx", cwd=folder, apart=True, timeout=LIMIT)
    if reads:
        os.close(reader)
    assert result.code == 1 and "data: is not a regular file, expected one for external data" in result.err, str(result)


def test_a_folder_that_takes_no_files(folder):
    """Of /proc/x.onnx the message said that there is no folder '/proc'."""
    path = put(folder, smallModel().SerializeToString())
    result = t.run("-o", "/proc/x.onnx", path)
    assert result.code == 1 and "new files are not possible in '/proc'" in result.err, str(result)
    result = t.run("-o", folder / "none/x.onnx", path)
    assert result.code == 1 and "there is no folder '" in result.err, str(result)


def test_an_output_without_a_name(folder):
    """`-o ''` was as if no output were given: the result went beside the input."""
    path = put(folder, smallModel().SerializeToString())
    result = t.run("-o", "", path)
    assert result.code == 1 and "-o is '', expected a file" in result.err, str(result)
    assert sorted(one.name for one in folder.iterdir()) == ["model.onnx"]


def test_in_place_does_not_break_hard_links(folder):
    """The other name would have kept the old model, without a word."""
    path = put(folder, smallModel().SerializeToString())
    os.link(path, folder / "other.onnx")
    result = t.run("--in-place", path)
    assert result.code == 1, str(result)
    assert "model.onnx: has 2 hard links, of which the others would keep the old model, expected another output" in result.err
    assert os.path.samefile(path, folder / "other.onnx"), "still one file"
    os.unlink(folder / "other.onnx")
    t.runOk("--in-place", "--quiet", path)
    assert m.operators(onnx.load(path)) == ["Mul"]


def test_a_pattern_that_cannot_be_read_is_said_first(folder):
    """Before the model is read, as all that is wrong with the command line."""
    for flag in ("--only", "--skip", "--keep-initializer", "--run-once"):
        result = t.run(f"{flag}=[", "-o", folder / "out.onnx", folder / "none.onnx")
        assert result.code == 1 and f"{flag} is '['" in result.err and "--help" in result.err, str(result)
