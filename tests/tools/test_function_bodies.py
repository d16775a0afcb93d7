# SPDX-License-Identifier: Apache-2.0
"""Which operators that ONNX defines by functions are taken apart (`decompose`), computed for all of them.

In every version and opset, with every choice of constant inputs and of known sizes, the body that the onnx package gives is
written as a model of its own and folded there: what is left of it says whether the operator must be taken apart. The nodes
asked about are those of ONNX's backend tests, as they are and with integers in the place of floats, and some more. What was
taken apart is compared with what was there in ONNX Runtime, or else in the reference evaluator, bit for bit.
"""

import functools
import itertools

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import backend_cases
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import canRun, runExact
from onnxfold_models import node

# Operators whose result holds elements of inputs, or sizes: what they do is the same bits everywhere, of any type.
MOVES = frozenset(
    "Identity Reshape Flatten Squeeze Unsqueeze Expand Transpose Slice Split Concat Pad Tile Gather GatherElements GatherND Where "
    "Shape Size Constant DepthToSpace SpaceToDepth Trilu Compress If Loop".split()
)
WHOLE = {getattr(TensorProto, name) for name in "BOOL INT4 INT8 INT16 INT32 INT64 UINT4 UINT8 UINT16 UINT32 UINT64".split()}
RANDOM = {"Bernoulli"}
# One node at most would be left of these, for constant data or no bounds, but they round, or runtimes do something else.
ROUNDED = {"Attention", "CausalConvWithState", "Clip", "RMSNormalization", "ReduceL1", "ReduceSumSquare", "SoftmaxCrossEntropyLoss"}
ROUNDED |= {"SwiGLU"}
FLAGS = ("-O1", "--max-growth=unlimited")
USE = "onnxfold.test"  # a domain of which nothing is known: its nodes stand for what reads a value


def functionOpsets(schema):
    return sorted({*schema.function_opset_versions, *schema.context_dependent_function_opset_versions})


def schemasWithBodies():
    """Of ai.onnx, without random operators and those with graphs."""
    for schema in onnx.defs.get_all_schemas_with_history():
        graphs = any(one.type == onnx.defs.OpSchema.AttrType.GRAPH for one in schema.attributes.values())
        if schema.domain == "" and functionOpsets(schema) and schema.name not in RANDOM and not graphs:
            yield schema


class Question:
    """A node, its inputs as TensorProtos (None: not given), which of them are constant, and of which dimensions of the others
    the size is known: "all", "rest" (all but the first), "none"."""

    def __init__(self, node, opset, values, constants, sizes):
        self.node, self.opset, self.values, self.constants, self.sizes = node, opset, values, constants, sizes
        self.schema = onnx.defs.get_schema(node.op_type, opset)

    def __str__(self):
        kinds = [None if value is None else (value.data_type, *value.dims) for value in self.values]
        attributes = {one.name: helper.get_attribute_value(one) for one in self.node.attribute}
        return f"{self.node.op_type} {attributes} of opset {self.opset}, inputs {kinds}, constant {self.constants}, sizes {self.sizes}"

    def kind(self):
        """What is asked, but for what is known of sizes and values."""
        kinds = [None if value is None else (value.data_type, len(value.dims)) for value in self.values]
        return str((self.node.op_type, self.opset, [one.SerializeToString() for one in self.node.attribute], kinds))

    def knowsNothing(self):
        return not self.constants and self.sizes == "none"

    def isFloat(self):
        return self.values[0].data_type not in WHOLE

    def inputs(self, prefix):
        """Names, graph inputs, initializers."""
        names, infos, tensors = [], [], []
        for i, value in enumerate(self.values):
            names.append("" if value is None else f"{prefix}x{i}")
            if value is None:
                continue
            if i in self.constants:
                tensors.append(onnx.TensorProto())
                tensors[-1].CopyFrom(value)
                tensors[-1].name = names[-1]
                continue
            unknown = {"all": 0, "rest": 1, "none": len(value.dims)}[self.sizes]
            shape = [f"{names[-1]}_{axis}" if axis < unknown else size for axis, size in enumerate(value.dims)]
            infos.append(m.info(names[-1], shape, value.data_type))
        return names, infos, tensors

    def feed(self, prefix):
        return {
            f"{prefix}x{i}": numpy_helper.to_array(value)
            for i, value in enumerate(self.values)
            if value is not None and i not in self.constants
        }

    def outputs(self, prefix):
        """As many as the node has; the first one is y, and the only one that is read."""
        return [f"{prefix}y", *(name and f"{prefix}y{i}" for i, name in enumerate(list(self.node.output)[1:], 1))]

    def asNode(self, prefix):
        """(nodes, graph inputs, initializers): the node under names of its own; what it gives is y."""
        names, infos, tensors = self.inputs(prefix)
        made = onnx.NodeProto()
        made.CopyFrom(self.node)
        made.name = prefix
        del made.input[:], made.output[:]
        made.input.extend(names)
        made.output.extend(self.outputs(prefix))
        return [made], infos, tensors

    def bodyOpset(self):
        """That of the newest body that holds in the model's opset; None if there is none."""
        return max((one for one in functionOpsets(self.schema) if one <= self.opset), default=None)

    @functools.cached_property
    def body(self):
        """The FunctionProto for what is known, or None."""
        opset, function = self.bodyOpset(), onnx.FunctionProto()
        if opset in self.schema.function_opset_versions:
            function.ParseFromString(self.schema.get_function_with_opset_version(opset))
            return function
        if opset is None:
            return None
        _, infos, tensors = self.inputs("")
        types = {one.name: one.type for one in infos}
        types |= {one.name: helper.make_tensor_type_proto(one.data_type, one.dims) for one in tensors}
        given = [types.get(f"x{i}", onnx.TypeProto()).SerializeToString() for i in range(len(self.values))]
        asked = self.asNode("")[0][0].SerializeToString()
        function.ParseFromString(self.schema.get_context_dependent_function_with_opset_version(opset, asked, given))
        return function if function.node else None

    def asBody(self, prefix):
        """As asNode, of the body, which there must be."""
        function = self.body
        names, infos, tensors = self.inputs(prefix)
        names += [""] * len(function.input)
        named = dict(zip(function.input, names)) | dict(zip(function.output, self.outputs(prefix)))
        given = {name: one.default_value for name, one in self.schema.attributes.items() if one.default_value.name}
        given |= {one.name: one for one in self.node.attribute}
        return [renamed(one, prefix, named, given) for one in function.node], infos, tensors


def renamed(source, prefix, named, given):
    """A node of a function as one of a model: values under new names, attributes of the function as those `given`."""
    made = onnx.NodeProto()
    made.CopyFrom(source)
    made.name = prefix
    del made.input[:], made.output[:], made.attribute[:]
    for field in ("input", "output"):
        getattr(made, field).extend(named.get(name, prefix + name if name else "") for name in getattr(source, field))
    for one in source.attribute:
        if not one.ref_attr_name:
            made.attribute.append(one)
        elif one.ref_attr_name in given:
            made.attribute.append(given[one.ref_attr_name])
            made.attribute[-1].name = one.name
        if one.HasField("g"):
            graph = made.attribute[-1].g
            for value in [*graph.input, *graph.output]:
                value.name = named.get(value.name, prefix + value.name)
            nodes = [renamed(inner, prefix, named, given) for inner in graph.node]
            del graph.node[:]
            graph.node.extend(nodes)
    return made


# ---- the questions -----------------------------------------------------------------------------------------------------


def backendNodes(names):
    """(node, opset, inputs) of ONNX's backend tests that are one node of these operators on tensors."""
    seen = set()
    for folder in backend_cases.allFolders():
        model = folder.model()
        if len(model.graph.node) != 1 or model.graph.node[0].op_type not in names or model.graph.initializer:
            continue
        one = model.graph.node[0]
        try:
            values = dict(zip((value.name for value in model.graph.input), backend_cases.readValues(folder, "input", model.graph.input)))
        except backend_cases.Unreadable:
            continue
        inputs = [values.get(name) if name else None for name in one.input]
        opset = next(use.version for use in model.opset_import if use.domain in ("", "ai.onnx"))
        key = str((one.op_type, [a.SerializeToString() for a in one.attribute], [v and (v.data_type, *v.dims) for v in inputs], opset))
        if inputs and inputs[0] is not None and key not in seen:
            seen.add(key)
            yield one, opset, inputs


def moreNodes():
    """What the backend tests lack: sizes with which little is left, and integers."""
    i64 = lambda *values: np.int64(values)
    for x, shape, axes in (
        (np.ones([4, 6], np.float32), i64(4, 6), None),
        (np.ones([4, 6], np.int8), i64(6), [1]),
        (np.ones([4, 6, 5], np.float16), i64(2, 5), [-1, 0]),
        (np.ones([2, 6, 5], np.float64), i64(6, 5), [-1, -2]),
        (np.ones([3], np.bool_), i64(0), None),
    ):
        more = {} if axes is None else {"axes": axes}
        yield node("CenterCropPad", ["x", "s"], ["y"], **more), 18, [x, shape]
    for kind in ("int8", "uint8", "int32", "int64", "uint64"):
        yield node("Clip", ["x"], ["y"]), 13, [np.arange(6, dtype=kind)]
        yield node("Clip", ["x", "", "b"], ["y"]), 13, [np.arange(6, dtype=kind), None, np.array(3, kind)]
    for kind in ("float32", "int32", "int64"):
        for name in ("ReduceL1", "ReduceSumSquare"):
            for keep in (0, 1):
                x = np.array([[-3, 0, 70], [100, -1, 1]]).astype(kind)
                yield node(name, ["x", "a"], ["y"], noop_with_empty_axes=1, keepdims=keep), 18, [x, i64()]
                yield node(name, ["x", "a"], ["y"], keepdims=keep), 18, [x[:, :1], i64(1)]
    for mode in ("DCR", "CRD"):
        for shape, block in (([2, 4, 1, 1], 2), ([2, 8, 3, 1], 2), ([2, 3, 4, 5], 1), ([2, 4, 3, 3], 2)):
            yield node("DepthToSpace", ["x"], ["y"], blocksize=block, mode=mode), 28, [np.ones(shape, np.float32)]
    for shape, block in (([2, 4, 2, 2], 2), ([2, 1, 3, 2], 1), ([2, 1, 3, 3], 3)):
        yield node("SpaceToDepth", ["x"], ["y"], blocksize=block), 28, [np.ones(shape, np.int32)]
    for kind in ("float32", "int32"):
        yield node("Relu", ["x"], ["y"]), 18, [np.arange(-2, 4).astype(kind)]
        yield node("GreaterOrEqual", ["x", "b"], ["y"]), 16, [np.arange(-2, 4).astype(kind), np.array([1], kind)]
        yield node("Range", ["x", "b", "c"], ["y"]), 11, [np.array(1, kind), np.array(7, kind), np.array(2, kind)]
    yield node("MeanVarianceNormalization", ["x"], ["y"], axes=[0, 2, 3]), 13, [np.ones([2, 3, 4, 5], np.float32)]
    yield node("SwiGLU", ["x", "b"], ["y"]), 28, [np.ones([2, 3], np.float32)] * 2
    yield node("RMSNormalization", ["x", "b"], ["y"]), 23, [np.ones([2, 3], np.float32), np.ones([3], np.float32)]


def withIntegers(schema, inputs):
    """The same with int64 for float32, where the operator takes that."""
    if inputs[0].data_type != TensorProto.FLOAT or "tensor(int64)" not in schema.inputs[0].types:
        return None
    array = lambda value: numpy_helper.from_array(np.nan_to_num(numpy_helper.to_array(value) * 10, posinf=9, neginf=-9).astype(np.int64))
    return [array(value) if value is not None and value.data_type == TensorProto.FLOAT else value for value in inputs]


def isValid(question):
    """By ONNX's own inference of types."""
    model = modelOf([question], "asNode")
    try:
        inferred = onnx.shape_inference.infer_shapes(withoutUses(model), check_type=True, strict_mode=True)
        return inferred.graph.output[0].type.WhichOneof("value") == "tensor_type"
    except Exception:
        return False


def tensorsOf(inputs):
    return [value if value is None or isinstance(value, onnx.TensorProto) else numpy_helper.from_array(value) for value in inputs]


def questionsOf(one, opset, inputs):
    """One node in one opset, with all that may be known but everything."""
    given = [i for i, value in enumerate(inputs) if value is not None]
    if not isValid(Question(one, opset, inputs, (), "all")):
        return
    for count in range(min(len(given), 4)):
        for constants in itertools.combinations(given, count):
            for sizes in ("all", "rest", "none"):
                yield Question(one, opset, inputs, constants, sizes)


def opsetsOf(schema):
    """The first and the last one in which it holds, and those of which there is a body."""
    every = [one for one in onnx.defs.get_all_schemas_with_history() if (one.domain, one.name) == ("", schema.name)]
    later = [one.since_version - 1 for one in every if one.since_version > schema.since_version]
    last = min(later, default=onnx.defs.onnx_opset_version())
    inside = {one for one in functionOpsets(schema) if schema.since_version <= one <= last}
    return sorted({schema.since_version, last, *inside})


def allQuestions(chance, seed):
    """Of what the backend tests have of a version a part, by chance, and the first in any case; of the rest all."""
    random = np.random.default_rng(seed)
    schemas = list(schemasWithBodies())
    examples = {(schema.name, schema.since_version): [] for schema in schemas}
    ofName = {}
    for one, opset, inputs in [*backendNodes({schema.name for schema in schemas}), *moreNodes()]:
        isStored = isinstance(inputs[0], onnx.TensorProto)
        inputs = tensorsOf(inputs)
        known = examples.get((one.op_type, onnx.defs.get_schema(one.op_type, opset).since_version))
        if known is None or (isStored and known and random.random() > chance):
            continue
        schema = onnx.defs.get_schema(one.op_type, opset)
        known += [(one, given) for given in (inputs, withIntegers(schema, inputs)) if given is not None]
        ofName.setdefault(one.op_type, []).append((one, inputs))
    for schema in schemas:
        for opset in opsetsOf(schema):
            # Versions without tests have those of others.
            for one, inputs in examples[schema.name, schema.since_version] or ofName[schema.name]:
                yield from questionsOf(one, opset, inputs)


# ---- models of many ----------------------------------------------------------------------------------------------------


def prefixOf(index):
    return f"q{index}/"


def modelOf(questions, form, opset=None):
    """All of them side by side, as nodes or as bodies; a node of another domain reads what each gives."""
    nodes, infos, tensors, outputs = [], [], [], []
    for index, question in enumerate(questions):
        prefix = prefixOf(index)
        made = getattr(question, form)(prefix)
        nodes += made[0]
        infos += made[1]
        tensors += made[2]
        nodes.append(node("Use", [f"{prefix}y"], [f"{prefix}u"], domain=USE))
        outputs.append(onnx.ValueInfoProto(name=f"{prefix}u"))
    opset = opset or questions[0].opset
    return m.model(nodes, infos, outputs, tensors, opset=opset, domains=[(USE, 1)])


def withoutUses(model):
    """What a runtime can run: the outputs are what was read."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    nodes = [one for one in model.graph.node if one.domain != USE]
    outputs = [onnx.ValueInfoProto(name=one.input[0]) for one in model.graph.node if one.domain == USE]
    del made.graph.node[:], made.graph.output[:], made.graph.value_info[:]
    made.graph.node.extend(nodes)
    made.graph.output.extend(outputs)
    return made


def folded(folder, model, *flags):
    onnx.save(model, folder / "model.onnx")
    return onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", *FLAGS, *flags))


def byQuestion(model):
    """{prefix: nodes}, without Constants and what reads results."""
    found = {}
    for one in model.graph.node:
        if one.domain != USE and one.op_type != "Constant":
            found.setdefault(one.output[0].partition("/")[0] + "/", []).append(one)
    return found


def typesOf(model):
    """{value: element type} as ONNX infers them."""
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    types = {one.name: one.type.tensor_type.elem_type for one in [*inferred.graph.input, *inferred.graph.value_info]}
    return types | {tensor.name: tensor.data_type for tensor in inferred.graph.initializer}


def allNodes(nodes):
    for one in nodes:
        yield one
        for graph in t.subgraphs(one):
            yield from allNodes(graph.node)


def isExact(nodes, types):
    """Nothing but movement of data, and integers. Nodes that give nothing that is read do not count."""
    needed, used = {nodes[-1].output[0].partition("/")[0] + "/y"}, []
    for one in reversed(nodes):
        if needed & set(one.output):
            used.append(one)
            needed |= {name for inner in allNodes([one]) for name in inner.input}
    whole = lambda name: not name or types.get(name) in WHOLE
    return all(one.op_type in MOVES or all(map(whole, [*one.input, *one.output])) for one in allNodes(used))


def sameOperator(name, left, right):
    """In two opsets: versions of it differ in the types that they take only."""

    def form(opset):
        schema = onnx.defs.get_schema(name, opset)
        values = [(one.name, one.option) for one in [*schema.inputs, *schema.outputs]]
        return values, {(key, one.required, one.default_value.SerializeToString()) for key, one in schema.attributes.items()}

    return form(left) == form(right)


class Answers:
    """What is left of the bodies of questions of one opset."""

    def __init__(self, folder, questions):
        self.questions, self.left, self.exact = questions, {}, {}
        bodies = {}
        for index, question in enumerate(questions):
            if question.body is not None:
                bodies.setdefault(question.bodyOpset(), []).append(index)
        for opset, indices in bodies.items():
            chosen = [questions[index] for index in indices]
            model = modelOf(chosen, "asBody", opset)
            types, before = typesOf(model), byQuestion(model)
            after = byQuestion(folded(folder, model, "--disable=decompose"))
            for place, index in enumerate(indices):
                self.left[index] = after.get(prefixOf(place), [])
                self.exact[index] = isExact(before[prefixOf(place)], types)
        self.unknown = {q.kind(): len(self.left[i]) for i, q in enumerate(questions) if q.knowsNothing() and i in self.left}

    def isSmaller(self, index):
        """No node is left, or one of several. (Some bodies are only made for known sizes.)"""
        question, left = self.questions[index], self.left.get(index)
        if left is None or len(left) > 1:
            return False
        fits = all(sameOperator(one.op_type, question.bodyOpset(), question.opset) for one in left)
        return fits and (not left or self.unknown.get(question.kind(), 2) > 1)

    def mayBeTakenApart(self, index):
        """Runtimes clip infinities, without bounds too."""
        question = self.questions[index]
        return self.exact[index] and not (question.node.op_type == "Clip" and question.isFloat())


def takenApart(folder, questions):
    """Which of them are no longer the node that they were because of `decompose`, and which ones without it."""
    model = modelOf(questions, "asNode")

    def replaced(*flags):
        there = {(one.op_type, one.name) for one in folded(folder, model, *flags).graph.node}
        return {i for i, question in enumerate(questions) if (question.node.op_type, prefixOf(i)) not in there}

    others = replaced("--disable=decompose")
    return replaced() - others, others


# ---- results -----------------------------------------------------------------------------------------------------------


RUNTIME = 24  # an opset that ONNX Runtime takes


def resultsOf(path, feed):
    """By ONNX Runtime, or else the reference evaluator."""
    model = onnx.load(path)
    versions = lambda opset: [onnx.defs.get_schema(one.op_type, opset).since_version for one in model.graph.node]
    if model.opset_import[0].version > RUNTIME and versions(RUNTIME) == versions(model.opset_import[0].version):
        model.opset_import[0].version = RUNTIME
        onnx.save(model, path)
    if canRun(path, [feed]):
        return runExact(path, [feed])[0]
    with np.errstate(all="ignore"):
        values = ReferenceEvaluator(model).run(None, feed)
    return {one.name: np.asarray(value) for one, value in zip(model.graph.output, values)}


def expectSameResults(folder, question):
    """With numbers of all kinds in place of floats."""
    before = modelOf([question], "asNode")
    after = folded(folder, before)
    left, right = folder / "before.onnx", folder / "after.onnx"
    onnx.save(withoutUses(before), left)
    onnx.save(withoutUses(after), right)
    feed = question.feed(prefixOf(0))
    special = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0, 1e30, -1e-40, 3.5])
    for change in (False, True):
        if change:
            with np.errstate(all="ignore"):
                kinds = {name: value.dtype for name, value in feed.items() if value.dtype.kind == "f"}
                feed |= {name: np.resize(special, feed[name].shape).astype(kind) for name, kind in kinds.items()}
        got, want = resultsOf(right, feed), resultsOf(left, feed)
        text = compare.differenceText(*(list(values.values())[0] for values in (got, want)))
        assert not text, f"{question}: result {text}"


# ---- cases -------------------------------------------------------------------------------------------------------------


def answersOf(folder):
    """Questions by opset, with their answers."""
    byOpset = {}
    for question in allQuestions(1 if t.options.long else 0.03, t.options.seed):
        byOpset.setdefault(question.opset, []).append(question)
    for opset, questions in sorted(byOpset.items()):
        yield questions, Answers(folder, questions)


def test_what_pays_is_taken_apart(folder):
    """And nothing else; the results are the same bits."""
    seen, asked, apart, rounded = set(), 0, {}, set()
    for questions, answers in answersOf(folder):
        found, others = takenApart(folder, questions)
        for index, question in enumerate(questions):
            name = question.node.op_type
            seen.add((name, question.schema.since_version))
            if index in others:
                continue  # by a pattern that knows the operator, or it folds
            expected = answers.isSmaller(index) and answers.mayBeTakenApart(index)
            if answers.isSmaller(index) and not expected:
                rounded.add(name)
            left = [one.op_type for one in answers.left.get(index, [])]
            assert (index in found) == expected, f"taking apart of {question}, of the body of which {left} are left,"
            if expected:
                apart.setdefault(name, []).append(question)
        asked += len(questions)
    print(f"  {asked} questions; taken apart: {({name: len(some) for name, some in sorted(apart.items())})}; rounded: {sorted(rounded)}")
    assert rounded <= ROUNDED, f"nobody looked at what is given up of {rounded - ROUNDED} (onnx/transforms/RATIONALE.md)"
    missing = {(one.name, one.since_version) for one in schemasWithBodies()} - seen
    assert missing == set(), "operators that nothing was asked of"
    assert "CenterCropPad" in apart, f"only {sorted(apart)} are taken apart"
    for some in apart.values():
        for question in some:
            expectSameResults(folder, question)
