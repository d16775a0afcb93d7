# SPDX-License-Identifier: Apache-2.0
"""ONNX's backend tests as an oracle: their inputs become constants, everything must fold to the stored outputs.

The suites node, simple, pytorch-operator and pytorch-converted of the wheels of onnx 1.6 to 1.22 and what onnx 1.23.2 makes in
Python; each question once, with its newest answer. For each folder (-k softmax: those with this in their name) it makes models
  initializers   every input an initializer (IR raised to 4 where it is lower, because only from there an initializer need not
                 be a graph input too)
  constants      every input the output of a Constant node, opset and IR as they are, at -O0
  wide           as initializers, with --precision=wide
and asks that everything folds, that the result is valid, and that type, shape and value are those stored: bit for bit, and
within the bounds of BOUNDS for functions that numpy computes otherwise. Sequences and optionals: see backend_cases.py.
The other way round nothing may fold in
  dynamic        one input left as a graph input, the others constants (-O0)
  overridable    every input an initializer that is a graph input too (IR >= 4: a caller may replace it)
With -s it prints one line per operator, and at the end how much of all folds and why the rest does not. Short form: `dynamic`
and `overridable` for the first folder of each operator; beside `initializers` both other forms for the first folder of each
operator and one of them, in turn, for the rest (7,500 of 11,000 models), none with a tool that is built with a sanitizer.
"""

import json
from collections import Counter, defaultdict

import onnx
import pytest
from onnx import numpy_helper

import backend_cases
import onnxfold_compare as compare
import onnxfold_testing as t

# What should fold and match. Case -> why it does not; an entry that folds and matches after all is a failure too.
EXCEPTIONS = {
    "1.18.0/test_adam_multiple": "the node lacks the epsilon that its outputs were computed with",
}

# Operator or folder -> (ulps of the element's own type, part of the largest expected value). Stored values come from numpy
# in the element's own type, ours are computed in double and rounded once.
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
    "test_averagepool_2d_ceil_last_window_starts_on_pad": (0, 5e-4),  # written with four digits
    "GridSample": (2, 1e-6),  # computed in f32 or written with six digits
    "test_gridsample_bicubic": (2, 1e-5),  # written with four digits
    **dict.fromkeys(("Attention", "ai.onnx.preview.FlexAttention"), (2, 1e-7)),
    # As numpy's BLAS sums it on a processor with AVX-512: 0.44273946, where double gives 0.44273932.
    "test_attention_4d_diff_heads_with_past_and_present": (2, 5e-7),
    **dict.fromkeys(("CausalConvWithState", "RotaryEmbedding"), (1, 1e-7)),
    **dict.fromkeys(("Swish", "SwiGLU"), (2, 0.0)),
    "LinearAttention": (1, 3e-7),
    # Means and variances in the element type; what is left of x may cancel.
    **dict.fromkeys(("BatchNormalization", "GroupNormalization", "InstanceNormalization", "LayerNormalization"), (2, 1e-7)),
    **dict.fromkeys(("RNN", "GRU", "LSTM"), (4, 2e-7)),
    "Det": (2, 0.0),
    "Einsum": (2, 0.0),
    **dict.fromkeys(("ai.onnx.preview.training." + name for name in ("Adagrad", "Adam", "Momentum")), (2, 0.0)),
    "MeanVarianceNormalization": (2, 2e-7),  # the variance is a difference
    # Sines in the element type, whose differences are 0 or nearly so in the end.
    **dict.fromkeys(("HannWindow", "HammingWindow", "BlackmanWindow"), (0, 2e-7)),
    **dict.fromkeys(("DFT", "STFT"), (0, 1e-6)),
    **dict.fromkeys(("RMSNormalization", "LRN", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"), (2, 0.0)),
}
SEVERAL_NODES = (16, 1e-5)  # function bodies round after each of their nodes

# Inputs whose values an operator never reads: it may fold although they are dynamic.
TYPE_OR_SHAPE_ONLY = {("Shape", 0), ("Size", 0), ("CastLike", 1), ("EyeLike", 0), ("Dropout", 1)}
RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli"}
BY_CODEC_OR_GRAPH = {"ImageDecoder", "ai.onnx.preview.training.Gradient"}
FLAGS = ("--max-growth=unlimited", "--fold-quantization=all")
VARIANTS = {"initializers": (), "constants": ("-O0",), "wide": ("--precision=wide",)}
# inexact: within the tolerance of ONNX's own test, but beyond BOUNDS; differed: a wrong value.
WRONG = ("differed", "invalid")
FOLDED = ("matched", "inexact", *WRONG)


# A tool that is slow to start folds one variant of each.
SANITIZED = t.cmakeCache(t.TOOL.parents[1], "ONNXFOLD_SANITIZE").lower() not in ("", "off", "0", "false", "no")


class Row:
    """The outcome of one variant of one case: matched, stayed, or a word and what it means here."""

    def __init__(self, case, variant, outcome, text=""):
        self.case, self.variant, self.outcome, self.text = case, variant, outcome, text

    def __str__(self):
        return f"{self.case.folder.name} ({self.variant}): {self.outcome}: {self.text}"


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
    """(result of the run, the folded model or None)."""
    source, out = scratch / "model.onnx", scratch / "out.onnx"
    onnx.save(model, source)
    out.unlink(missing_ok=True)
    result = t.run("--quiet", *FLAGS, *flags, "-o", out, source, timeout=600)
    return result, onnx.load(out) if result.code == 0 and out.exists() else None


def whyKept(output, scratch, *flags):
    """The reason of a kept node of the model that was folded last, by its first output."""
    report = scratch / "report.json"
    t.run("--quiet", *FLAGS, *flags, f"--report=json:{report}", "-o", scratch / "out.onnx", scratch / "model.onnx", timeout=600)
    for node in json.loads(report.read_text())["nodes"] if report.exists() else ():
        if node["action"] == "kept" and (node["outputs"] or [""])[0] == output:
            reason = node.get("reason") or {}
            return f"{reason.get('code')}: {reason.get('text')}"
    return "no reason in the report"


def mustFold(case, variant, model, expected, bounds, scratch):
    """Folds and compares: the Row of one variant."""

    def row(outcome, text=""):
        return Row(case, variant, outcome, text)

    opened = backend_cases.Opened(model, expected)
    model = opened.model
    result, folded = foldModel(model, scratch, *VARIANTS[variant])
    if folded is None:
        return row("error", f"exit {result.code}: {result.err.strip()[-300:]}")
    left = [node for node in folded.graph.node if node.op_type != "Constant"]
    if left:
        output = left[0].output[0] if left[0].output else ""
        return row("kept", f"{left[0].op_type}: {whyKept(output, scratch, *VARIANTS[variant])}")
    for value, want in zip(model.graph.output, opened.expected):
        tensor = constantOf(folded.graph, value.name)
        if tensor is None:
            return row("differed", f"output '{value.name}' is neither an initializer nor a Constant")
        if tensor.data_type != want.data_type or list(tensor.dims) != list(want.dims):
            return row(
                "differed",
                f"output '{value.name}' has type {tensor.data_type} and shape {list(tensor.dims)}, "
                f"expected {want.data_type} and {list(want.dims)}",
            )
        got, expectation = numpy_helper.to_array(tensor), numpy_helper.to_array(want)
        text = compare.differenceText(got, expectation, *bounds)
        if text:
            near = compare.areClose(got, expectation, rtol=1e-3, atol=1e-7)
            return row("inexact" if near else "differed", f"output '{value.name}' {text}")
    invalid = checkerText(folded)
    # Those that were invalid before: deprecated operators, and constants that contradict a declared shape.
    return row("invalid", invalid) if invalid and not checkerText(model) else row("matched")


def mustStay(case, variant, model, scratch):
    if checkerText(model):
        return Row(case, variant, "skipped", "the model is not valid")
    result, folded = foldModel(model, scratch, "-O0")
    if folded is None:
        return Row(case, variant, "error", f"{result}")
    there = [node.op_type for node in folded.graph.node if node.op_type != "Constant"]
    wanted = [node.op_type for node in model.graph.node if node.op_type != "Constant"]
    if there != wanted:
        return Row(case, variant, "wrongly folded", f"nodes are {there}, expected {wanted}")
    return Row(case, variant, "stayed")


class Case:
    """One folder: its operators, what is asked of it, and which variants to run.

    `operator` is "(several nodes)" where there is more than one. `count`: whether it must fold; if not, it must be kept."""

    def __init__(self, folder, seen):
        self.folder, model = folder, folder.model()
        nodes = [node for node in model.graph.node if node.op_type != "Constant"]
        operators = {operatorName(node) for graph in t.allGraphs(model.graph) for node in graph.node}
        single = len(nodes) == 1
        self.operator = operatorName(nodes[0]) if single else "(several nodes)"
        byOperator = BOUNDS.get(self.operator, (0, 0.0)) if single else SEVERAL_NODES
        self.bounds = BOUNDS.get(folder.path.name, byOperator)
        dropsNothing = folder.path.name.startswith("test_training_dropout_zero_ratio")
        self.count = dropsNothing or not (operators & (RANDOM | BY_CODEC_OR_GRAPH) or any(map(trains, nodes)))
        seen[self.operator] += 1
        current = folder.release == backend_cases.NEWEST
        simple = single and self.count and not any(True for _ in t.subgraphs(nodes[0]))
        self.stayToo = simple and (t.options.long or current and seen[self.operator] == 1)
        self.variants = list(VARIANTS)
        if not t.options.long and SANITIZED:
            self.variants = ["initializers"]
        elif not t.options.long and seen[self.operator] > 1:
            del self.variants[1 + seen[self.operator] % 2]


def operatorName(node):
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"


def trains(node):
    """Whether a node is in training mode: Dropout with that input (in all of the data it is true), BatchNormalization with
    that attribute, or at older versions with more than one output."""
    if node.op_type == "Dropout":
        return len(node.input) > 2 and node.input[2] != ""
    modes = [attribute.i for attribute in node.attribute if attribute.name == "training_mode"]
    return node.op_type == "BatchNormalization" and (modes == [1] or not modes and len(node.output) > 1)


def stayRows(case, model, values, scratch):
    """Nothing may fold as long as an input is not constant."""
    node = next(node for node in model.graph.node if node.op_type != "Constant")
    names, rows = list(node.input), []
    for index, value in enumerate(model.graph.input):
        # The body of a function need not read every input.
        if value.name in names and (node.op_type, names.index(value.name)) not in TYPE_OR_SHAPE_ONLY:
            made = backend_cases.withConstants(model, values, dynamic={index})
            rows.append(mustStay(case, f"dynamic {index}", made, scratch))
    if model.graph.input and node.op_type not in ("EyeLike", "Shape", "Size"):
        made = backend_cases.withConstants(model, values, form="overridable")
        rows.append(mustStay(case, "overridable", made, scratch))
    return rows


def rowsOf(case, scratch):
    """All variants of one folder: a list of Rows."""
    model, rows = case.folder.model(), []
    try:
        values = backend_cases.readValues(case.folder, "input", model.graph.input)
        expected = backend_cases.readValues(case.folder, "output", model.graph.output)
        for variant in case.variants:
            form = "constants" if variant == "constants" else "initializers"
            made = backend_cases.withConstants(model, values, form=form)
            rows.append(mustFold(case, variant, made, expected, case.bounds, scratch))
        if case.stayToo:
            rows += stayRows(case, model, values, scratch)
    except backend_cases.Unreadable as why:
        rows.append(Row(case, "initializers", "skipped", str(why)))
    return rows


def printTable(rows):
    """One line per operator; a folder counts once per variant."""
    columns = ("folded", "matched", "inexact", "differed", "kept", "error", "stayed", "skipped")
    table = defaultdict(Counter)
    for row in rows:
        counts = table[row.case.operator]
        counts["folded"] += row.outcome in FOLDED
        counts["differed" if row.outcome == "invalid" else row.outcome] += 1
    print("operator".ljust(32) + "".join(name.rjust(10) for name in columns))
    for operator in sorted(table):
        print(operator.ljust(32) + "".join(str(table[operator][name] or ".").rjust(10) for name in columns))
    total = sum(table.values(), Counter())
    print("total".ljust(32) + "".join(str(total[name] or ".").rjust(10) for name in columns))


def printSummary(rows):
    """How much of all folds: each folder once, by its variant `initializers`."""
    once = [row for row in rows if row.variant == "initializers"]
    counted = [row for row in once if row.case.count]
    outcomes = Counter(row.outcome for row in counted)
    for row in counted:
        if row.outcome in (*WRONG, "error") and row.case.folder.name not in EXCEPTIONS:
            print(f"  {row}")
    reasons = defaultdict(list)
    for row in counted:
        if row.outcome in ("kept", "skipped"):
            reasons[f"{row.outcome}: {row.text}"].append(row.case.folder.name)
    for text, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):4} {text}" + f": {' '.join(names[:8])}")
    share = 100 * outcomes["matched"] / max(1, len(counted))
    wrong = [row for row in counted if row.outcome in WRONG]
    excepted = sum(row.case.folder.name in EXCEPTIONS for row in wrong)
    print(
        f"{len(counted)} cases, {outcomes['matched']} folded and matched ({share:.2f} %), {len(wrong) - excepted} wrong values"
        f", {excepted} of EXCEPTIONS, {outcomes['inexact']} inexact, {outcomes['kept']} kept, {outcomes['error']} errors, "
        f"{outcomes['skipped']} unreadable; "
        f"not counted: {len(once) - len(counted)} random, training or image decoding"
    )


def wrongRows(rows):
    """The texts of those that are not as they should be, with the EXCEPTIONS taken into account."""
    texts = []
    for row in rows:
        case, isKept = row.case, row.variant not in VARIANTS
        excepted = not isKept and case.folder.name in EXCEPTIONS
        good = row.outcome in ("matched", "stayed") if case.count else row.outcome == "kept"
        if excepted and case.count and good:
            texts.append(f"{case.folder.name} ({row.variant}) folds and matches, but is listed in EXCEPTIONS")
        elif row.outcome != "skipped" and not good and not excepted:
            texts.append(str(row))
    return texts


# The first folder of an operator counts, so they are looked at in order; and the rows of all that ran.
FOLDERS = list(backend_cases.allFolders())
seen, allRows = Counter(), []


@pytest.mark.parametrize("one", FOLDERS, ids=lambda one: one.name)
def test_folder(one, folder):
    rows = rowsOf(Case(one, seen), folder)
    allRows.extend(rows)
    wrong = wrongRows(rows)
    assert not wrong, "\n".join(wrong)
    if all(row.outcome == "skipped" for row in rows):
        pytest.skip(rows[0].text)


def test_all_are_there():
    where = f"{t.TEST_DATA} and {t.TEST_RELEASES}"
    assert len(FOLDERS) >= 3500, f"{len(FOLDERS)} cases below {where}; tools/setup-tests.sh makes them"
    printTable(allRows)
    printSummary(allRows)
