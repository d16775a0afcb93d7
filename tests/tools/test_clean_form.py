# SPDX-License-Identifier: Apache-2.0
"""--strip, --constants, --sort, --prune and --inputs-without-initializers: the form of a model changes, and nothing else."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import test_same_bytes

X = np.float32([[1, -2, 3], [4, 5, -6]])


def cleaned(folder, source, *flags, level="-O0", feeds=None):
    """The result, which a second run does not change, the checker accepts, and ONNX Runtime runs to the same values."""
    if isinstance(source, onnx.ModelProto):
        onnx.save(source, folder / "in.onnx")
        source = folder / "in.onnx"
    out = t.fold(source, folder / "out.onnx", level, *flags)
    t.expectSameBytes(t.fold(out, folder / "again.onnx", level, *flags), out, f"{flags} again")
    result = onnx.load(out, load_external_data=False)
    onnx.checker.check_model(str(out))
    for feed in feeds or ():
        [got], [want] = compare.outputs(out, [feed]), compare.outputs(source, [feed])
        compare.expectAgreement(got, want, f"{flags}")
    return result


def done(folder, *flags, source=None):
    """{what: count} of the report, and what is left."""
    report = folder / "report.json"
    t.runOk("--quiet", "-O0", *flags, f"--report=json:{report}", "-o", folder / "reported.onnx", source or folder / "in.onnx")
    section = json.loads(report.read_text())["cleaning"]
    return {each["what"]: (each["count"], each["bytes"]) for each in section["done"]}, {each["name"]: each["reason"] for each in section["left"]}


def entry(message, key, value="text"):
    message.metadata_props.add(key=key, value=value)


def withTexts():
    """Each message that may have a doc_string or metadata has them, in a graph, a body and a function; and odd fields."""
    inner = m.graph([node("Mul", ["x", "k"], ["t"], name="inner", doc_string="in a body")], [], [m.info("t")], [m.const("k", [1, 2, 3], np.float32)], name="then")
    other = m.graph([node("Neg", ["x"], ["e"], name="other")], [], [m.info("e")], name="else")
    nodes = [node("If", ["c"], ["i"], then_branch=inner, else_branch=other, name="if"), node("F", ["i"], ["f"], domain="local", name="call")]
    nodes += [node("Add", ["f", "w"], ["y"], name="add", doc_string="sum")]
    source = m.model(nodes, [m.info("x"), m.info("c", (), TensorProto.BOOL)], [m.info("y")], [m.const("w", [4, 5, 6], np.float32)], opset=21, ir=10, domains=[("local", 1)])
    function = helper.make_function("local", "F", ["a"], ["b"], [node("Relu", ["a"], ["b"], name="relu", doc_string="of F")], [helper.make_opsetid("", 21)])
    function.value_info.append(m.info("b"))
    source.functions.append(function)
    function = source.functions[0]
    source.graph.value_info.append(m.info("i"))
    texts = [source, source.graph, source.graph.input[0], source.graph.value_info[0], source.graph.initializer[0], function, function.node[0]]
    texts += [source.graph.node[0], source.graph.node[0].attribute[1].g, source.graph.node[0].attribute[1].g.node[0], source.graph.node[0].attribute[1].g.initializer[0]]
    for one in texts:
        one.doc_string = "documented"
        entry(one, "pkg.torch.onnx.stack_trace", "File x.py, line 3")
        entry(one, "namespace")
    source.graph.node[0].attribute[0].doc_string = "an attribute"
    return source


FEEDS = [{"x": X, "c": np.array(value)} for value in (True, False)]


STRIPPED = {
    "docs": lambda one: one.ClearField("doc_string") if "doc_string" in one.DESCRIPTOR.fields_by_name else None,
    "metadata": lambda one: one.ClearField("metadata_props") if "metadata_props" in one.DESCRIPTOR.fields_by_name else None,
    "names": lambda one: one.ClearField("name") if one.DESCRIPTOR.name == "NodeProto" else None,
    "types": lambda one: one.ClearField("value_info") if "value_info" in one.DESCRIPTOR.fields_by_name else None,
}


@pytest.mark.parametrize("kind", STRIPPED)
def test_strip_as_the_descriptors_have_it(folder, kind):
    """What protobuf's own reflection clears in all messages is what is left out, and nothing more."""
    source = withTexts()
    result = cleaned(folder, source, f"--strip={kind}", feeds=FEEDS)
    counts, _ = done(folder, f"--strip={kind}")
    before = len(source.SerializeToString())
    for one in m.everyMessage(source):
        STRIPPED[kind](one)
    assert result == source
    [(_, (_, saved))] = counts.items()
    assert before - len(source.SerializeToString()) - saved in range(60), "the lengths of messages around may be shorter, too"


def test_strip_stack_traces_alone(folder):
    source = withTexts()
    result = cleaned(folder, source, "--strip=stack-traces", feeds=FEEDS)
    for one in m.everyMessage(source):
        if "metadata_props" in one.DESCRIPTOR.fields_by_name:
            kept = [each for each in one.metadata_props if each.key == "namespace"]
            del one.metadata_props[:]
            one.metadata_props.extend(kept)
    assert result == source
    assert done(folder, "--strip=stack-traces")[0]["stack trace"][0] == 11


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
def test_strip_of_new_nodes(folder, level):
    """Nodes that inlining and other rewrites write anew have the texts of those they stand for: these go as well."""
    result = cleaned(folder, withTexts(), "--strip=docs,metadata", "--strip=names,types", *(["--inline-functions"] if level != "-O0" else []), level=level, feeds=FEEDS)
    texts = [one for one in m.everyMessage(result) if getattr(one, "doc_string", "") or getattr(one, "metadata_props", ())]
    assert not texts, texts
    assert not any(one.name for one in m.everyMessage(result) if one.DESCRIPTOR.name == "NodeProto")


def test_strip_keeps_the_records_of_onnx_fold(folder):
    """Without the record of growth the next run would have the whole limit again."""
    source = withTexts()
    entry(source, "onnx-fold.growth", "100 200 50")
    result = cleaned(folder, source, "--strip=metadata")
    assert [one.key for one in result.metadata_props] == ["onnx-fold.growth"]
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])]
    source = m.model(nodes, [m.info("x")], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)])
    for flags, wanted in (((), 0), (("--provenance",), 1)):
        result = cleaned(folder, source, "--strip=metadata", *flags, level="-O1")
        assert sum(len(one.metadata_props) for one in result.graph.initializer) == wanted, flags


def test_wrong_values(folder):
    onnx.save(withTexts(), folder / "in.onnx")
    for flag, says in (
        ("--strip=doc", "--strip is 'doc', expected metadata, docs, names, types or stack-traces"),
        ("--constants=node", "--constants is 'node', expected"),
    ):
        result = t.run(flag, "-o", folder / "no.onnx", folder / "in.onnx")
        assert result.code == 1 and says in result.err, result
    result = t.run("--shapes", "--strip=types", "-o", folder / "no.onnx", folder / "in.onnx")
    assert result.code == 1 and "--shapes is given with --strip=types" in result.err, result


#
# Constants
#


def constants():
    """Constant nodes of each form, of which a body and a function have some too."""
    tensor = numpy_helper.from_array(np.float32([1, 2, 3]), "another name")
    tensor.doc_string = "of the tensor"
    sparse = helper.make_sparse_tensor(helper.make_tensor("s", TensorProto.FLOAT, [2], [5.0, 6.0]), helper.make_tensor("i", TensorProto.INT64, [2], [0, 2]), [3])
    nodes = [
        node("Constant", [], ["tensor"], value=tensor, doc_string="a doc"),
        node("Constant", [], ["sparse"], sparse_value=sparse),
        node("Constant", [], ["int"], value_int=3),
        node("Constant", [], ["ints"], value_ints=[3, 2]),
        node("Constant", [], ["float"], value_float=0.5),
        node("Constant", [], ["floats"], value_floats=[1.0, 2.0]),
        node("Constant", [], ["string"], value_string="a text"),
        node("Constant", [], ["strings"], value_strings=["a", "b"]),
    ]
    entry(nodes[3], "namespace")
    inner = m.graph([node("Constant", [], ["one"], value_float=1.0), node("Add", ["x", "one"], ["t"])], [], [m.info("t")], name="then")
    other = m.graph([node("Constant", [], ["e"], value=numpy_helper.from_array(X, "e"))], [], [m.info("e")], name="else")
    nodes += [
        node("If", ["c"], ["branch"], then_branch=inner, else_branch=other),
        node("Add", ["branch", "tensor"], ["p"]), node("Add", ["p", "sparse"], ["q"]), node("Mul", ["q", "float"], ["r"]),
        node("Reshape", ["r", "ints"], ["rows"]), node("Mul", ["rows", "floats"], ["z"]), node("F", ["z"], ["y"], domain="local"),
    ]  # fmt: skip
    outputs = [m.info("y", (3, 2)), m.info("strings", (2,), TensorProto.STRING), m.info("string", (), TensorProto.STRING), m.info("int", (), TensorProto.INT64)]
    source = m.model(nodes, [m.info("x"), m.info("c", (), TensorProto.BOOL)], outputs, opset=21, ir=10, domains=[("local", 1)])
    body = [node("Constant", [], ["k"], value_float=2.0), node("Mul", ["a", "k"], ["b"])]
    source.functions.append(helper.make_function("local", "F", ["a"], ["b"], body, [helper.make_opsetid("", 21)]))
    return source


def test_constants_of_each_form(folder):
    """Types and shapes are those of the operator's definition; texts of the node go to the tensor; functions keep theirs."""
    result = cleaned(folder, constants(), "--constants=initializers", feeds=FEEDS)
    assert not [one for one in result.graph.node if one.op_type == "Constant"]
    found = {one.name: one for one in result.graph.initializer}
    kinds = {name: (one.data_type, tuple(one.dims)) for name, one in found.items()}
    F, I, S = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
    wanted = {"tensor": (F, (3,)), "int": (I, ()), "ints": (I, (2,)), "float": (F, ()), "floats": (F, (2,)), "string": (S, ()), "strings": (S, (2,))}
    assert kinds == wanted
    assert found["tensor"].doc_string == "a doc\nof the tensor" and found["ints"].metadata_props[0].key == "namespace"
    assert [one.values.name for one in result.graph.sparse_initializer] == ["sparse"]
    bodies = [one.g for one in result.graph.node[0].attribute]
    assert sorted(one.name for body in bodies for one in body.initializer) == ["e", "one"]
    counts, left = done(folder, "--constants=initializers")
    assert counts["Constant node as an initializer"][0] == 10 and left == {"k": "functions have no initializers"}


@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_there_and_back(folder, level):
    """Nodes of tensors are what they were; others say the same as a tensor."""
    source = constants()
    there = cleaned(folder, source, "--constants=initializers", level=level, feeds=FEEDS)
    back = cleaned(folder, there, "--constants=nodes", level=level, feeds=FEEDS)
    assert not back.graph.initializer and not back.graph.sparse_initializer
    again = cleaned(folder, back, "--constants=initializers", level=level, feeds=FEEDS)
    assert sorted(one.SerializeToString() for one in again.graph.initializer) == sorted(one.SerializeToString() for one in there.graph.initializer)
    for got, want in zip(compare.outputs(folder / "out.onnx", FEEDS), (onnx.save(source, folder / "first.onnx"), compare.outputs(folder / "first.onnx", FEEDS))[1]):
        compare.expectAgreement(got, want, "there and back")


def test_what_stays_an_initializer(folder):
    """A caller may give another value; Constant of opset 11 has no bfloat16, and before it nothing sparse."""
    half = helper.make_tensor("h", TensorProto.BFLOAT16, [3], [1, 2, 3])
    nodes = [node("Add", ["x", "w"], ["v"]), node("Add", ["v", "u"], ["y"]), node("Cast", ["h"], ["z"], to=TensorProto.FLOAT)]
    inputs = [m.info("x"), m.info("w", (3,))]
    weights = [m.const(name, [1, 2, 3], np.float32) for name in "wu"]
    source = m.model(nodes, inputs, [m.info("y"), m.info("z", (3,))], [*weights, half], opset=12, ir=8)
    onnx.save(source, folder / "in.onnx")
    result = onnx.load(t.fold(folder / "in.onnx", folder / "out.onnx", "-O0", "--constants=nodes"))
    assert sorted(one.name for one in result.graph.initializer) == ["h", "w"]
    assert [one.output[0] for one in result.graph.node] == ["u", "v", "y", "z"]
    _, left = done(folder, "--constants=nodes")
    assert "expected --inputs-without-initializers" in left["w"] and left["h"].startswith("Constant of opset 12 has no tensor<"), left


def test_before_version_4(folder):
    """Each initializer is an input there: a node takes the place of both, and no Constant can become one."""
    nodes = [node("Constant", [], ["k"], value=numpy_helper.from_array(np.float32([2]))), node("Mul", ["x", "k"], ["v"]), node("Add", ["v", "w"], ["y"])]
    source = m.model(nodes, [m.info("x"), m.info("w", (3,))], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], opset=9, ir=3)
    result = cleaned(folder, source, "--constants=nodes", feeds=[{"x": X}])
    assert [one.name for one in result.graph.input] == ["x"] and not result.graph.initializer
    assert cleaned(folder, source, "--constants=initializers") == source
    assert "expected --ir-version=4 or later" in done(folder, "--constants=initializers")[1]["k"]
    both = cleaned(folder, source, "--constants=initializers", "--ir-version=4", feeds=[{"x": X}])
    assert [one.name for one in both.graph.input] == ["x"] and len(both.graph.initializer) == 2 and len(both.graph.node) == 2


@pytest.mark.parametrize("form", ["initializers", "nodes"])
def test_external_data_stays_where_it_is(folder, form):
    """Only the description of the tensor moves; the data may move in the same run, too."""
    large = numpy_helper.from_array(np.arange(3000, dtype=np.float32).reshape(1000, 3), "w")
    nodes = [node("Constant", [], ["k"], value=numpy_helper.from_array(np.arange(1000, dtype=np.float32).reshape(1000, 1)))]
    nodes += [node("Mul", ["x", "k"], ["v"]), node("Add", ["v", "w"], ["y"])]
    onnx.save(m.model(nodes, [m.info("x", (1000, 3))], [m.info("y", (1000, 3))], [large], opset=21), folder / "plain.onnx")
    feeds = [{"x": np.ones((1000, 3), np.float32)}]
    t.fold(folder / "plain.onnx", folder / "in.onnx", "-O0", "--external-data=data.bin")
    before = (folder / "data.bin").read_bytes()
    result = cleaned(folder, folder / "in.onnx", f"--constants={form}", feeds=feeds)
    tensors = [*result.graph.initializer, *(one.attribute[0].t for one in result.graph.node if one.op_type == "Constant")]
    assert len(tensors) == 2 and all(one.external_data[0].value == "data.bin" for one in tensors)
    assert len(result.graph.initializer) == (2 if form == "initializers" else 0)
    assert (folder / "data.bin").read_bytes() == before
    out = t.fold(folder / "plain.onnx", folder / "moved.onnx", "-O0", f"--constants={form}", "--external-data=more.bin")
    [got], [want] = compare.outputs(out, feeds), compare.outputs(folder / "plain.onnx", feeds)
    compare.expectAgreement(got, want, "moved at once")
    assert (folder / "more.bin").stat().st_size >= 16000
    inline = onnx.load(t.fold(folder / "in.onnx", folder / "inline.onnx", "-O0", f"--constants={form}", "--inline-data"), load_external_data=False)
    assert not any(one.external_data for one in m.everyMessage(inline) if one.DESCRIPTOR.name == "TensorProto")


#
# Order, what is unused, and inputs
#


def unsorted(names, nodes):
    return [nodes["abcdefg".index(name)] for name in names]


def chain():
    """a, b; c reads a in a body; d reads b and c; e reads nothing of these."""
    inner = m.graph([node("Add", ["t1", "a"], ["t"]), node("Neg", ["x"], ["t1"])], [], [m.info("t")], name="then")
    other = m.graph([node("Neg", ["a"], ["e1"])], [], [m.info("e1")], name="else")
    return [
        node("Relu", ["x"], ["a"]), node("Exp", ["x"], ["b"]), node("If", ["q"], ["c"], then_branch=inner, else_branch=other),
        node("Mul", ["b", "c"], ["d"]), node("Abs", ["x"], ["e"]),
    ]  # fmt: skip


@pytest.mark.parametrize("order, wanted", [("dceba", "ebacd"), ("abcde", "abcde"), ("ebacd", "ebacd"), ("cdeab", "eacbd")])
def test_sort(folder, order, wanted):
    """Stable: the order of the file as far as it may be kept; and bodies, which read values of the graph. No runtime refuses the
    result, though the input is no valid model."""
    inputs = [m.info("x"), m.info("q", (), TensorProto.BOOL)]
    source = m.model(unsorted(order, chain()), inputs, [m.info("d"), m.info("e")], opset=17, ir=8)
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "-O0", "--sort")
    t.expectSameBytes(t.fold(out, folder / "again.onnx", "-O0", "--sort"), out, "sorted again")
    result = onnx.load(out)
    onnx.checker.check_model(result, full_check=True)
    assert "".join(one.output[0] for one in result.graph.node) == wanted
    then = [one for one in result.graph.node if one.op_type == "If"][0].attribute[1].g
    assert [one.output[0] for one in then.node] == ["t1", "t"]
    for value in (True, False):
        [got] = compare.outputs(out, [{"x": X, "q": np.array(value)}])
        a = np.maximum(X, 0)
        np.testing.assert_allclose(got["d"], np.exp(X) * ((a - X) if value else -a), rtol=1e-5)


def test_sort_moves_no_more_than_it_must(folder):
    source = m.model(unsorted("cabde", chain()), [m.info("x"), m.info("q", (), TensorProto.BOOL)], [m.info("d"), m.info("e")], opset=17, ir=8)
    onnx.save(source, folder / "in.onnx")
    assert done(folder, "--sort")[0] == {"moved node": (2, 0)}, "c behind a, and t in its body"


def test_sort_functions(folder):
    function = helper.make_function("local", "F", ["a"], ["b"], [node("Neg", ["n"], ["b"]), node("Exp", ["a"], ["n"])], [helper.make_opsetid("", 17)])
    source = m.model([node("F", ["x"], ["y"], domain="local")], [m.info("x")], [m.info("y")], opset=17, ir=8, domains=[("local", 1)])
    source.functions.append(function)
    result = cleaned(folder, source, "--sort")
    assert [one.op_type for one in result.functions[0].node] == ["Exp", "Neg"]


def withUnused():
    source = withTexts()
    source.functions.append(helper.make_function("gone", "G", ["a"], ["b"], [node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 21)]))
    source.opset_import.extend([helper.make_opsetid("gone", 1), helper.make_opsetid("ai.onnx.ml", 3)])
    source.graph.initializer.append(m.const("dead", [1, 2], np.float32))
    source.graph.node[0].attribute[1].g.initializer.append(m.const("dead too", [1], np.float32))
    return source


@pytest.mark.parametrize("flags", [(), ("--only=op:Nothing",), ("--skip=*",)])
def test_prune(folder, flags):
    result = cleaned(folder, withUnused(), "--prune", *flags, feeds=FEEDS)
    assert result == withTexts()
    counts, _ = done(folder, "--prune")
    assert {what: count for what, (count, _) in counts.items()} == {"unread initializer": 2, "unused function": 1, "unused import": 2}
    assert cleaned(folder, withUnused()) == withUnused(), "not without the option"


def test_inputs_without_initializers(folder):
    """What a caller could override is constant now, and folds."""
    nodes = [node("Exp", ["w"], ["e"]), node("Mul", ["x", "e"], ["y"])]
    source = m.model(nodes, [m.info("x"), m.info("w", (3,))], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], ir=8)
    result = cleaned(folder, source, "--inputs-without-initializers", level="-O1", feeds=[{"x": X}])
    assert [one.name for one in result.graph.input] == ["x"] and [one.op_type for one in result.graph.node] == ["Mul"]
    result = cleaned(folder, source, "--inputs-without-initializers", "--only=op:Nothing", feeds=[{"x": X}])
    del source.graph.input[1]
    assert result == source
    assert cleaned(folder, source, "--inputs-without-initializers", "--only=op:Nothing") == source, "there are none"


def test_inputs_with_sparse_initializers(folder):
    """They are defaults as others are: by hand they leave the inputs too, and --batch=open does not open their sizes."""
    values, indices = helper.make_tensor("w", TensorProto.FLOAT, [2], [5.0, 6.0]), helper.make_tensor("i", TensorProto.INT64, [2], [0, 2])
    source = m.model([node("Mul", ["x", "w"], ["y"])], [m.info("x"), m.info("w", (2, 3))], [m.info("y")], ir=8)
    source.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [2, 3]))
    result = cleaned(folder, source, "--inputs-without-initializers", feeds=[{"x": X}])
    assert [one.name for one in result.graph.input] == ["x"]
    assert onnx.load(t.fold(folder / "in.onnx", folder / "out.onnx", "-O0", "--bind=w")) == result
    refused = t.run("--batch=open", "-o", folder / "no.onnx", folder / "in.onnx")
    assert refused.code == 1 and "(Mul) has another value for each sample in input #1" in refused.err, refused


def test_inputs_of_old_models(folder):
    source = m.model([node("Mul", ["x", "w"], ["y"])], [m.info("x"), m.info("w", (3,))], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], opset=8, ir=3)
    onnx.save(source, folder / "in.onnx")
    result = t.run("--inputs-without-initializers", "-o", folder / "no.onnx", folder / "in.onnx")
    assert result.code == 1 and "IR version 3, in which each initializer is an input, expected --ir-version=4 or later" in result.err, result
    result = cleaned(folder, source, "--inputs-without-initializers", "--ir-version=7", feeds=[{"x": X}])
    assert [one.name for one in result.graph.input] == ["x"]


def names(folder, *flags):
    """{what: names} of the report."""
    report = folder / "names.json"
    t.runOk("--quiet", "-O0", *flags, f"--report=json:{report}", "-o", folder / "named.onnx", folder / "in.onnx")
    return {each["what"]: each["names"] for each in json.loads(report.read_text())["cleaning"]["done"]}


def test_names_in_the_report(folder):
    """What was moved or left out is named; texts have no names."""
    onnx.save(withUnused(), folder / "in.onnx")
    assert names(folder, "--prune") == {"unread initializer": ["dead", "dead too"], "unused function": ["G"], "unused import": ["gone", "ai.onnx.ml"]}
    assert sorted(names(folder, "--constants=nodes")["initializer as a Constant node"]) == ["dead", "dead too", "k", "w"]
    assert all(not each for each in names(folder, "--strip=docs,metadata,types").values())
    source = m.model([node("Mul", ["x", "w"], ["y"])], [m.info("x"), m.info("w", (3,))], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], ir=8)
    onnx.save(source, folder / "in.onnx")
    assert names(folder, "--inputs-without-initializers") == {"input with an initializer": ["w"]}
    nodes = [node("Constant", [], ["k"], value=numpy_helper.from_array(np.float32([2]))), node("Mul", ["r", "k"], ["y"]), node("Relu", ["x"], ["r"])]
    onnx.save(m.model(nodes, [m.info("x")], [m.info("y")]), folder / "in.onnx")
    assert names(folder, "--sort") == {"moved node": ["r"]}
    assert names(folder, "--constants=initializers") == {"Constant node as an initializer": ["k"]}


def test_the_examples_of_the_manual(folder):
    """Each command of the section runs, and each of its options stands in the full help and in Python."""
    section = (t.ROOT / "docs/how-to.md").read_text().partition("## Clean on demand\n")[2].partition("\n## ")[0]
    commands = [line.split() for line in section.splitlines() if line.startswith("    onnx-fold ")]
    assert len(commands) == 3, commands
    onnx.save(withUnused(), folder / "model.onnx")
    for command in commands:
        out = folder / command[command.index("-o") + 1]
        t.runOk(*command[1:-3], "-o", out, folder / "model.onnx")
        onnx.checker.check_model(str(out))
    help = t.runOk("--help=all").out.decode()
    python = (t.ROOT / "docs/python.md").read_text()
    for option in ("inputs-without-initializers", "constants", "strip", "sort", "prune", "shapes"):
        assert f"--{option}" in section and f"--{option}" in help and f"`{option.replace('-', '_')}`" in python, option


def test_summary(folder):
    onnx.save(withUnused(), folder / "in.onnx")
    said = t.runOk("-O0", "--prune", "--strip=types", "--constants=nodes", "-o", folder / "out.onnx", folder / "in.onnx").err
    for line in ("left out: 1 x unused function (", "left out: 2 x value_info (", "written: 2 x initializer as a Constant node ("):
        assert line in said, said


#
# --shapes, node tests and models
#


def test_shapes_of_outputs_and_functions(folder):
    """An output that states no type, and values of a function of two calls; before IR version 10 functions have no types."""
    nodes = [node("F", ["x"], ["v"], domain="local"), node("F", ["v"], ["w"], domain="local"), node("Neg", ["w"], ["y"])]
    for version, wanted in ((10, ["n", "b"]), (8, [])):
        source = m.model(nodes, [m.info("x", ("rows", 3))], [onnx.ValueInfoProto(name="y")], opset=17, ir=version, domains=[("local", 1)])
        body = [node("Relu", ["a"], ["n"]), node("Exp", ["n"], ["b"])]
        source.functions.append(helper.make_function("local", "F", ["a"], ["b"], body, [helper.make_opsetid("", 17)]))
        result = cleaned(folder, source, "--shapes", level="-O1", feeds=[{"x": X}])
        assert [one.name for one in result.functions[0].value_info] == wanted
        assert [one.dim_param or one.dim_value for one in result.graph.output[0].type.tensor_type.shape.dim] == ["rows", 3]


def values(model):
    """Names, types and bytes of all initializers."""
    return sorted((one.name, one.data_type, tuple(one.dims), numpy_helper.to_array(one).tobytes()) for one in model.graph.initializer)


def runs(path):
    """The results, if ONNX Runtime has any that are tensors."""
    try:
        results = compare.outputs(path, [{}])
    except AssertionError:
        return None
    return results if all(isinstance(one, np.ndarray) for one in results[0].values()) else None


def test_node_tests_there_and_back(folder):
    """Every operator with its inputs as initializers: as Constant nodes ONNX Runtime computes the same, and back the same is there.
    Short form: one test of each operator; --long: all."""
    count = ran = 0
    random = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
    for test in test_same_bytes.folders():
        model = test_same_bytes.withConstants(test)
        if model is None or any(one.data_type == TensorProto.STRING for one in model.graph.initializer):
            continue
        source = folder / "in.onnx"
        onnx.save(model, source)
        flags = ("-O0", "--skip=*", "--constants=nodes", "--strip=names,docs", "--sort", "--prune")
        nodes = t.fold(source, folder / "nodes.onnx", *flags)
        again = t.fold(nodes, folder / "twice.onnx", *flags)
        t.expectSameBytes(again, nodes, f"{test.name} twice")
        back = onnx.load(t.fold(nodes, folder / "back.onnx", "-O0", "--skip=*", "--constants=initializers"))
        there = {one.name for one in back.graph.initializer}
        mine = {one.name for one in model.graph.initializer}  # besides those of Constant nodes
        assert [one for one in values(back) if one[0] in mine] == [one for one in values(model) if one[0] in there], f"{test.name}: there and back"
        assert there or not model.graph.initializer, f"{test.name}: all were unread"
        count += 1
        if not random & {one.op_type for one in model.graph.node} and (results := runs(source)):
            ran += 1
            compare.expectAgreement(compare.outputs(nodes, [{}])[0], results[0], test.name)
    print(f"  {count} models, {ran} of them in ONNX Runtime")
    assert count > 140 and ran > 80, f"{count} models, {ran} ran"


INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())
FORMS = (("--constants=initializers",), ("--constants=nodes",), ("--strip=metadata,docs,names,types", "--sort", "--prune"))


@pytest.mark.parametrize("name", INPUTS if t.options.long else ("control_flow", "lstm", "distilbert"))
def test_models(folder, name):
    """Real models in each form, and from one form to the other."""
    feeds = [compare.randomFeed(INPUTS[name], 1)]
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    for level in ("-O0", "-O1"):
        for flags in FORMS:
            cleaned(folder, source, *flags, level=level, feeds=feeds)
    there = t.fold(source, folder / "there.onnx", "-O0", "--constants=nodes")
    back = t.fold(there, folder / "back.onnx", "-O0", "--constants=initializers")
    compare.expectAgreement(compare.outputs(back, feeds)[0], compare.outputs(source, feeds)[0], "there and back")
