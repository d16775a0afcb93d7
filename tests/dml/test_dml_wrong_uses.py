# SPDX-License-Identifier: Apache-2.0
"""What dml-to-onnx says to who uses it wrongly: which file, option or place, what it has, and what was expected. Nothing is written,
and nothing that is there is changed."""

import subprocess

import pytest

import onnxfold_testing as t

TOOL = t.TOOL.parent / "dml-to-onnx"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

SCRIPT = """\
f = function(matrix[double] A, double k) return (matrix[double] B) { B = A * k }
x = read($x)
w = read($w)
y = f(x, ifdef($scale, 2)) %*% w
write(y, $y)
"""
FILES = {
    "a.dml": SCRIPT,
    "named.dml": "f = function(matrix[double] A, double k) return (matrix[double] B) { B = A * k }\n"
                 "x = read($x)\ny = f(A=x)\nz = f(A=x, kk=2)\nv = f(x, 1, 2)\nu = matrix(1, rows=3)\nwrite(y, $y)\n",
    "keys.dml": "x = read($x)\na = log(4, base=2)\nb = removeEmpty(target=x, margin='rows', row=3)\nc = cdf(target=0.4, dist='exp', lambda=2)\n"
                "d = conv2d(x, x, input_shape=[1,1,2,2], filter_shape=[1,1,2,2], strides=[2,2])\ne = quantile(x, 0.5, w=x)\nwrite(x, $y)\n",
    "lm.dml": "x = read($x)\ny = lmPredict(X=x, B=x)\nwrite(y, $y)\n",
    "affine.dml": 'source("nn/layers/affine.dml") as affine\nx = read($x)\ny = affine::forward(x, x, x)\nwrite(y, $y)\n',
    "none.dml": "x = read($x)\ny = x + 1\n",
    "large.dml": 'x = read("x", rows=2, cols=75)\na = matrix(1, rows=Inf, cols=2)\nb = rand(rows=2, cols=1e300, min=1, max=1)\n'
                 'c = read("c", rows=-Inf, cols=1)\nd = max_pool(x, input_shape=[2, Inf, 5, 5], pool_size=[2, 2], stride=[2, 2], '
                 'padding=[0, 0])\nfor (i in 1:Inf) { x = x + i }\nwrite(x, "y")\n',
    "text.csv": "1,2\n3,x\n",
    "short.csv": "1,2\n\n3\n",
}
PARAMETER_K = "named.dml:3:5: parameter 'k' of 'f' is not given"


@pytest.mark.parametrize(
    "options, text",
    [
        (["b.dml"], "b.dml: cannot be read: no such file or directory"),
        (["folder"], "folder: Is a directory"),
        (["a.dml", "-o", "nowhere/a.onnx"], "nowhere/a.onnx: cannot be created: there is no folder 'nowhere'"),
        (["a.dml", "-o", "folder"], "folder: is a folder, expected a file"),
        (["a.dml", "-o", "a.dml"], "a.dml: is the script, expected another file"),
        (["a.dml", "-o", "./folder/../a.dml"], "a.dml: is the script, expected another file"),
        (["a.dml", "--type=float16"], "--type is 'float16', expected float64 or float32"),
        (["a.dml", "--function=g"], "a.dml: no function 'g', only: f"),
        (["a.dml", "--function=f", "--bind=k=big"], "--bind of 'k' is 'big', expected double"),
        (["a.dml", "--bind=weights=w.csv"], "--bind: 'a.dml' has no parameter '$weights'"),
        (["a.dml", "--bind=w=w.csv"], "a.dml:3:5: there is no file 'w.csv', which the parameter is bound to"),
        (["a.dml", "--bind=w=text.csv"], "a.dml:3:5: text.csv: line 2: 'x' is not a number"),
        (["a.dml", "--bind=w=short.csv"], "a.dml:3:5: short.csv: line 3 has 1 values, expected 2"),
        (["named.dml"], PARAMETER_K),
        (["named.dml"], "named.dml:4:5: 'f' has no parameter 'kk'"),
        (["named.dml"], "named.dml:5:5: 'f' has 2 parameters, not 3"),
        (["named.dml"], "named.dml:6:5: matrix() with 2 arguments, expected 3 to 4"),
        (["keys.dml"], "keys.dml:2:5: log() has no argument 'base', expected none with a name"),
        (["keys.dml"], "keys.dml:3:5: removeEmpty() has no argument 'row', expected target, margin, select, empty.return"),
        (["keys.dml"], "keys.dml:4:5: cdf() has no argument 'lambda', expected target, dist, mean, sd, rate, df, df1, df2, lower.tail"),
        (["keys.dml"], "keys.dml:5:5: conv2d() has no argument 'strides', expected input_shape, filter_shape, stride, padding"),
        (["keys.dml"], "keys.dml:6:5: 'quantile' has no parameter 'w'"),
        (["large.dml"], "large.dml:2:5: matrix(): rows and cols that are not sizes"),
        (["large.dml"], "large.dml:3:5: rand(): rows and cols that are not sizes"),
        (["large.dml"], "large.dml:4:5: read(): rows is not a size"),
        (["large.dml"], "large.dml:5:5: max_pool(): input_shape has a number that is not a size"),
        (["large.dml"], "large.dml:6:1: a loop whose numbers are not integers that can be counted"),
        (["lm.dml"], "(--scripts: SystemDS's jar has its functions that are in DML):\n  lm.dml:2:5: the function 'lmPredict' has no translation"),
        (["affine.dml"], "affine.dml:1:1: source(): nn/layers/affine.dml: cannot be read: no such file or directory; SystemDS's own scripts are in its jar (--scripts)"),
        (["none.dml"], "none.dml: nothing is written, so the model would have no outputs (--function takes one of its functions)"),
        (["a.dml", "none.dml"], "'none.dml' is given too, expected one script; '-o none.dml' names an output (see dml-to-onnx --help)"),
        (["a.dml", "--typ=float32"], "'--typ=float32' is not known, did you mean --type=float32? (see dml-to-onnx --help)"),
        (["a.dml", "--type"], "--type is given without a value, expected one (see dml-to-onnx --help)"),
    ],
)
def test_wrong_uses(folder, options, text):
    for name, content in FILES.items():
        (folder / name).write_text(content)
    (folder / "folder").mkdir()
    done = subprocess.run([TOOL, *options], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 1 and text in done.stderr, done.stderr
    assert {path.name: path.read_text() for path in folder.iterdir() if path.is_file()} == FILES


def test_what_is_refused_has_no_count_of_results(folder):
    """A second message said that 'remove' has 1 results."""
    (folder / "a.dml").write_text("x = read($x)\nl = list(a=x)\nl['b'] = x\n[l, e] = remove(l, 1)\ny = as.matrix(e)\nwrite(y, $y)\n")
    done = subprocess.run([TOOL, "a.dml"], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 1 and "a.dml:3:1: the list has no element 'b'" in done.stderr and "results" not in done.stderr, done.stderr


def test_a_bound_folder_of_weights(folder):
    """A name that is part of the name of a file is used, whether that file is there or not."""
    (folder / "a.dml").write_text('x = read($x)\nw = read(ifdef($weights, ".") + "/w.csv")\ny = x + w\nwrite(y, $y)\n')
    done = subprocess.run([TOOL, "a.dml", "--bind=weights=here", "-o", "a.onnx"], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
