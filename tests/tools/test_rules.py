# SPDX-License-Identifier: Apache-2.0
"""Rules of users (--rules, check-rules): what matches, what is proved, what is refused."""

import json
import os
import pathlib
import re

import numpy as np
import onnx
import onnx.reference
import pytest
from onnx import parser

import onnxfold_models as m
import onnxfold_testing as t

FILES = pathlib.Path(__file__).parent / "rules"
NEG = """<opset_import: ["" : 13], doc_string: "algebra: Abs(Neg(x)) = Abs(x)">
abs_neg (x) => (before, after) {
  n = Neg (x)
  before = Abs (n)
  after = Abs (x)
}
"""
PAIR = (
    '<opset_import: ["" : 13]>\nto_sub (x, y) => (before, after) {\n n = Neg (y)\n before = Add (x, n)\n after = Sub (x, y)\n}\n'
    '<opset_import: ["" : 13]>\nto_add (x, y) => (before, after) {\n before = Sub (x, y)\n n = Neg (y)\n after = Add (x, n)\n}\n'
).replace("]>\n", '], doc_string: "x: float">\n')
GRAPH = '<ir_version: 8, opset_import: ["" : %d]>\ng (%s) => (%s) {\n%s\n}'


def run(folder, *arguments):
    """Proofs are kept in the folder of the test."""
    return t.run(*arguments, env={**os.environ, "XDG_CACHE_HOME": str(folder / "proofs")})


def runOk(folder, *arguments):
    result = run(folder, *arguments)
    assert result.code == 0, str(result)
    return result


def rules(folder, text, name="mine.rules"):
    path = folder / name
    path.write_text(text)
    return path


def model(folder, inputs, outputs, nodes, opset=17, name="m.onnx"):
    path = folder / name
    onnx.save(parser.parse_model(GRAPH % (opset, inputs, outputs, nodes)), path)
    return path


def folded(folder, source, *flags):
    out = folder / "out.onnx"
    runOk(folder, *flags, "-o", out, source)
    return onnx.load(out)


def namesIn(file):
    return re.findall(r"^(\w+) .*=> \(", (FILES / file).read_text(), re.M)


def test_rules_of_peers_hold():
    """All hold; two that undo each other are named, which a file of one author would not have."""
    result = t.run("check-rules", FILES / "peers.rules")
    text = result.out.decode()
    assert re.findall(r": (\w+): holds(?: at level [12]|, but)", text) == namesIn("peers.rules"), text
    undoing = ["peer_gemm_to_matmul_add", "peer_matmul_add_to_gemm"]
    assert result.code == 3 and re.findall(r": (\w+): holds, but a run that applies it fails at -O2", text) == undoing, text
    assert len(namesIn("peers.rules")) >= 20


FLOAT_FACTOR = """<opset_import: ["" : 23], doc_string: "
  x: float16|bfloat16[N]
  try: c 2.0
  if: c > 0
">
"i" <c> (x) => (before, after) { f = Constant <value_float = @c> ()
  a = Mul (x, f)
  w = Cast <to = 1> (a)
  s = Neg (w)
  before = Neg (s)
  after = Cast <to = 1> (a) }
"""


def test_a_constant_of_any_float_type_has_the_types_of_its_operator(folder):
    """A type of the header leaves the constant two types, and each has cases."""
    result = t.runOk("check-rules", rules(folder, FLOAT_FACTOR)).out.decode()
    found = re.search(r": i: holds at level 1 in (\d+) cases \(.*; opsets [^;]*; ([\w ]+)[;)]", result)
    assert found and int(found[1]) > 0 and set(found[2].split()) == {"f16", "bf16"}, result


NO_INFINITY = """<opset_import: ["" : 20], doc_string: "x: int8|int4|float8e4m3fn|float8e4m3fnuz|float8e5m2fnuz|float8e5m2">
r (x) => (before, after) {
  wide = Cast <to = 1> (x)
  before = IsInf (wide)
  wrong = IsNaN (wide)
  right = Not (wrong)
  after = And (wrong, right)
}
"""


def test_every_type_that_is_computed_with_has_cases(folder):
    """Float8e4m3fn, which has no infinity, stood for float8e5m2, which has one, although a Cast does not only move elements."""
    result = t.run("check-rules", rules(folder, NO_INFINITY))
    assert result.code == 3 and "x = f8E5M2[" in result.out.decode(), str(result)


def test_a_range_is_that_of_unsigned_types_too(folder):
    """Elements of a range from -20 to 0 were 236 to 255: an unsigned mask of Attention rounded the scores away."""
    text = '<opset_import: ["" : 14], doc_string: "level: 2; bound: 0 ulp; x: uint8; range: x -20 0; if: like(before, x)">\n'
    text += "r (x) => (before, after) {\n  two = Constant <value_int = 2> ()\n  before = Mul (x, two)\n  after = Identity (x)\n}\n"
    assert "holds at level 2" in t.runOk("check-rules", rules(folder, text)).out.decode()
    assert "no case of 'before' was found" in t.run("check-rules", rules(folder, text.replace("-20 0", "-20 -1"))).out.decode()
    relu = '<opset_import: ["" : 14], doc_string: "level: 2; bound: 0 ulp; x: {}; range: x 0 300">\n'
    relu += "r (x) => (before, after) {{\n  before = Relu (x)\n  after = Identity (x)\n}}\n"
    for one in ("int8", "int32", "float"):
        assert "holds" in t.runOk("check-rules", rules(folder, relu.format(one))).out.decode()


def test_types_that_are_only_moved_have_representatives(folder):
    text = '<doc_string: "x: [N, 2]">\nr (x) => (before, after) {\n  t = Transpose (x)\n  before = Transpose (t)\n  after = Identity (x)\n}\n'
    result = t.runOk("check-rules", rules(folder, text)).out.decode()
    types = set(re.search(r"; opsets [^;]*; ([\w ]+)[;)]", result)[1].split())
    assert {"f8E4M3FN", "i4", "f32", "str"} <= types and not types & {"f8E5M2", "u4", "c128"}, result


SETS = t.ROOT / "onnx/transforms/rules/sets"


def shipped():
    """The text of each rule that ships, by name."""
    texts = [text for file in sorted(SETS.glob("*.rules")) for text in re.split(r"\n\n(?=<opset)", file.read_text())]
    return {re.search(r'^"([\w-]+)"', text, re.M).group(1): text[text.index("<opset"):] + "\n" for text in texts if "<opset" in text}


def test_rules_that_ship_hold(folder):
    """One in eight, and all with --long, beside each other too: the whole takes a minute."""
    all = shipped()
    names = sorted(all)[t.options.seed % (1 if t.options.long else 8) :: 1 if t.options.long else 8]
    assert len(all) >= 45 and {"softplus-parts", "open-gelu"} <= set(all)
    for name in names:
        result = t.runOk("check-rules", rules(folder, all[name])).out.decode()
        assert re.search(rf": {name}: holds at level [12]", result), result
    for group in ("fusions", "decompose") if t.options.long else ():
        t.runOk("check-rules", group)


@pytest.mark.parametrize("operator", ["HardSwish", "Mish", "Gelu"])
def test_decompose_leaves_out_what_would_undo_it(folder, operator):
    """Runs of the set on these operators failed: the rewrites of -O2 made them again, and so on."""
    text = f'<ir_version: 9, opset_import: ["" : 20]>\ng (float[2,3] x) => (float[2,3] y) {{ y = {operator} (x) }}\n'
    (folder / "m.onnxtxt").write_text(text)
    done = t.runOk("-O2", "--rules=decompose", "-o", folder / "out.onnx", folder / "m.onnxtxt")
    assert "undone, and so left out: gelu, hard-swish, mish" in done.err + done.out.decode()
    assert operator not in {node.op_type for node in onnx.load(folder / "out.onnx").graph.node}
    t.runOk("-O2", "--rules=decompose", "--check", folder / "out.onnx")


def test_undone_rewrites_have_names_of_ours(folder):
    text = '<opset_import: ["" : 13], doc_string: "x: int32\n undoes: nosuch">\nr (x) => (before, after) {\n b = Abs (x)\n before = Abs (b)\n after = Abs (x)\n}\n'
    result = t.run("-O2", "--rules", rules(folder, text), "-o", folder / "out.onnx", folder / "none.onnx")
    assert result.code == 1 and "undoes 'nosuch', expected a name of --list-patterns" in result.err, result.err


UNDOING = {
    "itself": '<opset_import: ["" : 13], doc_string: "x: int32">\nswap (x, y) => (before, after) {\n before = Add (x, y)\n after = Add (y, x)\n}\n',
    "a rewrite of ours": '<opset_import: ["" : 13], doc_string: "x: int32[2]">\nneg_of_neg (x) => (before, after) {\n before = Neg (x)\n'
                         ' m = Neg (x)\n o = Neg (m)\n after = Neg (o)\n}\n',
}


@pytest.mark.parametrize("case", UNDOING)
def test_check_rules_names_what_does_not_end(folder, case):
    """The rule holds, and no run that applies it would end."""
    result = t.run("check-rules", rules(folder, UNDOING[case]))
    assert result.code == 3 and "holds, but a run that applies it fails at -O1" in result.out.decode(), str(result)
    assert "do not come to an end" in result.out.decode()


def test_check_rules_names_two_that_undo_each_other(folder):
    result = t.run("check-rules", rules(folder, PAIR))
    assert result.code == 3 and re.search(r"do not come to an end: .*to_(add|sub) .*to_(sub|add) ", result.out.decode()), str(result)


OURS = t.ROOT / "onnx/transforms/rules/rewrites.rules"


def texts(file):
    """The functions of a file of rules."""
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.M)
    return [parser.parse_function(one) for one in re.split(r"\n\n+", text.strip())]


def test_our_rewrites_hold():
    """Every name of CleanUps.def that is a rule, in every type, opset and alternative."""
    result = t.runOk("check-rules", "rewrites").out.decode()
    held = re.findall(r"^rewrites:\d+: (\S+): holds at level [12] ", result, re.M)
    assert held == [one.name for one in texts(OURS)], result
    entries = (t.ROOT / "onnx/transforms/rewrite/CleanUps.def").read_text()
    assert set(held) == set(re.findall(r'^RULES\(\w+, "([^"]+)"', entries, re.M))


def modelOf(function, pattern, kind):
    """A model of one pattern of a rule: its parameters are inputs of a type, but for conditions."""
    wanted, nodes = {pattern}, []
    for node in reversed(function.node):
        if not wanted & set(node.output):
            continue
        wanted |= set(node.input)
        made = onnx.NodeProto()
        made.CopyFrom(node)
        del made.attribute[:]
        given = {one.name: one for one in function.attribute_proto}
        for one in node.attribute:
            if one.ref_attr_name:
                value = onnx.helper.get_attribute_value(given[one.ref_attr_name])
                made.attribute.append(onnx.helper.make_attribute(one.name, value))
        if node.op_type == "Constant":
            number = onnx.helper.get_attribute_value(node.attribute[0])
            isCondition = any(user.op_type == "Where" and user.input[0] == node.output[0] for user in function.node)
            dtype = onnx.helper.tensor_dtype_to_np_dtype(onnx.TensorProto.BOOL if isCondition else kind)
            made.attribute.append(onnx.helper.make_attribute("value", onnx.numpy_helper.from_array(np.array(number).astype(dtype))))
        elif node.op_type == "Cast":
            isWide = node.output[0] != pattern
            made.attribute.append(onnx.helper.make_attribute("to", onnx.TensorProto.DOUBLE if isWide else kind))
        elif node.op_type == "Concat":
            made.attribute.append(onnx.helper.make_attribute("axis", 0))
        nodes.insert(0, made)
    inputs = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.BOOL if name == "c" else kind, ["N", 3])
        for name in function.input
        if name in wanted
    ]
    # An output needs a node of its own, so it is not the pattern.
    nodes.append(onnx.helper.make_node("Transpose", [pattern], ["out"], perm=[1, 0]))
    graph = onnx.helper.make_graph(nodes, "g", inputs, [onnx.helper.make_tensor_value_info("out", kind, None)])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


@pytest.mark.parametrize("function", texts(OURS), ids=lambda one: one.name + one.overload)
def test_each_alternative_of_our_rewrites_fires(folder, function):
    """The text that is proved is the one that is matched."""
    for pattern in function.output[:-1]:
        fired = []
        for kind in (onnx.TensorProto.FLOAT, onnx.TensorProto.BOOL, onnx.TensorProto.INT32):
            onnx.save(modelOf(function, pattern, kind), folder / "m.onnx")
            others = {"plus-any-zero": ["--disable=plus-zero"]}.get(function.name, [])
            result = t.run("-O2", "--report=json", "--quiet", *others, "-o", folder / "o.onnx", folder / "m.onnx")
            if result.code == 0:
                fired += [node["reason"]["text"] for node in json.loads(result.err)["nodes"]]
        assert function.name in fired, (pattern, fired)


def test_each_wrong_rule_has_a_counterexample(folder):
    result = t.run("check-rules", "-o", folder / "cases", FILES / "wrong.rules")
    assert result.code == 3, result.err
    assert re.findall(r": (\w+): does not hold in opset", result.out.decode()) == namesIn("wrong.rules"), result.out


def test_a_counterexample_runs_elsewhere(folder):
    """ONNX's own evaluation of the model tells the sides apart."""
    t.run("check-rules", "-o", folder / "cases", FILES / "wrong.rules")
    case = onnx.load(folder / "cases" / "wrong_plus_zero.onnx")
    feeds = {one.name: np.load(folder / "cases" / "wrong_plus_zero.inputs" / f"{one.name}.npy") for one in case.graph.input}
    before, after = onnx.reference.ReferenceEvaluator(case).run(None, feeds)
    assert before == after and np.signbit(before) != np.signbit(after), (before, after)


def test_a_rule_is_applied_counted_and_left_out(folder):
    source = model(folder, "float[N] x", "float[N] y", "a = Neg (x)\ny = Abs (a)")
    text = rules(folder, NEG)
    out = folded(folder, source, f"--rules={text}")
    assert m.operators(out) == ["Abs"] and list(out.graph.node[0].output) == ["y"]
    report = json.loads(runOk(folder, f"--rules={text}", "--report=json", "--quiet", "-o", folder / "o.onnx", source).err)
    assert [node["reason"]["text"] for node in report["nodes"] if node["op"] == "Abs"] == ["abs_neg"], report["nodes"]
    assert report["rules"][0]["proof"] == "kept" and report["rules"][0]["name"] == "abs_neg"
    assert m.operators(folded(folder, source, f"--rules={text}", "--disable=abs_neg")) == ["Neg", "Abs"]
    assert m.operators(folded(folder, source)) == ["Neg", "Abs"]
    trusted = runOk(folder, f"--rules={text}", "--trust-rules", "-o", folder / "o.onnx", source)
    assert "1 not proved (--trust-rules)" in trusted.err, trusted.err


def test_a_second_run_changes_nothing(folder):
    source = model(folder, "float[N] x", "float[N] y", "a = Neg (x)\nb = Abs (a)\nc = Neg (b)\ny = Abs (c)")
    text = rules(folder, NEG)
    folded(folder, source, f"--rules={text}")
    runOk(folder, f"--rules={text}", "--check", folder / "out.onnx")


def test_bodies_and_functions(folder):
    source = model(
        folder,
        "float[N] x, bool c",
        "float[N] y",
        "y = If (c) <then_branch = t () => (float[N] p) { a = Neg (x)\n p = Abs (a) }, else_branch = e () => (float[N] q) { q = Exp (x) }>",
    )
    branch = folded(folder, source, f"--rules={rules(folder, NEG)}").graph.node[0].attribute
    assert [[node.op_type for node in one.g.node] for one in branch if one.name == "then_branch"] == [["Abs"]]


def test_functions(folder):
    """A rule applies in the body of a function that is called twice."""
    text = '<ir_version: 8, opset_import: ["" : 17, "local" : 1]>\ng (float[N] x) => (float[N] y) {\n a = local.f (x)\n y = local.f (a)\n}\n'
    text += '<domain: "local", opset_import: ["" : 17]>\nf (x) => (y) {\n e = Exp (x)\n n = Neg (e)\n y = Abs (n)\n}'
    onnx.save(parser.parse_model(text), folder / "m.onnx")
    made = folded(folder, folder / "m.onnx", f"--rules={rules(folder, NEG)}")
    assert [node.op_type for node in made.functions[0].node] == ["Exp", "Abs"]


def test_models_above_two_gigabytes(folder):
    """The weight is a file of holes, which the run neither reads nor copies."""
    source = model(folder, "float[1, 32768] x, float[32768, 20480] w", "float[1, 20480] y", "a = Neg (x)\nb = Abs (a)\ny = MatMul (b, w)")
    made = onnx.load(source)
    weight = made.graph.initializer.add(name="w", data_type=onnx.TensorProto.FLOAT, dims=[32768, 20480], data_location=onnx.TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="w.bin")
    del made.graph.input[1]
    onnx.save(made, source)
    with open(folder / "w.bin", "wb") as file:
        file.truncate(32768 * 20480 * 4)
    runOk(folder, f"--rules={rules(folder, NEG)}", "-o", folder / "out.onnx", source)
    out = onnx.load(folder / "out.onnx", load_external_data=False)
    assert m.operators(out) == ["Abs", "MatMul"] and (folder / "w.bin").stat().st_blocks * 512 < 1 << 20
    assert {entry.key: entry.value for entry in out.graph.initializer[0].external_data}["location"] == "w.bin"


def test_rules_that_undo_each_other_are_named(folder):
    source = model(folder, "float[N] x, float[N] w", "float[N] y", "y = Sub (x, w)")
    result = run(folder, f"--rules={rules(folder, PAIR)}", "-o", folder / "out.onnx", source)
    assert result.code == 1 and "do not come to an end" in result.err, result.err
    assert "to_sub" in result.err and "to_add" in result.err and not (folder / "out.onnx").exists()


def test_a_rule_that_does_not_hold_is_refused(folder):
    source = model(folder, "float[N] x", "float[N] y", "y = Abs (x)")
    result = run(folder, f"--rules={FILES / 'wrong.rules'}", "-o", folder / "out.onnx", source)
    assert result.code == 1 and "line 4, column 1: the rule 'wrong_plus_zero' is not used" in result.err, result.err
    assert not (folder / "out.onnx").exists()


NEAR = {
    "another attribute": ("float[2,2] x", "float[2,2] y", "a = Transpose <perm = [0, 1]> (x)\ny = Transpose <perm = [1, 0]> (a)"),
    "another number": ("float[N] x", "float[N] y", "three = Constant <value_float = 3.5> ()\nzero = Constant <value_float = 0.0> ()\nsix = Constant"
                       " <value_float = 6.0> ()\ns = Add (x, three)\ng = Clip (s, zero, six)\np = Mul (x, g)\ny = Div (p, six)"),
    "an inner value is an output": ("float[N] x", "float[N] y, float[N] g", "g = HardSigmoid <alpha = 0.16666667, beta = 0.5> (x)\ny = Mul (x, g)"),
    "another operand": ("float[N] x, float[N] w", "float[N] y", "g = HardSigmoid <alpha = 0.16666667, beta = 0.5> (w)\ny = Mul (x, g)"),
    "another rank": ("float[1,2,3] a, float[1,3,2] b, float[2] c", "float[1,2,2] y", "p = MatMul (a, b)\ny = Add (p, c)"),
}


@pytest.mark.parametrize("case", NEAR)
def test_near_misses_stay(folder, case):
    inputs, outputs, nodes = NEAR[case]
    source = model(folder, inputs, outputs, nodes)
    flags = ["-O2", "--disable=hard-swish,transpose,transpose-chain,times-reciprocal"]
    before = m.operators(folded(folder, source, *flags))
    assert m.operators(folded(folder, source, *flags, f"--rules={FILES / 'peers.rules'}", "--trust-rules")) == before


HITS = {
    "peer_hard_swish": ("float[N] x", "float[N] y", "g = HardSigmoid <alpha = 0.16666667, beta = 0.5> (x)\ny = Mul (g, x)", ["HardSwish"]),
    "peer_min_max_to_clip": ("int32[N] x, int32 a, int32 b", "int32[N] y", "p = Max (a, x)\ny = Min (p, b)", ["Clip"]),
    "peer_einsum_matmul": ("int32[2,3] x, int32[3,2] w", "int32[2,2] y", 'y = Einsum <equation = "ij,jk->ik"> (x, w)', ["MatMul"]),
    "peer_reduce_unsqueeze": ("float[2,3] x", "float[2,1] y", "axes = Constant <value_ints = [1]> ()\ns = ReduceSum <keepdims = 0> (x, axes)\n"
                              "y = Unsqueeze (s, axes)", ["ReduceSum"]),
    "peer_softplus": ("float[N] x", "float[N] y", "one = Constant <value_float = 1.0> ()\ne = Exp (x)\ns = Add (one, e)\ny = Log (s)", ["Softplus"]),
    "peer_concat_concat": ("float[1] x, float[1] w, float[1] z", "float[3] y", "i = Concat <axis = 0> (w, z)\n"
                           "y = Concat <axis = 0> (x, i)", ["Concat"]),
    "peer_layer_norm": ("float[2,3] x, float[3] w", "float[2,3] y", "axes = Constant <value_ints = [-1]> ()\ntwo = Constant <value_float = 2.0> ()\n"
                        "e = Constant <value_float = 0.00001> ()\nm = ReduceMean (x, axes)\nc = Sub (x, m)\ns = Pow (c, two)\n"
                        "v = ReduceMean (s, axes)\n"
                        "p = Add (e, v)\nd = Sqrt (p)\nn = Div (c, d)\ny = Mul (w, n)", ["LayerNormalization"]),
}


@pytest.mark.parametrize("name", HITS)
def test_a_rule_matches_in_any_order_of_operands(folder, name):
    inputs, outputs, nodes, after = HITS[name]
    # The text of the rule: from the header, whose end is the only line `">`, to the end of the function.
    texts = (FILES / "peers.rules").read_text().split("\n\n")
    text = next(one for one in texts if re.search(rf"^{name} ", one, re.M)) + "\n"
    source = model(folder, inputs, outputs, nodes, opset=18)
    ours = "--disable=hard-swish,reduce-view,concat-chain,norm"
    out = folded(folder, source, "-O2", ours, "--trust-rules", f"--rules={rules(folder, text)}")
    assert [one for one in m.operators(out) if one != "Constant"] == after
    onnx.checker.check_model(out, full_check=True)


BROKEN = {
    "no bracket": ("r (x) => (a, b) {\n  a = Neg (x\n}", "line 3, column 1: no rule in ONNX's text"),
    "no such operator": ("r (x) => (a, b) {\n  a = Neg (x)\n  b = Nag (x)\n}", "line 3, column 3: 'Nag' is no operator of opset"),
    "no such attribute": ("r (x) => (a, b) {\n  a = Neg <axis = 1> (x)\n  b = Abs (x)\n}", "line 2, column 3: Neg has no attribute 'axis'"),
    "not defined": ("r (x) => (a, b) {\n  a = Neg (z)\n  b = Abs (x)\n}", "line 2, column 3: 'z' is not defined before"),
    "a comment of another language": ("// r\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}", "(a comment begins with '#')"),
    "no at sign": ("r <k> (x) => (a, b) {\n  a = Softmax <axis = k> (x)\n  b = Abs (x)\n}", "(an attribute of the rule is '@k', a text '\"k\"')"),
    "one equals sign": ('<doc_string: "if: rank(x) = 2">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "'=', expected '=='"),
    "a value as a number": ('<doc_string: "if: x > 0">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "which is a value: value(x)"),
    "a later operator": ('<opset_import: ["" : 17]>\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Swish (x)\n}', 'expected opset_import: ["" : 24]'),
    "small letters": ("r (x) => (a, b) {\n  a = neg (x)\n  b = Abs (x)\n}", "expected 'Neg'"),
    "one side": ("r (x) => (a) {\n  a = Neg (x)\n}", "line 1, column 1: the rule has the results 'a'"),
    "a level": ('<doc_string: "\n  level: 3">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "line 2, column 10: '3', expected 1 or 2"),
    "no bound": ('<doc_string: "level: 2">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "a rule of level 2 has no bound"),
    "a condition": ('<doc_string: "\n  if: rank(x) + ">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "expected a number, a name or '('"),
    "no condition": ('<doc_string: "if: rank(x)">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "expected a condition before this"),
    "another parameter": ("r (x, y) => (a, b) {\n  a = Neg (x)\n  b = Abs (y)\n}", "the replacement reads 'y', which is not in the pattern 'a'"),
    "another attribute": ("r <p> (x) => (a, b) {\n  a = Neg (x)\n  b = Elu <alpha = @p> (x)\n}", "reads '@p', which is not in the pattern"),
    "two of one name": (NEG + NEG, "line 7, column 1: another rule is called 'abs_neg'"),
    "the name of ours": (NEG.replace("abs_neg", '"times-one"'), "the rule 'times-one' has the name of a rewrite of --list-patterns"),
    "a number too large": ("r (x) => (a, b) {\n  a = Softmax <axis = 99999999999999999999> (x)\n  b = Abs (x)\n}", "a number that does not fit"),
    "random": ("r (x) => (a, b) {\n  a = RandomNormalLike (x)\n  b = Abs (x)\n}", "RandomNormalLike is random"),
    "another domain": ("r (x) => (a, b) {\n  a = com.acme.Foo (x)\n  b = Abs (x)\n}", "line 2, column 3: 'com.acme.Foo' is no operator of ai.onnx"),
    "no type": ('<doc_string: "x: string">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "no element type fits 'x'"),
    "another kind of value": (
        "r (x) => (a, b) {\n  c = Constant <value_int = 1.5> ()\n  a = Mul (x, c)\n  b = Mul (c, x)\n}",
        "'value_int' of the Const",
    ),
    "a text as a number": ('r (x) => (a, b) {\n  c = Constant <value_float = "1"> ()\n  a = Mul (x, c)\n  b = Mul (c, x)\n}', "another kind"),
    "an unknown value": ("r (x) => (a, b) {\n  c = Constant <sparse_value = 1> ()\n  a = Mul (x, c)\n  b = Mul (c, x)\n}", "'sparse_value' of"),
    "three of two": ("r (x) => (a, b) {\n  c = Constant <value = float[2] {1, 2, 3}> ()\n  a = Mul (x, c)\n  b = Mul (c, x)\n}", "another number of"),
    "stated twice": ("r (x) => (a, b) {\n  a = Softmax <axis = 1, axis = 2> (x)\n  b = Abs (x)\n}", "attribute 'axis' of Softmax is stated twice"),
    "two parameters": ("r <x> (x) => (a, b) {\n  a = Softmax <axis = @x> (x)\n  b = Abs (x)\n}", "'x' is defined twice"),
    "not optional": (
        '<doc_string: "x?">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}',
        "line 3, column 3: 'x?' may be missing, which this input of",
    ),
    "none of several": ('<doc_string: "x?; x...">\nr (x) => (a, b) {\n  a = Sum (x)\n  b = Max (x)\n}', "'x?' may be missing"),
    "any size as a name": ("r (_) => (a, b) {\n  a = Neg (_)\n  b = Abs (_)\n}", "a value is called '_', expected a name with a letter"),
    "an underscore of a header": ("r (x) => (a, b) {\n  _ = Neg (x)\n  a = Neg (_)\n  b = Abs (x)\n}", "line 2, column 3: a value is called '_'"),
    "no name": ('"" (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "expected a name of letters"),
    "a path": ('"../r" (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "'../r', expected a name of letters"),
    "two levels": ('<doc_string: "level: 2; level: 1">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "expected one 'level' in a header"),
    "two types": (
        '<doc_string: "x: float; x: int32">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}',
        "expected one statement of the type of 'x'",
    ),
    "any bound": ('<doc_string: "level: 2; bound: 1e999 ulp">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "expected a finite number"),
    "too many elements": ('<doc_string: "x: float[100000, 100000]">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "a shape of fewer than"),
    "many sizes of two": (
        '<doc_string: "x: float[' + "2, " * 99 + '2]">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}',
        "a shape of fewer than",
    ),
    "a list is computed": (
        '<doc_string: "set: p = rank(x)">\nr <p> (x) => (a, b) {\n  a = Neg (x)\n  b = Transpose <perm = @p> (x)\n}',
        "'p', expected an attribute that is a number",
    ),
    "computed and matched": (
        '<doc_string: "set: k = rank(x)">\nr <k> (x) => (a, b) {\n  a = Softmax <axis = @k> (x)\n  b = LogSoftmax <axis = @k> (x)\n}',
        "'@k' is set by the header and in the pattern 'a'",
    ),
    "tries of nothing": ('<doc_string: "try: z 1">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "a parameter, an attribute or a dim"),
    "tries of a number": (
        '<doc_string: "try: k [1]">\nr <k> (x) => (a, b) {\n  a = Softmax <axis = @k> (x)\n  b = LogSoftmax <axis = @k> (x)\n}',
        "'[', expected a number",
    ),
    "deep": ("r (x) => (a, b) " + "{" * 100000, "more than 100 brackets are open at once"),
    "deep condition": ('<doc_string: "if: ' + "(" * 90 + '">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "fewer"),
    "any of what": (
        '<doc_string: "any_attributes: x">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}',
        "'x', expected the result of an operator of the pattern",
    ),
    "any of a new one": ('<doc_string: "any_attributes: b">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}', "but no pattern has it"),
    "two of one overload": (
        '<overload: "o">\nr (x) => (a, b) {\n  a = Neg (x)\n  b = Abs (x)\n}\n' * 2,
        "another rule is called 'r'",
    ),
    "empty": ("# nothing\n", "the file has no rules"),
    "no text": ("\x00\x01\xff", "line 1, column 1"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_errors_name_the_place(folder, case):
    text, expected = BROKEN[case]
    result = t.run("check-rules", rules(folder, text))
    assert result.code == 1 and expected in result.err, result.err
    assert "mine.rules" in result.err


def test_a_whole_number_is_a_float(folder):
    """value_float = 1 is 1, not 0; results that nobody asks for need no name."""
    one = '<doc_string: "x: float; if: like(a, x)">\nr (x) => (a, b) {\n  c = Constant <value_float = 1> ()\n  a = Mul (x, c)\n  b = Identity (x)\n}'
    split = '<doc_string: "x: int32[4]">\ns (x) => (a, b) {\n  p, , = Split <axis = 0> (x)\n  a = Neg (p)\n'
    split += '  q, , = Split <axis = 0> (x)\n  b = Neg (q)\n}\n'
    result = t.run("check-rules", rules(folder, one))
    assert result.code == 0, str(result)
    assert "defined twice" not in t.run("check-rules", rules(folder, split)).err


def test_cut_texts_are_errors_and_no_crash(folder):
    """Each prefix of a file, and each with a byte changed."""
    text = (FILES / "wrong.rules").read_text()[:700]
    for cut in range(0, len(text), 23):
        for changed in (text[:cut], text[:cut] + "@" + text[cut + 1 :]):
            assert t.run("check-rules", "--quiet", rules(folder, changed)).code in (0, 1, 3), changed


def test_other_options(folder):
    source = model(folder, "float[N] x", "float[N] y", "y = Abs (x)")
    text = rules(folder, NEG)
    for flags, expected in [
        (["--trust-rules"], "--trust-rules"),
        ([f"--rules={text}", "-O0"], "-O0"),
        ([f"--rules={text}", "--disable=abs_nag"], "a name of --list-patterns or of a rule, such as 'abs_neg'"),
        ([f"--rules={folder / 'none.rules'}"], "none.rules"),
        (["--rules=rewrites"], "which are applied without it"),
    ]:
        result = run(folder, *flags, "-o", folder / "out.onnx", source)
        assert result.code == 1 and expected in result.err, (flags, result.err)


def test_a_file_of_rules_is_no_output(folder):
    source = model(folder, "float[N] x", "float[N] y", "y = Abs (x)")
    text = rules(folder, NEG)
    result = run(folder, f"--rules={text}", "-o", text, source)
    assert result.code == 1 and "is one of the input files, which are never written" in result.err, result.err
    assert text.read_text() == NEG


def test_rules_of_another_level_are_said(folder):
    source = model(folder, "float[N] x", "float[N] y", "e = Exp (x)\ny = Abs (e)")
    result = runOk(folder, "--rules=fusions", "-O1", "-o", folder / "out.onnx", source)
    assert "of the rules need -O2" in result.err, result.err
    assert "need -O2" not in runOk(folder, "--rules=fusions", "-O2", "-o", folder / "out.onnx", source).err
