#!/usr/bin/env python3
"""onnx/kernels/README.md is what tools/kernel_table.py makes now: it has every operator and version that the ONNX library knows,
and each has a kernel for all of its versions, or a reason why it never folds. If it fails, run tools/kernel_table.py.
"""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import kernel_table
import onnxfold_testing as t

suite = t.Suite(__doc__.splitlines()[0])
TABLE = kernel_table.Table()


def changed(change):
    """What the table says when `change` has been applied to it."""
    table = copy.copy(TABLE)
    table.operators = [copy.copy(operator) for operator in TABLE.operators]
    table.kernels, table.nodeTests = copy.deepcopy(TABLE.kernels), copy.copy(TABLE.nodeTests)
    change(table)
    return table


def expectProblem(table, text):
    known = set(TABLE.problems())
    new = [problem for problem in table.problems() if problem not in known]
    t.expect(any(text in problem for problem in new), f"expected a problem with {text!r}, found {new}")


@suite.case
def readme_is_true(_):
    problems = kernel_table.check()
    t.expect(not problems, "run tools/kernel_table.py; " + "\n  ".join(problems))


@suite.case
def releases_agree(_):
    """The table is made with the onnx package; the library is built from the sources of the same release."""
    pinned = (t.ROOT / "cmake/onnx-source.txt").read_text().split()[0]
    t.expectEqual(f"onnx=={kernel_table.onnx.__version__}", pinned, "release of the Python package")


@suite.case
def unknown_operator_fails(_):
    """ONNX adds an operator, or a version of one."""
    schema = kernel_table.onnx.defs.get_schema("Abs", 13)
    table = changed(lambda table: table.operators.append(kernel_table.Operator("", "AbsAbs", [schema])))
    expectProblem(table, "AbsAbs: no kernel for 13")
    t.expect("| AbsAbs | 13 |" in table.text(), "the new operator is not in the text")
    expectProblem(changed(lambda table: table.kernels["onnx.Add"].remove(14)), "Add: no kernel for 14")


@suite.case
def kernels_and_reasons_contradict(_):
    expectProblem(changed(lambda table: table.kernels.update({"onnx.RandomNormal": {1}})), "RandomNormal has a kernel")
    expectProblem(changed(lambda table: table.kernels.update({"onnx.Old": {1}})), "onnx.Old has a kernel")


@suite.case
def without_a_test(_):
    def forget(table):
        table.nodeTests["Add"], table.scripts = 0, []
        add = next(operator for operator in table.operators if operator.key == "Add")
        add.name = "Addition"  # no tests/onnx/kernels/addition.mlir

    expectProblem(changed(forget), "Add has no test")


@suite.case
def types_are_short(_):
    t.expectEqual(kernel_table.shortTypes(["tensor(float)", "tensor(double)", "tensor(float16)"]), "F", "all floats")
    t.expectEqual(kernel_table.shortTypes(["tensor(float)", "seq(tensor(int4))"]), "f32 int4 sequences", "parts of groups")


sys.exit(suite.main())
