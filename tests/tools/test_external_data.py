# SPDX-License-Identifier: Apache-2.0
"""Where values stand: --external-data, --inline-data, --data-root, other folders, pairs that are replaced, runs that are stopped.

Results are read by the onnx package and by ONNX Runtime, and bytes of data files are compared with numpy's.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from external_cases import (
    ALIGNMENT,
    SIDE,
    WEIGHT,
    allTensors,
    entries,
    expectOneFile,
    expectSameResults,
    external,
    isExternal,
)
from onnxfold_models import const, info, node


TYPED = WEIGHT + 6


def richModel():
    """Weights in every form: raw, typed, half precision, bool, small, a Constant node, a body's initializer, a function's."""
    typed = helper.make_tensor("typed", TensorProto.FLOAT, WEIGHT.shape, TYPED.ravel().tolist())
    typed.ClearField("raw_data")
    typed.float_data[:] = TYPED.ravel().tolist()
    branch = [
        m.graph([node("Add", ["f", name], [out])], [], [info(out, (SIDE, SIDE))], [const(name, WEIGHT + shift)], name)
        for name, out, shift in (("u1", "o1", 3), ("u2", "o2", 4))
    ]
    function = helper.make_function(
        "local",
        "AddTable",
        ["p"],
        ["q"],
        [node("Constant", [], ["k"], value=const("", WEIGHT + 5)), node("Add", ["p", "k"], ["q"])],
        [helper.make_opsetid("", 21)],
    )
    source = m.model(
        [
            node("Transpose", ["raw"], ["turned"]),
            node("MatMul", ["x", "turned"], ["a"]),
            node("Add", ["a", "typed"], ["b"]),
            node("Cast", ["half"], ["wide"], to=TensorProto.FLOAT),
            node("Mul", ["b", "wide"], ["c"]),
            node("Constant", [], ["stored"], value=const("", WEIGHT * 2)),
            node("Sub", ["c", "stored"], ["d"]),
            node("Where", ["mask", "d", "small"], ["e"]),
            node("Neg", ["e"], ["f"]),
            node("If", ["flag"], ["g"], then_branch=branch[0], else_branch=branch[1]),
            node("AddTable", ["g"], ["y"], domain="local"),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE))],
        [
            const("raw", WEIGHT),
            typed,
            const("half", WEIGHT.astype(np.float16)),
            const("mask", WEIGHT > 0),
            const("small", np.float32(7)),
        ],
        domains=[("local", 1)],
        functions=[function],
    )
    return source


def test_external_data_moves_all_large_tensors(folder):
    source = richModel()
    onnx.save(source, folder / "model.onnx")
    before = t.fileState(folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--external-data")
    full = expectOneFile(out, "out.onnx.data")
    onnx.checker.check_model(str(out), full_check=True)
    m.expectValue(full.graph, "turned", WEIGHT.T)
    m.expectValue(full.graph, "typed", TYPED)
    m.expectValue(full.graph, "mask", WEIGHT > 0)
    expectSameResults(out, folder / "model.onnx", source)
    assert t.fileState(folder / "model.onnx") == before, "state of the input"
    assert sorted(entry.name for entry in folder.iterdir()) == ["model.onnx", "out.onnx", "out.onnx.data"], "files"


def test_external_and_back_is_the_same(folder):
    """Inline -> external -> inline: the same tensors; and what is external already is rewritten to the same bytes."""
    onnx.save(richModel(), folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "plain.onnx")
    out = t.fold(folder / "plain.onnx", folder / "out.onnx", "--external-data=data/w.bin")
    expectOneFile(out, "data/w.bin")
    back = t.fold(out, folder / "back.onnx", "--inline-data")
    model, plain = (onnx.load(path, load_external_data=False) for path in (back, folder / "plain.onnx"))
    for one, other in zip(allTensors(model), allTensors(plain)):
        assert not isExternal(one), f"{one.name} is external"
        left, right = numpy_helper.to_array(one), numpy_helper.to_array(other)
        assert (left.dtype, left.tobytes()) == (right.dtype, right.tobytes()), f"value of {one.name}"
    (folder / "twice").mkdir()
    twice = t.fold(out, folder / "twice/out.onnx", "--external-data=data/w.bin")
    t.expectSameBytes(twice, out, "external data moved twice")
    t.expectSameBytes(folder / "twice/data/w.bin", folder / "data/w.bin", "data file moved twice")


def test_many_data_files_become_one(folder):
    """Only live ranges are taken, tied ones once; small external tensors go into the model."""
    (folder / "a.bin").write_bytes(b"dead" * 1000 + WEIGHT.tobytes() + b"dead" * 5000)
    (folder / "b.bin").write_bytes((WEIGHT + 1).tobytes() + np.float32(3).tobytes())
    source = m.model(
        [node("MatMul", ["x", "w"], ["a"]), node("Add", ["a", "v"], ["b"]), node("MatMul", ["b", "tied"], ["c"])]
        + [node("Mul", ["c", "s"], ["y"])],
        [info("x", (SIDE, SIDE))],
        [info("y", (SIDE, SIDE))],
        [
            external("w", "a.bin", WEIGHT, 4000),
            external("v", "b.bin", WEIGHT),
            external("tied", "a.bin", WEIGHT, 4000),
            external("s", "b.bin", np.float32(3), WEIGHT.nbytes),
        ],
    )
    onnx.save(source, folder / "model.onnx")
    (folder / "sub").mkdir()
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx", "--external-data", "--disable=equal-initializer")
    full = expectOneFile(out, "out.onnx.data")
    m.expectValue(full.graph, "w", WEIGHT)
    m.expectValue(full.graph, "s", np.float32(3))
    assert sorted(e.name for e in (folder / "sub").iterdir()) == ["out.onnx", "out.onnx.data"], "files"
    bare = {one.name: entries(one) for one in onnx.load(out, load_external_data=False).graph.initializer}
    assert bare["w"]["offset"] == bare["tied"]["offset"], "offset of the tied weight"
    assert (folder / "sub/out.onnx.data").stat().st_size == ALIGNMENT + WEIGHT.nbytes, "size of the data file"
    expectSameResults(out, folder / "model.onnx", source)
    one = t.fold(folder / "model.onnx", folder / "sub/one.onnx", "--external-data")
    assert sorted(m.initializerNames(expectOneFile(one, "one.onnx.data"))) == ["s", "v", "w"], "tied weights are one initializer"
    t.expectSameBytes(folder / "sub/one.onnx.data", folder / "sub/out.onnx.data", "data of one initializer and of two that are tied")
    expectSameResults(one, folder / "model.onnx", source)


def test_fields_beside_the_value_stay(folder):
    """doc_string, metadata and unknown fields of a tensor survive the move in both directions."""
    tensor = const("w", WEIGHT)
    tensor.doc_string = "trained on a Tuesday"
    pair = tensor.metadata_props.add()
    pair.key, pair.value = "k", "v"
    raw = tensor.SerializeToString() + b"\xc2\x3e\x05extra"  # field 1000
    tensor.ParseFromString(raw)
    source = m.model([node("MatMul", ["x", "w"], ["y"])], [info("x", (2, SIDE))], [info("y", (2, SIDE))], [tensor])
    onnx.save(source, folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--external-data")
    back = t.fold(out, folder / "back.onnx", "--inline-data")
    for path in (out, back):
        assert b"\xc2\x3e\x05extra" in path.read_bytes(), f"{path.name} lost an unknown field"
        kept = onnx.load(path).graph.initializer[0]
        assert (kept.doc_string, kept.metadata_props[0].value) == ("trained on a Tuesday", "v"), "texts"
        assert numpy_helper.to_array(kept).tobytes() == WEIGHT.tobytes(), "value"


def test_data_root_lets_links_out(folder):
    """Caches of model hubs: the data file is a link into a common store."""
    for name in ("store", "snapshot", "other"):
        (folder / name).mkdir()
    (folder / "store/blob").write_bytes(WEIGHT.tobytes())
    (folder / "snapshot/w.bin").symlink_to("../store/blob")
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("w", "w.bin", WEIGHT)],
    )
    onnx.save(source, folder / "snapshot/model.onnx")
    result = t.run("-o", folder / "other/out.onnx", folder / "snapshot/model.onnx")
    assert result.code == 1, f"exit status without --data-root ({result})"
    assert "outside the model's folder" in result.err, f"message: {result}"
    before = t.fileState(folder / "store/blob")
    out = t.fold(folder / "snapshot/model.onnx", folder / "other/out.onnx", f"--data-root={folder / 'store'}")
    assert not (folder / "other/w.bin").is_symlink(), "the copy is a link"
    m.expectValue(onnx.load(out).graph, "w", WEIGHT)
    # The store is an input too, under any name.
    result = t.run(
        f"--data-root={folder / 'store'}", "-o", folder / "store/blob", folder / "snapshot/model.onnx"
    )
    assert result.code == 1, f"exit status for an output over the store ({result})"
    assert t.fileState(folder / "store/blob") == before, "state of the store"


def hubCache(folder, revision="snapshots/1234/onnx"):
    """As the client of a model hub keeps it: the names are links into a store of blobs. Returns the model's path."""
    blobs, snapshot = folder / "models--org--name/blobs", folder / "models--org--name" / revision
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    (blobs / "91ab").write_bytes(WEIGHT.tobytes())
    nodes = [node("Neg", ["w"], ["n"]), node("MatMul", ["x", "w"], ["a"]), node("MatMul", ["a", "n"], ["y"])]
    source = m.model(nodes, [info("x", (2, SIDE))], [info("y", (2, SIDE))], [external("w", "model.onnx_data", WEIGHT)])
    onnx.save(source, blobs / "77cd")
    for name, blob in (("model.onnx", "77cd"), ("model.onnx_data", "91ab")):
        (snapshot / name).symlink_to(os.path.relpath(blobs / blob, snapshot))
    return snapshot / "model.onnx"


def expectHubResult(path, out):
    """ONNX Runtime reads it, and it holds -w."""
    feed = {"x": np.ones((2, SIDE), np.float32)}
    for got, want in zip(compare.outputs(out, [feed]), compare.outputs(path, [feed])):
        compare.expectAgreement(got, want, "folded model")
    assert [one.op_type for one in onnx.load(out, load_external_data=False).graph.node] == ["MatMul", "MatMul"]


def test_model_of_a_hub_cache(folder):
    """No flag is needed, and what was written elsewhere needs the cache no more."""
    path = hubCache(folder / "hub")
    (folder / "elsewhere").mkdir()
    out = t.fold(path, folder / "elsewhere/out.onnx", "--max-growth=unlimited")
    assert not (folder / "elsewhere/model.onnx_data").is_symlink(), "a copy of the data"
    expectHubResult(path, out)
    before = t.folderState(folder / "hub")
    assert t.run(path, "-o", folder / "hub/models--org--name/blobs/91ab").code == 1, "the store is an input"
    assert t.folderState(folder / "hub") == before, "state of the store"


def test_output_in_a_hub_cache(folder):
    """Beside the input the links cannot be shared: a reader of the output would refuse them. It has data of its own."""
    path = hubCache(folder / "hub")
    before = t.folderState(folder / "hub")
    t.runOk(path, "--max-growth=unlimited")
    out = path.parent / "model.folded.onnx"
    expectHubResult(path, out)
    after = t.folderState(folder / "hub")
    new = {name for name in after if name not in before}
    assert {os.path.basename(str(name)) for name in new} == {"model.folded.onnx", "model.folded.onnx_data"}, f"{new}"
    assert all(after[name] == before[name] for name in before), "the store is as it was"
    assert t.run(path, "--check").code == 2 and t.run(out, "--check").code == 0


def test_data_of_hubs_is_named_as_there(folder):
    path = hubCache(folder / "hub")
    t.runOk(path, "-o", folder / "small.onnx", "--external-data")
    assert (folder / "small.onnx_data").is_file() and not (folder / "small.onnx.data").exists()
    t.runOk(folder / "small.onnx", "-o", folder / "again.onnx", "--external-data=other.bin")
    assert (folder / "other.bin").is_file(), "a name that is given holds"


def test_links_out_of_a_hub_cache_are_refused(folder):
    path = hubCache(folder / "hub")
    (folder / "secret.bin").write_bytes(WEIGHT.tobytes())
    (path.parent / "model.onnx_data").unlink()
    (path.parent / "model.onnx_data").symlink_to(folder / "secret.bin")
    result = t.run(path, "-o", folder / "out.onnx")
    assert result.code == 1 and "'model.onnx_data' is outside the model's folder" in result.err, result.err


def test_inputs_are_never_written_over(folder):
    """The new data file must not be one of the input's, under any name; nothing changes."""
    (folder / "model.onnx.data").write_bytes(WEIGHT.tobytes())
    (folder / "link.data").symlink_to("model.onnx.data")
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("w", "model.onnx.data", WEIGHT)],
    )
    onnx.save(source, folder / "model.onnx")
    before = t.folderState(folder)
    for name in ("model.onnx.data", "link.data", "model.onnx", "./model.onnx.data"):
        result = t.run(f"--external-data={name}", "-o", folder / "out.onnx", folder / "model.onnx")
        assert result.code == 1, f"exit status for {name} ({result})"
        assert Path(name).name in result.err and "input" in result.err, f"message: {result}"
        t.expectUnchanged(before, folder, f"--external-data={name}")


def test_data_of_values_that_callers_may_give(folder):
    """The data file of an initializer that is an input too is read by nobody here, and needed all the same."""
    (folder / "default.bin").write_bytes(WEIGHT.tobytes())
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"]), node("Neg", ["c"], ["n"]), node("Add", ["y", "n"], ["z"])],
        [info("x", (2, SIDE)), info("w", (SIDE, SIDE))],
        [info("z", (2, SIDE))],
        [external("w", "default.bin", WEIGHT), const("c", np.float32(1))],
    )
    onnx.save(source, folder / "model.onnx")
    before = t.folderState(folder)
    result = t.run("-o", folder / "default.bin", folder / "model.onnx")
    assert result.code == 1, f"exit status for an output over the default ({result})"
    t.expectUnchanged(before, folder, "output over the default")
    (folder / "sub").mkdir()
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx")
    assert (folder / "sub/default.bin").read_bytes() == WEIGHT.tobytes(), "copied default"
    m.expectValue(onnx.load(out).graph, "w", WEIGHT)


def test_data_that_cannot_be_taken_along(folder):
    """A default value whose file is missing is no matter beside the input, and an error where the file has to be copied."""
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"]), node("Neg", ["c"], ["n"]), node("Add", ["y", "n"], ["z"])],
        [info("x", (2, SIDE)), info("w", (SIDE, SIDE))],
        [info("z", (2, SIDE))],
        [external("w", "missing.bin", WEIGHT), const("c", np.float32(1))],
    )
    onnx.save(source, folder / "model.onnx")
    (folder / "sub").mkdir()
    t.fold(folder / "model.onnx", folder / "out.onnx")
    result = t.run("-o", folder / "sub/out.onnx", folder / "model.onnx")
    assert result.code == 1, f"exit status ({result})"
    assert "'missing.bin': cannot be opened" in result.err, f"message: {result}"
    assert list((folder / "sub").iterdir()) == [], "files"


def test_dead_data_files_stay_behind(folder):
    """A file whose tensors all fold is not copied to another folder."""
    live = WEIGHT + 1
    for name, value in (("dead.bin", WEIGHT), ("live.bin", live)):
        (folder / name).write_bytes(value.tobytes())
    source = m.model(
        [node("Transpose", ["d"], ["t"]), node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["a", "l"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("d", "dead.bin", WEIGHT), external("l", "live.bin", live)],
    )
    onnx.save(source, folder / "model.onnx")
    (folder / "sub").mkdir()
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx")
    assert sorted(e.name for e in (folder / "sub").iterdir()) == ["live.bin", "out.onnx"], "files"
    expectSameResults(out, folder / "model.onnx", source)


def test_nothing_is_left_when_a_copy_fails(folder):
    """Of several data files the last is there with other content: no copy, no folder, no output is left."""
    (folder / "deep").mkdir()
    last = WEIGHT + 1
    for name, value in (("deep/a.bin", WEIGHT), ("z.bin", last)):
        (folder / name).write_bytes(value.tobytes())
    source = m.model(
        [node("MatMul", ["x", "a"], ["b"]), node("MatMul", ["b", "z"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("a", "deep/a.bin", WEIGHT), external("z", "z.bin", last)],
    )
    onnx.save(source, folder / "model.onnx")
    home = folder / "home"
    home.mkdir()
    (home / "z.bin").write_bytes(b"of somebody else")
    before = t.folderState(home)
    result = t.run("-o", home / "out.onnx", folder / "model.onnx")
    assert result.code == 1, f"exit status ({result})"
    assert "z.bin" in result.err and "other content" in result.err, f"message: {result}"
    t.expectUnchanged(before, home, "folder of the output")


def test_a_data_file_named_as_the_output(folder):
    """In another folder the copy of a data file would be the output itself."""
    (folder / "out.onnx").write_bytes(WEIGHT.tobytes())
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("w", "out.onnx", WEIGHT)],
    )
    onnx.save(source, folder / "model.onnx")
    home = folder / "home"
    home.mkdir()
    for arguments in ((), ("--external-data=out.onnx",), ("--external-data=./out.onnx",)):
        result = t.run(*arguments, "-o", home / "out.onnx", folder / "model.onnx")
        assert result.code == 1, f"exit status with {arguments} ({result})"
        assert "out.onnx" in result.err, f"message: {result}"
        assert list(home.iterdir()) == [], "files"


def test_replaces_its_own_pair(folder):
    """A second run replaces model and data together and leaves nothing beside them."""
    source = richModel()
    onnx.save(source, folder / "model.onnx")
    (folder / "out").mkdir()
    out = folder / "out/m.onnx"
    t.fold(folder / "model.onnx", out, "--external-data")
    source.graph.initializer[0].CopyFrom(const("raw", WEIGHT * 9))
    onnx.save(source, folder / "model.onnx")
    t.fold(folder / "model.onnx", out, "--external-data")
    m.expectValue(onnx.load(out).graph, "turned", (WEIGHT * 9).T)
    assert sorted(e.name for e in out.parent.iterdir()) == ["m.onnx", "m.onnx.data"], "files"


def test_streams_have_no_external_data(folder):
    (folder / "w.bin").write_bytes(WEIGHT.tobytes())
    source = m.model(
        [node("MatMul", ["x", "w"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("w", "w.bin", WEIGHT)],
    )
    onnx.save(source, folder / "model.onnx")
    before = t.folderState(folder)
    for arguments in (("-o", "-"), ("-o", "/dev/null"), ("--external-data", "-o", "-")):
        result = t.run(*arguments, folder / "model.onnx")
        assert (result.code, result.out) == (1, b""), f"exit status and output of {arguments}"
        assert "external data" in result.err, f"message: {result}"
    result = t.runOk("--quiet", "--inline-data", "-o", "-", folder / "model.onnx")
    m.expectValue(onnx.load_from_string(result.out).graph, "w", WEIGHT)
    t.expectUnchanged(before, folder, "streams")
    assert not Path("/dev/w.bin").exists(), "/dev/w.bin is there"


def modelOfDataFiles(folder, names, rows=SIDE):
    """A chain of Concat, each weight in a file of its own; no two are equal."""
    nodes, tensors = [], []
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        with open(folder / name, "wb") as file:
            file.write((WEIGHT + number).tobytes())
            file.truncate(rows * SIDE * 4)
        tensors.append(external(f"w{number}", name, dims=(rows, SIDE)))
        nodes.append(node("Concat", [f"y{number}", f"w{number}"], [f"y{number + 1}"], axis=0))
    path = folder / "model.onnx"
    onnx.save(m.model(nodes, [info("y0", ("n", SIDE))], [info(f"y{len(names)}", ("m", SIDE))], tensors), path)
    return path


def test_progress_counts_copies(folder):
    """The bytes of data files that are copied count like those of the model: 20 GB went by in silence."""
    path = modelOfDataFiles(folder, ["a.bin", "b.bin"], rows=1 << 18)
    (folder / "home").mkdir()
    result = t.runOk("--progress", "-o", folder / "home/out.onnx", path)
    totals = re.findall(r"([0-9.]+) of ([0-9.]+) MB written", result.err)
    size = sum(one.stat().st_size for one in (folder / "home").iterdir())
    assert totals, f"no progress in {result.err!r}"
    assert {total for _, total in totals} == {f"{size / 1e6:.1f}"}, "totals that were told"
    counts = [float(count) for count, _ in totals]
    assert counts == sorted(counts) and counts[-1] <= round(size / 1e6, 1), f"counts that were told: {counts}"


def test_one_data_file_per_tensor(folder):
    """As torch exports large models: more files than a process may have open at first, below folders of their own."""
    names = [f"layer{number % 7}/w{number}.bin" for number in range(300)]
    path = modelOfDataFiles(folder, names)
    (folder / "home").mkdir()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    t.fold(path, folder / "home/out.onnx", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard)))
    for number, name in enumerate(names):
        assert (folder / "home" / name).read_bytes() == (WEIGHT + number).tobytes(), name
    there = sorted(str(one.relative_to(folder / "home")) for one in (folder / "home").rglob("*") if one.is_file())
    assert there == sorted([*names, "out.onnx"]), "files"
    out = t.fold(path, folder / "home/one.onnx", "--external-data")
    expectOneFile(out, "one.onnx.data")


def test_stopped_in_a_new_folder(folder):
    """A signal while a data file is written into folders that the run has made: neither they nor the file are left."""
    rows, columns = 16384, 8192
    source = m.model(
        [node("Add", ["l", "r"], ["s"]), node("MatMul", ["x", "s"], ["y"])],
        [info("x", ("n", rows))],
        [info("y", ("n", columns))],
        [const("l", np.ones((rows, 1), np.float32)), const("r", np.ones((1, columns), np.float32))],
    )
    onnx.save(source, folder / "model.onnx")
    before = t.folderState(folder)
    flags = ["--quiet", "--max-growth=unlimited", "--external-data=new/deep/w.bin", "-o", folder / "out.onnx"]
    stopped = 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        child = subprocess.Popen([str(t.TOOL), *map(str, flags), str(folder / "model.onnx")], stderr=subprocess.PIPE)
        deadline = time.monotonic() + 600
        while child.poll() is None and not (folder / "new/deep").exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        child.send_signal(number)
        child.communicate(timeout=600)
        if child.returncode == 0:  # it was faster
            for name in ("out.onnx", "new/deep/w.bin"):
                (folder / name).unlink()
            (folder / "new/deep").rmdir()
            (folder / "new").rmdir()
            continue
        stopped += 1
        assert child.returncode == -number, "exit status"
        t.expectUnchanged(before, folder, f"signal {number}")
    assert stopped > 0, "all runs were faster than the signals"


def test_ignored_signals(folder):
    """nohup ignores SIGHUP, a shell SIGINT in its background jobs: such a run lost its files to the signal, and failed."""
    rows, columns = 8192, 4096
    left, right = np.ones((rows, 1), np.float32), np.ones((1, columns), np.float32)
    nodes = [node("Add", ["l", "r"], ["s"]), node("MatMul", ["x", "s"], ["y"])]
    source = m.model(nodes, [info("x", ("n", rows))], [info("y", ("n", columns))], [const("l", left), const("r", right)])
    onnx.save(source, folder / "model.onnx")
    flags = ["--quiet", "--max-growth=unlimited", "--external-data=new/w.bin", "-o", folder / "out.onnx"]
    for number in (signal.SIGINT, signal.SIGHUP):
        child = subprocess.Popen(
            [str(t.TOOL), *map(str, flags), str(folder / "model.onnx")],
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(number, signal.SIG_IGN),
        )
        while child.poll() is None and not (folder / "new").exists():
            time.sleep(0.001)
        child.send_signal(number)
        error = child.communicate(timeout=600)[1]
        assert (child.returncode, error) == (0, b""), f"{number}"
        assert (folder / "new/w.bin").stat().st_size >= 4 * rows * columns
        (folder / "out.onnx").unlink()
        shutil.rmtree(folder / "new")


def test_bad_flags(folder):
    onnx.save(richModel(), folder / "model.onnx")
    before = t.folderState(folder)
    for flags in (
        ("--external-data=/tmp/w.bin",),
        ("--external-data=../w.bin",),
        ("--external-data=a/../../w.bin",),
        ("--external-data=sub/",),
        ("--external-data", "--inline-data"),
        ("--data-root=nowhere",),
        ("--external-data=report.txt", f"--report=text:{folder / 'report.txt'}"),
    ):
        result = t.run(*flags, "-o", folder / "out.onnx", folder / "model.onnx")
        assert result.code == 1, f"exit status with {flags} ({result})"
        t.expectUnchanged(before, folder, f"flags {flags}")


def test_data_may_not_leave_the_folder_through_links(folder):
    """Readers would refuse it: a link in the way of the data file leads out of the output's folder."""
    onnx.save(richModel(), folder / "model.onnx")
    for name in ("home", "away"):
        (folder / name).mkdir()
    (folder / "home/link").symlink_to("../away")
    (folder / "away/old.bin").write_bytes(b"old")
    (folder / "home/file").symlink_to("../away/old.bin")
    before = t.folderState(folder)
    for name in ("link/w.bin", "file"):
        result = t.run(f"--external-data={name}", "-o", folder / "home/out.onnx", folder / "model.onnx")
        assert result.code == 1, f"exit status for {name} ({result})"
        assert "outside the output's folder" in result.err, f"message: {result}"
        t.expectUnchanged(before, folder, name)
