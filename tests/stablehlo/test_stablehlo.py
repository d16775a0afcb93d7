# SPDX-License-Identifier: Apache-2.0
"""stablehlo-fold against values of XLA.

data/ has random operations (jax_operations.py) and what they fold to, which jax_cases.py recorded after it had compared the values
with XLA's; and models of jax_models.py. --long installs jax into a folder (80 MB) and compares other cases and the models again;
ONNXFOLD_JAX_PYTHON names an interpreter that has it.
"""

import gzip
import re
import subprocess

import pytest

import onnxfold_testing as t

FOLD = t.TOOL.parent / "stablehlo-fold"
HERE = t.ROOT / "tests/stablehlo"
OPERATION = re.compile(r'= "?(?:stablehlo|chlo)\.(?!constant)')


def run(*arguments, text=None):
    done = subprocess.run([str(a) for a in arguments], input=text, capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr[-2000:])
    return done.stdout


def recorded(name):
    return gzip.decompress((HERE / f"data/{name}.mlir.gz").read_bytes()).decode()


def operations(text):
    return sum(OPERATION.search(line) is not None for line in text.splitlines())


@pytest.mark.parametrize("family", ["elementwise", "extras", "moves", "products", "programs", "reductions"])
def testRecordedValues(family):
    folded = run(FOLD, "--passes=constprop,scrub", "-", text=recorded(family))
    wanted = recorded(family + ".folded").split("\n  func.func ")
    for found, expected in zip(folded.split("\n  func.func "), wanted, strict=True):
        assert found == expected


@pytest.mark.parametrize("model, before, after", [("gcn", 56, 14), ("mlp", 33, 22)])
def testModels(model, before, after, folder):
    """The command of docs/stablehlo.md."""
    (folder / "model.mlir").write_text(recorded(model))
    command = re.search(r"^    stablehlo-fold (model.mlir -o folded.mlir)$", (t.ROOT / "docs/stablehlo.md").read_text(), re.M)[1]
    subprocess.run([str(FOLD), *command.split()], cwd=folder, check=True)
    assert (operations(recorded(model)), operations((folder / "folded.mlir").read_text())) == (before, after)


def testUsualForm():
    """Text that JAX prints by default says what its generic text says: of each form in forms.mlir, and of a model."""
    for usual, generic in ((HERE / "forms.mlir").read_text(), "forms.generic"), (recorded("gcn.usual"), "gcn"):
        assert run(FOLD, "--passes=scrub", "-", text=usual) == run(FOLD, "--passes=scrub", "-", text=recorded(generic))


def testSerialized(folder):
    """The bytecode of jax.export, whose operations have versions."""
    data = gzip.decompress((HERE / "data/gcn.mlirbc.gz").read_bytes())
    (folder / "gcn.mlirbc").write_bytes(data)
    folded = run(FOLD, folder / "gcn.mlirbc")
    assert "vhlo" not in folded and operations(folded) == 14
    text = run(FOLD, "-", text=recorded("gcn"))
    assert folded.split("\n")[1:] == text.split("\n")[1:]  # all but the attributes of the module
    later = subprocess.run([str(FOLD), "-"], input=data.replace(b"multiply_v1", b"multiply_v9"), capture_output=True)
    assert later.returncode == 1 and b"'vhlo.multiply_v9' is not known" in later.stderr, later.stderr


def testShardingRule(folder):
    """Calls of LAPACK have attributes of Shardy, which say in text what JAX prints."""
    (folder / "solve.mlirbc").write_bytes(gzip.decompress((HERE / "data/solve.mlirbc.gz").read_bytes()))
    folded = run(FOLD, folder / "solve.mlirbc")
    rule = "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=3, j=3, k=3, l=3}, custom>"
    for text in folded, run(FOLD, "-", text=folded):
        assert rule in text and text.count("sdy.sharding_rule = #sdy.op_sharding_rule<") == 2


def testShardedProgram(folder):
    """A program for two processors (jax.jit with shardings) says in which form it is read."""
    data = gzip.decompress((HERE / "data/sharded.mlirbc.gz").read_bytes())
    done = subprocess.run([str(FOLD), "-"], input=data, capture_output=True)
    assert done.returncode == 1 and b"sharded programs are read in the generic form of their text only" in done.stderr, done.stderr


def testBytecode(folder):
    text = run(FOLD, "--passes=scrub", "-", text=recorded("gcn"))
    run(FOLD, "--passes=scrub", "--emit-bytecode", "-", "-o", folder / "gcn.mlirbc", text=text)
    assert run(FOLD, "--passes=scrub", folder / "gcn.mlirbc") == text


def testBoolsOfAByte():
    """The text of JAX's MLIR has a byte for each bool, that of MLIR 22 a bit; the output is a list, which both read."""
    constant = '%0 = "stablehlo.constant"() <{value = dense<"0xDIGITS"> : tensor<2x60xi1>}> : () -> tensor<2x60xi1>'
    values = [i % 3 == 0 for i in range(120)]
    bits = sum(1 << i for i, value in enumerate(values) if value).to_bytes(15, "little")
    results = [run(FOLD, "--passes=scrub", "-", text=constant.replace("DIGITS", data.hex())) for data in (bytes(values), bits)]
    assert results[0] == results[1] and "dense<[[true, false, false, true" in results[0]


def testBoolsOfACall():
    """The result of a call is a constant of arith, whose bits the MLIR of JAX takes for bytes."""
    bools = ", ".join("false" if i % 3 else "true" for i in range(150))
    text = f"""func.func private @not(%x: tensor<150xi1>) -> tensor<150xi1> {{
  %r = stablehlo.not %x : tensor<150xi1>
  return %r : tensor<150xi1>
}}
func.func @main() -> tensor<150xi1> {{
  %x = stablehlo.constant dense<[{bools}]> : tensor<150xi1>
  %r = call @not(%x) : (tensor<150xi1>) -> tensor<150xi1>
  return %r : tensor<150xi1>
}}"""
    folded = run(FOLD, "--passes=constprop,scrub", "-", text=text)
    assert "stablehlo.constant dense<[false, true, true, false, true" in folded and "call" not in folded, folded


def testBoolsOfAVector():
    """A constant of arith that is a vector was printed as one of StableHLO, which has none."""
    text = "func.func @main() -> vector<150xi1> {\n  %%x = arith.constant dense<[%s]> : vector<150xi1>\n  return %%x : vector<150xi1>\n}"
    folded = run(FOLD, "--passes=scrub", "-", text=text % ", ".join(["true", "false"] * 75))
    assert "stablehlo.constant" not in folded and "arith.constant" in folded, folded


def testErrors():
    for arguments, text, message in (
        (["-"], '"stablehlo.add"(%0) : (tensor<i32>) -> tensor<i32>', "use of undeclared SSA value"),
        (["-"], "%0 = stablehlo.gather %1", "'stablehlo.gather' is read in its generic form only, which JAX prints by get_asm("),
        (["-"], 'sdy.mesh @mesh = <["x"=2]>', "'sdy.mesh' is read in its generic form only, which JAX prints by get_asm("),
        (["-"], "%0 = stablehlo.of_next_year %1", "'stablehlo.of_next_year' is read in its generic form only"),
        (["--passes=fold"], "module {}", "'fold' does not refer to a registered pass"),
    ):
        done = subprocess.run([str(FOLD), *arguments], input=text, capture_output=True, text=True)
        assert done.returncode == 1 and message in done.stderr, done.stderr


@pytest.mark.parametrize(
    "operation, message",
    [
        ("stablehlo.iota dim = x : tensor<2xi32>", "expected integer value"),
        ("stablehlo.add %x : tensor<2xf32>", "expected ','"),
        ("stablehlo.add %x, %x : tensor<2xf32>, tensor<2xf32>", "has other types than its form: same"),
        ("stablehlo.add %x, %x : (tensor<2xf32>) -> tensor<2xf32>", "number of operands and types do not match: got 2 operands and 1"),
        ("stablehlo.complex %x, %x : tensor<2xf32>", "has other types than its form: complex"),
        ("stablehlo.select %c, %x, %x : tensor<2xf32>", "has other types than its form: select"),
        ("stablehlo.tuple %x : tensor<2xf32>", "has other types than its form: tuple"),
        ("stablehlo.reduce_precision %x, format = 5m10 : tensor<2xf32>", "expected valid keyword"),
        ("stablehlo.reduce_precision %x, format = e5 : tensor<2xf32>", "format is 'e5', expected one like e5m10"),
        ("stablehlo.slice %x [0, 1] : (tensor<2xf32>) -> tensor<1xf32>", "expected ':'"),
        ("stablehlo.dot_general %x, %x, batching_dims = [] x [] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>", "expected ','"),
        (
            "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {pad = [[1]]} : (t) -> t",
            "expected pairs of integers",
        ),
        (
            "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {side = [1]} : (t) -> t",
            "a window has no 'side', or two",
        ),
        (
            "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [1], stride = [1]} : (t) -> t",
            "a window has no 'stride', or two",
        ),
        ("stablehlo.reduce(%x init: %s) applies func.call across dimensions = [0] : (t) -> t", "does not combine two tensors"),
        ("stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>", "expected 'reducer'"),
        ("stablehlo.while(%i = %x) : tensor<2xf32>, tensor<f32>", "number of operands and types do not match"),
        ("stablehlo.composite x %x : (tensor<2xf32>) -> tensor<2xf32>", "expected string"),
        ("stablehlo.custom_call f(%x) : (tensor<2xf32>) -> tensor<2xf32>", "expected valid '@'-identifier for symbol name"),
        ("stablehlo.constant() <{value = dense<1> : tensor<i8>}> : tensor<i8>", "expected builtin.function, but found"),
        (
            "stablehlo.dot %x, %x, precision = [HIGH], precision = [DEFAULT] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
            "attribute 'precision_config' occurs twice",
        ),
        (
            "stablehlo.transpose %x, dims = [0] {permutation = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>",
            "attribute 'permutation' occurs twice",
        ),
        (
            "stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] {dimensions = array<i64: 0>} : "
            "(tensor<2xf32>, tensor<f32>) -> tensor<f32>",
            "attribute 'dimensions' occurs twice",
        ),
        (
            "stablehlo.reduce(%t init: %s) applies stablehlo.add across dimensions = [0] : "
            "(tuple<tensor<2xf32>>, tensor<f32>) -> tensor<f32>",
            "expected a tensor, but found 'tuple<tensor<2xf32>>'",
        ),
        ("stablehlo.get_tuple_element %t[4294967296] : (tuple<tensor<2xf32>>) -> tensor<2xf32>", "integer value too large"),
    ],
)
def testWrongForms(operation, message):
    text = f"func.func @f(%x: tensor<2xf32>, %c: tensor<2xi1>, %s: tensor<f32>, %t: tuple<tensor<2xf32>>) {{\n  %r = {operation}\n  return\n}}"
    done = subprocess.run([str(FOLD), "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 1 and message in done.stderr, done.stderr


@pytest.mark.parametrize(
    "operation, message",
    [
        # A splat costs nothing, its list does.
        ("reverse_v1|dimensions = dense<0> : tensor<1000000000000xi64>", "'dimensions' is not a list of at most 65536 integers"),
        ("reverse_v1|dimensions = dense<0> : tensor<1xi32>", "attribute 'dimensions' is not a list of at most 65536 integers"),
        ("dot_general_v2|lhs_batching_dimensions = dense<0> : tensor<1xi32>", "is not a field of dot_dimension_numbers"),
        ("dot_general_v2|lhs_component_count = 18446744073709551616 : i128", "'lhs_component_count' is not a field of algorithm"),
        ("gather_v2|offset_dims = dense<0> : tensor<1000000000000xi64>", "'offset_dims' is not a field of dimension_numbers"),
        ("convolution_v1|input_batch_dimension = 0 : i64", "the dimensions of a convolution are no permutation"),
        ("all_gather_v1|channel_id = 18446744073709551616 : i128", "its channel is not two integers of 64 bits"),
        ("reverse_v1|dimensions = dense<0> : tensor<1xi64>}> {dimensions = dense<0> : tensor<1xi64>", "'dimensions' occurs twice"),
        ("reverse_v9|dimensions = dense<0> : tensor<1xi64>", "'vhlo.reverse_v9' is not known"),
    ],
)
def testWrongSerializedText(operation, message):
    name, attributes = operation.split("|")
    properties = f"<{{{attributes}}}" + ("" if "}>" in attributes else ">")
    text = f'func.func @f(%x: tensor<2xf32>) {{\n  %r = "vhlo.{name}"(%x) {properties} : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}}'
    done = subprocess.run([str(FOLD), "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 1 and message in done.stderr, done.stderr


def testAgainstXla(folder):
    if not t.options.long:
        return
    python = t.pythonWith(folder, "JAX", ("jax", "jaxlib", "numpy"))
    print(run(python, HERE / "jax_cases.py", FOLD, "compare", 3))
    print(run(python, HERE / "jax_programs.py", FOLD))
    print(run(python, HERE / "jax_forms.py", FOLD, "compare"))
    print(run(python, HERE / "jax_models.py", FOLD, folder))
