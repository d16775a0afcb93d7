# SPDX-License-Identifier: Apache-2.0
"""Types of calls in the bodies of functions, functions with one call, and --inline-functions. Models as torch.onnx writes them
before its own inliner: a function for each module, nested."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import info, node

F32, F64 = TensorProto.FLOAT, TensorProto.DOUBLE
OWN = "pkg.torch.2.6"
FEED = {"x": np.random.default_rng(1).standard_normal((3, 8)).astype(np.float32)}
X, Y = info("x", ("n", 8)), info("y", ("n", 8))


def constants(**values):
    return [node("Constant", [], [name], **{f"value_int{'s' if isinstance(v, list) else ''}": v}) for name, v in values.items()]


def layer():
    """Views as exporters write them, and nodes that do nothing to a matrix of floats."""
    return [
        *constants(i=0, z=[0], r=[2, 4], r8=[8]),
        node("Shape", ["a"], ["s"]),
        node("Gather", ["s", "i"], ["g"]),
        node("Unsqueeze", ["g", "z"], ["gu"]),
        node("Concat", ["gu", "r"], ["t"], axis=0),
        node("Reshape", ["a", "t"], ["q"]),
        node("Softmax", ["q"], ["sm"], axis=-1),
        node("Concat", ["gu", "r8"], ["t2"], axis=0),
        node("Reshape", ["sm", "t2"], ["u"]),
        node("Transpose", ["u"], ["tr"], perm=[0, 1]),
        node("Cast", ["tr"], ["b"], to=F32),
    ]


def function(name, nodes, inputs=("a",), output="b", opset=21, imports=(OWN,), **more):
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(domain, 1) for domain in imports]
    return helper.make_function(OWN, name, list(inputs), [output], nodes, opsets, **more)


def call(name, inputs, output, label=None):
    return node(name, inputs, [output], domain=OWN, name=label)


def modelOf(functions, nodes, inputs=(X,), outputs=(Y,), **more):
    return m.model(nodes, inputs, outputs, domains=[(OWN, 1)], functions=functions, **more)


def bodyOf(out, name):
    [one] = [one for one in out.functions if one.name == name]
    return [one.op_type for one in one.node if one.op_type != "Constant"]


def test_the_only_call_is_its_body(folder):
    model = modelOf([function("Layer", layer())], [call("Layer", ["x"], "y", label="only")])
    out = cleaned(folder, model, feeds=[FEED])
    assert (m.operators(out), len(out.functions)) == (["Reshape", "Softmax", "Reshape"], 0), "nodes and functions"
    t.runOk(f"--report=json:{folder / 'report.json'}", "-o", folder / "out.onnx", folder / "model.onnx")
    nodes = {one["name"]: one for one in json.loads((folder / "report.json").read_text())["nodes"]}
    assert (nodes["only"]["action"], nodes["only"]["reason"]["text"]) == ("removed", "constant-call"), "the call"


def test_two_calls_share_a_body(folder):
    model = modelOf([function("Layer", layer())], [call("Layer", ["x"], "h"), call("Layer", ["h"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert m.operators(out) == ["Layer", "Layer"], "operators"
    assert bodyOf(out, "Layer") == ["Reshape", "Softmax", "Reshape"], "the body"


def test_an_only_call_of_which_nothing_simplifies_stays(folder):
    model = modelOf([function("Layer", [node("Relu", ["a"], ["r"]), node("Exp", ["r"], ["b"])])], [call("Layer", ["x"], "y")])
    assert m.operators(cleaned(folder, model, feeds=[FEED])) == ["Layer"], "operators"
    model = modelOf([function("Layer", [node("Identity", ["a"], ["r"]), node("Exp", ["r"], ["b"])])], [call("Layer", ["x"], "y")])
    out = cleaned(folder, model, feeds=[FEED])
    assert (m.operators(out), bodyOf(out, "Layer")) == (["Layer"], ["Exp"]), "what needs no types is done in the body"


def test_calls_that_differ(folder):
    """What does not hold in each call is not used, and is not written."""
    feed = {**FEED, "z": np.ones((2, 3, 4), np.float32)}
    transposes = [node("Transpose", ["a"], ["p"], perm=[0, 1]), node("Cast", ["p"], ["b"], to=F32)]
    pairs = [node("Relu", ["a"], ["s"]), node("Transpose", ["s"], ["b"])]
    for ir in (9, 10):
        z = info("z", (2, 3, 4))
        nodes = [call("F", ["x"], "u"), call("F", ["z"], "v")]
        model = modelOf([function("F", pairs)], nodes, [X, z], [info("u", (8, "n")), info("v", (4, 3, 2))], ir=ir)
        out = cleaned(folder, model, "--shapes", feeds=[feed])
        assert bodyOf(out, "F") == ["Relu", "Transpose"], "the ranks differ"
        types = {one.name: one.type.tensor_type for one in out.functions[0].value_info}
        assert all(not type.HasField("shape") for type in types.values()), f"types are {types}"
    half = info("h", (3, 8), F64)
    nodes = [call("F", ["x"], "y"), call("F", ["h"], "w")]
    model = modelOf([function("F", transposes)], nodes, [X, half], [Y, info("w", (3, 8))])
    out = cleaned(folder, model, feeds=[{**FEED, "h": np.ones((3, 8))}])
    assert bodyOf(out, "F") == ["Transpose", "Cast"], "both are matrices, of unequal types"


def test_sizes_that_are_equal_in_each_call(folder):
    """a and c have the same rows in both calls, other ones each time: the Expand to the shape of c is none."""
    body = [node("Shape", ["c"], ["s"]), node("Expand", ["a", "s"], ["r"]), node("Relu", ["r"], ["b"])]
    for second, left in (("w", ["Relu"]), ("one", ["Shape", "Expand", "Relu"])):
        model = modelOf(
            [function("F", body, ["a", "c"])],
            [call("F", ["x", "x"], "y"), call("F", [second, "w"], "v")],
            [X, info("one", (1, 5)), info("w", ("k", 5))],
            [Y, info("v", ("k", 5))],
        )
        feed = {**FEED, "w": np.ones((2, 5), np.float32), "one": np.ones((1, 5), np.float32)}
        assert bodyOf(cleaned(folder, model, feeds=[feed]), "F") == left, "the body"


def nested(times):
    """Model.Block.Attention, each called `times` times."""
    inner = [call("Attention", ["a"], "h0")] + [call("Attention", [f"h{k}"], f"h{k + 1}") for k in range(times - 1)]
    block = [*inner, node("Relu", [f"h{times - 1}"], ["b"])]
    outer = [call("Block", ["a"], "k0")] + [call("Block", [f"k{i}"], f"k{i + 1}") for i in range(times - 1)]
    whole = [*outer, node("Neg", [f"k{times - 1}"], ["b"])]
    functions = [function("Attention", layer()), function("Block", block), function("Model", whole)]
    last = [call("Model", ["x"], "m0")] + [call("Model", [f"m{i}"], f"m{i + 1}") for i in range(times - 1)]
    return modelOf(functions, [*last, node("Exp", [f"m{times - 1}"], ["y"])])


def test_three_deep(folder):
    out = cleaned(folder, nested(1), feeds=[FEED])
    assert m.operators(out) == ["Reshape", "Softmax", "Reshape", "Relu", "Neg", "Exp"], "operators"
    assert not out.functions, "functions"
    out = cleaned(folder, nested(2), feeds=[FEED])
    assert m.operators(out) == ["Model", "Model", "Exp"], "operators"
    assert bodyOf(out, "Attention") == ["Reshape", "Softmax", "Reshape"], "the innermost body"
    assert bodyOf(out, "Block") == ["Attention", "Attention", "Relu"], "the body between"


def test_disabled(folder):
    model = modelOf([function("Layer", layer())], [call("Layer", ["x"], "y")])
    out = cleaned(folder, model, "--disable=constant-call", feeds=[FEED])
    assert m.operators(out) == ["Layer"], "operators"


# ---- --inline-functions ------------------------------------------------------------------------------------------------


def test_what_simplifies_at_the_border(folder):
    """Patterns that begin in the body and end around the call, or the other way round."""
    turned = [node("Relu", ["a"], ["r"]), node("Transpose", ["r"], ["b"], perm=[1, 0])]
    nodes = [call("F", ["x"], "h"), node("Transpose", ["h"], ["k"], perm=[1, 0]), node("Neg", ["k"], ["y"])]
    out = cleaned(folder, modelOf([function("F", turned)], nodes), feeds=[FEED])
    assert (m.operators(out), len(out.functions)) == (["Relu", "Neg"], 0), "behind it"
    turned = [node("Transpose", ["a"], ["r"], perm=[1, 0]), node("Relu", ["r"], ["b"])]
    nodes = [node("Transpose", ["x"], ["h"], perm=[1, 0]), call("F", ["h"], "y")]
    out = cleaned(folder, modelOf([function("F", turned)], nodes), feeds=[FEED])
    assert (m.operators(out), len(out.functions)) == (["Relu"], 0), "before it"
    nodes = [node("Neg", ["x"], ["h"]), call("F", ["h"], "y")]
    out = cleaned(folder, modelOf([function("F", turned)], nodes, outputs=[info("y", (8, "n"))]), feeds=[FEED])
    assert m.operators(out) == ["Neg", "F"], "nothing"


def relus(**more):
    return function("Relus", [node("Relu", ["a"], ["r"], **more), node("Exp", ["r"], ["b"])])


def test_all_or_some(folder):
    other = function("Other", [node("Neg", ["a"], ["b"])])
    model = modelOf([relus(), other], [call("Relus", ["x"], "h"), call("Relus", ["h"], "k"), call("Other", ["k"], "y")])
    assert m.operators(cleaned(folder, model, feeds=[FEED])) == ["Relus", "Relus", "Other"], "nobody asks"
    out = cleaned(folder, model, "--inline-functions", feeds=[FEED])
    assert (m.operators(out), len(out.functions)) == (["Relu", "Exp", "Relu", "Exp", "Neg"], 0), "all"
    for glob in ("Rel*", f"{OWN}:Relus"):
        out = cleaned(folder, model, f"--inline-functions={glob}", feeds=[FEED])
        assert m.operators(out) == ["Relu", "Exp", "Relu", "Exp", "Other"], glob
    out = cleaned(folder, model, "--inline-functions=None", feeds=[FEED])
    assert m.operators(out) == ["Relus", "Relus", "Other"], "no name matches"
    for times in (1, 2):
        out = cleaned(folder, nested(times), "--inline-functions", feeds=[FEED])
        assert not out.functions and OWN not in {one.domain for one in out.graph.node}, "nested"
    assert m.operators(out).count("Softmax") == 8, "nested, twice each"


def test_names_and_metadata(folder):
    """Names that the model has are made new; texts of nodes stay."""
    model = modelOf([relus(name="act")], [node("Neg", ["x"], ["r"]), call("Relus", ["r"], "h"), call("Relus", ["h"], "y")])
    entry = model.functions[0].node[0].metadata_props.add()
    entry.key, entry.value = "pkg.torch.onnx.name_scopes", "['', 'act']"
    model.functions[0].node[0].doc_string = "an activation"
    out = cleaned(folder, model, "--inline-functions", feeds=[FEED])
    assert m.operators(out) == ["Neg", "Relu", "Exp", "Relu", "Exp"], "operators"
    made = [one for one in out.graph.node if one.op_type == "Relu"]
    assert len({one.output[0] for one in out.graph.node}) == 5, "names"
    for one in made:
        assert [entry.value for entry in one.metadata_props] == ["['', 'act']"], "metadata_props"
        assert one.doc_string == "an activation", "doc_string"


def test_other_opsets(folder):
    """Operators that are the same in both opsets may be moved; others stay, with a warning."""
    model = modelOf([function("F", [node("Relu", ["a"], ["b"])], opset=18)], [call("F", ["x"], "h"), call("F", ["h"], "y")])
    out = cleaned(folder, model, "--inline-functions", feeds=[FEED])
    assert m.operators(out)[:1] == ["Relu"], "Relu is of version 14 in both"
    body = [node("ReduceSum", ["a"], ["s"], keepdims=1), node("Add", ["a", "s"], ["p"]), node("Cast", ["p"], ["b"], to=F32)]
    model = modelOf([function("F", body, opset=18)], [call("F", ["x"], "h"), call("F", ["h"], "y")])
    onnx.save(model, folder / "model.onnx")
    result = t.runOk("--inline-functions", "-o", folder / "out.onnx", folder / "model.onnx")
    assert m.operators(onnx.load(folder / "out.onnx")) == ["F", "F"], "Cast is of version 13 in one, 21 in the other"
    assert "in which Cast is another one" in result.err and "calls of it are kept" in result.err, result.err


def test_a_domain_that_only_the_function_imports(folder):
    model = modelOf(
        [function("F", [node("Gelu", ["a"], ["b"], domain="com.microsoft")], imports=["com.microsoft"])],
        [call("F", ["x"], "h"), call("F", ["h"], "y")],
    )
    out = cleaned(folder, model, "--inline-functions", feeds=[FEED])
    assert m.operators(out) == ["Gelu", "Gelu"], "operators"
    assert {one.domain: one.version for one in out.opset_import} == {"": 21, "com.microsoft": 1}, "opset_import"


def test_not_at_level_0(folder):
    onnx.save(modelOf([relus()], [call("Relus", ["x"], "y")]), folder / "model.onnx")
    result = t.run("--inline-functions", "-O0", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 1 and "--inline-functions is given with -O0, expected -O1 or -O2" in result.err, result.err


def test_inputs_that_become_unread_go(folder):
    """What a simplified body does not read any more calls do not pass; what it never read is the interface of its callers."""
    body = [node("CastLike", ["a", "like"], ["c"]), node("Relu", ["c"], ["b"])]
    source = modelOf(
        [function("F", body, ("a", "like", "never"))],
        [call("F", ["x", "p", "x"], "t"), call("F", ["t", "q", "x"], "y")],
        inputs=(X, info("p", ("n", 8)), info("q", (3,))),
    )
    feed = {**FEED, "p": FEED["x"], "q": np.float32([1, 2, 3])}
    out = cleaned(folder, source, feeds=[feed])
    assert list(out.functions[0].input) == ["a", "never"], "inputs of the function"
    assert [list(one.input) for one in out.graph.node] == [["x", "x"], ["t", "x"]], "operands of the calls"
