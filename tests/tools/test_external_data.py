#!/usr/bin/env python3
"""Where values stand: --external-data, --inline-data, --data-root, outputs over 2 GB, other folders, pairs that are replaced.

Results are read by the onnx package and by ONNX Runtime, and bytes of data files are compared with numpy's.
"""

import mmap
import os
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
ALIGNMENT, SMALLEST = 65536, 1024
SIDE = 40
WEIGHT = np.random.default_rng(1).standard_normal((SIDE, SIDE)).astype(np.float32)


def external(name, location, value=None, offset=0, kind=TensorProto.FLOAT, dims=None):
    """A TensorProto that refers to `location`; the caller writes the file."""
    tensor = TensorProto(name=name, data_type=kind, data_location=TensorProto.EXTERNAL)
    tensor.dims.extend(value.shape if dims is None else dims)
    length = value.nbytes if dims is None else int(np.prod(dims)) * 4
    for key, entry in (("location", location), ("offset", offset), ("length", length)):
        pair = tensor.external_data.add()
        pair.key, pair.value = key, str(entry)
    return tensor


def entries(tensor):
    return {entry.key: entry.value for entry in tensor.external_data}


def allTensors(model):
    """Initializers of all graphs and values of Constant nodes, those of functions included."""
    graphs = list(t.allGraphs(model.graph))
    for graph in graphs:
        yield from graph.initializer
    for nodes in [graph.node for graph in graphs] + [function.node for function in model.functions]:
        for one in nodes:
            for attribute in one.attribute:
                if attribute.HasField("t"):
                    yield attribute.t


def isExternal(tensor):
    return tensor.data_location == TensorProto.EXTERNAL


def bytesOf(tensor):
    return numpy_helper.to_array(tensor, base_dir="").nbytes


def expectOneFile(path, location):
    """All large tensors of the model are in `location`, aligned, without overlap, and no small one is."""
    bare = onnx.load(path, load_external_data=False)
    full = onnx.load(path)
    used = set()
    for tensor, loaded in zip(allTensors(bare), allTensors(full)):
        size = numpy_helper.to_array(loaded).nbytes if loaded.data_type != TensorProto.STRING else 0
        t.expectEqual(isExternal(tensor), size >= SMALLEST, f"{tensor.name} of {size} bytes is external")
        if not isExternal(tensor):
            continue
        told = entries(tensor)
        t.expectEqual(told["location"], location, f"location of {tensor.name}")
        t.expectEqual(int(told["offset"]) % ALIGNMENT, 0, f"offset of {tensor.name} modulo 64 KiB")
        t.expectEqual(int(told["length"]), size, f"length of {tensor.name}")
        t.expectEqual(set(told), {"location", "offset", "length"}, f"entries of {tensor.name}")
        used.add((int(told["offset"]), size))
    ends = sorted(used)
    for (begin, size), (following, _) in zip(ends, ends[1:]):
        t.expect(begin + size <= following, f"ranges overlap: {ends}")
    t.expectEqual((Path(path).parent / location).stat().st_size, sum(ends[-1]) if ends else 0, "size of the data file")
    return full


def expectSameResults(left, right, source):
    for got, want in zip(compare.outputs(left, [m.ones(source)]), compare.outputs(right, [m.ones(source)])):
        compare.expectAgreement(got, want, f"{Path(left).name} and {Path(right).name}")


def richModel():
    """Weights in every form: raw, typed, half precision, bool, small, a Constant node, a body's initializer, a function's."""
    typed = helper.make_tensor("typed", TensorProto.FLOAT, WEIGHT.shape, WEIGHT.ravel().tolist())
    typed.ClearField("raw_data")
    typed.float_data[:] = WEIGHT.ravel().tolist()
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


@suite.case
def external_data_moves_all_large_tensors(folder):
    source = richModel()
    onnx.save(source, folder / "model.onnx")
    before = t.fileState(folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--external-data")
    full = expectOneFile(out, "out.onnx.data")
    onnx.checker.check_model(str(out), full_check=True)
    m.expectValue(full.graph, "turned", WEIGHT.T)
    m.expectValue(full.graph, "typed", WEIGHT)
    m.expectValue(full.graph, "mask", WEIGHT > 0)
    expectSameResults(out, folder / "model.onnx", source)
    t.expectEqual(t.fileState(folder / "model.onnx"), before, "state of the input")
    t.expectEqual(
        sorted(entry.name for entry in folder.iterdir()), ["model.onnx", "out.onnx", "out.onnx.data"], "files"
    )


@suite.case
def external_and_back_is_the_same(folder):
    """Inline -> external -> inline: the same tensors; and what is external already is rewritten to the same bytes."""
    onnx.save(richModel(), folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "plain.onnx")
    out = t.fold(folder / "plain.onnx", folder / "out.onnx", "--external-data=data/w.bin")
    expectOneFile(out, "data/w.bin")
    back = t.fold(out, folder / "back.onnx", "--inline-data")
    model, plain = (onnx.load(path, load_external_data=False) for path in (back, folder / "plain.onnx"))
    for one, other in zip(allTensors(model), allTensors(plain)):
        t.expect(not isExternal(one), f"{one.name} is external")
        left, right = numpy_helper.to_array(one), numpy_helper.to_array(other)
        t.expectEqual((left.dtype, left.tobytes()), (right.dtype, right.tobytes()), f"value of {one.name}")
    (folder / "twice").mkdir()
    twice = t.fold(out, folder / "twice/out.onnx", "--external-data=data/w.bin")
    t.expectSameBytes(twice, out, "external data moved twice")
    t.expectSameBytes(folder / "twice/data/w.bin", folder / "data/w.bin", "data file moved twice")


@suite.case
def many_data_files_become_one(folder):
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
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx", "--external-data")
    full = expectOneFile(out, "out.onnx.data")
    m.expectValue(full.graph, "w", WEIGHT)
    m.expectValue(full.graph, "s", np.float32(3))
    t.expectEqual(sorted(e.name for e in (folder / "sub").iterdir()), ["out.onnx", "out.onnx.data"], "files")
    bare = {one.name: entries(one) for one in onnx.load(out, load_external_data=False).graph.initializer}
    t.expectEqual(bare["w"]["offset"], bare["tied"]["offset"], "offset of the tied weight")
    t.expectEqual((folder / "sub/out.onnx.data").stat().st_size, ALIGNMENT + WEIGHT.nbytes, "size of the data file")
    expectSameResults(out, folder / "model.onnx", source)


@suite.case
def fields_beside_the_value_stay(folder):
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
        t.expect(b"\xc2\x3e\x05extra" in path.read_bytes(), f"{path.name} lost an unknown field")
        kept = onnx.load(path).graph.initializer[0]
        t.expectEqual((kept.doc_string, kept.metadata_props[0].value), ("trained on a Tuesday", "v"), "texts")
        t.expectEqual(numpy_helper.to_array(kept).tobytes(), WEIGHT.tobytes(), "value")


@suite.case
def data_root_lets_links_out(folder):
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
    t.expectEqual(result.code, 1, f"exit status without --data-root ({result})")
    t.expect("outside the model's folder" in result.err, f"message: {result}")
    before = t.fileState(folder / "store/blob")
    out = t.fold(folder / "snapshot/model.onnx", folder / "other/out.onnx", f"--data-root={folder / 'store'}")
    t.expect(not (folder / "other/w.bin").is_symlink(), "the copy is a link")
    m.expectValue(onnx.load(out).graph, "w", WEIGHT)
    # The store is an input too, under any name.
    result = t.run(
        f"--data-root={folder / 'store'}", "-o", folder / "store/blob", folder / "snapshot/model.onnx"
    )
    t.expectEqual(result.code, 1, f"exit status for an output over the store ({result})")
    t.expectEqual(t.fileState(folder / "store/blob"), before, "state of the store")


@suite.case
def inputs_are_never_written_over(folder):
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
        t.expectEqual(result.code, 1, f"exit status for {name} ({result})")
        t.expect(Path(name).name in result.err and "input" in result.err, f"message: {result}")
        t.expectUnchanged(before, folder, f"--external-data={name}")


@suite.case
def data_of_values_that_callers_may_give(folder):
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
    t.expectEqual(result.code, 1, f"exit status for an output over the default ({result})")
    t.expectUnchanged(before, folder, "output over the default")
    (folder / "sub").mkdir()
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx")
    t.expectEqual((folder / "sub/default.bin").read_bytes(), WEIGHT.tobytes(), "copied default")
    m.expectValue(onnx.load(out).graph, "w", WEIGHT)


@suite.case
def data_that_cannot_be_taken_along(folder):
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
    t.expectEqual(result.code, 1, f"exit status ({result})")
    t.expect("'missing.bin': cannot be opened" in result.err, f"message: {result}")
    t.expectEqual(list((folder / "sub").iterdir()), [], "files")


@suite.case
def dead_data_files_stay_behind(folder):
    """A file whose tensors all fold is not copied to another folder."""
    for name in ("dead.bin", "live.bin"):
        (folder / name).write_bytes(WEIGHT.tobytes())
    source = m.model(
        [node("Transpose", ["d"], ["t"]), node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["a", "l"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("d", "dead.bin", WEIGHT), external("l", "live.bin", WEIGHT)],
    )
    onnx.save(source, folder / "model.onnx")
    (folder / "sub").mkdir()
    out = t.fold(folder / "model.onnx", folder / "sub/out.onnx")
    t.expectEqual(sorted(e.name for e in (folder / "sub").iterdir()), ["live.bin", "out.onnx"], "files")
    expectSameResults(out, folder / "model.onnx", source)


@suite.case
def nothing_is_left_when_a_copy_fails(folder):
    """Of several data files the last is there with other content: no copy, no folder, no output stays."""
    (folder / "deep").mkdir()
    for name in ("deep/a.bin", "z.bin"):
        (folder / name).write_bytes(WEIGHT.tobytes())
    source = m.model(
        [node("MatMul", ["x", "a"], ["b"]), node("MatMul", ["b", "z"], ["y"])],
        [info("x", (2, SIDE))],
        [info("y", (2, SIDE))],
        [external("a", "deep/a.bin", WEIGHT), external("z", "z.bin", WEIGHT)],
    )
    onnx.save(source, folder / "model.onnx")
    home = folder / "home"
    home.mkdir()
    (home / "z.bin").write_bytes(b"of somebody else")
    before = t.folderState(home)
    result = t.run("-o", home / "out.onnx", folder / "model.onnx")
    t.expectEqual(result.code, 1, f"exit status ({result})")
    t.expect("z.bin" in result.err and "other content" in result.err, f"message: {result}")
    t.expectUnchanged(before, home, "folder of the output")


@suite.case
def a_data_file_named_as_the_output(folder):
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
        t.expectEqual(result.code, 1, f"exit status with {arguments} ({result})")
        t.expect("out.onnx" in result.err, f"message: {result}")
        t.expectEqual(list(home.iterdir()), [], "files")


@suite.case
def replaces_its_own_pair(folder):
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
    t.expectEqual(sorted(e.name for e in out.parent.iterdir()), ["m.onnx", "m.onnx.data"], "files")


@suite.case
def streams_have_no_external_data(folder):
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
        t.expectEqual((result.code, result.out), (1, b""), f"exit status and output of {arguments}")
        t.expect("external data" in result.err, f"message: {result}")
    result = t.runOk("--quiet", "--inline-data", "-o", "-", folder / "model.onnx")
    m.expectValue(onnx.load_from_string(result.out).graph, "w", WEIGHT)
    t.expectUnchanged(before, folder, "streams")
    t.expect(not Path("/dev/w.bin").exists(), "/dev/w.bin is there")


@suite.case
def bad_flags(folder):
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
        t.expectEqual(result.code, 1, f"exit status with {flags} ({result})")
        t.expectUnchanged(before, folder, f"flags {flags}")


@suite.case
def data_may_not_leave_the_folder_through_links(folder):
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
        t.expectEqual(result.code, 1, f"exit status for {name} ({result})")
        t.expect("outside the output's folder" in result.err, f"message: {result}")
        t.expectUnchanged(before, folder, name)


# ---- equal constants ---------------------------------------------------------------------------------------------------


@suite.case
def equal_folded_constants_are_written_once(folder):
    """Three computations, one value: one initializer, which all nodes read. Old initializers stay, equal or not."""
    source = m.model(
        [
            node("Transpose", ["w"], ["a"]),
            node("Transpose", ["v"], ["b"]),
            node("Transpose", ["w"], ["c"]),
            node("MatMul", ["x", "a"], ["p"]),
            node("MatMul", ["p", "b"], ["q"]),
            node("Where", ["flag", "c", "q"], ["r"]),
            node("MatMul", ["r", "w"], ["s"]),
            node("MatMul", ["s", "v"], ["y"]),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT), const("v", WEIGHT)],
    )
    source.graph.value_info.extend(info(name, (SIDE, SIDE)) for name in "abc")
    for flags in ((), ("--external-data",)):
        out = m.folded(folder, source, "--max-growth=unlimited", feeds=[m.ones(source)]) if not flags else None
        if flags:
            out = onnx.load(t.fold(folder / "model.onnx", folder / "ext.onnx", "--max-growth=unlimited", *flags))
        t.expectEqual([one.name for one in out.graph.initializer], ["w", "v", "a"], "initializers")
        t.expectEqual([one.name for one in out.graph.value_info if one.name in ("b", "c")], [], "value infos")
        t.expectEqual(out.graph.node[1].input[1], "a", "what reads the second value")
    data = [entries(one)["offset"] for one in onnx.load(folder / "ext.onnx", load_external_data=False).graph.initializer]
    t.expectEqual(len(set(data)), 3, "places in the data file")


@suite.case
def equal_constants_with_names_that_matter(folder):
    """Graph outputs keep their names, and bodies what they read; in a data file equal values share their bytes."""
    body = m.graph([node("Add", ["x", "in_body"], ["o"])], [], [info("o", (SIDE, SIDE))], name="then")
    other = m.graph([node("Identity", ["x"], ["o2"])], [], [info("o2", (SIDE, SIDE))], name="else")
    source = m.model(
        [
            node("Neg", ["w"], ["first"]),
            node("Neg", ["w"], ["result"]),
            node("Neg", ["w"], ["in_body"]),
            node("Add", ["x", "first"], ["y"]),
            node("If", ["flag"], ["z"], then_branch=body, else_branch=other),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE)), info("result", (SIDE, SIDE)), info("z", (SIDE, SIDE))],
        [const("w", WEIGHT)],
    )
    out = m.folded(folder, source, feeds=[m.ones(source)])
    t.expectEqual([one.name for one in out.graph.initializer], ["first", "result", "in_body"], "initializers")
    t.fold(folder / "model.onnx", folder / "ext.onnx", "--external-data")
    expectSameResults(folder / "ext.onnx", folder / "model.onnx", source)
    t.expectEqual((folder / "ext.onnx.data").stat().st_size, WEIGHT.nbytes, "size of the data file")


@suite.case
def equal_constants_that_annotations_name(folder):
    """Quantisation parameters are found by name: neither the value nor its scale may be called something else."""
    source = m.model(
        [node("Neg", ["w"], [name]) for name in ("a", "b", "c")] + [node("Sum", ["x", "a", "b", "c"], ["y"])],
        [info("x", (SIDE, SIDE))],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT)],
    )
    annotation = source.graph.quantization_annotation.add(tensor_name="b")
    pair = annotation.quant_parameter_tensor_names.add()
    pair.key, pair.value = "SCALE_TENSOR", "c"
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    t.expectEqual(m.initializerNames(out), ["a", "b", "c"], "initializers")
    t.expectEqual(list(out.graph.node[0].input), ["x", "a", "b", "c"], "inputs of Sum")


@suite.case
def equal_constants_that_are_nodes(folder):
    """At IR version 3 folded values are Constant nodes, which stay apart; in a data file they share their bytes."""
    source = m.model(
        [node("Neg", ["w"], ["a"]), node("Neg", ["w"], ["b"]), node("Sum", ["x", "a", "b"], ["y"])],
        [info("x", (SIDE, SIDE)), info("w", (SIDE, SIDE))],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT)],
        opset=8,
        ir=3,
    )
    onnx.save(source, folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--max-growth=1G", "--external-data")
    full = expectOneFile(out, "out.onnx.data")
    t.expectEqual([one.op_type for one in full.graph.node], ["Constant", "Constant", "Sum"], "nodes")
    for name in "ab":
        m.expectValue(full.graph, name, -WEIGHT)
    t.expectEqual((folder / "out.onnx.data").stat().st_size, ALIGNMENT + WEIGHT.nbytes, "size of the data file")
    expectSameResults(out, folder / "model.onnx", m.model([], [info("x", (SIDE, SIDE))], []))


@suite.case
def constants_that_only_look_alike(folder):
    """Same type, same beginning, middle and end; and 0 and -0, two NaNs: different bytes are different values."""
    near = WEIGHT.copy()
    near[3, 5] += 1
    zeros = np.zeros((SIDE, SIDE), np.float32)
    nan = zeros.copy().view(np.uint32)
    nan[:] = 0x7FC00001
    values = [WEIGHT, near, zeros, -zeros, np.full_like(zeros, np.nan), nan.view(np.float32)]
    nodes, value = [], "x"
    for number in range(len(values)):
        nodes += [node("Transpose", [f"w{number}"], [f"t{number}"]), node("Add", [value, f"t{number}"], [f"y{number}"])]
        value = f"y{number}"
    source = m.model(
        nodes,
        [info("x", (SIDE, SIDE))],
        [info(value, (SIDE, SIDE))],
        [const(f"w{number}", one) for number, one in enumerate(values)],
    )
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--disable=plus-zero"))
    for number, one in enumerate(values):
        got = m.constantValue(out.graph, f"t{number}")
        t.expect(got is not None, f"t{number} is not there")
        t.expectEqual(got.tobytes(), one.T.tobytes(), f"bytes of t{number}")


# ---- over 2 GB ---------------------------------------------------------------------------------------------------------


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def fieldsOf(data, begin, end):
    """(number, body begin, body end) of length-delimited fields; varints are skipped. Reads nothing of the bodies."""

    def number(at):
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at

    while begin < end:
        tag, at = number(begin)
        length, at = number(at)
        if tag & 7 == 0:
            begin = at
            continue
        yield tag >> 3, at, at + length
        begin = at + length


def nearlyTwoGigabytes(folder, spare):
    """A model with one weight, a hole, so that the file has 2^31 - 1 - spare bytes; and a value that folds."""
    small = m.model(
        [node("Transpose", ["v"], ["t"]), node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["x", "v"], ["b"])]
        + [node("Gather", ["big", "i"], ["g"]), node("Add", ["a", "b"], ["c"]), node("Add", ["c", "g"], ["y"])],
        [info("x", (512, 512)), info("i", (), TensorProto.INT64)],
        [info("y", (512, 512))],
        [const("v", np.arange(512 * 512, dtype=np.float32).reshape(512, 512))],
    )
    graph = small.graph.SerializeToString()
    small.ClearField("graph")
    count = ((1 << 31) - 1 - spare - len(graph)) // 2048  # rows of 512 floats
    head = varint(1 << 3) + varint(count) + varint(1 << 3) + varint(512) + b"\x10\x01" + b"\x42\x03big"
    head += varint(9 << 3 | 2) + varint(count * 2048)
    body = len(head) + count * 2048
    head = varint(5 << 3 | 2) + varint(body) + head
    with open(folder / "model.onnx", "wb") as file:
        file.write(small.SerializeToString())
        file.write(varint(7 << 3 | 2) + varint(len(graph) + len(head) + count * 2048) + graph + head)
        file.truncate(file.tell() + count * 2048)
    return folder / "model.onnx"


@suite.case
def beyond_two_gigabytes_new_values_go_to_a_data_file(folder):
    """Protobuf reads no message of 2 GB: what folds goes beside the model, and what was there stays in it."""
    path = nearlyTwoGigabytes(folder, 500_000)
    report = t.foldWithReport(path, folder / "out.onnx", "--max-growth=2M")
    out = folder / "out.onnx"
    t.expect(out.stat().st_size < 1 << 31, f"the model has {out.stat().st_size} bytes")
    t.expect(report["peak_bytes"] < 40_000_000, f"peak is {report['peak_bytes']} bytes")
    want = np.arange(512 * 512, dtype=np.float32).reshape(512, 512).T
    t.expectEqual((folder / "out.onnx.data").read_bytes(), want.tobytes(), "data file")
    found = {}
    with open(out, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        graph = next(field for field in fieldsOf(data, 0, len(data)) if field[0] == 7)
        for number, begin, end in fieldsOf(data, *graph[1:]):
            if number == 5 and end - begin < 1 << 24:
                tensor = TensorProto.FromString(data[begin:end])
                found[tensor.name] = tensor
    t.expectEqual(sorted(found), ["t", "v"], "small initializers of the output")
    t.expect(isExternal(found["t"]) and not isExternal(found["v"]), "only the new value is external")
    t.expectEqual(entries(found["t"]), {"location": "out.onnx.data", "offset": "0", "length": str(1 << 20)}, "entries")


@suite.case
def twenty_gigabytes_of_holes(folder):
    """Moving all weights of a 20 GB model into a new file, and back beside another one, takes no memory and no disk space."""
    layers, side = 75, 8192
    with open(folder / "weights.bin", "wb") as file:
        file.truncate(layers * side * side * 4)
    weights = [
        external(f"w{number}", "weights.bin", offset=number * side * side * 4, dims=(side, side))
        for number in range(layers)
    ]
    nodes = [node("MatMul", [f"y{number}", f"w{number}"], [f"y{number + 1}"]) for number in range(layers)]
    source = m.model(nodes, [info("y0", ("n", side))], [info(f"y{layers}", ("n", side))], weights)
    onnx.save(source, folder / "model.onnx")
    (folder / "home").mkdir()
    for out, flags in (("moved.onnx", ["--external-data"]), ("home/copied.onnx", [])):
        report = t.foldWithReport(folder / "model.onnx", folder / out, *flags)
        data = folder / ("moved.onnx.data" if flags else "home/weights.bin")
        t.expectEqual(data.stat().st_size, layers * side * side * 4, f"size of {data.name}")
        t.expect(data.stat().st_blocks * 512 < 1 << 24, f"{data.name} takes {data.stat().st_blocks * 512} bytes on disk")
        t.expect(report["peak_bytes"] < 40_000_000, f"peak is {report['peak_bytes']} bytes")
    # The copy is there now: comparing it with the input must not read 40 GB of zeros.
    report = t.foldWithReport(folder / "model.onnx", folder / "home/again.onnx")
    t.expect(report["seconds"] < 5, f"comparing two holes took {report['seconds']} s")


@suite.case
def large_results_are_never_in_memory(folder):
    """512 MB are computed from two vectors while they are written; equal ones are found without being kept."""
    rows, columns = 16384, 8192
    generator = np.random.default_rng(3)
    left = generator.standard_normal((rows, 1)).astype(np.float32)
    right = generator.standard_normal((1, columns)).astype(np.float32)
    source = m.model(
        [node("Add", ["l", "r"], ["s"]), node("Add", ["r", "l"], ["again"]), node("MatMul", ["x", "s"], ["y"])]
        + [node("MatMul", ["x", "again"], ["z"])],
        [info("x", ("n", rows))],
        [info("y", ("n", columns)), info("z", ("n", columns))],
        [const("l", left), const("r", right)],
    )
    onnx.save(source, folder / "model.onnx")
    flags = ("-O0", "--max-growth=unlimited", "--external-data")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", *flags)
    t.expect(report["peak_bytes"] < 70_000_000, f"peak is {report['peak_bytes']} bytes, at most 64 MB and a little expected")
    data = np.memmap(folder / "out.onnx.data", np.float32, "r", shape=(rows, columns))
    t.expectEqual((folder / "out.onnx.data").stat().st_size, rows * columns * 4, "size of the data file")
    for row in (0, 1, 777, rows - 1):
        t.expectEqual(data[row].tobytes(), (left[row] + right[0]).tobytes(), f"row {row}")


@suite.case
def what_cannot_be_below_two_gigabytes(folder):
    """--inline-data of more than 2 GB, and a pipe that would need a data file: an error, and no output."""
    path = nearlyTwoGigabytes(folder, 500_000)
    before = t.folderState(folder) if suite.options.long else None
    result = t.run("--max-growth=2M", "--inline-data", "-o", folder / "out.onnx", path)
    t.expectEqual(result.code, 1, f"exit status ({result})")
    t.expect("2 GB" in result.err and "--external-data" in result.err, f"message: {result}")
    result = t.run("--max-growth=2M", "-o", "-", path, stdout=open(os.devnull, "wb"))
    t.expectEqual(result.code, 1, f"exit status of a pipe ({result})")
    t.expect("external data" in result.err, f"message: {result}")
    if before:
        t.expectUnchanged(before, folder, "folder")
    t.expectEqual([one.name for one in folder.iterdir()], ["model.onnx"], "files")


if __name__ == "__main__":
    sys.exit(suite.main())
