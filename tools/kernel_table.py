#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes onnx/kernels/README.md: every operator of the ONNX library, its versions and types, how it folds, and what its tests
compare with. To be run again whenever an operator, a kernel or a test of one is added; tests/onnx/kernels/test_kernel_table.py
fails as long as the file is not true.

    build/venv/bin/python3 tools/kernel_table.py [--check]     --check: writes nothing, prints what is wrong (exit 1)

Operators come from the onnx package of the tests, which is the release that the library is built from; kernels from
`fold-opt --list-kernels`; node tests from the test data; other tests from the scripts in tests/onnx that name the operator.
"""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "tests/onnx/node_tests")]
import backend_cases  # noqa: E402
import onnxfold_testing as t  # noqa: E402

README = ROOT / "onnx/kernels/README.md"
FOLD_OPT = Path(os.environ.get("ONNXFOLD_FOLD_OPT", t.TOOL.parent / "fold-opt"))

RANDOM = "random, also with a seed: the generator is not specified"
NEVER = {
    **dict.fromkeys(("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike"), RANDOM),
    **dict.fromkeys(("RandomUniform", "RandomUniformLike"), RANDOM),
    "ImageDecoder": "the result depends on the codec that decodes",
    "ai.onnx.ml.CastMap": "its input is a map, which no constant can be",
    "ai.onnx.ml.DictVectorizer": "its input is a map, which no constant can be",
    "ai.onnx.ml.ZipMap": "its result is a sequence of maps, which no constant can be and no operator of ONNX reads",
    "ai.onnx.preview.training.Gradient": "depends on the graph around it, not on its inputs alone",
}
ENGINE = {"Constant": "is the constant"}

# What a script compares with, by what stands in it; scripts without any have formulas of their own.
ORACLES = {
    "ORT": ("onnxruntime", "runtimeResults", "tableTests"),
    "reference": ("ReferenceEvaluator", "referenceResults", "tableTests"),
    "numpy": ("tableTests",),
}

# Short names of element types; a token stands for all of its types.
TOKENS = {
    "U": "uint8 uint16 uint32 uint64",
    "I": "int8 int16 int32 int64",
    "F": "float16 float double",
    "BF": "bfloat16",
    "B": "bool",
    "S": "string",
    "C": "complex64 complex128",
    "F8": "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz",
    "E8": "float8e8m0",
    "F4": "float4e2m1",
    "N4": "uint4 int4",
    "N2": "uint2 int2",
}
BRIEF = {"float": "f32", "double": "f64", "float16": "f16"}
MICROSOFT = (
    "Of the others types and shapes are known (onnx/folding/schemas/microsoft.json). LayerNormalization (before opset 17) and\n"
    "SimplifiedLayerNormalization are in the domain of the standard, as ONNX Runtime has them."
)
# Folders of domains without schemas (contributedDomains in onnx/folding/OnnxFolding.cpp): the title of their table, and a text.
CONTRIBUTED = {"microsoft": ("com.microsoft: {} operators of ONNX Runtime", MICROSOFT)}
HOW = {
    "kernel": "a kernel of this folder computes it",
    "direct": "as kernel; the schema also has a function body, which rounds after each of its operators",
    "engine": "the engine itself",
    "never": "is kept, for the reason that is given",
}


class Operator:
    """One row: an operator with all schemas of its history, ascending."""

    def __init__(self, domain, name, schemas):
        self.domain, self.name = domain, name
        self.schemas = sorted(schemas, key=lambda schema: schema.since_version)
        self.key = name if not domain else f"{domain}.{name}"
        # operationName in onnx/ir: the domain without ai.onnx, and of preview.training the last part.
        self.operation = ".".join(["onnx", *([domain.rpartition(".")[2]] if domain else []), name])

    def versions(self):
        return [schema.since_version for schema in self.schemas]

    def versionText(self):
        return " ".join(f"{s.since_version}{'†' if s.deprecated else ''}" for s in self.schemas)

    def newest(self):
        return next((schema for schema in reversed(self.schemas) if not schema.deprecated), self.schemas[-1])

    def hasBody(self):
        return any(schema.has_function or schema.has_context_dependent_function for schema in self.schemas)

    def typeText(self):
        """Element types of the first input (of the first output if there is none) in the newest version."""
        schema = self.newest()
        parameters = list(schema.inputs) or list(schema.outputs)
        variable = parameters[0].type_str
        texts = next((c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == variable), [variable])
        return shortTypes(texts)


def operators():
    found = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        found.setdefault((schema.domain, schema.name), []).append(schema)
    return [Operator(domain, name, schemas) for (domain, name), schemas in sorted(found.items())]


def shortTypes(texts):
    kinds = [text[: text.index("(")] if "(" in text else text for text in texts]
    elements = {re.sub(r".*\(|\).*", "", text) for text in texts}
    parts = []
    for token, members in TOKENS.items():
        members = set(members.split())
        if members <= elements:
            parts.append(token)
        else:
            parts += [BRIEF.get(name, name) for name in sorted(members & elements)]
    others = sorted(set(kinds) - {"tensor"})
    return " ".join(parts + [{"seq": "sequences", "optional": "optionals", "map": "maps"}.get(kind, kind) for kind in others])


# ---- what there is of kernels and tests --------------------------------------------------------------------------------


def kernels():
    """{'onnx.Abs': {1, 6, 13}}"""
    done = subprocess.run([FOLD_OPT, "--list-kernels"], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        operation, version = line.split()
        found.setdefault(operation, set()).add(int(version))
    return found


def nodeTests():
    """{operator: folders of the backend tests with this single node}"""
    counts = Counter()
    for folder in backend_cases.allFolders():
        nodes = [node for node in folder.model().graph.node if node.op_type != "Constant"]
        if len(nodes) == 1:
            domain = nodes[0].domain
            counts[nodes[0].op_type if domain in ("", "ai.onnx") else f"{domain}.{nodes[0].op_type}"] += 1
    return counts


def namedOperators(script, names):
    """The operators that the strings of a script list: strings that consist of operators' names."""
    tree = ast.parse(script)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = [word.removeprefix("ai.onnx.ml.") for word in node.value.split()]
            if words and all(word in names for word in words):
                found |= set(words)
        elif isinstance(node, ast.Attribute) and node.attr == "REDUCTIONS":
            found |= t.REDUCTIONS
    return found


def scripts(names):
    """[(operators, oracles)] of the differential tests."""
    found = []
    for path in sorted((ROOT / "tests/onnx").rglob("test_*.py")):
        text = path.read_text()
        if path.parent.name == "node_tests" or path.name == "test_kernel_table.py":
            continue
        oracles = [name for name, signs in ORACLES.items() if any(sign in text for sign in signs)]
        own = "numpy" if path.parent.name == "kernels" else "by hand"
        found.append((namedOperators(text, names), oracles or [own]))
    return found


# ---- the table ---------------------------------------------------------------------------------------------------------


class Table:
    def __init__(self):
        self.operators, self.kernels, self.nodeTests = operators(), kernels(), nodeTests()
        self.contributed = {
            folder: sorted(name.removeprefix(f"onnx.{folder}.") for name in self.kernels if name.startswith(f"onnx.{folder}."))
            for folder in CONTRIBUTED
        }
        self.scripts = scripts({operator.name for operator in self.operators})

    def how(self, operator):
        if operator.operation in self.kernels:
            return "direct" if operator.hasBody() else "kernel"
        if operator.key in ENGINE:
            return f"engine: {ENGINE[operator.key]}"
        return f"never: {NEVER.get(operator.key, '?')}"

    def oracles(self, operator):
        parts = []
        count = self.nodeTests[operator.key]
        if count:
            parts.append(f"{count} node test{'s' if count > 1 else ''}")
        found = {oracle for names, oracles in self.scripts if operator.name in names for oracle in oracles}
        parts += [oracle for oracle in ("reference", "ORT", "numpy") if oracle in found]
        folder = operator.domain.rpartition(".")[2]
        ownTest = ROOT / "tests/onnx/kernels" / folder / f"{operator.name.lower()}.mlir"
        if ownTest.exists() or "by hand" in found:
            parts.append("by hand")
        return ", ".join(parts)

    def contributedOracles(self, folder, name):
        """Of an operator without a schema: its name may be one of the standard too, so only its own tests count."""
        tests = ROOT / "tests/onnx/kernels"
        script = tests / f"test_{folder}.py"
        parts = ["ORT"] if script.exists() and f'Case("{name}"' in script.read_text() else []
        return ", ".join(parts + ["by hand"] * (tests / f"{folder}/{name.lower()}.mlir").exists())

    def problems(self):
        """What no README can make true."""
        found = []
        for operator in self.operators:
            have = self.kernels.get(operator.operation, set())
            missing = sorted(set(operator.versions()) - have)
            if operator.key in NEVER or operator.key in ENGINE:
                if have:
                    found.append(f"{operator.key} has a kernel, but is said to have none")
            elif missing:
                versions = " ".join(map(str, missing))
                found.append(f"{operator.key}: no kernel for {versions}, and no reason in tools/kernel_table.py")
            elif not self.oracles(operator):
                found.append(f"{operator.key} has no test")
        known = {operator.operation for operator in self.operators}
        for folder, names in self.contributed.items():
            known |= {f"onnx.{folder}.{name}" for name in names}
            found += [f"onnx.{folder}.{name} has no test" for name in names if not self.contributedOracles(folder, name)]
        unknown = sorted(set(self.kernels) - known)
        found += [f"{operation} has a kernel, but ONNX has no such operator, and CONTRIBUTED no such folder" for operation in unknown]
        names = {operator.key for operator in self.operators}
        return found + [f"{key} is not an operator of ONNX" for key in sorted({*NEVER, *ENGINE} - names)]

    def text(self):
        legend = "; ".join(f"{token} = {', '.join(members.split())}" for token, members in TOKENS.items())
        lines = [
            "# onnx/kernels: which operators fold",
            "",
            f"Made by tools/kernel_table.py from ONNX {onnx.__version__}; do not edit. Decisions are in RATIONALE.md.",
            "",
            "**Versions**: all that ONNX registers; † deprecated. **Types**: what the newest version takes as first input (or returns,",
            "if it has no input); a token stands for all of its types, others are written out. " + legend + ".",
            "",
            "**Folds**: " + "; ".join(f"{name}: {text}" for name, text in HOW.items()) + ".",
            "",
            "**Compared with**: node tests: ONNX's backend tests of one node (tests/onnx/node_tests); reference, ORT, numpy: the",
            "ONNX reference evaluator, ONNX Runtime or a formula in numpy, with seeded random inputs (tests/onnx/**/test_*.py);",
            "by hand: tests/onnx/kernels/**/*.mlir and other tests.",
        ]
        for domain in sorted({operator.domain for operator in self.operators}):
            rows = [operator for operator in self.operators if operator.domain == domain]
            lines += ["", f"## {domain or 'ai.onnx'}: {len(rows)} operators", ""]
            lines += ["| Operator | Versions | Types | Folds | Compared with |", "|---|---|---|---|---|"]
            for row in rows:
                cells = (row.name, row.versionText(), row.typeText(), self.how(row), self.oracles(row))
                lines.append("| " + " | ".join(cells) + " |")
        for folder, (title, text) in CONTRIBUTED.items():
            names = self.contributed[folder]
            lines += ["", "## " + title.format(len(names)), "", text, ""]
            lines += ["| Operator | Versions | Compared with |", "|---|---|---|"]
            lines += [f"| {name} | 1 | {self.contributedOracles(folder, name)} |" for name in names]
        return "\n".join(lines) + "\n"


def check():
    """Everything that is wrong: the list is empty when the file is true and complete."""
    table = Table()
    problems = table.problems()
    there = README.read_text() if README.exists() else ""
    wanted = table.text()
    if there != wanted:
        old, new = there.splitlines(), wanted.splitlines()
        lines = [line for line in new if line not in set(old)] + [f"not: {line}" for line in old if line not in set(new)]
        what = f"{README.relative_to(ROOT)} is not what tools/kernel_table.py writes"
        problems.append("\n    ".join([f"{what}:", *lines[:10]]))
    return problems


def main():
    if "--check" in sys.argv[1:]:
        problems = check()
    else:
        table = Table()
        README.write_text(table.text())
        problems = table.problems()
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
