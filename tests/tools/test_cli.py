# SPDX-License-Identifier: Apache-2.0
"""The command line of onnx-fold, flag by flag: what each promises in `--help`, on small models."""

import json
import re
import subprocess

import numpy as np
import pytest
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(6, dtype=np.float32).reshape(2, 3)


def simple():
    """y = x * (w + w): one Add folds, one Mul is kept."""
    return m.model(
        [node("Add", ["w", "w"], ["v"], name="add"), node("Mul", ["x", "v"], ["y"], name="mul")],
        [info("x")],
        [info("y")],
        [const("w", W)],
    )


def nothingToFold():
    return m.model([node("Mul", ["x", "w"], ["y"])], [info("x")], [info("y")], [const("w", W)])


def several():
    """Three constants that fold, in nodes with and without names, each read by a node that is kept."""
    nodes = [
        node("Add", ["w", "w"], ["a"], name="block/add"),
        node("Sub", ["w", "w"], ["b"], name="block/sub"),
        node("Mul", ["w", "w"], ["unnamed"]),
        node("Sum", ["x", "a", "b", "unnamed"], ["y"], name="sum"),
    ]
    return m.model(nodes, [info("x")], [info("y")], [const("w", W)])


def save(folder, model, name="model.onnx"):
    onnx.save(model, folder / name)
    return folder / name


def left(path):
    return m.operators(onnx.load(path))


def test_output_flag(folder):
    path = save(folder, simple())
    t.runOk("-o", folder / "out.onnx", path)
    assert left(folder / "out.onnx") == ["Mul"], "operators"
    t.runOk(path, "-o", folder / "flag_last.onnx")
    t.expectSameBytes(folder / "out.onnx", folder / "flag_last.onnx", "flag before and after the model")
    t.runOk("-o", "relative.onnx", "model.onnx", cwd=folder)
    t.expectSameBytes(folder / "out.onnx", folder / "relative.onnx", "relative names")


def test_default_output_is_beside_the_input(folder):
    for name, wanted in (("model.onnx", "model.folded.onnx"), ("a.b.onnx", "a.b.folded.onnx")):
        save(folder, simple(), name)
        before = t.folderState(folder)
        t.runOk(folder / name)
        t.expectUnchanged(before, folder, f"default output of {name}", added=[wanted])
        assert (folder / wanted).is_file(), f"{wanted} was not written"


def test_output_is_replaced(folder):
    path = save(folder, simple())
    (folder / "out.onnx").write_bytes(b"something longer than nothing" * 1000)
    t.runOk("-o", folder / "out.onnx", path)
    assert left(folder / "out.onnx") == ["Mul"], "operators"


def test_output_through_a_link(folder):
    """A link to a file elsewhere is kept a link, or is replaced by the model; the model is never lost."""
    path = save(folder, simple())
    (folder / "elsewhere").mkdir()
    (folder / "out.onnx").symlink_to("elsewhere/target.onnx")
    t.runOk("-o", folder / "out.onnx", path)
    assert left(folder / "out.onnx") == ["Mul"], "operators"


def test_output_mode_follows_the_umask(folder):
    path = save(folder, simple())
    t.runOk("-o", folder / "out.onnx", path, umask=0o027)
    assert oct((folder / "out.onnx").stat().st_mode & 0o777) == oct(0o640), "mode of the output"


def test_standard_input_and_output(folder):
    path = save(folder, simple())
    expected = t.fold(path, folder / "out.onnx").read_bytes()
    assert t.runOk("-o", "-", path).out == expected, "standard output"
    assert t.runOk("--quiet", "-o", "-", "-", stdin=path.read_bytes()).out == expected, "pipe in and out"
    with open(path, "rb") as file:
        assert t.runOk("-o", "-", "-", stdin=file).out == expected, "file as standard input"
    t.runOk("-o", folder / "piped.onnx", "-", stdin=path.read_bytes())
    t.expectSameBytes(folder / "piped.onnx", folder / "out.onnx", "pipe in, file out")
    with open(folder / "redirected.onnx", "wb") as file:
        t.runOk("-o", "-", path, stdout=file)
    t.expectSameBytes(folder / "redirected.onnx", folder / "out.onnx", "redirected standard output")
    with open(folder / "appended.onnx", "wb") as file:
        file.write(b"before")
        file.flush()
        t.runOk("-o", "-", path, stdout=file)
    assert (folder / "appended.onnx").read_bytes() == b"before" + expected, "standard output at an offset"


def test_messages_name_standard_input(folder):
    """They called the file '-'; the report still has what stands on the command line."""
    data = simple().SerializeToString()
    for flags in (["--bind=nosuch=1"], ["--input-shape=nosuch:1"], ["--outputs=nosuch"], ["--keep-initializer=nosuch"], ["--target-opset=99"]):
        result = t.run(*flags, "-o", folder / "out.onnx", "-", stdin=data)
        assert result.code == 1 and result.err.startswith("onnx-fold: error: <stdin>: "), f"{result}"
    t.runOk(f"--report=json:{folder}/report.json", "-o", folder / "out.onnx", "-", stdin=data)
    assert json.loads((folder / "report.json").read_text())["input"] == "-"


def test_large_pipes(folder):
    """Larger than a pipe holds, in both directions."""
    big = np.arange(3_000_000, dtype=np.float32)
    model = m.model(
        [node("Neg", ["w"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (3_000_000,))],
        [info("y", (3_000_000,))],
        [const("w", big)],
    )
    path = save(folder, model)
    expected = t.fold(path, folder / "out.onnx").read_bytes()
    assert (t.runOk("-o", "-", "-", stdin=path.read_bytes()).out == expected) == True, "equality of a 12 MB pipe"


def test_check_writes_nothing(folder):
    path = save(folder, simple())
    before = t.folderState(folder)
    assert t.run("--check", path).code == 2, "exit status where folding changes the model"
    t.expectUnchanged(before, folder, "--check")
    assert t.run("--check", "-o", folder / "out.onnx", path).code == 2, "exit status with -o"
    t.expectUnchanged(before, folder, "--check -o")
    save(folder, nothingToFold())
    assert t.run("--check", path).code == 0, "exit status where nothing folds"


def test_check_agrees_with_folding(folder):
    """--check says 2 exactly if the output differs from the input."""
    for path in t.shippedModels():
        for flags in ([], ["--max-growth=0"], ["--skip=op:*"], ["-O0"]):
            out = t.fold(path, folder / "out.onnx", *flags)
            changed = not t.sameBytes(path, out)
            assert t.run("--check", *flags, path).code == (2 if changed else 0), f"--check {flags} of {path.name}"
            assert t.run("--check", *flags, out).code == 0, f"--check {flags} of the folded {path.name}"


def test_nothing_to_fold_is_a_copy(folder):
    path = save(folder, nothingToFold())
    t.expectSameBytes(t.fold(path, folder / "out.onnx"), path, "output where nothing folds")


def remaining(folder, *flags):
    path = save(folder, several())
    return left(t.fold(path, folder / "out.onnx", "-O0", *flags))


def test_only_and_skip_by_name(folder):
    assert remaining(folder) == ["Sum"], "operators without a filter"
    assert remaining(folder, "--skip=block/*") == ["Add", "Sub", "Sum"], "--skip=block/*"
    assert remaining(folder, "--only=block/*") == ["Mul", "Sum"], "--only=block/*"
    assert remaining(folder, "--only=block/add") == ["Sub", "Mul", "Sum"], "--only of a name"
    assert remaining(folder, "--only=add") == ["Add", "Sub", "Mul", "Sum"], "--only of a part of a name"
    assert remaining(folder, "--skip=unnamed") == ["Mul", "Sum"], "--skip of a node without a name, by its output"
    assert remaining(folder, "--skip=block/??d") == ["Add", "Sum"], "--skip with ?"
    assert remaining(folder, "--skip=block/[as]*") == ["Add", "Sub", "Sum"], "--skip with a set"
    assert remaining(folder, "--skip=*") == ["Add", "Sub", "Mul", "Sum"], "--skip=*"


def test_only_and_skip_by_operator_and_domain(folder):
    assert remaining(folder, "--only=op:Add") == ["Sub", "Mul", "Sum"], "--only=op:Add"
    assert remaining(folder, "--only=op:Add", "--only=op:Sub") == ["Mul", "Sum"], "two --only"
    assert remaining(folder, "--skip=op:Add", "--skip=op:Sub") == ["Add", "Sub", "Sum"], "two --skip"
    assert remaining(folder, "--only=op:Add", "--skip=block/*") == ["Add", "Sub", "Mul", "Sum"], "skip wins over only"
    assert remaining(folder, "--skip=op:*u*") == ["Sub", "Mul", "Sum"], "--skip=op: with a pattern"
    assert remaining(folder, "--skip=domain:ai.onnx") == ["Add", "Sub", "Mul", "Sum"], "--skip=domain:ai.onnx"
    assert remaining(folder, "--skip=domain:com.example") == ["Sum"], "--skip of a domain that is not there"
    assert remaining(folder, "--only=domain:ai.onnx") == ["Sum"], "--only=domain:ai.onnx"


def test_skip_inside_subgraphs(folder):
    """A node in a body is called by the path outer/inner."""
    then = m.graph(
        [node("Add", ["w", "w"], ["s"], name="inner"), node("Add", ["x", "s"], ["t"])], [], [info("t")], name="then"
    )
    other = m.graph(
        [node("Sub", ["w", "w"], ["d"], name="inner2"), node("Add", ["x", "d"], ["e"])], [], [info("e")], name="else"
    )
    nodes = [
        node("ReduceSum", ["x"], ["r"], keepdims=0),
        node("Greater", ["r", "zero"], ["c"]),
        node("If", ["c"], ["y"], name="outer", then_branch=then, else_branch=other),
    ]
    path = save(folder, m.model(nodes, [info("x")], [info("y")], [const("w", W), const("zero", np.float32(0))]))

    def counts(*flags):
        found = t.operatorCounts(onnx.load(t.fold(path, folder / "out.onnx", *flags)))
        return found.get("Add", 0), found.get("Sub", 0)

    assert counts() == (2, 0), "Add and Sub without a filter"
    assert counts("--skip=outer/inner") == (3, 0), "Add and Sub with --skip=outer/inner"
    assert counts("--skip=outer/*") == (3, 1), "Add and Sub with --skip=outer/*"
    assert counts("--only=outer/inner2") == (3, 0), "Add and Sub with --only=outer/inner2"


def test_fold_quantization(folder):
    """Of a weight's QuantizeLinear and DequantizeLinear the first folds, and with =all both; with =none they are kept."""
    nodes = [
        node("QuantizeLinear", ["w", "scale", "zero"], ["q"]),
        node("DequantizeLinear", ["q", "scale", "zero"], ["d"]),
        node("MatMul", ["x", "d"], ["y"]),
    ]
    weight = (np.arange(12, dtype=np.float32) / 10 - 0.5).reshape(3, 4)
    model = m.model(
        nodes,
        [info("x")],
        [info("y", (2, 4))],
        [const("w", weight), const("scale", np.float32(0.01)), const("zero", np.int8(3))],
    )
    for flags, wanted in (
        (("--fold-quantization=none",), ["QuantizeLinear", "DequantizeLinear", "MatMul"]),
        ((), ["DequantizeLinear", "MatMul"]),
        (("--fold-quantization=compute",), ["DequantizeLinear", "MatMul"]),
        (("--fold-quantization=weights",), ["DequantizeLinear", "MatMul"]),
        (("--fold-quantization=all",), ["MatMul"]),
    ):
        out = m.folded(folder, model, *flags)
        assert m.operators(out) == wanted, f"operators with {flags}"
    quantised = np.clip(np.rint(weight / np.float32(0.01)) + 3, -128, 127).astype(np.int8)
    m.expectValue(out.graph, "d", (quantised.astype(np.float32) - 3) * np.float32(0.01))


def test_max_growth(folder):
    """A constant of 4 MB out of nothing: kept within 1 MiB, folded with more."""
    big = m.model(
        [node("Expand", ["w", "shape"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (1000, 1000))],
        [info("y", (1000, 1000))],
        [const("w", W[:1, :1]), const("shape", [1000, 1000], np.int64)],
    )
    # v is 4,000,000 bytes; 20 bytes die with its inputs.
    for flag, folds in (
        ("--max-growth=0", False),
        ("--max-growth=1M", False),
        ("--max-growth=3999000", False),
        ("--max-growth=4000000", True),
        ("--max-growth=3900K", False),
        ("--max-growth=4M", True),
        ("--max-growth=1G", True),
        ("--max-growth=unlimited", True),
        ("--max-growth=100%", False),
        ("--max-growth=100000000%", True),
        ("--max-growth=0%", False),
    ):
        out = m.folded(folder, big, flag)
        assert m.operators(out) == (["Add"] if folds else ["Expand", "Add"]), f"operators with {flag}"
    assert m.operators(m.folded(folder, big)) == ["Expand", "Add"], "operators with the default budget"


def test_max_growth_counts_what_dies(folder):
    """Transposing a weight that nobody else reads costs nothing; of a weight that is kept it costs its full size."""
    weight = np.arange(400_000, dtype=np.float32).reshape(1000, 400)
    alone = m.model(
        [node("Transpose", ["w"], ["v"]), node("MatMul", ["x", "v"], ["y"])],
        [info("x", (2, 400))],
        [info("y", (2, 1000))],
        [const("w", weight)],
    )
    assert m.operators(m.folded(folder, alone, "--max-growth=0")) == ["MatMul"], "operators of a weight used once"
    tied = m.model(
        [node("Gather", ["w", "i"], ["e"]), node("Transpose", ["w"], ["v"]), node("MatMul", ["e", "v"], ["y"])],
        [info("i", (2,), TensorProto.INT64)],
        [info("y", (2, 1000))],
        [const("w", weight)],
    )
    assert m.operators(m.folded(folder, tied)) == ["Gather", "Transpose", "MatMul"], "operators of tied weights of 1.6 MB"
    assert m.operators(m.folded(folder, tied, "--max-growth=2M")) == ["Gather", "MatMul"], "operators with --max-growth=2M"


def test_growth_note(folder):
    """What the budget left out is noted, so that folding again starts from there; a model that fits has no note."""
    large = m.model(
        [node("Range", ["zero", "limit", "one"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (500_000,))],
        [info("y", (500_000,))],
        [const("zero", np.float32(0)), const("limit", np.float32(500_000)), const("one", np.float32(1))],
    )
    notes = {entry.key for entry in m.folded(folder, large).metadata_props}
    assert notes == {"onnx-fold.growth"}, "metadata of a model with something left out"
    notes = {entry.key for entry in m.folded(folder, simple()).metadata_props}
    assert notes == set(), "metadata of a model with nothing left out"


def test_max_result(folder):
    large = m.model(
        [node("ConstantOfShape", ["shape"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", (1000, 1000))],
        [info("y", (1000, 1000))],
        [const("shape", [1000, 1000], np.int64)],
    )
    for flag, folds in (
        ("--max-result=1M", False),
        ("--max-result=3999999", False),
        ("--max-result=4000000", True),
        ("--max-result=4M", True),
    ):
        out = m.folded(folder, large, "--max-growth=unlimited", flag)
        assert m.operators(out) == (["Add"] if folds else ["ConstantOfShape", "Add"]), f"operators with {flag}"


def test_huge_results_are_kept_by_default(folder):
    """2^40 elements: kept with a reason, at once."""
    nodes = [
        node("ConstantOfShape", ["s"], ["a"]),
        node("Expand", ["w", "s"], ["b"]),
        node("Tile", ["w", "r"], ["c"]),
        node("Range", ["zero", "limit", "one"], ["d"]),
        node("Pad", ["w", "p"], ["e"]),
    ]
    nodes += [node("Shape", [name], [f"{name}_shape"]) for name in "abcde"] + [
        node("ReduceMax", [name], [f"{name}_max"], keepdims=0) for name in "abce"
    ]
    outputs = [info(f"{name}_max", ()) for name in "abce"] + [info("d_shape", (1,), TensorProto.INT64)]
    constants = [
        const("s", [1 << 20, 1 << 20], np.int64),
        const("w", np.ones((1, 1), np.float32)),
        const("r", [1 << 20, 1 << 20], np.int64),
        const("p", [0, 0, 1 << 20, 1 << 20], np.int64),
        const("zero", np.int64(0)),
        const("limit", np.int64(1 << 40)),
        const("one", np.int64(1)),
    ]
    path = save(folder, m.model(nodes, [], outputs, constants))
    for flags in ([], ["--max-growth=unlimited"]):
        result = t.runOk("--quiet", *flags, "-o", folder / "out.onnx", path)
        assert result.processorSeconds < 5, f"took {result.processorSeconds:.1f} s with {flags}"


def test_max_work(folder):
    side = 64
    square = np.ones((side, side), np.float32)
    model = m.model(
        [node("MatMul", ["w", "w"], ["v"]), node("Add", ["x", "v"], ["y"])],
        [info("x", square.shape)],
        [info("y", square.shape)],
        [const("w", square)],
    )
    assert m.operators(m.folded(folder, model, f"--max-work={side**3 // 2}")) == [
        "MatMul",
        "Add",
    ], "operators with half the work allowed"
    assert m.operators(m.folded(folder, model, f"--max-work={8 * side**3}")) == ["Add"], "operators with enough work allowed"


def test_threads_do_not_change_bytes(folder):
    for path in t.shippedModels():
        outs = [
            t.fold(path, folder / f"{count}.onnx", "--max-growth=unlimited", f"--threads={count}")
            for count in (1, 2, 5)
        ]
        for out in outs[1:]:
            t.expectSameBytes(out, outs[0], f"{path.name} with other numbers of threads")


def test_threads_do_not_change_large_results(folder):
    random = np.random.default_rng(t.options.seed)
    left_, right = random.standard_normal((700, 900)).astype(np.float32), random.standard_normal((900, 800)).astype(
        np.float32
    )
    nodes = [
        node("MatMul", ["a", "b"], ["c"]),
        node("Softmax", ["c"], ["s"]),
        node("ReduceSum", ["c", "axis"], ["r"], keepdims=0),
        node("Exp", ["s"], ["e"]),
        node("Add", ["x", "e"], ["y"]),
        node("Add", ["x2", "r"], ["z"]),
    ]
    model = m.model(
        nodes,
        [info("x", (700, 800)), info("x2", (800,))],
        [info("y", (700, 800)), info("z", (800,))],
        [const("a", left_), const("b", right), const("axis", [0], np.int64)],
    )
    path = save(folder, model)
    outs = [
        t.fold(path, folder / f"{count}.onnx", "--max-growth=unlimited", f"--threads={count}") for count in (1, 2, 3)
    ]
    for out in outs[1:]:
        t.expectSameBytes(out, outs[0], "large results with other numbers of threads")


def test_progress_says_what_is_done(folder):
    path = folder / "model.onnx"
    path.write_bytes(simple().SerializeToString())
    err = t.runOk("--progress", "-o", folder / "out.onnx", path).err
    assert "nodes evaluated" in err and "MB written (" in err, f"standard error is {err!r}"
    assert t.runOk("--progress", "--quiet", "-o", folder / "out.onnx", path).err == "", "output with --quiet too"


def test_quiet_prints_nothing(folder):
    path = save(folder, simple())
    result = t.runOk("--quiet", "-o", folder / "out.onnx", path)
    assert (result.out, result.err) == (b"", ""), "output with --quiet"
    result = t.runOk("-o", folder / "out.onnx", path)
    assert result.out == b"", "standard output without --quiet"
    assert "Add" in result.err and "all" in result.err, f"the summary does not name the operators: {result.err!r}"
    assert "\r" not in result.err and "\x1b" not in result.err, f"control characters without a terminal: {result.err!r}"


def test_version_and_help(folder):
    result = t.runOk("--version")
    assert re.search(r"onnx-fold\D*\d+\.\d+", result.out.decode()), f"--version prints {result.out!r}"
    short, all = (t.runOk(flag).out.decode() for flag in ("--help", "--help=all"))
    common = {"-o", "-O", "--report", "--check", "--only", "--skip", "--max-growth", "--quiet", "--version", "--help"}
    rare = {"--emit", "--fold-quantization", "--max-result", "--max-work", "--max-trip-count", "--unroll", "--threads", "--progress"}
    for text, wanted in ((short, common), (all, common | rare)):
        named = set(re.findall(r"^  (--?[a-zA-Z][a-z-]*)", text, re.MULTILINE))
        assert wanted <= named, f"the help does not name {sorted(wanted - named)}"
    assert len(re.findall(r"^  onnx-fold (?:[\w-]+ )?\[options\]", all, re.M)) == 8, "a line for each subcommand"


def test_subcommands(folder):
    """`fold` may be written; a file that is called as a subcommand is `./diff`."""
    save(folder, simple(), "diff")
    t.runOk("-o", "out.onnx", "./diff", cwd=folder)
    t.runOk("fold", "-o", "other.onnx", "./diff", cwd=folder)
    t.expectSameBytes(folder / "out.onnx", folder / "other.onnx", "fold")
    for arguments, text in (
        (["diff", "out.onnx", "other.onnx", "--unroll=2"], "--unroll is not an option of 'onnx-fold diff'"),
        (["diff"], "no model is given"),
        (["compare", "out.onnx"], "compare is given with 1 file, expected two"),
        (["cut", "out.onnx"], "cut is given without --inputs and --outputs"),
        (["cut", "out.onnx", "--outputs=y", "--max-growth=1"], "--max-growth is not an option of 'onnx-fold cut'"),
        (["report", "out.onnx"], "report is given without --report=html:FILE"),
    ):
        result = t.run(*arguments, cwd=folder)
        assert result.code == 1 and text in result.err, str(result)


def test_cut_folds_nothing(folder):
    """The part has the nodes of the model as they are, and its default output is another file."""
    path = save(folder, simple())
    t.runOk("cut", "--outputs=v", path)
    assert left(folder / "model.cut.onnx") == ["Add"], "operators of the part"
    t.runOk("--outputs=v", path)
    assert left(folder / "model.folded.onnx") == [], "the same with folding"


def test_options_given_twice(folder):
    """The last one won in silence: of `-o a.onnx -o b.onnx` the first was never written."""
    path = save(folder, simple())
    out = folder / "out.onnx"
    for first, second, text in (
        (["-o", "a.onnx"], ["-o", "b.onnx"], "-o is 'a.onnx' and 'b.onnx'"),
        (["-O1"], ["-O2"], "-O is '1' and '2'"),
        (["--unroll=2"], ["--unroll=3"], "--unroll is '2' and '3'"),
        (["--max-growth=1K"], ["--max-growth=1%"], "--max-growth is '1K' and '1%'"),
        (["--max-result=1K"], ["--max-result=1G"], "--max-result is '1K' and '1G'"),
        (["--max-work=1"], ["--max-work=2"], "--max-work is '1' and '2'"),
        (["--max-trip-count=1"], ["--max-trip-count=2"], "--max-trip-count is '1' and '2'"),
        (["--report"], ["--report=json"], "--report is '' and 'json'"),
        (["--fold-quantization=weights"], ["--fold-quantization"], "--fold-quantization is 'weights' and ''"),
        (["--precision=wide"], ["--precision=exact"], "--precision is 'wide' and 'exact'"),
        (["--emit=onnx"], ["--emit=mlir"], "--emit is 'onnx' and 'mlir'"),
        (["--external-data"], ["--external-data=d"], "--external-data is '' and 'd'"),
        (["--threads=1"], ["--threads=2"], "--threads is '1' and '2'"),
        (["--verify"], ["--verify=2"], "--verify is '' and '2'"),
    ):
        result = t.run(*first, *second, path, cwd=folder)
        assert result.code == 1, f"exit status of {first + second}"
        assert f"{text}, expected one value" in result.err, f"the message is {result.err!r}, expected {text!r}"
        assert [one.name for one in folder.glob("*")] == ["model.onnx"], "files"
    same = ["-o", out, "-O1", "--unroll=2", "--max-growth=1K", "--threads=1", "--quiet", "--skip=none"]
    t.runOk(*same, *same, path)
    assert left(out) == ["Mul"], "operators, each option given twice"


def test_emit_mlir(folder):
    """Text that a person can read and that fold-opt parses and prints again."""
    path = save(folder, simple())
    t.runOk("--emit=mlir", "-o", folder / "out.mlir", path)
    text = (folder / "out.mlir").read_text()
    for part in ("onnx.Mul", "onnx.Constant", "dense<"):
        assert part in text, f"the text has no {part}: {text[:600]}"
    assert "onnx.Add" not in text, f"the Add of constants is still there: {text[:600]}"
    assert t.runOk("--quiet", "--emit=mlir", "-o", "-", path).out.decode() == text, "standard output"
    assert "onnx.Add" in t.runOk("--emit=mlir", "--skip=*", "-o", "-", path).out.decode(), "--skip='*' still folds"
    foldOpt = t.TOOL.parent / "fold-opt"
    if not foldOpt.exists():
        pytest.skip("no fold-opt beside the tool")
    for model in [path] + t.shippedModels():
        t.runOk("--quiet", "--emit=mlir", "-o", folder / "a.mlir", model)
        once = subprocess.run([foldOpt, folder / "a.mlir"], capture_output=True, timeout=600)
        assert once.returncode == 0, f"exit status of fold-opt on {model.name}: {once.stderr[:300]}"
        twice = subprocess.run([foldOpt, "-"], input=once.stdout, capture_output=True, timeout=600)
        assert (
            twice.stdout == once.stdout and twice.returncode == 0
        ) == True, f"printing {model.name} again gives the same text"


def test_levels(folder):
    """-O0 folds constants, -O1 (the default) what shapes say too."""
    nodes = [
        node("Add", ["w", "w"], ["v"]),
        node("Mul", ["x", "v"], ["h"]),
        node("Shape", ["h"], ["s"]),
        node("Gather", ["s", "one"], ["n"]),
        node("Mul", ["n", "n"], ["y"]),
    ]
    model = m.model(
        nodes,
        [info("x", ("batch", 3))],
        [info("h", ("batch", 3)), info("y", (), TensorProto.INT64)],
        [const("w", W[:1]), const("one", np.int64(1))],
    )
    zero, one, default = (m.operators(m.folded(folder, model, *flags)) for flags in (["-O0"], ["-O1"], []))
    assert "Add" not in zero and "Mul" in zero, f"operators at -O0 are {zero}"
    assert one == ["Mul"], "operators at -O1"
    assert default == one, "operators at the default level"


def test_fold_opt_writes_over_its_input(folder):
    """The input is mapped: fold-opt emptied it before it was read, and deleted it where it was wrong."""
    foldOpt = t.TOOL.parent / "fold-opt"
    if not foldOpt.exists():
        pytest.skip("no fold-opt beside the tool")
    text = "func.func @f() -> i32 {\n  %0 = arith.constant 1 : i32\n  %1 = arith.addi %0, %0 : i32\n  return %1 : i32\n}\n"
    file = folder / "in.mlir"
    file.write_text(text)
    done = subprocess.run([foldOpt, file, "--canonicalize", "-o", file], capture_output=True, text=True)
    assert done.returncode == 0 and "arith.constant 2" in file.read_text(), (done, file.read_text())
    file.write_text(text.replace("arith.addi", "arith.nosuch"))
    done = subprocess.run([foldOpt, file, "-o", file], capture_output=True, text=True)
    assert done.returncode == 1 and "arith.nosuch" in done.stderr and "arith.nosuch" in file.read_text(), done
    assert [one.name for one in folder.iterdir()] == ["in.mlir"], "files that are left behind"
