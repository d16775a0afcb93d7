#!/usr/bin/env python3
"""The node tests of the onnx package as an oracle: their inputs become constants, the node must fold to the stored outputs.

For each folder whose only node is of a kernel (--all: for every folder; --ops=A,B: for these operators) it makes models
  initializers   every input an initializer (IR raised to 4 where it is lower, because only from there an initializer need not
                 be a graph input too)
  constants      every input the output of a Constant node, opset and IR as they are, at -O0
  wide           as initializers, with --precision=wide
and asks that the node folds, that the result is valid, and that type, shape and value are those stored: bit for bit, and
within the bounds of BOUNDS for functions that numpy computes otherwise. Folders of several nodes, all of kernels, must fold
entirely. The other way round nothing may fold in
  dynamic        one input left as a graph input, the others constants (-O0)
  overridable    every input an initializer that is a graph input too (IR >= 4: a caller may replace it)
Prints one line per operator. Short form: `dynamic` and `overridable` for the first folder of each operator; --long: for all.
"""

import json
import multiprocessing
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import onnx
from onnx import helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
import onnxfold_compare as compare
import onnxfold_testing as t

# What must fold and match. Folder -> why it does not; an entry that folds and matches after all is a failure too.
EXCEPTIONS = dict.fromkeys(
    ["test_training_dropout" + case for case in ("", "_default", "_default_mask", "_mask", "_zero_ratio", "_zero_ratio_mask")],
    "training mode stays, also with a ratio of 0",
)
EXCEPTIONS["test_averagepool_2d_ceil_last_window_starts_on_pad"] = "the expected means are written with four digits"

# (ulps of the element's own type, part of the largest expected value). Stored values come from numpy in the element's own
# type, ours are computed in double and rounded once.
LIBM, SUMS = (4, 0.0), (4, 1e-6)
TRIGONOMETRY = ("Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh")
ACTIVATIONS = ("Softplus", "Softsign", "Elu", "Celu", "Selu", "LeakyRelu", "HardSigmoid", "HardSwish", "Mish", "Gelu")
BOUNDS = {
    **dict.fromkeys(TRIGONOMETRY, LIBM),
    **dict.fromkeys(ACTIVATIONS, SUMS),
    "LogSoftmax": SUMS,
    **dict.fromkeys(("Exp", "Log", "Sin", "Cos", "Tanh", "Sigmoid", "Erf", "Pow"), LIBM),
    # Sums, products and powers of many elements: numpy rounds after each step, and terms cancel.
    **dict.fromkeys(t.REDUCTIONS - {"ReduceMax", "ReduceMin"}, SUMS),
    **dict.fromkeys(("MatMul", "Gemm", "Softmax", "Sum", "Mean", "CumSum"), SUMS),
    **dict.fromkeys(("AveragePool", "GlobalAveragePool", "LpPool", "Conv", "ConvTranspose", "DeformConv"), SUMS),
    "RoiAlign": (4, 1e-4),  # written with four digits
}
SEVERAL_NODES = (16, 1e-5)  # function bodies round after each of their nodes

# Inputs whose values an operator never reads: it may fold although they are dynamic.
TYPE_OR_SHAPE_ONLY = {("Shape", 0), ("Size", 0), ("CastLike", 1), ("EyeLike", 0), ("Dropout", 1)}
RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli"}
FLAGS = ("--max-growth=unlimited", "--fold-quantization=all")
VARIANTS = {"initializers": (), "constants": ("-O0",), "wide": ("--precision=wide",)}


class Row:
    """The outcome of one variant of one folder: FOLDED_AND_MATCHED, or a word and what it means here."""

    def __init__(self, operator, folder, variant, outcome, text=""):
        self.operator, self.folder, self.variant, self.outcome, self.text = operator, folder, variant, outcome, text

    def __str__(self):
        return f"{self.folder} ({self.variant}): {self.outcome}: {self.text}"


def readTensors(folder, prefix, count):
    return [onnx.load_tensor(folder / "test_data_set_0" / f"{prefix}_{index}.pb") for index in range(count)]


def isTensor(value):
    return value.type.WhichOneof("value") == "tensor_type"


def withConstants(model, tensors, dynamic=(), form="initializers"):
    """A copy of the model with its inputs, but for the `dynamic` ones, turned into constants."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    inputs = list(made.graph.input)
    if form != "overridable":
        del made.graph.input[:]
        made.graph.input.extend(value for index, value in enumerate(inputs) if index in dynamic)
    nodes = []
    for index, (value, tensor) in enumerate(zip(inputs, tensors)):
        if index in dynamic:
            continue
        constant = onnx.TensorProto()
        constant.CopyFrom(tensor)
        constant.name = value.name
        if form == "constants":
            nodes.append(helper.make_node("Constant", [], [value.name], value=constant))
        else:
            made.graph.initializer.append(constant)
    if nodes:
        nodes += list(made.graph.node)
        del made.graph.node[:]
        made.graph.node.extend(nodes)
    elif form != "constants":
        made.ir_version = max(made.ir_version, 4)
    return made


def checkerText(model):
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        return str(error).strip().replace("\n", " ")[:200]
    return ""


def constantOf(graph, name):
    """The tensor of a value that an initializer or a Constant node holds, or None."""
    for tensor in graph.initializer:
        if tensor.name == name:
            return tensor
    for node in graph.node:
        if node.op_type == "Constant" and list(node.output) == [name] and node.attribute[0].name == "value":
            return node.attribute[0].t
    return None


def foldModel(model, scratch, *flags):
    """(result of the run, the folded model or None, {first output: reason} of the kept nodes)."""
    source, out, report = (scratch / name for name in ("model.onnx", "out.onnx", "report.json"))
    onnx.save(model, source)
    out.unlink(missing_ok=True)
    report.unlink(missing_ok=True)
    result = t.run("--quiet", *FLAGS, *flags, f"--report=json:{report}", "-o", out, source, timeout=120)
    if result.code != 0 or not out.exists():
        return result, None, {}
    kept = {}
    if report.exists():
        for node in json.loads(report.read_text())["nodes"]:
            if node["action"] == "kept":
                reason = node.get("reason") or {}
                kept[(node["outputs"] or [""])[0]] = f"{reason.get('code')}: {reason.get('text')}"
    return result, onnx.load(out), kept


def mustFold(case, variant, model, expected, bounds, scratch):
    """Folds and compares: the Row of one variant."""

    def row(outcome, text=""):
        return Row(case.operator, case.folder.name, variant, outcome, text)

    invalid = checkerText(model)
    if invalid:
        return row("skipped", f"the model with constants is not valid: {invalid}")
    result, folded, kept = foldModel(model, scratch, *VARIANTS[variant])
    if folded is None:
        return row("error", f"{result}")
    left = [node for node in folded.graph.node if node.op_type != "Constant"]
    if left:
        return row(
            "kept",
            f"{left[0].op_type}: {kept.get(left[0].output[0] if left[0].output else '', 'no reason in the report')}",
        )
    for value, want in zip(model.graph.output, expected):
        tensor = constantOf(folded.graph, value.name)
        if tensor is None:
            return row("differed", f"output '{value.name}' is neither an initializer nor a Constant")
        if tensor.data_type != want.data_type or list(tensor.dims) != list(want.dims):
            return row(
                "differed",
                f"output '{value.name}' has type {tensor.data_type} and shape {list(tensor.dims)}, "
                f"expected {want.data_type} and {list(want.dims)}",
            )
        text = compare.differenceText(numpy_helper.to_array(tensor), numpy_helper.to_array(want), *bounds)
        if text:
            return row("differed", f"output '{value.name}' {text}")
    invalid = checkerText(folded)
    return row("invalid", invalid) if invalid else row("matched")


def mustStay(case, variant, model, scratch):
    if checkerText(model):
        return Row(case.operator, case.folder.name, variant, "skipped", "the model is not valid")
    result, folded, _ = foldModel(model, scratch, "-O0")
    if folded is None:
        return Row(case.operator, case.folder.name, variant, "error", f"{result}")
    there = [node.op_type for node in folded.graph.node if node.op_type != "Constant"]
    wanted = [node.op_type for node in model.graph.node if node.op_type != "Constant"]
    if there != wanted:
        return Row(case.operator, case.folder.name, variant, "wrongly folded", f"nodes are {there}, expected {wanted}")
    return Row(case.operator, case.folder.name, variant, "stayed")


class Case:
    """One folder: its operator (or "(several nodes)") and which variants to run."""

    def __init__(self, folder, operator, stayToo, bounds):
        self.folder, self.operator, self.stayToo, self.bounds = folder, operator, stayToo, bounds


def runCase(case):
    """All variants of one folder: a list of Rows. Runs in a worker process."""
    model = onnx.load(case.folder / "model.onnx")
    values = list(model.graph.input) + list(model.graph.output)
    odd = next((value for value in values if not isTensor(value)), None)
    if odd is not None:
        kind = odd.type.WhichOneof("value").removesuffix("_type")
        return [
            Row(
                case.operator,
                case.folder.name,
                "all",
                "skipped",
                f"'{odd.name}' is a {kind}, which no initializer can hold",
            )
        ]
    try:
        tensors = readTensors(case.folder, "input", len(model.graph.input))
        expected = readTensors(case.folder, "output", len(model.graph.output))
    except FileNotFoundError as missing:
        return [Row(case.operator, case.folder.name, "all", "skipped", f"no file {Path(missing.filename).name}")]
    rows = []
    with tempfile.TemporaryDirectory(prefix="onnxfold-node-") as name:
        scratch = Path(name)
        for variant in VARIANTS:
            form = "constants" if variant == "constants" else "initializers"
            rows.append(mustFold(case, variant, withConstants(model, tensors, form=form), expected, case.bounds, scratch))
        if case.stayToo:
            operator = model.graph.node[0].op_type
            names = list(model.graph.node[0].input)
            for index, value in enumerate(model.graph.input):
                if value.name not in names:  # the body of a function need not read every input
                    continue
                if (operator, names.index(value.name)) not in TYPE_OR_SHAPE_ONLY:
                    rows.append(
                        mustStay(case, f"dynamic {index}", withConstants(model, tensors, dynamic={index}), scratch)
                    )
            if model.graph.input and operator not in ("EyeLike", "Shape", "Size"):
                rows.append(mustStay(case, "overridable", withConstants(model, tensors, form="overridable"), scratch))
    return rows


def chooseCases(options):
    """The folders to run, by operator."""
    wanted = set(options.ops.split(",")) if options.ops else t.KERNELS
    cases, seen = [], Counter()
    for folder in sorted((t.TEST_DATA / "node").iterdir()):
        if options.filter not in folder.name or not (folder / "model.onnx").exists():
            continue
        nodes = [node for node in onnx.load(folder / "model.onnx").graph.node if node.op_type != "Constant"]
        operators = {
            node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}" for node in nodes
        }
        if operators & RANDOM or not (options.all or operators <= wanted):
            continue
        single = len(nodes) == 1
        operator = next(iter(operators)) if single else "(several nodes)"
        if not single and options.ops:
            continue
        seen[operator] += 1
        stayToo = single and (options.long or seen[operator] == 1) and not any(True for _ in t.subgraphs(nodes[0]))
        cases.append(Case(folder, operator, stayToo, BOUNDS.get(operator, (0, 0.0)) if single else SEVERAL_NODES))
    return cases


def printTable(rows):
    """One line per operator; a folder counts once per variant."""
    columns = ("folded", "matched", "differed", "kept", "error", "stayed", "skipped")
    table = defaultdict(Counter)
    for row in rows:
        counts = table[row.operator]
        if row.outcome in ("matched", "differed", "invalid"):
            counts["folded"] += 1
        counts["differed" if row.outcome == "invalid" else row.outcome] += 1
    print("operator".ljust(28) + "".join(name.rjust(10) for name in columns))
    for operator in sorted(table):
        print(operator.ljust(28) + "".join(str(table[operator][name] or ".").rjust(10) for name in columns))
    total = sum(table.values(), Counter())
    print("total".ljust(28) + "".join(str(total[name] or ".").rjust(10) for name in columns))


def judge(rows):
    """(passed, [text of a failure], skipped) with the EXCEPTIONS taken into account; operators that are not ours may be kept."""
    passed, skipped, failures = 0, 0, []
    for row in rows:
        ours = row.operator in t.KERNELS or row.operator == "(several nodes)"
        good = row.outcome in ("matched", "stayed") or (row.outcome == "kept" and not ours)
        if row.outcome == "skipped":
            skipped += 1
        elif row.folder in EXCEPTIONS and not row.variant.startswith(("dynamic", "overridable")):
            if good:
                failures.append(f"{row.folder} ({row.variant}) folds and matches, but is listed in EXCEPTIONS")
            passed += not good
        elif good:
            passed += 1
        else:
            failures.append(str(row))
    return passed, failures, skipped


def main():
    suite = t.Suite(__doc__.splitlines()[0])
    suite.parser.add_argument("--all", action="store_true", help="every operator; those without a kernel may be kept")
    suite.parser.add_argument("--ops", default="", help="only these operators, separated by commas")
    suite.parser.add_argument("--limit", type=int, default=60, help="how many failures to print")
    suite.parser.add_argument("--reasons", action="store_true", help="print why operators were kept or skipped")
    options = suite.parse()
    print(
        f"test_node_tests.py: seed {options.seed} (unused: the data is stored){', long' if options.long else ''}",
        flush=True,
    )
    cases = chooseCases(options) if (t.TEST_DATA / "node").is_dir() else []
    if len(cases) < (1 if options.ops or options.filter else 900):
        print(f"  FAILED: {len(cases)} node tests below {t.TEST_DATA}; see ONNXFOLD_TEST_DATA")
        return t.summary(0, 1)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        rows = [row for result in pool.imap(runCase, cases, chunksize=8) for row in result]
    printTable(rows)
    if options.reasons:
        for text, count in Counter(
            f"{row.outcome}: {row.text}" for row in rows if row.outcome in ("kept", "skipped")
        ).most_common():
            print(f"  {count:4} {text}")
    passed, failures, skipped = judge(rows)
    for text in failures[: options.limit]:
        print(f"  FAILED {text}")
    if len(failures) > options.limit:
        print(f"  ... and {len(failures) - options.limit} more (--limit)")
    return t.summary(passed, len(failures), skipped)


if __name__ == "__main__":
    sys.exit(main())
