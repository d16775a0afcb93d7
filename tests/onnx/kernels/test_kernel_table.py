# SPDX-License-Identifier: Apache-2.0
"""onnx/kernels/README.md is what tools/kernel_table.py makes now: it has every operator and version that the ONNX library knows,
and each has a kernel for all of its versions, or a reason why it never folds. If it fails, run tools/kernel_table.py.
"""

import copy
import functools

import kernel_table
import onnxfold_testing as t

@functools.cache
def tableNow():
    return kernel_table.Table()


def changed(change):
    """What the table says when `change` has been applied to it."""
    table = copy.copy(tableNow())
    table.operators = [copy.copy(operator) for operator in tableNow().operators]
    table.kernels, table.nodeTests = copy.deepcopy(tableNow().kernels), copy.copy(tableNow().nodeTests)
    change(table)
    return table


def expectProblem(table, text):
    known = set(tableNow().problems())
    new = [problem for problem in table.problems() if problem not in known]
    assert any(text in problem for problem in new), f"expected a problem with {text!r}, found {new}"


def test_readme_is_true():
    problems = kernel_table.check()
    assert not problems, "run tools/kernel_table.py; " + "\n  ".join(problems)


def test_releases_agree():
    """The table is made with the onnx package; the library is built from the sources of the same release."""
    pinned = (t.ROOT / "cmake/onnx-source.txt").read_text().split()[0]
    assert f"onnx=={kernel_table.onnx.__version__}" == pinned, "release of the Python package"


def test_unknown_operator_fails():
    """ONNX adds an operator, or a version of one."""
    schema = kernel_table.onnx.defs.get_schema("Abs", 13)
    table = changed(lambda table: table.operators.append(kernel_table.Operator("", "AbsAbs", [schema])))
    expectProblem(table, "AbsAbs: no kernel for 13")
    assert "| AbsAbs | 13 |" in table.text(), "the new operator is not in the text"
    expectProblem(changed(lambda table: table.kernels["onnx.Add"].remove(14)), "Add: no kernel for 14")


def test_kernels_and_reasons_contradict():
    expectProblem(changed(lambda table: table.kernels.update({"onnx.RandomNormal": {1}})), "RandomNormal has a kernel")
    expectProblem(changed(lambda table: table.kernels.update({"onnx.Old": {1}})), "onnx.Old has a kernel")


def test_without_a_test():
    def forget(table):
        table.nodeTests["Add"], table.scripts = 0, []
        add = next(operator for operator in table.operators if operator.key == "Add")
        add.name = "Addition"  # no tests/onnx/kernels/addition.mlir

    expectProblem(changed(forget), "Add has no test")


def test_types_are_short():
    assert kernel_table.shortTypes(["tensor(float)", "tensor(double)", "tensor(float16)"]) == "F", "all floats"
    assert kernel_table.shortTypes(["tensor(float)", "seq(tensor(int4))"]) == "f32 int4 sequences", "parts of groups"
