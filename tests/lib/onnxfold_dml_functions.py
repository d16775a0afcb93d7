# SPDX-License-Identifier: Apache-2.0
"""Functions of SystemDS's own scripts, run there and as models on the same inputs.

    one = Function("builtin/abstain:m_abstain", "", "X=8x4 Y=8x1:labels threshold=0.5")
    wanted = one.onSystemds(folder)         # raises RuntimeError with what SystemDS says
    got = one.asModel(folder)

Inputs are drawn: `X=8x4` is a matrix of 8 rows of normal numbers, `:kind` another kind of numbers (KINDS), and `*=4x3` says what
the other matrices are. What is not listed is not given: it has a default, or what is bound in docs/dml-functions.md. Random numbers of
functions that convert with --random are those of a seed, in both: see seeded().
"""

import re
import sys
import zipfile

import numpy as np
import onnx

import onnxfold_systemds as systemds
import onnxfold_testing as t

sys.path.insert(0, str(t.ROOT / "tools"))
import dml_functions_page as page  # noqa: E402

KINDS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "positive": lambda rng, shape: np.abs(rng.standard_normal(shape)) + 0.1,
    "share": lambda rng, shape: rng.uniform(0.05, 0.95, shape),
    "rows": lambda rng, shape: (lambda x: x / x.sum(1, keepdims=True))(rng.uniform(0.1, 1, shape)),  # each sums to 1
    "labels": lambda rng, shape: (np.arange(np.prod(shape)) * 7 % 3 + 1.0).reshape(shape),
    "two": lambda rng, shape: (np.arange(np.prod(shape)) * 7 % 2 + 1.0).reshape(shape),
    "bits": lambda rng, shape: rng.integers(0, 2, shape).astype(float),
    "signs": lambda rng, shape: rng.integers(0, 2, shape) * 2.0 - 1,
    "counts": lambda rng, shape: rng.integers(1, 5, shape).astype(float),
    "sorted": lambda rng, shape: np.sort(rng.standard_normal(shape), 0),
    "seq": lambda rng, shape: np.arange(1.0, np.prod(shape) + 1).reshape(shape),
    "shuffled": lambda rng, shape: rng.permutation(np.prod(shape)).reshape(shape) + 1.0,
    "onehot": lambda rng, shape: np.eye(shape[1])[np.arange(shape[0]) * 7 % shape[1]],
    "square": lambda rng, shape: (lambda x: x @ x.T + np.eye(shape[0]))(rng.standard_normal(shape)),
    "small": lambda rng, shape: rng.standard_normal(shape) * 0.1,
    "zeros": lambda rng, shape: np.zeros(shape),
    "ones": lambda rng, shape: np.ones(shape),
    "gaps": lambda rng, shape: np.where(rng.uniform(size=shape) < 0.2, np.nan, rng.standard_normal(shape)),
}
PART = re.compile(r"([\w.]+|\*)=(?:(\d+)x(\d+)(?::(\w+))?|(\S+))$")


def drawn(text):
    """{name: matrix or scalar's text} of `X=8x4 k=3`. A matrix depends on its place, its size and its kind."""
    values = {}
    for place, one in enumerate(text.split()):
        name, rows, columns, kind, scalar = PART.match(one).groups()
        values[name] = scalar if rows is None else KINDS[kind or "normal"](np.random.default_rng(place + 1), (int(rows), int(columns)))
    return values


def signatureOf(path, name):
    """([(type, parameter)], [(type, result)]) of a function in a script."""
    text = re.sub(r"/\*.*?\*/|#[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
    start = re.search(rf"^[ \t]*{name}\s*=\s*function\s*\(", text, re.M).end()
    lists, end = [], start
    for _ in range(2):  # parameters, and results if there are any
        depth, end = 1, start
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        lists.append(text[start : end - 1])
        following = re.match(r"\s*returns?\s*\(", text[end:])
        if not following:
            break
        start = end + following.end()
    return tuple([declared for one in splitOutside(part) if (declared := declaration(one))] for part in (lists + [""])[:2])


def splitOutside(text):
    """At commas that are outside of brackets and texts."""
    parts, depth, inText = [""], 0, ""
    for c in text:
        inText = "" if c == inText else c if not inText and c in "\"'" else inText
        depth += 0 if inText else (c in "([") - (c in ")]")
        if c == "," and not depth and not inText:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def declaration(text):
    """(`matrix`, name) of `Matrix[Double] X = ...`."""
    found = re.match(r"\s*(\w+)\s*(?:\[\s*\w+\s*\])?\s+(\w+)", text)
    return (found[1].lower(), found[2]) if found else None


class Function:
    """`name`: builtin/abstain:m_abstain; `bound`: as in docs/dml-functions.md; `inputs`: as above."""

    def __init__(self, name, bound, inputs, scripts):
        self.name, self.inputs, self.text, self.scripts = name, drawn(inputs), inputs, scripts
        parts = bound.split("; ")
        self.isRandom = "random" in parts
        self.bound = "; ".join(one for one in parts if one != "random")
        if self.isRandom:
            self.scripts = seeded(scripts)
        path, self.function = name.split(":")
        self.path = f"{path}.dml"
        self.others = self.inputs.pop("*", None)
        self.parameters, self.results = signatureOf(scripts / "scripts" / self.path, self.function)

    def model(self, folder, *options):
        """Raises AssertionError with the reason if it does not convert."""
        to = folder / "function.onnx"
        name = self.name
        result = page.resultOf(page.TOOL, self.scripts, name, self.bound, str(to), [*self.scalars(), *self.sizes(), *options])
        assert result == "converts", result
        model = onnx.load(to)
        to.unlink()
        return model

    def scalars(self):
        return [f"--bind={name}={value}" for name, value in self.inputs.items() if isinstance(value, str)]

    def sizes(self):
        """Of matrices: numbers of a seed are known if their sizes are."""
        return [f"--input-shape={name}:{value.shape[0]},{value.shape[1]}" for name, value in self.inputs.items()
                if self.isRandom and not isinstance(value, str) and ("matrix", name) in self.parameters]

    def giveOthers(self, model):
        """What `*` says of the inputs of a model that are not listed; of scalars `1x1:share`."""
        listed = " ".join(one for one in self.text.split() if not one.startswith("*="))
        others = [one[2:] for one in self.text.split() if one.startswith("*=")]
        for value in model.graph.input:
            if others and value.name not in self.inputs:
                size = others[0] if len(value.type.tensor_type.shape.dim) else "1x1:share"
                listed += f" {value.name}={size}"
        self.inputs = drawn(listed)

    def lists(self):
        """The expressions of parameters that are bound."""
        options = [one.removeprefix("--bind=") for one in page.optionsOf(self.bound) if one.startswith("--bind=")]
        return dict(one.split("=", 1) for one in options)

    def script(self, outputs):
        """What SystemDS runs; `outputs`: names of the model, which say the elements of lists."""
        types = dict((name, kind) for kind, name in self.parameters)
        matrices = [name for name, value in self.inputs.items() if not isinstance(value, str)]
        folder = f"{self.scripts}/" if self.isRandom else ""
        lines = [f'source("{folder}scripts/{self.path}") as l']
        lines += [f'{name}_file = ifdef(${name}, "x")\n{name} = read({name}_file)' for name in matrices]
        given = {name: as_type(types.get(name), name) for name in matrices if name in types}
        given |= {name: as_literal(types.get(name), value) for name, value in self.inputs.items() if isinstance(value, str)}
        given |= {name: as_literal(types.get(name), value) for name, value in self.lists().items()}
        call = f"l::{self.function}({', '.join(f'{name}={given[name]}' for _, name in self.parameters if name in given)})"
        results = [f"r{i}" for i in range(len(self.results))]
        lines.append(f"{results[0]} = {call}" if len(results) == 1 else f"[{', '.join(results)}] = {call}")
        for i, expression in enumerate(elementsOf(self.results, outputs)):
            *inner, expression = expression.split("; ")
            lines += inner
            lines.append(f'o{i} = {expression}\no{i}_file = ifdef($o{i}, "x")\nwrite(o{i}, o{i}_file, format="csv")')
        return "\n".join(lines) + "\n"

    def onSystemds(self, folder, outputs):
        script = folder / "function.dml"
        script.write_text(self.script(outputs))
        matrices = [value for value in self.inputs.values() if not isinstance(value, str)]
        return systemds.runScript(folder, script, matrices, systemds.process())

    def feed(self, model):
        """What the model reads; scalars are matrices of one element here."""
        feed = {}
        for value in model.graph.input:
            assert value.name in self.inputs, f"input '{value.name}' is not given"
            kind = value.type.tensor_type
            array = np.asarray(self.inputs[value.name], onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))
            feed[value.name] = array if len(kind.shape.dim) else array.reshape(())
        return feed


def as_type(kind, name):
    """A variable that was read, as the type of a parameter."""
    wraps = {"double": "as.scalar({})", "integer": "as.integer(as.scalar({}))", "int": "as.integer(as.scalar({}))",
             "boolean": "as.logical(as.scalar({}))"}
    return wraps.get(kind, "{}").format(name)


def as_literal(kind, value):
    if kind in ("string", "unknown") and not value.startswith('"'):
        return f'"{value}"'
    return f"as.matrix({value})" if kind == "matrix" and re.match(r"[-\d.]+$", value) else value


def elementsOf(results, outputs):
    """The expressions of a model's outputs: results, or elements of lists."""
    outputs, found = list(outputs), []
    for i, (kind, name) in enumerate(results):
        if kind != "list":
            found.append(f"r{i}" if kind in ("matrix", "frame") else f"as.matrix(r{i})")
            outputs.pop(0)
            continue
        while outputs and outputs[0].startswith(f"{name}_"):
            words = re.sub(r"\.\d+$", "", outputs.pop(0)[len(name) + 1 :])
            keys = [f"[{one}]" for one in words.split("_")] if re.match(r"\d+(_\d+)*$", words) else [f"['{words}']"]
            found.append(elementOf(f"r{i}", keys))
    return found


def elementOf(name, keys):
    """An element of a list of lists: of SystemDS's expressions only names take an index."""
    statements = []
    for key in keys[:-1]:
        statements.append(f"part = as.list({name}{key})")
        name = "part"
    return "; ".join([*statements, f"as.matrix({name}{keys[-1]})"])


def seeded(scripts):
    """A copy of SystemDS's scripts in which each rand() has a seed. They source each other there, and not in the jar."""
    copy = scripts.with_name(scripts.name + "-seeded")
    for path in sorted((scripts / "scripts").rglob("*.dml")) if not copy.exists() else []:
        text = path.read_text(errors="replace").replace("seed=-1", "seed=7")
        text = re.sub(r"\brand\((?![^;\n]*\bseed\b)", "rand(seed=7, ", text)
        text = re.sub(r'source\("(?:scripts/)?(nn/[^"]*)"', rf'source("{copy}/scripts/\1"', text)
        to = copy / path.relative_to(scripts)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)
    return copy


def extracted(folder):
    with zipfile.ZipFile(page.JAR) as jar:
        jar.extractall(folder, [name for name in jar.namelist() if re.match(r"scripts/.*\.dml$", name)])
    return folder
