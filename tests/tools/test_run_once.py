# SPDX-License-Identifier: Apache-2.0
"""--run-once: two models that together compute what the one did, bit for bit, and what is in which of them."""

import glob
import json
import os
import random

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64, F32, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL
INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())
RANDOM = np.random.default_rng(17)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def run(path, feed):
    """The results by name. Nothing is rewritten: both models must compute the same operators."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_outputs()]
    wanted = {value.name for value in session.get_inputs()}
    return dict(zip(names, session.run(None, {name: value for name, value in feed.items() if name in wanted})))


def split(folder, source, *flags):
    """Folds `source` with --run-once; both models must be valid, and the rest must fold into itself. Returns both, onnx."""
    path = folder / "model.onnx"
    onnx.save(source, path)
    t.runOk(path, *flags)
    rest, once = folder / "model.folded.onnx", folder / "model.once.onnx"
    for one in (rest, once):
        onnx.checker.check_model(str(one), full_check=True)
    again = t.fold(rest, folder / "again.onnx", *[flag for flag in flags if str(flag).startswith("-O")])
    t.expectSameBytes(again, rest, "folded again")
    return onnx.load(rest), onnx.load(once)


def expectSameResults(folder, feed):
    want = run(folder / "model.onnx", feed)
    results = run(folder / "model.once.onnx", feed)
    got = run(folder / "model.folded.onnx", {**feed, **results})
    assert list(got) == list(want), "names of the outputs"
    for name, value in want.items():
        assert compare.differenceText(got[name], value) == "", f"output '{name}' {compare.differenceText(got[name], value)}"


def names(values):
    return [value.name for value in values]


def lora(**more):
    """y = x (w + a b), as an adapter has it."""
    nodes = [node("MatMul", ["lora_a", "lora_b"], ["ab"]), node("Add", ["w", "ab"], ["w2"]), node("MatMul", ["x", "w2"], ["y"])]
    inputs = [info("x", ("batch", 8)), info("lora_a", (8, 2)), info("lora_b", (2, 8))]
    return m.model(nodes, inputs, [info("y", ("batch", 8))], [const("w", floats(8, 8))], **more)


def test_two_adapters_of_one_base(folder):
    rest, once = split(folder, lora(), "--run-once=lora_*")
    assert m.operators(once) == ["MatMul", "Add"] and m.operators(rest) == ["MatMul"], "operators"
    assert names(once.graph.input) == ["lora_a", "lora_b"] and names(once.graph.output) == ["w2"], "interface of once"
    assert names(rest.graph.input) == ["x", "w2"] and names(rest.graph.output) == ["y"], "interface of the rest"
    assert m.initializerNames(once) == ["w"] and m.initializerNames(rest) == [], "the weight is in one file"
    kind = rest.graph.input[1].type.tensor_type
    assert kind.elem_type == F32 and [dim.dim_value for dim in kind.shape.dim] == [8, 8], "type of the new input"
    for _ in range(2):
        expectSameResults(folder, {"x": floats(3, 8), "lora_a": floats(8, 2), "lora_b": floats(2, 8)})


def test_an_initializer_that_is_replaced_later(folder):
    """Without the option the Transpose folds; with it a new w can be given to the once model."""
    nodes = [node("Transpose", ["w"], ["wt"]), node("Abs", ["wt"], ["p"]), node("MatMul", ["x", "p"], ["y"])]
    source = m.model(nodes, [info("x", (2, 3))], [info("y", (2, 4))], [const("w", floats(4, 3))])
    rest, once = split(folder, source, "--run-once=w")
    assert m.operators(once) == ["Transpose", "Abs"] and m.operators(rest) == ["MatMul"], "operators"
    assert names(once.graph.input) == [] and m.initializerNames(once) == ["w"], "w is kept an initializer"
    assert m.initializerNames(rest) == [], "the rest does not need it"
    expectSameResults(folder, {"x": floats(2, 3)})
    plain = t.fold(folder / "model.onnx", folder / "plain.onnx")
    assert m.operators(onnx.load(plain)) == ["MatMul"], "w is a constant without the option"


def test_what_the_growth_budget_left_out(folder):
    nodes = [node("Expand", ["small", "to"], ["large"]), node("Mul", ["x", "large"], ["y"])]
    constants = [const("small", floats(1, 64)), const("to", [64, 64], np.int64)]
    source = m.model(nodes, [info("x", (64, 64))], [info("y", (64, 64))], constants)
    rest, once = split(folder, source, "--run-once", "--max-growth=0", "-O0")
    assert m.operators(once) == ["Expand"] and m.operators(rest) == ["Mul"], "operators"
    assert names(rest.graph.input) == ["x", "large"], "inputs of the rest"
    expectSameResults(folder, {"x": floats(64, 64)})


def test_without_growth_there_is_no_second_model(folder):
    onnx.save(m.model([node("Neg", ["x"], ["y"])], [info("x")], [info("y")]), folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "--run-once")
    assert "the limit on growth left nothing out" in result.err, result.err
    assert (folder / "model.folded.onnx").exists() and not (folder / "model.once.onnx").exists()


def test_the_rest_keeps_what_does_not_pay(folder):
    """Views, broadcasts, graph outputs and random operators are computed where they are read."""
    nodes = [
        node("Exp", ["w"], ["e"]),
        node("Reshape", ["e", "flat"], ["view"]),
        node("Expand", ["e", "to"], ["wide"]),
        node("Concat", ["x", "wide"], ["s"], axis=0),
        node("Neg", ["e"], ["out"]),
        node("RandomUniformLike", ["e"], ["noise"], seed=1.0),
        node("Mul", ["z", "view"], ["p"]),
    ]
    inputs = [info("x", (1000, 64, 64)), info("w", (64, 64)), info("z", (4096,))]
    outputs = [info("s", (2000, 64, 64)), info("out", (64, 64)), info("noise", (64, 64)), info("p", (4096,))]
    constants = [const("flat", [4096], np.int64), const("to", [1000, 64, 64], np.int64)]
    rest, once = split(folder, m.model(nodes, inputs, outputs, constants), "--run-once=w")
    assert m.operators(once) == ["Exp"] and names(once.graph.output) == ["e"], "only e crosses"
    assert sorted(m.operators(rest)) == ["Concat", "Expand", "Mul", "Neg", "RandomUniformLike", "Reshape"], "the rest"
    assert names(rest.graph.input) == ["x", "z", "e"], "inputs of the rest"


def test_a_chosen_input_that_the_rest_reads_too(folder):
    nodes = [node("Exp", ["w"], ["e"]), node("Mul", ["x", "e"], ["p"]), node("Add", ["p", "w"], ["y"])]
    source = m.model(nodes, [info("w"), info("x")], [info("y")])
    rest, once = split(folder, source, "--run-once=w")
    assert names(rest.graph.input) == ["w", "x", "e"] and names(once.graph.input) == ["w"], "inputs"
    expectSameResults(folder, {"x": floats(2, 3), "w": floats(2, 3)})


def test_constants_that_both_need_are_in_both(folder):
    nodes = [node("Mul", ["w", "c"], ["e"]), node("MatMul", ["x", "e"], ["p"]), node("Add", ["p", "c"], ["y"])]
    source = m.model(nodes, [info("x", (3, 3)), info("w", (3, 3))], [info("y", (3, 3))], [const("c", floats(3, 3))])
    rest, once = split(folder, source, "--run-once=w")
    assert m.initializerNames(rest) == m.initializerNames(once) == ["c"], "c"
    expectSameResults(folder, {"x": floats(3, 3), "w": floats(3, 3)})


def branch(name, *nodes):
    return m.graph(nodes, [], [info(nodes[-1].output[0], None)], name=name)


def test_bodies_read_what_crosses(folder):
    """A body names values of the graph around it; the new input has the name."""
    choice = node(
        "If",
        ["c"],
        ["y"],
        then_branch=branch("then", node("Mul", ["x", "e"], ["t"])),
        else_branch=branch("else", node("Sub", ["x", "e"], ["f"])),
    )
    inputs = [info("c", (), BOOL), info("x"), info("w")]
    rest, once = split(folder, m.model([node("Exp", ["w"], ["e"]), choice], inputs, [info("y")]), "--run-once=w")
    assert m.operators(once) == ["Exp"] and names(rest.graph.input) == ["c", "x", "e"], "e crosses"
    for condition in (True, False):
        expectSameResults(folder, {"c": np.array(condition), "x": floats(2, 3), "w": floats(2, 3)})


def test_control_flow_is_once_as_a_whole(folder):
    """Only where its condition, too, is once."""
    choice = node(
        "If",
        ["c"],
        ["e"],
        then_branch=branch("then", node("Exp", ["w"], ["t"])),
        else_branch=branch("else", node("Neg", ["w"], ["f"])),
    )
    inputs = [info("c", (), BOOL), info("x"), info("w")]
    source = m.model([choice, node("Mul", ["x", "e"], ["y"])], inputs, [info("y")])
    feed = {"x": floats(2, 3), "w": floats(2, 3)}
    rest, once = split(folder, source, "--run-once=w", "--run-once=c")
    assert m.operators(once) == ["If"] and m.operators(rest) == ["Mul"], "operators"
    expectSameResults(folder, {**feed, "c": np.array(True)})
    assert "nothing can be computed once from w" in refused(folder, source, "--run-once=w"), "the condition is not a constant"


def test_functions_are_called_once(folder):
    body = [node("Exp", ["a"], ["e"]), node("Neg", ["e"], ["b"])]
    imports = [onnx.helper.make_opsetid("", 21)]
    function = onnx.helper.make_function("own", "F", ["a"], ["b"], body, imports)
    nodes = [node("F", ["w"], ["e"], domain="own"), node("Mul", ["x", "e"], ["y"]), node("F", ["y"], ["z"], domain="own")]
    source = m.model(nodes, [info("w"), info("x")], [info("z")], domains=[("own", 1)], functions=[function])
    rest, once = split(folder, source, "--run-once=w")
    assert m.operators(once) == ["F"] and m.operators(rest) == ["Mul", "F"], "operators"
    expectSameResults(folder, {"x": floats(2, 3), "w": floats(2, 3)})


def test_wrong_types_that_the_writers_find(folder):
    """Inlining an If shows that its stated type is wrong. Of the model that runs once nobody had tested that this is said."""
    def choice(source, result):
        branches = [
            onnx.helper.make_graph([node("Exp", [source], [f"{result}{i}"])], f"{result}{i}", [], [info(f"{result}{i}", None)])
            for i in range(2)
        ]
        return node("If", ["c"], [result], then_branch=branches[0], else_branch=branches[1])

    nodes = [choice("w", "e"), node("Mul", ["x", "e"], ["y"]), choice("y", "g"), node("Neg", ["g"], ["z"])]
    says = {
        "e": "the model says that 'e' is tensor<7xf32>, inferred is tensor<2x3xf32>",
        "g": "the model says that 'g' is tensor<2x4xf32>, inferred is tensor<2x3xf32>",
    }
    stated = {"e": info("e", (7,)), "g": info("g", (2, 4))}
    for wrong in ((), ("e",), ("g",), ("e", "g")):
        source = m.model(nodes, [info("w", (2, 3)), info("x", (2, 3))], [info("z", (2, 3))], [const("c", True, np.bool_)])
        source.graph.value_info.extend(stated[name] for name in wrong)
        path = folder / "model.onnx"
        onnx.save(source, path)
        result = t.runOk(path, "--run-once=w")
        for name, text in says.items():
            assert result.err.count(text) == (name in wrong), f"{wrong}: {result.err}"
        rest, once = (onnx.load(folder / f"model.{part}.onnx") for part in ("folded", "once"))
        for one in (rest, once):
            onnx.checker.check_model(one, full_check=True)
        assert m.operators(once) == ["Exp"] and m.operators(rest) == ["Mul", "Exp", "Neg"], "operators"
        for part in ("folded", "once"):
            (folder / f"model.{part}.onnx").unlink()
        if wrong:
            refusal = t.run(path, "--run-once=w", "--strict")
            assert refusal.code == 1 and says[wrong[-1]] in refusal.err or says[wrong[0]] in refusal.err, str(refusal)
            assert not (folder / "model.folded.onnx").exists() and not (folder / "model.once.onnx").exists(), "--strict"


def test_an_input_with_a_default(folder):
    """From IR version 4 on an initializer that is an input too is a default: it is moved where the input is moved."""
    nodes = [node("Exp", ["w"], ["e"]), node("Mul", ["x", "e"], ["y"])]
    source = m.model(nodes, [info("x"), info("w")], [info("y")], [const("w", floats(2, 3))])
    rest, once = split(folder, source, "--run-once=w")
    assert names(once.graph.input) == ["w"] and m.initializerNames(once) == ["w"], "the default"
    assert names(rest.graph.input) == ["x", "e"] and m.initializerNames(rest) == [], "the rest"
    expectSameResults(folder, {"x": floats(2, 3)})
    expectSameResults(folder, {"x": floats(2, 3), "w": floats(2, 3)})


def test_external_data_and_other_names(folder):
    source = lora()
    onnx.save(source, folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    (folder / "out").mkdir()
    t.runOk(folder / "model.onnx", "--run-once=lora_*", "-o", folder / "out/m.onnx", "--once-output", folder / "out/first.onnx")
    assert sorted(os.listdir(folder / "out")) == ["first.onnx", "m.onnx", "w.bin"], "files"
    feed = {"x": floats(3, 8), "lora_a": floats(8, 2), "lora_b": floats(2, 8)}
    got = run(folder / "out/m.onnx", {**feed, **run(folder / "out/first.onnx", feed)})
    assert compare.differenceText(got["y"], run(folder / "model.onnx", feed)["y"]) == ""


def test_the_same_bytes_each_time_and_a_report(folder):
    split(folder, lora(), "--run-once=lora_*")
    before = [(folder / name).read_bytes() for name in ("model.folded.onnx", "model.once.onnx")]
    report = t.foldWithReport(folder / "model.onnx", folder / "model.folded.onnx", "--run-once=lora_*")
    assert [(folder / name).read_bytes() for name in ("model.folded.onnx", "model.once.onnx")] == before, "bytes"
    assert report["run_once"] == {
        "output": str(folder / "model.once.onnx"),
        "nodes": 2,
        "inputs": ["lora_a", "lora_b"],
        "results": ["w2"],
    }


def test_verified_before_the_split(folder):
    onnx.save(lora(), folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "--run-once=lora_*", "--verify")
    assert "verify" in result.err, "verification was left out"


def test_check_says_that_the_model_would_change(folder):
    onnx.save(lora(), folder / "model.onnx")
    assert t.run(folder / "model.onnx", "--check").code == 0, "nothing folds in it"
    assert t.run(folder / "model.onnx", "--check", "--run-once=lora_*").code == 2, "it would be split"
    assert os.listdir(folder) == ["model.onnx"], "files"


@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_real_models(folder, path):
    """Every third weight is one that comes later: what is computed of it moves, and the results are those of the model
    folded without the option."""
    source = onnx.load(path)
    weights = [tensor.name for tensor in source.graph.initializer if len(tensor.dims) > 1][::3]
    if not weights or source.ir_version < 4:
        pytest.skip("no weights")
    flags = [f"--run-once={glob.escape(name)}" for name in weights]
    result = t.run(path, "-O0", *flags, "-o", folder / "model.folded.onnx")
    if "nothing can be computed once" in result.err:
        pytest.skip("no operator reads only weights")
    assert result.code == 0, result
    plain = t.fold(path, folder / "plain.onnx", "-O0")
    feed = compare.randomFeed(INPUTS[path.stem], 5)
    got = run(folder / "model.folded.onnx", {**feed, **run(folder / "model.once.onnx", {})})
    compare.expectAgreement(got, run(plain, feed), path.stem)


def refused(folder, source, *flags):
    path = folder / "refused.onnx"
    onnx.save(source, path)
    before = set(os.listdir(folder))
    result = t.run(path, *flags)
    assert result.code == 1, f"exit status with {flags}"
    assert set(os.listdir(folder)) == before, "something was written"
    return result.err


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--run-once=lora_c"], ["lora_c", "expected the name of an input or an initializer"]),
        (["--run-once=[a"], ["--run-once is '[a'"]),
        (["--run-once=lora_*", "--emit=mlir"], ["--emit=mlir"]),
        (["--once-output=o.onnx"], ["--once-output is given without --run-once"]),
        (["--run-once=x"], ["nothing can be computed once from x"]),
        (["--run-once=lora_*", "-o", "-"], ["expected a file"]),
        (["--run-once=lora_*", "-o", "{}/a.onnx", "--once-output={}/a.onnx"], ["a.onnx", "expected another file"]),
        (["--run-once=lora_*", "--once-output={}/refused.onnx"], ["refused.onnx"]),
        (["--run-once=lora_*", "--once-output={}/no/such/folder/o.onnx"], ["no/such/folder"]),
    ],
)
def test_bad_input(folder, flags, words):
    message = refused(folder, lora(), *[flag.replace("{}", str(folder)) for flag in flags])
    for word in words:
        assert word in message, f"{word!r} is not in {message!r}"


def test_old_models_are_refused(folder):
    source = lora(ir=3, opset=8)
    source.graph.input.append(info("w", (8, 8)))
    assert "IR version 3" in refused(folder, source, "--run-once=lora_*")


# Exact ones: what depends on c0 alone is folded by us, and otherwise computed by ONNX Runtime, which rounds exp and signs zeros elsewhere.
UNARY = ["Neg", "Abs", "Floor", "Ceil", "Round"]
BINARY = ["Add", "Mul", "Sub"]


def randomModel(seed):
    """A graph over 4 x 4 tensors, and which of its values depend on nothing but w0, w1 and constants: by construction."""
    choose = random.Random(seed)
    values = {"x0": False, "x1": False, "w0": True, "w1": True, "c0": None}  # None: a constant
    nodes = []
    for i in range(choose.randint(3, 25)):
        operands = choose.choices(list(values), k=choose.randint(1, 2))
        name = f"v{i}"
        nodes.append(node(choose.choice(UNARY if len(operands) == 1 else BINARY), operands, [name]))
        kinds = {values[operand] for operand in operands}
        values[name] = False if False in kinds else True if True in kinds else None
    read = {operand for one in nodes for operand in one.input}
    outputs = [name for name in values if name.startswith("v") and name not in read]
    outputs += [name for name in values if name.startswith("v") and name in read and choose.random() < 0.1]
    inputs = [info(name, (4, 4)) for name in ("x0", "x1", "w0", "w1")]
    source = m.model(nodes, inputs, [info(name, (4, 4)) for name in outputs], [const("c0", floats(4, 4))])
    crossing = {
        operand
        for one in nodes
        if values[one.output[0]] is False or one.output[0] in outputs
        for operand in one.input
        if values[operand] is True and operand.startswith("v") and operand not in outputs
    }
    return source, crossing


def test_random_graphs(folder):
    """What crosses is what a reader of the graph would say, and the results are the same bits (-O0: nothing is merged)."""
    count = 2000 if os.environ.get("ONNXFOLD_LONG") else 60
    splits = 0
    for seed in range(count):
        source, crossing = randomModel(seed)
        for name in ("model.folded.onnx", "model.once.onnx"):
            (folder / name).unlink(missing_ok=True)
        if not crossing:
            assert "nothing can be computed once" in refused(folder, source, "-O0", "--run-once=w?"), f"seed {seed}"
            continue
        _, once = split(folder, source, "-O0", "--run-once=w?")
        splits += 1
        assert set(names(once.graph.output)) == crossing, f"seed {seed}"
        feed = {name: floats(4, 4) for name in ("x0", "x1", "w0", "w1")}
        expectSameResults(folder, feed)
    assert splits > count // 3, "few models had anything to split"
