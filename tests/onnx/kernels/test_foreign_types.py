# SPDX-License-Identifier: Apache-2.0
"""Every kernel of ONNX on constants of types that no model has.

A text of MLIR can pass a vector, a number or a tensor of i17 to an operator. Its types were not checked then, and a kernel that
reads its axes as i64 ended the process. Whatever stays or goes, the process ends by itself.
"""

import re
import subprocess

import onnxfold_testing as t

FOLD_OPT = t.TOOL.parent / "fold-opt"
FORMS = ["tensor<2xi17>", "vector<2xi1>", "i64", "tensor<!quant.uniform<i8:f32, 2.0>>"]  # no constant has the last


def constant(form):
    """The operation that makes it; nothing if it must be an argument."""
    element = re.sub(r"^(?:tensor|vector)<2x(.*)>$", r"\1", form)
    if element.startswith("tensor"):
        return ""
    return f"%c = arith.constant {'1' if element == form else 'dense<true>' if element == 'i1' else 'dense<1>'} : {form}"


def newest():
    """The newest version of each operator of ai.onnx that has a kernel."""
    listed = subprocess.run([FOLD_OPT, "--list-kernels"], capture_output=True, text=True, check=True).stdout
    versions = {}
    for operator, version in re.findall(r"^(onnx\.\w+) (\d+)$", listed, re.M):
        versions[operator] = max(int(version), versions.get(operator, 0))
    return versions


def node(operator, version, form, count):
    made, types = constant(form), ", ".join([form] * count)
    argument = "" if made else f"%c: {form}"
    return f"""func.func @f({argument}) {{
  {made}
  %r = {operator}({", ".join(["%c"] * count)}) <{{since = {version}}}> : ({types}) -> tensor<*xf32>
  "other.use"(%r) : (tensor<*xf32>) -> ()
  return
}}
"""


def testEachKernelStays(folder):
    operators = newest()
    assert len(operators) > 150
    nodes = [node(*pair, form, count) for pair in operators.items() for form in FORMS for count in (1, 3)]
    path = folder / "nodes.mlir"
    path.write_text("// -----\n".join(nodes))
    arguments = ["--split-input-file", "--allow-unregistered-dialect", "--constprop", "--onnx-clean-up", path]
    done = subprocess.run([FOLD_OPT, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr[:2000]  # the verifier refuses some
    assert len(re.findall(r"^  *%\S+ = onnx\.", done.stdout, re.M)) > 500
