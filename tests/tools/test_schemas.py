# SPDX-License-Identifier: Apache-2.0
"""Operators outside the standard: ONNX Runtime's contributed ones, and those of --schemas."""

import collections
import json
import re

import numpy as np
import onnx
import onnxfold_contributed as contributed
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node

CUSTOM = [("com.acme", 1)]


def shapesIn(container, count):
    """The constants that the outputs s0, s1 ... are; None for those that are computed."""
    constants = {item.name: onnx.numpy_helper.to_array(item) for item in container.graph.initializer}
    for item in container.graph.node:
        if item.op_type == "Constant":
            constants[item.output[0]] = onnx.numpy_helper.to_array(item.attribute[0].t)
    shapes = [constants.get(f"s{i}") for i in range(count)]
    return [None if shape is None else tuple(int(d) for d in shape) for shape in shapes]


def numbered():
    seen = collections.Counter()
    for case in contributed.CASES:
        seen[case[0]] += 1
        yield pytest.param(case, id=f"{case[0]}-{seen[case[0]]}")


# The rank only: the rest depends on values.
OPEN = {"Unique": {0, 2}, "Tokenizer": {0}, "DynamicTimeWarping": {0}}


@pytest.mark.parametrize("case", list(numbered()))
def test_shapes_are_those_of_the_runtime(folder, case):
    """The Shape of each result folds to the shape that ONNX Runtime's CPU provider makes."""
    expected = contributed.shapesOfRuntime(case, np.random.default_rng(t.options.seed))
    assert expected, f"{case[0]} does not run"
    result = m.folded(folder, contributed.makeModel(case), runs=False)
    for i, (found, wanted) in enumerate(zip(shapesIn(result, case[3]), expected)):
        if i in OPEN.get(case[0], ()):
            assert found is None, f"{case[0]} result {i} is {found}, expected to be open"
        else:
            assert found == wanted, f"{case[0]} result {i}"


@pytest.mark.parametrize("case, expected", [pytest.param(*each, id=f"{each[0][0]}-{i}") for i, each in enumerate(contributed.DOCUMENTED)])
def test_shapes_that_are_documented(folder, case, expected):
    """Of operators that only other providers run; None is open."""
    assert shapesIn(m.folded(folder, contributed.makeModel(case), runs=False), case[3]) == expected


def test_operators_with_types_only():
    """Each result of the first form has a shape, or is that of an operator of ONNX; but of a sparse operand."""
    table = json.loads((t.ROOT / "onnx/folding/schemas/microsoft.json").read_text())["domains"]["com.microsoft"]
    without = set()
    for name, schema in table.items():
        results = schema["forms"][0].split("->")[1].split(" if ")[0]
        while (shorter := re.sub(r"\[[^\[\]]*\]|\([^()]*\)", "#", results)) != results:
            results = shorter
        if " as " not in results and not all("#" in each for each in results.split(",")):
            without.add(name)
    assert without == {"SparseToDenseMatMul"}


def test_every_contributed_operator_has_a_schema():
    """But for those of which nothing can be known."""
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

    table = json.loads((t.ROOT / "onnx/folding/schemas/microsoft.json").read_text())
    known = set(table["domains"]["com.microsoft"])
    listed = {schema.name for schema in get_all_operator_schema() if schema.domain == "com.microsoft"}
    assert listed - known == {"EPContext", "Snpe"}, "operators without a schema"
    assert known <= listed, "schemas of operators that ONNX Runtime does not have"


def test_symbols_and_cache_lengths(folder):
    """past + 1 positions: the size of the present keys, minus the past, is the length of the query."""
    f16 = TensorProto.FLOAT
    nodes = [
        node("MultiHeadAttention", ["q", "k", "v", "", "", "", "pk", "pv"], ["y", "nk", "nv"], domain="com.microsoft", num_heads=2),
        node("Shape", ["nk"], ["present"], start=2, end=3),
        node("Shape", ["pk"], ["past"], start=2, end=3),
        node("Sub", ["present", "past"], ["length"]),
        node("Shape", ["q"], ["query"], start=1, end=2),
        node("Sub", ["length", "query"], ["zero"]),
    ]
    query = helper.make_tensor_value_info("q", f16, ["b", "s", 8])
    others = [helper.make_tensor_value_info(n, f16, ["b", "s", 8]) for n in "kv"]
    past = [helper.make_tensor_value_info(n, f16, ["b", 2, "p", 4]) for n in ("pk", "pv")]
    outputs = [helper.make_tensor_value_info(n, k, ["b", "s", 8] if n == "y" else [1]) for n, k in (("y", f16), ("zero", TensorProto.INT64))]
    source = m.model(nodes, [query, *others, *past], outputs, domains=[("com.microsoft", 1)])
    result = m.folded(folder, source, runs=False)
    m.expectValue(result.graph, "zero", np.zeros(1, np.int64))


def test_effects(folder):
    """What only computes is erased with its last user; unknown operators are kept."""
    nodes = [node("Gelu", ["x"], ["g"], domain="com.microsoft"), node("Shape", ["g"], ["s0"])]
    source = m.model(nodes, [m.info("x")], [helper.make_tensor_value_info("s0", TensorProto.INT64, [2])], domains=[("com.microsoft", 1)])
    assert m.operators(m.folded(folder, source, runs=False)) == []
    del SCHEMAS["domains"]["com.acme"]["Pairs"]["effects"]
    (folder / "acme.json").write_text(json.dumps(SCHEMAS))
    SCHEMAS["domains"]["com.acme"]["Pairs"]["effects"] = False
    result = m.folded(folder, acme(), f"--schemas={folder / 'acme.json'}", runs=False)
    assert m.operators(result) == ["Pairs"] and shapesIn(result, 2) == [(5, 6, 2), ()]


def test_function_of_the_model_is_no_contributed_operator(folder):
    """Its body says what it is: here [2, 3] becomes [3, 2]."""
    function = helper.make_function(
        "com.microsoft", "Gelu", ["a"], ["b"], [node("Transpose", ["a"], ["b"])], [helper.make_opsetid("", 21)]
    )
    nodes = [node("Gelu", ["x"], ["g"], domain="com.microsoft"), node("Shape", ["g"], ["s0"])]
    source = m.model(nodes, [m.info("x")], [helper.make_tensor_value_info("s0", TensorProto.INT64, [2])], domains=[("com.microsoft", 1)])
    source.functions.append(function)
    result = m.folded(folder, source, "--disable=constant-call", runs=False)
    assert shapesIn(result, 1) in ([None], [(3, 2)])


SCHEMAS = {
    "domains": {
        "com.acme": {
            "Pairs": {
                "attributes": {"by": 2},
                "effects": False,
                "forms": ["x: T[rows..., n] -> y: T[rows..., n / by, by], count: int64[]"],
            },
        }
    }
}


def acme(op="Pairs", **attributes):
    nodes = [node(op, ["x"], ["p", "c"], domain="com.acme", **attributes), node("Shape", ["p"], ["s0"]), node("Shape", ["c"], ["s1"])]
    outputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [None]) for name in ("s0", "s1")]
    return m.model(nodes, [m.info("x", (5, 12))], outputs, domains=CUSTOM)


def test_schemas_of_a_file(folder):
    """A user's operator: its shapes, the default of an attribute, and that it may go."""
    (folder / "acme.json").write_text(json.dumps(SCHEMAS))
    for attributes, wanted in (({}, (5, 6, 2)), ({"by": 3}, (5, 4, 3))):
        result = m.folded(folder, acme(**attributes), f"--schemas={folder / 'acme.json'}", runs=False)
        assert shapesIn(result, 2) == [wanted, ()]
        assert m.operators(result) == [], "nothing reads Pairs any more"
    without = m.folded(folder, acme(), runs=False)
    assert m.operators(without) == ["Pairs", "Shape", "Shape"]


@pytest.mark.parametrize(
    "text, problem",
    [
        ("{\n \"domains\": {,}\n}", ":2: Expected object key, expected JSON"),
        ("{" + "[" * 100000, ":1: values stand deeper in each other than schemas do"),
        ('{"domains": {"a": {"B": {"forms": ["x -> y: T[' + "(" * 1000 + '"]}}}}', "expected fewer parentheses in each other"),
        ('{"domains": {"a": {"B": {"forms": ["x -> y: T[1' + " + 1" * 100_000 + ']"]}}}}', "expected at most 1000 operators in a form"),
        ("", ":1: Unexpected EOF, expected JSON"),
        ("[1, 2]", ":1: the file has no object 'domains', expected one with domains"),
        ("{}", ":1: the file has no object 'domains', expected one with domains and their operators"),
        ('{"domains": {},\n "domain": 1}', ":2: the file has 'domain', expected 'domains', or 'effects' that is true or false"),
        ('{"domains": {\n "a": []}}', ":2: domain 'a' is not an object, expected operators"),
        ('{"domains": {"": {\n "Add": {}}}}', ":2: operator 'Add': is an operator of every opset of the standard, expected another one"),
        ('{"domains": {"a": {\n\n "B": {"shapes": []}}}}', ":3: operator 'B': has 'shapes', expected 'forms', 'attributes', or 'effects' that is true or false"),
        ('{"domains": {"a": {"B": {\n "attributes": {\n"n": "x"}}}}}', ":3: operator 'B': attribute 'n' has another default, expected an integer, a list of integers or null"),
        ('{"domains": {"a": {"B": {"forms": ["x -> y",\n "x: T[a..., b...] -> y"]}}}}', ":2: operator 'B': 'x: T[a..., b...] -> y': at '->' (character 18), expected one run in the shape of an input"),
        ('{"domains": {"a": {"B": {"forms": [\n "x: half -> y"]}}}}', ":2: operator 'B': 'x: half -> y': at '->' (character 9), expected an element type of ONNX, or a variable (upper case), not 'half'"),
        ('{"domains": {"a": {"B": {"forms": ["x: T[a] ->"]}}}}', ":1: operator 'B': 'x: T[a] ->': at the end, expected the name of a result"),
        ('{"domains": {"a": {"B": {"forms": ["x: T -> y: T[a...]"]}}}}', ":1: operator 'B': 'x: T -> y: T[a...]': at '...' (character 15), expected"),
        ('{"domains": {"a": {"B": {"forms": ["x -> y if has(z)"]}}}}', ":1: operator 'B': 'x -> y if has(z)': at ')' (character 16), expected the name of an input before, not 'z'"),
        ('{"domains": {"a": {"B": {"forms": ["x -> y as Convolve(x)"]}}}}', "expected an operator of ONNX that opset"),
    ],
)
def test_errors_name_file_and_line(folder, text, problem):
    path = folder / "bad.json"
    path.write_text(text)
    onnx.save(acme(), folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", f"--schemas={path}")
    assert done.code == 1 and not (folder / "out.onnx").exists()
    assert f"{path}{problem}" in done.err or (not problem.startswith(":") and problem in done.err), done.err


def test_a_file_of_an_editor_that_marks_its_encoding(folder):
    """A byte order mark before the first brace."""
    (folder / "acme.json").write_text(json.dumps(SCHEMAS), encoding="utf-8-sig")
    result = m.folded(folder, acme(), f"--schemas={folder / 'acme.json'}", runs=False)
    assert shapesIn(result, 2) == [(5, 6, 2), ()]


def library(*nodes, name="Pairs", outputs=("p", "c"), opset=21):
    empty = helper.make_graph([], "empty", [], [])
    imports = [helper.make_opsetid("", opset)]
    made = helper.make_model(empty, opset_imports=imports, ir_version=10)
    made.functions.append(helper.make_function("com.acme", name, ["x"], list(outputs), list(nodes), imports))
    return made


def test_functions_of_a_file(folder):
    """What operators compute: constants of them fold, and the call is not changed elsewhere."""
    body = [node("Mul", ["x", "x"], ["p"]), node("Size", ["x"], ["c"])]
    onnx.save(library(*body), folder / "library.onnx")
    nodes = [
        node("Pairs", ["w"], ["p", "c"], domain="com.acme"),
        node("Pairs", ["x"], ["q", "d"], domain="com.acme"),
        node("Add", ["p", "q"], ["y"]),
    ]
    source = m.model(nodes, [m.info("x")], [m.info("y")], [m.const("w", np.full((2, 3), 3, np.float32))], domains=CUSTOM)
    result = m.folded(folder, source, f"--schemas={folder / 'library.onnx'}", runs=False)
    assert m.operators(result) == ["Pairs", "Add"] and not result.functions
    m.expectValue(result.graph, "p", np.full((2, 3), 9, np.float32))
    onnx.save(m.model([node("Relu", ["x"], ["y"])], [m.info("x")], [m.info("y")]), folder / "none.onnx")
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", f"--schemas={folder / 'none.onnx'}")
    assert done.code == 1 and "the model has no functions" in done.err


def test_own_functions_win(folder):
    """A function of the model is not that of the library."""
    onnx.save(library(node("Mul", ["x", "x"], ["p"]), node("Size", ["x"], ["c"])), folder / "library.onnx")
    source = m.model(
        [node("Pairs", ["w"], ["p", "c"], domain="com.acme"), node("Add", ["p", "x"], ["y"])],
        [m.info("x")],
        [m.info("y")],
        [m.const("w", np.full((2, 3), 3, np.float32))],
        domains=CUSTOM,
    )
    own = library(node("Add", ["x", "x"], ["p"]), node("Size", ["x"], ["c"]))
    source.functions.append(own.functions[0])
    result = m.folded(folder, source, f"--schemas={folder / 'library.onnx'}", runs=False)
    m.expectValue(result.graph, "p", np.full((2, 3), 6, np.float32))
