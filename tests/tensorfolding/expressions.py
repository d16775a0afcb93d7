# SPDX-License-Identifier: Apache-2.0
"""What the function @main of a module computes, as one digest for each result: equal for equal expressions of its arguments.

A module that constant-tensor-folding changed is taken with the functions that run once: an argument of the entry that is a
folded tensor is what its part computes. Reads what --mlir-print-op-generic and --mlir-print-local-scope print."""

import hashlib
import re

OPERATION = re.compile(r'^\s*(?:(%[\w#]+)(?::(\d+))? = )?"([\w.]+)"\(([^)]*)\)')


def digest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def readOperation(lines, at):
    """The lines of one operation, those of its regions included, and where the next one begins."""
    first, depth = at, 0
    while True:
        depth += lines[at].count("({") + lines[at].count("}, {") - len(re.findall(r"^\s*\}[),]", lines[at]))
        at += 1
        if depth == 0:
            return lines[first:at], at


def regionsOf(operation):
    """The lines of each region of an operation."""
    regions, at = [[]] if len(operation) > 1 else [], 1
    while at < len(operation) - 1:
        if operation[at].lstrip().startswith("}, {"):
            regions.append([])
            at += 1
            continue
        nested, at = ([operation[at]], at + 1) if operation[at].lstrip().startswith("^") else readOperation(operation, at)
        regions[-1] += nested
    return regions


class Evaluator:
    """Walks one function. What operations without results do (the terminators) is what they use; calls are told apart by their
    order, as they may have effects."""

    def __init__(self):
        self.calls = 0

    def evaluate(self, lines, arguments, values):
        """The digests of what a block passes to its terminator, given those of its arguments. `values`: of outside."""
        values, at, used = dict(values), 0, []
        if lines and lines[0].lstrip().startswith("^"):
            values |= zip(re.findall(r"(%\w+): ", lines[0]), arguments)
            at = 1
        while at < len(lines):
            operation, at = readOperation(lines, at)
            used = self.evaluateOperation(operation, values)
        return used

    def evaluateOperation(self, operation, values):
        name, count, kind, operands = OPERATION.match(operation[0]).groups()
        used = [values[operand.strip()] for operand in operands.split(",") if operand.strip()]
        text = [operation[0][OPERATION.match(operation[0]).end():], operation[-1].lstrip() if len(operation) > 1 else ""]
        if kind == "func.call":
            self.calls += 1
            text.append(self.calls)
        result = digest(kind, used, text)
        for i, region in enumerate(regionsOf(operation)):
            arguments = [digest(kind, used, i, k) for k in range(8)]
            result = digest(result, self.evaluate(region, arguments, values))
        if name:
            values[name] = result
            for i in range(int(count or 0)):
                values[f"{name}#{i}"] = digest(result, i)
        return used


def functionsOf(text):
    """The lines of each function with a body, by name; and the text of the attribute of the entry."""
    functions, attribute = {}, ""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        name = re.search(r'"func\.func"\(\) <\{.*sym_name = "([^"]*)".*\}> \(\{$', line)
        if not name:
            continue
        end = next(i for i in range(at, len(lines)) if re.match(r"^  \}\)", lines[i]))
        if end > at + 1:
            functions[name[1]] = lines[at + 1:end]
        if name[1] == "main":
            attribute = lines[end]
    return functions, attribute


def expressionsOf(text):
    functions, attribute = functionsOf(text)
    if "onnxfold.constant_tensors" not in attribute:
        return Evaluator().evaluate(functions["main"], [f"argument {i}" for i in range(99)], {})
    originals = [int(entry) for entry in re.findall(r"\{entry = (-?\d+) : i64, role", attribute)]
    folded = [int(entry) for entry in re.findall(r"\{entry = (-?\d+) : i64, type", attribute)]
    entry = {number: f"argument {i}" for i, number in enumerate(originals) if number >= 0}
    parts = re.findall(r"\{arguments = array<i64(?::? ?)([^>]*)>, folded = array<i64: ([^>]*)>, function = @([\w.]+)", attribute)
    for arguments, values, name in parts:
        given = [f"argument {int(i)}" for i in arguments.split(",") if i.strip()]
        results = Evaluator().evaluate(functions[name], given, {})
        for k, result in zip(values.split(","), results, strict=True):
            entry[folded[int(k)]] = result
    return Evaluator().evaluate(functions["main"], [entry[i] for i in range(len(entry))], {})
