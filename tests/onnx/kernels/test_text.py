# SPDX-License-Identifier: Apache-2.0
"""String operators, TfIdfVectorizer and Unique with random arguments, in every version and element type.

Expected values are what the operators' text says in Python; patterns go to ONNX Runtime, which has RE2 too. The other two are
compared with ONNX Runtime and the reference evaluator where these do what the text says. --long: twenty times as many.
"""

import functools

import numpy as np
import pytest
import onnxruntime
from onnx import helper
from onnx.reference import ReferenceEvaluator

import onnxfold_compare as compare
import onnxfold_testing as t
from onnxfold_opsets import RandomCases
from onnxfold_types import Inputs, dtypeOf, foldAll, typesOf, versions

LETTERS = ["a", "b", "B", "ab", "é", " ", "  ", "\t", ",", ",,", "1", "\u3000", "-"]
ATOMS = ["a", "b", "[ab]", "[^a]", ".", r"\d", r"\w", r"\s", "é", r"\pL", "(?i:b)", "^", "$", r"\b", "[[:alpha:]]", r"\x61"]
REPEATS = ["*", "+", "?", "{2}", "{1,3}", "*?", "{0}"]


class Maker(RandomCases):
    """Random cases (inputs, attributes, expected results); the same for the same seed."""

    def shape(self, rank=None):
        return [self.integer(1, 4) for _ in range(self.integer(0, 3) if rank is None else rank)]

    def text(self, letters=LETTERS, most=6):
        return "".join(self.random.choice(letters, self.integer(0, most)))

    def texts(self, shape, letters=LETTERS, most=6):
        flat = [self.text(letters, most) for _ in range(int(np.prod(shape)))]
        return np.array(flat, object).reshape(shape)

    def StringConcat(self, opset, dtype):
        shape = self.shape()
        other = [1 if self.random.random() < 0.3 else size for size in shape[self.integer(0, len(shape)) :]]
        x, y = self.texts(shape), self.texts(other)
        if self.random.random() < 0.5:
            x, y = y, x
        return [x, y], {}, [np.asarray(x + y, object)]

    def StringSplit(self, opset, dtype):
        x, most = self.texts(self.shape()), self.integer(-1, 3)
        delimiter = self.random.choice(["", ",", ",,", "ab", " "]) if self.random.random() < 0.7 else None
        attributes = {} if most < 0 and self.random.random() < 0.5 else {"maxsplit": most}
        if delimiter is not None:
            attributes["delimiter"] = str(delimiter)
        # By the text whitespace at the end is removed, whatever is left.
        split = lambda s: s.split(delimiter, most) if delimiter else s.rstrip().split(None, most)  # noqa: E731
        parts = [split(s) for s in x.reshape(-1).tolist()]
        longest = max((len(one) for one in parts), default=0)
        y = np.array([one + [""] * (longest - len(one)) for one in parts], object).reshape([*x.shape, longest])
        return [x], attributes, [y, np.array([len(one) for one in parts], np.int64).reshape(x.shape)]

    def StringNormalizer(self, opset, dtype):
        letters, action = ["a", "B", "c", " "], self.random.choice(["LOWER", "UPPER", "NONE"])
        x, stops = self.texts([1] * self.integer(0, 1) + [self.integer(1, 6)], letters, 2), self.texts([3], letters, 2).tolist()
        sensitive = self.integer(0, 1)
        key = (lambda s: s) if sensitive else str.lower
        kept = [s for s in x.reshape(-1) if key(s) not in map(key, stops)] or [""]
        kept = [{"LOWER": s.lower(), "UPPER": s.upper(), "NONE": s}[action] for s in kept]
        attributes = {"case_change_action": str(action), "is_case_sensitive": sensitive, "stopwords": stops}
        return [x], attributes, [np.array(kept, object).reshape([1] * (x.ndim - 1) + [-1])]

    def pattern(self, depth=3):
        kind = self.integer(0, 4) if depth else 0
        if kind <= 1:
            return str(self.random.choice(ATOMS))
        if kind == 2:
            return f"({self.pattern(depth - 1)}|{self.pattern(depth - 1)})"
        if kind == 3:
            return f"(?:{self.pattern(depth - 1)}){self.random.choice(REPEATS)}"
        return self.pattern(depth - 1) + self.pattern(depth - 1)

    def RegexFullMatch(self, opset, dtype):
        return [self.texts([40], most=4)], {"pattern": self.pattern()}, None

    def TfIdfVectorizer(self, opset, dtype):
        tokens = np.array(list("abcd"), object) if dtype == object else np.arange(4).astype(dtype)
        shortest, longest = np.sort(self.random.integers(1, 4, 2)).tolist()
        grams, counts, pool = set(), [], []
        for length in range(1, self.integer(longest, 3) + 1):
            counts.append(len(pool))
            new = {tuple(self.random.choice(tokens, length).tolist()) for _ in range(self.integer(1, 4))}
            pool += [token for gram in sorted(new) for token in gram]
            grams |= new
        columns = self.random.permutation(len(grams) + 2)[: len(grams)].tolist()
        attributes = {"mode": str(self.random.choice(["TF", "IDF", "TFIDF"])), "ngram_counts": counts, "ngram_indexes": columns}
        attributes |= {"min_gram_length": shortest, "max_gram_length": longest, "max_skip_count": self.integer(0, 3)}
        attributes["pool_strings" if dtype == object else "pool_int64s"] = pool
        if self.random.random() < 0.7:
            attributes["weights"] = (self.random.integers(1, 40, len(grams)) / 8).tolist()
        x = self.random.choice(tokens, [self.integer(1, 3)] * self.integer(0, 1) + [self.integer(0, 9)])
        return [x], attributes, None

    def Unique(self, opset, dtype):
        shape = self.shape(self.integer(1, 3))
        if dtype.kind == "c":
            x = (self.random.integers(-1, 2, [*shape, 2]) @ [1, 1j]).astype(dtype)
        else:
            few = Inputs(self.integer(0, 2**30), 40).tensor(dtype)[:5]
            few = np.where(few != few, few.dtype.type(2), few).astype(dtype) if dtype.kind in "fV" else few  # with NaN it stays
            x = self.random.choice(few, shape)
        attributes = {"sorted": self.integer(0, 1)}
        axis = self.integer(-len(shape), len(shape) - 1) if self.random.random() < 0.6 else None
        if axis is not None:
            attributes["axis"] = axis
        return [x], attributes, uniqueOf(x, axis, attributes["sorted"])


def uniqueOf(x, axis, isSorted):
    """Compares slice by slice."""
    slices = x.reshape(-1, 1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    order = lambda v: (v != v, 0 if v != v else (v.real, v.imag) if x.dtype.kind == "c" else v)  # noqa: E731
    keys = [tuple(order(v) for v in one.tolist()) for one in slices]
    if axis is not None:  # a NaN differs from all others
        keys = [key if not any(isNan for isNan, _ in key) else (*key, i) for i, key in enumerate(keys)]
    first, counts = {}, {}
    for i, key in enumerate(keys):
        first.setdefault(key, i)
        counts[key] = counts.get(key, 0) + 1
    different = sorted(first) if isSorted else list(first)
    indices = [first[key] for key in different]
    values = x.reshape(-1)[indices] if axis is None else np.take(x, indices, axis)
    inverse = [different.index(key) for key in keys]
    return [values] + [np.array(v, np.int64) for v in (indices, inverse, [counts[key] for key in different])]


def evaluated(opset, operator, inputs, attributes, results, run):
    """What `run` makes of a model of one node; None if it refuses."""
    names = [f"x{i}" for i in range(len(inputs))]
    node = helper.make_node(operator, names, [f"y{i}" for i in range(results)], **attributes)
    typed = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in zip(names, inputs)]
    graph = helper.make_graph([node], "g", typed, [helper.make_empty_tensor_value_info(n) for n in node.output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    try:
        return [np.asarray(y) for y in run(model, dict(zip(names, inputs)))]
    except Exception:
        return None


def inRuntime(model, feeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def byEvaluator(model, feeds):
    return ReferenceEvaluator(model).run(None, feeds)


def expectedOf(opset, operator, inputs, attributes, want, refused):
    """All the results that must come out, by whoever does what the text says."""
    if want is not None:
        yield "by the text", want
    oracles = {"RegexFullMatch": [inRuntime], "TfIdfVectorizer": [inRuntime]}.get(operator, [])
    if operator == "TfIdfVectorizer" and "weights" not in attributes:  # it takes those for columns
        oracles = [inRuntime, byEvaluator]
    if operator == "Unique" and inputs[0].dtype.name in ("float32", "float64", "int64", "int8"):
        if not (inputs[0] != inputs[0]).any() and inputs[0].ndim and (inputs[0] != 0).all():
            oracles = [inRuntime]
    for run in oracles:
        results = evaluated(opset, operator, inputs, attributes, len(want or [0]), run)
        if results is None:
            refused.append((operator, attributes, run.__name__))
        else:
            yield run.__name__, results


def isDisputed(operator, inputs, attributes):
    """What ONNX Runtime splits otherwise: an empty element at a delimiter, and whitespace other than spaces."""
    if operator != "StringSplit":
        return False
    texts = inputs[0].ravel().tolist()
    if attributes.get("delimiter"):
        return "" in texts
    return any(text.split() != [word for word in text.split(" ") if word] for text in texts)


def check(folder, opset, operator, cases):
    nodes = [(operator, inputs, attributes, len(want or [0])) for inputs, attributes, want in cases]
    problems, refused = [], []
    for (inputs, attributes, want), got in zip(cases, foldAll(opset, nodes, folder)):
        results = list(expectedOf(opset, operator, inputs, attributes, want, refused))
        if isDisputed(operator, inputs, attributes):
            if any(y is not None for y in got):
                problems.append(f"{operator} of {[x.tolist() for x in inputs]} {attributes} folds")
            continue
        if not results:
            continue
        for source, expected in results:
            for i, (y, one) in enumerate(zip(got, expected)):
                text = "does not fold" if y is None else compare.differenceText(y, one.astype(y.dtype))
                if text:
                    problems.append(f"{operator} of {[x.tolist() for x in inputs]} {attributes}, result {i} {source}: {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10])
    assert len(refused) <= len(cases) // 4, f"{len(refused)} of {len(cases)} refused: {refused[:3]}"


def test_long_attributes(folder):
    """Long lists are held as tensors."""
    words = [f"word{i}" for i in range(400)]
    x = np.array(["word7", "word", "word399word"], object)
    attributes = {"min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "mode": "TFIDF", "ngram_counts": [0]}
    attributes |= {"pool_strings": words, "ngram_indexes": list(range(400)), "weights": [0.5] * 400}
    nodes = [
        ("RegexFullMatch", [x], {"pattern": "|".join(words)}, 1),
        ("StringNormalizer", [x], {"stopwords": words}, 1),
        ("StringSplit", [x], {"delimiter": "-" * 2000}, 2),
        ("TfIdfVectorizer", [x], attributes, 1),
    ]
    [matches], [kept], [parts, counts], [found] = foldAll(20, nodes, folder)
    assert matches.tolist() == [True, False, False], "matches"
    assert kept.tolist() == ["word", "word399word"], "what is left"
    assert (parts.tolist(), counts.tolist()) == ([[one] for one in x], [1, 1, 1]), "parts"
    assert np.flatnonzero(found).tolist() == [7], "n-grams"


def test_very_long_attributes(folder):
    """Texts of more than 64 KB are not read at all: an attribute was taken for one that is left out, and words were split."""
    x = np.array(["a b"], object)
    nodes = [
        ("StringSplit", [x], {"delimiter": "-" * 70000}, 2),
        ("StringNormalizer", [x], {"case_change_action": "U" * 70000}, 1),
        ("RegexFullMatch", [x], {"pattern": "a" * 70000}, 1),
        ("AveragePool", [np.zeros((1, 1, 4), np.float32)], {"kernel_shape": [2], "auto_pad": "V" * 70000}, 1),
    ]
    assert [y for one in foldAll(20, nodes, folder) for y in one] == [None] * 5, "results"


OPERATORS = ("StringConcat", "StringSplit", "StringNormalizer", "RegexFullMatch", "TfIdfVectorizer", "Unique")
onnxruntime.set_default_logger_severity(4)


@functools.cache
def casesOf():
    """{(operator, opset): its cases}."""
    maker, count, made = Maker(t.options.seed), 200 if t.options.long else 10, {}
    for operator in OPERATORS:
        for opset, schema in versions(operator):
            types = typesOf(schema, 0)
            if operator == "StringNormalizer":  # its input has a type and no variable for it
                types = [dtypeOf("tensor(string)")]
            each = count * 5 if len(types) < 4 else count
            made[operator, opset] = [getattr(maker, operator)(opset, dtype) for dtype in types for _ in range(each)]
    return made


@pytest.mark.parametrize("operator, opset", [(name, opset) for name in OPERATORS for opset, _ in versions(name)])
def test_text(operator, opset, folder):
    check(folder, opset, operator, casesOf()[operator, opset])
