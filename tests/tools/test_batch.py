# SPDX-License-Identifier: Apache-2.0
"""Several models in one call: outputs, the table, the exit status, and what is left when one fails or the call is ended."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node
from test_target_lock import slowModel, waitFor


def sample(value=1.0):
    """An Add that folds, and a Mul that does not."""
    constants = [const("a", np.full(3, value, np.float32))]
    return m.model([node("Add", ["a", "a"], ["s"]), node("Mul", ["x", "s"], ["y"])], [info("x")], [info("y")], constants)


def save(path, source=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(source or sample(), path)
    return path


def zoo(folder):
    for name in ("a.onnx", "b/c.onnx", "b/d/e.onnx"):
        save(folder / "models" / name, sample(len(name)))
    (folder / "models/b/readme.txt").write_text("no model")
    save(folder / "models/.hidden/f.onnx")
    return folder / "models"


def below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def lines(result):
    return [json.loads(line) for line in result.err.splitlines()]


def test_outputs_are_those_of_single_runs(folder):
    first, second = save(folder / "a.onnx"), save(folder / "b.onnx", sample(2))
    result = t.runOk("--beside", first, second)
    for path in (first, second):
        single = t.fold(path, folder / "single.onnx")
        t.expectSameBytes(path.with_suffix(".folded.onnx"), single, path.name)
    rows = result.err.splitlines()
    assert re.match(rf"{re.escape(str(first))} +2 -> 1 +\d+ -> \d+ +\d+\.\d\d  changed$", rows[2]), result.err
    assert rows[-1] == "2 models: 2 changed, 0 unchanged, 0 failed", result.err


def test_folders_keep_their_layout(folder):
    models, out = zoo(folder), folder / "out"
    extra = save(folder / "extra.onnx")
    t.runOk("--quiet", models, extra, f"--output-dir={out}")
    assert below(out) == ["a.onnx", "b/c.onnx", "b/d/e.onnx", "extra.onnx"]
    for name in below(models):
        if name.endswith(".onnx") and not name.startswith("."):
            t.expectSameBytes(out / name, t.fold(models / name, folder / "single.onnx"), name)
    before = t.folderState(out)
    t.runOk("--quiet", f"{models}/", extra, extra, f"--output-dir={out}")
    assert set(t.folderState(out)) == set(before), "a slash at the end; one file twice"


def test_a_folder_of_outputs_within_the_folder(folder):
    models = zoo(folder)
    for _ in range(2):
        t.runOk("--quiet", models, f"--output-dir={models}/out")
    assert below(models / "out") == ["a.onnx", "b/c.onnx", "b/d/e.onnx"], "it is not searched"


def test_outputs_of_earlier_runs_are_left_out(folder):
    models = zoo(folder)
    result = t.runOk(models)
    assert "left out" not in result.err
    result = t.runOk(models)
    assert "3 outputs of earlier runs are left out" in result.err and "3 models:" in result.err, result.err
    assert len([name for name in below(models) if name.endswith(".folded.onnx")]) == 3
    result = t.runOk(models / "a.folded.onnx", models / "a.onnx", f"--output-dir={folder}/out")
    assert below(folder / "out") == ["a.folded.onnx", "a.onnx"], "named ones are not"


def test_in_place(folder):
    models = zoo(folder)
    want = {name: t.fold(models / name, folder / f"{i}.onnx") for i, name in enumerate(["a.onnx", "b/c.onnx", "b/d/e.onnx"])}
    t.runOk("--quiet", "--in-place", models)
    for name, single in want.items():
        t.expectSameBytes(models / name, single, name)
    result = t.runOk("--in-place", models)
    assert "3 models: 0 changed, 3 unchanged, 0 failed" in result.err, result.err


def test_one_failure_loses_nothing_else(folder):
    good, bad, other = save(folder / "a.onnx"), folder / "bad.onnx", save(folder / "z.onnx")
    bad.write_bytes(b"\x08\x08\x12\x03abc")
    result = t.run(good, bad, other, f"--output-dir={folder}/out/deep")
    assert result.code == 1 and below(folder / "out") == ["deep/a.onnx", "deep/z.onnx"], result
    assert f"onnx-fold: error: {bad}: " in result.err, result.err
    assert re.search(rf"^{re.escape(str(bad))} +failed$", result.err, re.M), result.err
    assert "3 models: 2 changed, 0 unchanged, 1 failed" in result.err, result.err
    result = t.run(bad, f"--output-dir={folder}/none/at/all")
    assert result.code == 1 and not (folder / "none").exists(), "no folder for nothing"


def test_exit_statuses(folder):
    first, second = save(folder / "a.onnx"), save(folder / "b.onnx")
    assert t.run("--check", first, second).code == 2 and below(folder) == ["a.onnx", "b.onnx"]
    result = t.run("--check", first, second)
    assert "2 models: 2 would change" in result.err, result.err
    t.runOk("--in-place", first, second)
    assert t.run("--check", first, second).code == 0
    assert t.run("--check", first, second, folder / "none.onnx").code == 1


def test_a_difference_is_status_3(folder):
    """-O2 changes floats within a bound; what is compared exactly then differs. compare takes two models."""
    first = save(folder / "a.onnx")
    result = t.runOk("--verify", "--beside", first, save(folder / "b.onnx"))
    assert result.err.count("  changed") == 2, result.err
    result = t.run("compare", first, first, folder / "b.onnx")
    assert result.code == 1 and "compare is given with 3 files, expected two" in result.err, result.err


@pytest.mark.parametrize(
    "flags, words",
    [
        (["a.onnx", "b.onnx", "-o", "x.onnx"], "several models and -o are given, expected one model, or --output-dir"),
        (["a.onnx", "b/a.onnx", "--output-dir=out"], "out/a.onnx: would be the output of a.onnx and of b/a.onnx"),
        (["a.onnx", "--output-dir=."], "is the output of a.onnx, and an input too, expected another folder, or --in-place"),
        (["a.onnx", "b/a.onnx", "--output-dir=b"], "b/a.onnx: "),
        (["a.onnx", "--in-place", "--output-dir=out"], "--in-place and --output-dir are given"),
        (["a.onnx", "none.onnx", "--beside"], "none.onnx: there is no such file"),
        (["a.onnx", "b.onnx"], "'b.onnx' is given too, expected 'onnx-fold -o b.onnx a.onnx', which writes it, or, to fold both, "),
        (["a.onnx", "none.onnx"], "'none.onnx' is given too, expected 'onnx-fold -o none.onnx a.onnx', which writes it"),
        (["a.onnx", "empty"], "'empty' is given too, expected 'onnx-fold -o empty a.onnx'"),
        (["a.onnx", "b.onnx", "b/a.onnx"], "3 models are given, and no place for the outputs, expected --output-dir=DIR, --beside, "),
        (["a.onnx", "b.onnx", "--beside", "--in-place"], "--in-place and --beside are given"),
        (["empty", "a.onnx", "--beside"], "empty: has no model, expected files called *.onnx"),
        (["a.onnx", "-"], "several models are given with standard input"),
        (["a.onnx", "--batch-memory=1G"], "--batch-memory is given with one model"),
        (["a.onnx", "b.onnx", "--beside", "--batch-memory=x"], "--batch-memory is 'x', expected SIZE[K|M|G]"),
        (["a.onnx", "b.onnx", "--beside", "--emit=mlir"], "several models are given with --emit=mlir"),
        (["a.onnx", "b.onnx", "--beside", "--external-data=w"], "w: would be the data file of a.onnx and of b.onnx"),
        (["a.onnx", "b.onnx", "--once-output=x"], "several models and --once-output are given"),
        (["a.onnx", "b.onnx", "--beside", "--max-growth=x"], "--max-growth is 'x'"),
    ],
)
def test_refused_before_anything_is_done(folder, flags, words):
    for name in ("a.onnx", "b.onnx", "b/a.onnx"):
        if name != "b.onnx" or "b/a.onnx" not in flags:
            save(folder / name)
    (folder / "empty").mkdir()
    before = t.folderState(folder)
    result = t.run(*flags, cwd=folder)
    assert result.code == 1 and words in result.err, result.err
    t.expectUnchanged(before, folder, "refused")


def test_messages_as_json(folder):
    first, bad = save(folder / "a.onnx"), folder / "bad.onnx"
    bad.write_bytes(b"no model")
    result = t.run("--messages=json", "--report=json", first, bad, f"--output-dir={folder}/out")
    assert result.code == 1
    found = lines(result)
    assert all(line["model"] in (str(first), str(bad)) for line in found[:-2]), f"{found}"
    assert {line["kind"] for line in found if line.get("model") == str(first)} == {"report", "end"}
    [error] = [line for line in found if line["kind"] == "error"]
    assert error["model"] == error["file"] == str(bad)
    table, end = found[-2:]
    assert end == {"kind": "end", "status": 1, "changed": True}
    assert table["kind"] == "table" and [row["status"] for row in table["models"]] == [0, 1]
    assert table["models"][0]["output"] == f"{folder}/out/a.onnx" and table["models"][0]["operators"] == [2, 1]
    result = t.runOk("--messages=json", "--progress", "--beside", first, save(folder / "b.onnx"))
    told = [(line["models"], line["total"]) for line in lines(result) if line["kind"] == "progress" and "models" in line]
    assert told == [(0, 2), (1, 2), (2, 2)], f"{told}"


def test_reports(folder):
    models = zoo(folder)
    t.runOk("--quiet", models, f"--output-dir={folder}/out", f"--report=json:{folder}/reports")
    assert below(folder / "reports") == ["a.onnx.json", "b/c.onnx.json", "b/d/e.onnx.json"]
    report = json.loads((folder / "reports/b/c.onnx.json").read_text())
    assert report["input"] == f"{models}/b/c.onnx" and report["output"] == f"{folder}/out/b/c.onnx"
    t.runOk("--quiet", models, f"--output-dir={folder}/out", f"--report=html:{folder}/pages")
    assert below(folder / "pages") == ["a.onnx.html", "b/c.onnx.html", "b/d/e.onnx.html"]
    result = t.runOk("--report", models / "a.onnx", models / "b/c.onnx", f"--output-dir={folder}/out")
    assert f"{models}/a.onnx:\nfolded   Add-14" in result.err, result.err
    result = t.run("--report=json:r", "a.onnx", "b/c.onnx", "--check", cwd=models)
    assert result.code == 2 and below(models / "r") == ["a.onnx.json", "c.onnx.json"]


def test_warnings_name_their_model(folder):
    source = sample()
    source.graph.node.extend([source.graph.node[0]])
    del source.graph.node[0]  # out of order
    result = t.runOk("--beside", save(folder / "a.onnx", source), save(folder / "b.onnx"))
    assert f"onnx-fold: warning: {folder}/a.onnx: " in result.err, result.err
    assert t.runOk("--quiet", "--beside", folder / "a.onnx", folder / "b.onnx").err == ""


def test_data_files_of_one_name(folder):
    """Two models whose data files are called alike: one folder cannot hold both, and none gets the weights of the other."""
    for name, value in (("a", 1), ("b", 2)):
        source = m.model(
            [node("MatMul", ["x", "w"], ["y"])],
            [info("x", (2, 64))],
            [info("y", (2, 64))],
            [const("w", np.full((64, 64), value, np.float32))],
        )
        (folder / name).mkdir()
        onnx.save(source, folder / name / f"{name}.onnx", save_as_external_data=True, location="weights", size_threshold=0)
    for _ in range(5):
        result = t.run("--threads=2", folder / "a/a.onnx", folder / "b/b.onnx", f"--output-dir={folder}/out")
        assert result.code == 1 and "is there with other content" in result.err, result.err
        written = [name for name in below(folder / "out") if name.endswith(".onnx")]
        assert len(written) == 1, f"{written}"
        loaded = onnx.load(folder / "out" / written[0])
        assert np.all(onnx.numpy_helper.to_array(loaded.graph.initializer[0]) == {"a.onnx": 1, "b.onnx": 2}[written[0]])
        for name in below(folder / "out"):
            (folder / "out" / name).unlink()


def test_within_a_memory(folder):
    """--batch-memory is divided among the runs at once: results beyond a part are kept in files, and the outputs are the same."""
    nodes = [node("ConstantOfShape", ["sizes"], ["c"], value=const("", np.ones(1, np.float32)))]
    nodes += [node("CumSum", ["c", "axis"], ["p"]), node("CumSum", ["p", "axis"], ["q"])]
    nodes += [node("ReduceSum", ["q"], ["s"], keepdims=0), node("Mul", ["x", "s"], ["y"])]
    constants = [const("sizes", [4000, 4000], np.int64), const("axis", 0, np.int64)]
    source = m.model(nodes, [info("x", ())], [info("y", ())], constants)
    paths = [save(folder / f"{i}.onnx", source) for i in range(2)]
    single = t.fold(paths[0], folder / "single.onnx")
    for flags in (["--batch-memory=1M"], ["--batch-memory=200M", "--threads=2"]):
        t.runOk("--quiet", *flags, *paths, f"--output-dir={folder}/out")
        for name in ("0.onnx", "1.onnx"):
            t.expectSameBytes(folder / "out" / name, single, name)
            (folder / "out" / name).unlink()


def test_ctrl_c_leaves_nothing_half(folder):
    for i in range(4):
        (folder / f"{i}.onnx").write_bytes(slowModel().SerializeToString())
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen(
            [str(t.TOOL), "--output-dir=out", *(f"{i}.onnx" for i in range(4))],
            cwd=folder,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        waitFor(lambda: list((folder / "out").glob(".*.onnxfold-lock")), "a run has begun", child)
        # As a terminal does it: all processes of the group.
        os.killpg(child.pid, number) if number == signal.SIGINT else child.send_signal(number)
        assert child.wait(timeout=600) in (-number, 128 + number), f"exit status {child.returncode}"
        assert all(name.endswith(".onnx") and "." not in name[:-5] for name in below(folder / "out")), below(folder / "out")
        for name in below(folder / "out"):
            onnx.checker.check_model(str(folder / "out" / name))
            (folder / "out" / name).unlink()


def test_a_killed_call_ends_its_runs(folder):
    for i in range(2):
        (folder / f"{i}.onnx").write_bytes(slowModel().SerializeToString())
    child = subprocess.Popen([str(t.TOOL), "--output-dir=out", "0.onnx", "1.onnx"], cwd=folder, stderr=subprocess.PIPE)
    waitFor(lambda: list((folder / "out").glob(".*.onnxfold-lock")), "a run has begun", child)
    child.kill()
    child.wait()
    waitFor(lambda: not list((folder / "out").glob(".*")), "the runs end as at SIGTERM")


def test_the_end_of_a_process_loses_one_of_its_models(folder):
    """Small models share processes: when one ends early, the model at hand has failed, and another process folds the rest."""
    save(folder / "models/slow.onnx", slowModel())
    for i in range(23):
        save(folder / f"models/{i:02}.onnx", sample(i))
    command = [str(t.TOOL), "--threads=1", "--output-dir=out", "models"]
    child = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    waitFor(lambda: (folder / "out/.slow.onnx.onnxfold-lock").exists(), "the slow model is folded", child)
    [worker] = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
    os.kill(int(worker), signal.SIGKILL)
    said = child.communicate()[1]
    assert child.returncode == 1 and "models/slow.onnx: the run was ended by a signal (Killed)" in said, said
    assert "24 models: 23 changed, 0 unchanged, 1 failed" in said, said
    assert [name for name in below(folder / "out") if name.endswith(".onnx")] == [f"{i:02}.onnx" for i in range(23)]
    bad = folder / "models/07.onnx"
    bad.write_bytes(b"\x08\x08\x12\x03abc")
    (folder / "models/slow.onnx").unlink()
    result = t.run(folder / "models", f"--output-dir={folder}/again", "--threads=1")
    assert result.code == 1 and f"onnx-fold: error: {bad}: " in result.err, result.err
    assert len(below(folder / "again")) == 22 and "23 models: 22 changed, 0 unchanged, 1 failed" in result.err, result.err


@pytest.mark.parametrize("flags", [["--report=text"], ["--report=json"], ["--messages=json"]], ids=str)
def test_a_report_that_cannot_be_printed(folder, flags):
    """The output was replaced, and then the call ended with an error since its stream was full."""
    paths = [save(folder / name) for name in ("a.onnx", "b.onnx")]
    before = t.folderState(folder)
    with open("/dev/full", "wb") as full:
        process = subprocess.run([str(t.TOOL), "--in-place", *flags, *map(str, paths)], stderr=full)
    assert process.returncode == 1, "exit status"
    t.expectUnchanged(before, folder, "nothing was replaced")
    with open("/dev/full", "wb") as full:  # what nobody asked for may get lost
        assert subprocess.run([str(t.TOOL), "--beside", *map(str, paths)], stderr=full).returncode == 0, "without a report"
    assert (folder / "a.folded.onnx").exists() and (folder / "b.folded.onnx").exists()


def test_many(folder):
    """More models than threads; the table has them in the order of their names."""
    for i in range(30):
        save(folder / f"models/{i:02}.onnx", sample(i))
    result = t.runOk(folder / "models", f"--output-dir={folder}/out", "--threads=3")
    rows = [row.split()[0] for row in result.err.splitlines() if "changed" in row][:-1]
    assert rows == [f"{folder}/models/{i:02}.onnx" for i in range(30)], result.err
    assert len(below(folder / "out")) == 30
