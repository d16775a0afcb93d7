# SPDX-License-Identifier: Apache-2.0
"""The projects in examples/ build with the installed package and do what they say.

What upstream-fold computes is compared with MLIR itself: `arith` with mlir-opt's canonicalisation, `tosa` with what mlir-runner
gets when it runs the operators. ONNXFOLD_TOOL tells which build is installed (its bin/onnx-fold); the examples are built
in that build folder, so that a second run is quick. They are compiled without optimisation, which takes half the time, and the
sources of some together, since each reads MLIR's headers; with --long as users compile them.
"""

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

import onnxfold_testing as t

EXAMPLES = t.ROOT / "examples"
BUILD = t.TOOL.parents[1]
WORK = BUILD / "tests/examples"
TOGETHER = ("elements-tour", "tensor-dialect")  # their sources can be one
sys.path.insert(0, str(EXAMPLES / "tensor-dialect"))
import make_weights  # noqa: E402  (of the example)


def run(*arguments, **keywords):
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, **keywords)


def output(*arguments, **keywords):
    done = run(*arguments, **keywords)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))} failed: {done.stderr[-3000:]}"
    return done.stdout


MLIR_TOOLS = Path(t.cmakeCache(BUILD, "MLIR_DIR")).parents[2] / "bin"
built = {}


def program(project, name):
    """A program of an example, built once in this run."""
    if "installed" not in built:
        shutil.rmtree(WORK / "installed", ignore_errors=True)
        output("cmake", "--install", BUILD, "--prefix", WORK / "installed")
        built["installed"] = True
    if project not in built:
        flags = "-O3" if t.options.long else "-O0"
        inOne = "ON" if project in TOGETHER and not t.options.long else "OFF"
        output("cmake", "-S", EXAMPLES / project, "-B", WORK / project, "-G", "Ninja", f"-DCMAKE_UNITY_BUILD={inOne}",
               f"-DCMAKE_CXX_FLAGS_RELEASE={flags} -DNDEBUG", f"-DCMAKE_PREFIX_PATH={WORK}/installed",
               *t.consumerOptions(BUILD))
        output("cmake", "--build", WORK / project, "-j2")
        built[project] = True
    return WORK / project / name


def toyFold(*arguments):
    return run(program("tensor-dialect", "toy-fold"), *arguments)


def upstreamFold(folder, text):
    """What upstream-fold makes of a module, which it must fold."""
    (folder / "in.mlir").write_text(text)
    return output(program("upstream-dialects", "upstream-fold"), folder / "in.mlir")


def remarksOf(folder, text):
    (folder / "in.mlir").write_text(text)
    done = run(program("upstream-dialects", "upstream-fold"), "--remarks-filter-missed=constprop", folder / "in.mlir")
    assert done.returncode == 0, done.stderr
    return re.findall(r'Remark="(.*)"', done.stderr)


def operators(text):
    """The names of all operations of a module, in custom or generic form."""
    return set(re.findall(r"(?:^|= )\s*\"?((?:\w+\.)+\w+|return)\b", text, re.MULTILINE)) - {"func.func"}


# ---- elements-tour -----------------------------------------------------------------------------------------------------

TOUR = """transposed: 1 4 2 5 3 6
backwards: 3 2 1 6 5 4
row: 4 5 6
bytes behind a million rows: 24
lazy: 10 -2 30 -4
squares: 0 0.25 1
e to the x: 1 1.64872122 2.71828175
the last of a million: 999999
refused: 7
no arithmetic for: str
sum: 10
the second row ends with: 4
a number: 3
a part keeps the buffer: 3 4
released: no
released at the end: yes
exact: 2048
wide: 2052
sum of a million: 1000000
spilled MB: 64
its last element: 2
symmetric: yes
held by the library: yes
read by the interface: 1023
dense: 1 2 3 4
sum of attributes: 2 4 6 8
collected: 3 created, 1 freed, 2 live
garbage: reading it would end the program
scrubbed bytes: 4096
at the end: 3 created, 3 freed, 0 live
after ten thousand: 10000 created, 9999 freed, 1 live
at most 2 MB at once: yes
equal before: no
equal after: yes
text: #elements.dense<"0x000000000000803F00...
read back: yes
from bytecode: yes
"""


def test_the_tour_says_what_the_guide_says(folder):
    assert output(program("elements-tour", "tour"), cwd=folder) == TOUR, "the output of the tour"


# ---- fold-model --------------------------------------------------------------------------------------------------------


def test_fold_model_folds_a_file_and_memory(folder):
    """The component `driver` folds like the tool: the same bytes, also in memory."""
    sample, ours, theirs = EXAMPLES / "sample.onnx", folder / "ours.onnx", folder / "theirs.onnx"
    printed = output(program("fold-model", "fold-model"), sample, ours)
    output(t.TOOL, "--quiet", "-o", theirs, sample)
    assert ours.read_bytes() == theirs.read_bytes(), "the example writes other bytes than the tool"
    assert f"in memory: {len(ours.read_bytes())} bytes" in printed
    done = run(program("fold-model", "fold-model"), folder / "none.onnx", ours)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert "none.onnx: cannot be opened" in done.stderr


# ---- tensor-dialect ----------------------------------------------------------------------------------------------------


def toyModel(folder):
    shutil.copy(EXAMPLES / "tensor-dialect/model.mlir", folder)
    output(sys.executable, EXAMPLES / "tensor-dialect/make_weights.py", folder)
    return folder / "model.mlir"


def test_toy_folds_and_frees(folder):
    done = toyFold(toyModel(folder))
    assert done.returncode == 0, f"exit status ({done.stderr})"
    a, b = (np.array(weights, np.int64).reshape(-1, 64) for weights in make_weights.weights())
    expected = np.maximum(a @ b.T, 0).astype("<f4").tobytes().hex().upper()
    assert f'toy.constant dense<"0x{expected}"> : tensor<64x32xf32>' in done.stdout, "the folded weights are not there"
    assert re.findall(r"toy\.(\w+)", done.stdout) == ["constant"] * 3 + ["matmul", "div"], "operations left"
    assert "toy.div not folded: divisor element [1] is 0" in done.stderr, done.stderr
    # Two loaded, one computed; the two are dead once it is there. Intermediate results never were attributes.
    assert done.stderr.splitlines()[-3:] == [
        "after the passes: 3 created, 2 freed, 1 live (8192 bytes, at most 32768)",
        "scrubbed: 1 constants, 8192 bytes",
        "at the end: 3 created, 3 freed, 0 live (0 bytes, at most 32768)",
    ], "the statistics"


def test_toy_constants_survive_collections_that_they_do_not_concern(folder):
    done = toyFold(toyModel(folder), "--toy-load=directory=" + str(folder), "--cse", "--cse")
    assert done.returncode == 0, f"exit status ({done.stderr})"
    for weights in make_weights.weights():
        assert struct.pack(f"<{len(weights)}f", *weights).hex().upper() in done.stdout, "weights are missing"
    assert "after the passes: 2 created, 0 freed, 2 live (24576 bytes" in done.stderr, done.stderr


def test_toy_operators_fold_in_other_passes(folder):
    (folder / "in.mlir").write_text("""
func.func @f() -> tensor<2x2xi8> {
  %a = toy.constant dense<[[100, 2], [3, 4]]> : tensor<2x2xi8>
  %b = toy.transpose %a [1, 0] : tensor<2x2xi8> -> tensor<2x2xi8>
  %c = toy.add %a, %b : tensor<2x2xi8>
  return %c : tensor<2x2xi8>
}""")
    done = toyFold(folder / "in.mlir", "--canonicalize")
    assert "toy.constant dense<[[-56, 5], [5, 8]]> : tensor<2x2xi8>" in done.stdout, done.stdout + done.stderr
    assert operators(done.stdout) == {"toy.constant", "return"}, "operations left"


def test_toy_errors_name_the_file(folder):
    model = toyModel(folder)
    (folder / "weights.bin").write_bytes(bytes(20000))
    done = toyFold(model)
    assert done.returncode == 1, "exit status"
    assert "weights.bin has 20000 bytes, expected 8192 at 16384 for 'tensor<32x64xf32>'" in done.stderr, done.stderr
    (folder / "weights.bin").unlink()
    done = toyFold(model)
    assert done.returncode == 1, "exit status"
    assert "weights.bin: No such file or directory" in done.stderr, done.stderr


# ---- upstream-dialects: arith ------------------------------------------------------------------------------------------

INTEGERS = {"i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8"}
FLOATS = {"f16": "<f2", "f32": "<f4", "f64": "<f8"}
SHAPE = (12, 9)  # more than 256 bytes from i32 on: held by the library


def dense(array, element):
    shape = "x".join(map(str, array.shape))
    return f'dense<"0x{array.tobytes().hex()}"> : tensor<{shape}x{element}>'


def randomArray(random, dtype):
    if dtype[1] == "f":
        return (random.integers(-99, 99, SHAPE) / 8).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, SHAPE, dtype, endpoint=True)


def function(name, constants, body, result):
    lines = [f"  %{value} = arith.constant {text}" for value, text in constants.items()]
    return f"func.func @{name}() -> {result} {{\n" + "\n".join(lines) + f"\n  {body}\n  return %r : {result}\n}}\n"


def binaryFunctions(random):
    any_int = "addi subi muli andi ori xori maxsi minsi maxui minui divsi divui remsi remui shli shrsi shrui".split()
    tensors = {e: f"tensor<{SHAPE[0]}x{SHAPE[1]}x{e}>" for e in [*INTEGERS, *FLOATS, "i1", "bf16"]}
    for element, dtype in INTEGERS.items():
        for op in any_int:
            x, y = randomArray(random, dtype), randomArray(random, dtype)
            if op.startswith("sh"):
                y = random.integers(0, x.itemsize * 8, SHAPE).astype(dtype)
            elif op[:3] in ("div", "rem"):
                y = np.where(np.isin(y, (0, -1)), 3, y).astype(dtype)
            yield function(f"{op}_{element}", {"a": dense(x, element), "b": dense(y, element)},
                           f"%r = arith.{op} %a, %b : {tensors[element]}", tensors[element])
        for predicate in "eq ne slt sle sgt sge ult ule ugt uge".split():
            x, y = randomArray(random, dtype), randomArray(random, dtype)
            y[::2] = x[::2]
            yield function(f"cmpi_{predicate}_{element}", {"a": dense(x, element), "b": dense(y, element)},
                           f"%r = arith.cmpi {predicate}, %a, %b : {tensors[element]}", tensors["i1"])
    for element, dtype in FLOATS.items():
        for op in "addf subf mulf divf maximumf minimumf".split():
            x, y = randomArray(random, dtype), randomArray(random, dtype)
            y[y == 0] = 3
            yield function(f"{op}_{element}", {"a": dense(x, element), "b": dense(y, element)},
                           f"%r = arith.{op} %a, %b : {tensors[element]}", tensors[element])


def castFunctions(random):
    tensors = {e: f"tensor<{SHAPE[0]}x{SHAPE[1]}x{e}>" for e in [*INTEGERS, *FLOATS, "i1", "bf16"]}
    pairs = [("extsi", "i8", "i32"), ("extui", "i8", "i64"), ("trunci", "i64", "i16"), ("trunci", "i32", "i1"),
             ("extf", "f16", "f32"), ("truncf", "f64", "f16"), ("truncf", "f32", "bf16"), ("sitofp", "i32", "f32"),
             ("uitofp", "i64", "f32"), ("uitofp", "i8", "f16"), ("sitofp", "i64", "f64"), ("fptosi", "f32", "i8"),
             ("fptoui", "f64", "i16")]
    for op, source, target in pairs:
        dtype = INTEGERS.get(source) or FLOATS[source]
        x = randomArray(random, dtype)
        if op == "fptoui":
            x = np.abs(x)
        yield function(f"{op}_{source}_{target}", {"a": dense(x, source)},
                       f"%r = arith.{op} %a : {tensors[source]} to {tensors[target]}", tensors[target])
    for op, target in ("extsi", "i8"), ("extui", "i8"), ("sitofp", "f32"), ("uitofp", "f32"):
        yield function(f"{op}_i1_{target}", {"a": "dense<[true, false, true]> : tensor<3xi1>"},
                       f"%r = arith.{op} %a : tensor<3xi1> to tensor<3x{target}>", f"tensor<3x{target}>")


OTHER_ARITH = """
func.func @bit() -> i1 {
  %t = arith.constant true
  %n = arith.constant false
  %0 = arith.xori %t, %n : i1
  return %0 : i1
}
func.func @select() -> (tensor<3xf32>, vector<2xi16>, i32, f32) {
  %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %a = arith.constant dense<[1.0, 2.0, -0.0]> : tensor<3xf32>
  %b = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %0 = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xf32>
  %v = arith.constant dense<[100, -7]> : vector<2xi16>
  %1 = arith.muli %v, %v : vector<2xi16>
  %i = arith.constant 5 : i32
  %2 = arith.subi %i, %i : i32
  %f = arith.constant 0.1 : f32
  %3 = arith.addf %f, %f : f32
  return %0, %1, %2, %3 : tensor<3xf32>, vector<2xi16>, i32, f32
}
func.func @zeros() -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %b = arith.constant dense<[-0.0, 0.0, 0.0, -0.0]> : tensor<4xf32>
  %0 = arith.maximumf %a, %b : tensor<4xf32>
  %1 = arith.minimumf %a, %b : tensor<4xf32>
  %c = arith.constant dense<[0.0, -3.0]> : tensor<2xf32>
  %2 = arith.negf %c : tensor<2xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}
"""


def test_arith_folds_as_upstream_does(folder):
    random = np.random.default_rng(t.options.seed)
    text = "".join([*binaryFunctions(random), *castFunctions(random)]) + OTHER_ARITH
    folded = upstreamFold(folder, text)
    assert operators(folded) == {"arith.constant", "return"}, "operations left"
    (folder / "ours.mlir").write_text(folded)
    canonical = [output(MLIR_TOOLS / "mlir-opt", "--canonicalize", folder / name) for name in ("in.mlir", "ours.mlir")]
    assert operators(canonical[0]) == {"arith.constant", "return"}, "operations that mlir-opt leaves"
    for expected, got in zip(*(re.split("(?=func.func)", each) for each in canonical), strict=True):
        assert expected == got, f"mlir-opt computes\n{expected[:400]}\nand we\n{got[:400]}"


def test_poison_is_kept(folder):
    text = """
func.func @f() -> (tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<2xi8>, tensor<2xf16>) {
  %a = arith.constant dense<[5, -2147483648]> : tensor<2xi32>
  %z = arith.constant dense<[1, 0]> : tensor<2xi32>
  %m = arith.constant dense<[1, -1]> : tensor<2xi32>
  %s = arith.constant dense<[7, 8]> : tensor<2xi8>
  %x = arith.constant dense<[127.5, 128.0]> : tensor<2xf32>
  %0 = arith.divui %a, %z : tensor<2xi32>
  %1 = arith.shli %s, %s : tensor<2xi8>
  %2 = arith.remsi %a, %m : tensor<2xi32>
  %3 = arith.fptosi %x : tensor<2xf32> to tensor<2xi8>
  %n = arith.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %4 = arith.fptoui %n : tensor<2xf32> to tensor<2xi8>
  %5 = arith.truncf %x to_nearest_away : tensor<2xf32> to tensor<2xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<2xi8>, tensor<2xf16>
}"""
    assert remarksOf(folder, text) == [
        "arith.divui not folded: element [1] divides by 0 or overflows",
        "arith.shli not folded: element [1] is shifted by its width",
        "arith.remsi not folded: element [1] divides by 0 or overflows",
        "arith.fptosi not folded: element [1] is out of range",
        "arith.fptoui not folded: element [0] is out of range",
        "arith.truncf not folded: no kernel for attribute 'roundingmode'",
    ], "the remarks"
    folded = upstreamFold(folder, text)
    assert operators(folded) - {"arith.constant", "return"} == {
        f"arith.{op}" for op in "divui shli remsi fptosi fptoui truncf".split()
    }, "operations left"


def test_results_of_dynamic_type_keep_it(folder):
    # The constant has a more precise type than the operation that it replaces; users of it must not see that.
    folded = upstreamFold(folder, """
func.func private @use(tensor<?xi32>)
func.func @f() {
  %a = "tosa.const"() {values = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r = tosa.add %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<?xi32>
  call @use(%r) : (tensor<?xi32>) -> ()
  return
}""")
    assert "values = dense<[2, 4]> : tensor<2xi32>" in folded, folded
    assert "tensor.cast %0 : tensor<2xi32> to tensor<?xi32>" in folded, folded


# ---- upstream-dialects: tosa -------------------------------------------------------------------------------------------


def const(name, array, element):
    text = dense(array, element)
    return f'%{name} = "tosa.const"() {{values = {text}}} : () -> {text.split(" : ")[1]}'


def shapeConst(name, values):
    return (f"%{name} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}}"
            f" : () -> !tosa.shape<{len(values)}>")


class Executed:
    """Functions without arguments, each with one result, and a main that prints the results for mlir-runner."""

    def __init__(self):
        self.functions, self.calls = [], []

    def tosa(self, result, lines, operation):
        self.add(result, lines, f"tosa.{operation} -> {result}")

    def add(self, result, lines, operation):
        name = f"f{len(self.functions)}"
        body = "\n  ".join([*lines, f"%r = {operation}"])
        self.functions.append(f"func.func @{name}() -> {result} {{\n  {body}\n  return %r : {result}\n}}\n")
        element = result[:-1].split("x")[-1]
        shape = result[:-len(element) - 1]
        lines = [f"%{name} = call @{name}() : () -> {result}"]
        # Printed as whole numbers, floats by their bits, so that nothing is lost.
        if element == "f32":
            lines.append(f"%{name}i = arith.bitcast %{name} : {result} to {shape}i32>")
        elif element == "i32":
            lines.append(f"%{name}i = tensor.cast %{name} : {result} to {result}")
        else:
            kind = "extui" if element == "i1" else "extsi"
            lines.append(f"%{name}i = arith.{kind} %{name} : {result} to {shape}i32>")
        lines += [f"%{name}u = tensor.cast %{name}i : {shape}i32> to tensor<*xi32>",
                  f"call @printMemrefI32(%{name}u) : (tensor<*xi32>) -> ()"]
        self.calls += lines

    def text(self):
        return "".join(self.functions)

    def main(self):
        return ("func.func private @printMemrefI32(tensor<*xi32>)\nfunc.func @main() {\n  " + "\n  ".join(self.calls) +
                "\n  return\n}\n")


LOWERING = ("builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},"
            "tosa-to-tensor,convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries=true},func.func(convert-linalg-to-loops,"
            "convert-scf-to-cf),expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,arith-expand,"
            "convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)")


def execute(folder, text):
    """What a module prints when it runs, a list for each tensor."""
    (folder / "run.mlir").write_text(text)
    output(MLIR_TOOLS / "mlir-opt", f"--pass-pipeline={LOWERING}", folder / "run.mlir", "-o", folder / "llvm.mlir")
    libraries = ",".join(str(MLIR_TOOLS.parent / "lib" / f"libmlir_{name}.so") for name in ("runner_utils", "c_runner_utils"))
    printed = output(MLIR_TOOLS / "mlir-runner", folder / "llvm.mlir", "-e", "main", "--entry-point-result=void",
                     f"--shared-libs={libraries}")
    return [re.sub(r"base@ = \S+ ", "", each) for each in printed.split("Unranked Memref ")[1:]]


def tosaFunctions(random):
    module = Executed()
    i32 = random.integers(-50000, 50000, (12, 9), np.int32)
    j32 = random.integers(-20000, 20000, (1, 9), np.int32)
    f32 = (random.integers(-99, 99, (12, 9)) / 8).astype(np.float32)
    g32 = (random.integers(-99, 99, (12, 1)) / 16).astype(np.float32)
    i8 = random.integers(-128, 127, (12, 9), np.int8, endpoint=True)
    binary = [const("a", i32, "i32"), const("b", j32, "i32")]
    types = "(tensor<12x9xi32>, tensor<1x9xi32>)"
    for op in "add sub".split():
        module.tosa("tensor<12x9xi32>", binary, f"{op} %a, %b : {types}")
    for op in "equal greater greater_equal".split():
        module.tosa("tensor<12x9xi1>", binary, f"{op} %a, %b : {types}")
    floats = [const("a", f32, "f32"), const("b", g32, "f32")]
    zero = const("s", np.zeros(1, np.int8), "i8")
    module.tosa("tensor<12x9xf32>", floats, "add %a, %b : (tensor<12x9xf32>, tensor<12x1xf32>)")
    module.tosa("tensor<12x9xf32>", [*floats, zero], "mul %a, %b, %s : (tensor<12x9xf32>, tensor<12x1xf32>, tensor<1xi8>)")
    for shift in 0, 1, 7:
        s = const("s", np.full(1, shift, np.int8), "i8")
        module.tosa("tensor<12x9xi32>", [const("a", i32 // 10, "i32"), const("b", j32, "i32"), s],
                   "mul %a, %b, %s : (tensor<12x9xi32>, tensor<1x9xi32>, tensor<1xi8>)")
    module.tosa("tensor<12x9xi32>", [const("a", i8, "i8"), const("b", i8, "i8"), zero],
               "mul %a, %b, %s : (tensor<12x9xi8>, tensor<12x9xi8>, tensor<1xi8>)")
    addMovement(module, f32)
    addReductions(module, random, i32, f32, i8)
    casts = np.array([0.5, 1.5, 2.5, -0.5, -200.7, 3e38, -3e38, 126.5, 1e-9], np.float32)
    for target in "i8", "i16", "i32":
        module.tosa(f"tensor<9x{target}>", [const("a", casts, "f32")], "cast %a : (tensor<9xf32>)")
    module.tosa("tensor<12x9xf32>", [const("a", i32, "i32")], "cast %a : (tensor<12x9xi32>)")
    module.tosa("tensor<12x9xi1>", [const("a", i8 // 64, "i8")], "cast %a : (tensor<12x9xi8>)")
    return module


def addMovement(module, f32):
    a = const("a", f32, "f32")
    module.tosa("tensor<9x12xf32>", [a], "transpose %a {perms = array<i32: 1, 0>} : (tensor<12x9xf32>)")
    module.tosa("tensor<4x27xf32>", [a, shapeConst("s", (4, 27))], "reshape %a, %s : (tensor<12x9xf32>, !tosa.shape<2>)")
    module.tosa("tensor<12x18xf32>", [a], "concat %a, %a {axis = 1 : i32} : (tensor<12x9xf32>, tensor<12x9xf32>)")
    module.tosa("tensor<3x2xf32>", [a, shapeConst("s", (2, 5)), shapeConst("n", (3, 2))],
               "slice %a, %s, %n : (tensor<12x9xf32>, !tosa.shape<2>, !tosa.shape<2>)")
    module.tosa("tensor<12x9xf32>", [a], "reverse %a {axis = 1 : i32} : (tensor<12x9xf32>)")
    module.tosa("tensor<24x9xf32>", [a, shapeConst("s", (2, 1))], "tile %a, %s : (tensor<12x9xf32>, !tosa.shape<2>)")
    module.tosa("tensor<15x9xf32>", [a, shapeConst("s", (1, 2, 0, 0)), const("v", np.full(1, 3.5, np.float32), "f32")],
               "pad %a, %s, %v : (tensor<12x9xf32>, !tosa.shape<4>, tensor<1xf32>)")
    condition = '%c = "tosa.const"() {values = dense<[[true], [false]]> : tensor<2x1xi1>} : () -> tensor<2x1xi1>'
    module.tosa("tensor<2x9xf32>", [condition, const("a", f32[:2], "f32"), const("b", f32[2:4], "f32")],
               "select %c, %a, %b : (tensor<2x1xi1>, tensor<2x9xf32>, tensor<2x9xf32>)")


def addReductions(module, random, i32, f32, i8):
    for op in "reduce_sum", "reduce_max", "reduce_min":
        module.tosa("tensor<12x1xf32>", [const("a", f32, "f32")], f"{op} %a {{axis = 1 : i32}} : (tensor<12x9xf32>)")
        module.tosa("tensor<1x9xi32>", [const("a", i32, "i32")], f"{op} %a {{axis = 0 : i32}} : (tensor<12x9xi32>)")
    x, y = (random.integers(-9, 9, shape).astype(np.float32) for shape in ((2, 5, 7), (2, 7, 3)))
    zero = [const("p", np.zeros(1, np.float32), "f32"), const("q", np.zeros(1, np.float32), "f32")]
    module.tosa("tensor<2x5x3xf32>", [const("a", x, "f32"), const("b", y, "f32"), *zero],
               "matmul %a, %b, %p, %q : (tensor<2x5x7xf32>, tensor<2x7x3xf32>, tensor<1xf32>, tensor<1xf32>)")
    module.tosa("tensor<1x12x12xi32>", [const("a", i8[None], "i8"), const("b", i8.T[None].copy(), "i8"),
                                      const("p", np.full(1, 3, np.int8), "i8"), const("q", np.full(1, -5, np.int8), "i8")],
               "matmul %a, %b, %p, %q : (tensor<1x12x9xi8>, tensor<1x9x12xi8>, tensor<1xi8>, tensor<1xi8>)")


def expectSameResults(folder, module):
    """Folded or not, a module computes the same."""
    folded = upstreamFold(folder, module.text())
    assert operators(folded) - {"tosa.const", "arith.constant", "return"} == set(), "operations left"
    assert "elements.dense" not in folded, "a constant was not scrubbed"
    ours = re.sub(r"\}\s*$", "", folded.replace("module {", "", 1)) + module.main()
    expected, got = execute(folder, module.text() + module.main()), execute(folder, ours)
    assert len(expected) == len(module.functions), "tensors that were printed"
    for source, want, have in zip(module.functions, expected, got, strict=True):
        assert want == have, f"{source.splitlines()[-3]}: MLIR computes\n{want[:300]}\nand we\n{have[:300]}"


def test_arith_compares_floats_as_mlir_does(folder):
    # mlir-opt folds arith.cmpf of scalars only.
    random = np.random.default_rng(t.options.seed)
    module = Executed()
    x, y = randomArray(random, "<f4"), randomArray(random, "<f4")
    y[::2] = x[::2]
    x[:, 0], y[:, 3] = np.nan, np.nan
    x[1, :5], y[1, :5] = [0, -0.0, np.inf, -np.inf, np.inf], [-0.0, 0, np.inf, np.inf, 3]
    for predicate in "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split():
        module.add("tensor<12x9xi1>", [f"%a = arith.constant {dense(x, 'f32')}", f"%b = arith.constant {dense(y, 'f32')}"],
                   f"arith.cmpf {predicate}, %a, %b : tensor<12x9xf32>")
    expectSameResults(folder, module)


def test_tosa_folds_to_what_mlir_computes(folder):
    expectSameResults(folder, tosaFunctions(np.random.default_rng(t.options.seed)))


def test_tosa_folds_functions_of_floats(folder):
    # MLIR's approximations differ from ours in the last bit: here the reference is numpy, in double.
    x = np.linspace(0.1, 6, 100, dtype=np.float32)
    for op, f in {"exp": np.exp, "log": np.log, "tanh": np.tanh, "sigmoid": lambda v: 1 / (1 + np.exp(-v))}.items():
        body = f"{const('a', x, 'f32')}\n  %r = tosa.{op} %a : (tensor<100xf32>) -> tensor<100xf32>\n"
        folded = upstreamFold(folder, f"func.func @f() -> tensor<100xf32> {{\n  {body}  return %r : tensor<100xf32>\n}}")
        values = re.search(r"dense<\[?\"?([^>\"\]]*)", folded).group(1)
        assert "tosa." + op not in folded, f"{op} was not folded"
        got = (np.frombuffer(bytes.fromhex(values[2:]), "<f4") if values.startswith("0x") else
               np.array(values.split(","), np.float32))
        assert np.array_equal(got, f(x.astype(np.float64)).astype(np.float32)), f"{op} gives {got[:4]}"


def test_tosa_overflow_is_kept(folder):
    text = """
func.func @f() -> (tensor<2xi8>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) {
  %a = "tosa.const"() {values = dense<[100, 27]> : tensor<2xi8>} : () -> tensor<2xi8>
  %b = "tosa.const"() {values = dense<[100000, 100000]> : tensor<2xi32>} : () -> tensor<2xi32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = "tosa.const"() {values = dense<[2147483647, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %n = "tosa.const"() {values = dense<0x7FC00000> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.add %a, %a : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %1 = tosa.mul %b, %b, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
  %2 = tosa.reduce_sum %c {axis = 0 : i32} : (tensor<2xi32>) -> tensor<1xi32>
  %3 = tosa.cast %n : (tensor<1xf32>) -> tensor<1xi32>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>
}"""
    assert remarksOf(folder, text) == [
        "tosa.add not folded: element [0] is 200, which i8 cannot hold",
        "tosa.mul not folded: element [0] is 10000000000, which i32 cannot hold",
        "tosa.reduce_sum not folded: element [0] is 2147483648, which i32 cannot hold",
        "tosa.cast not folded: element [0] is not a number",
    ], "the remarks"


def test_folding_again_changes_nothing(folder):
    random = np.random.default_rng(t.options.seed + 1)
    once = upstreamFold(folder, "".join(castFunctions(random)) + tosaFunctions(random).text())
    assert upstreamFold(folder, once) == once, "a second run changes the module"


def test_folded_programs_run_ahead_of_time(folder):
    # x * w0, columns reversed, halved; then with w2 doubled. w0 adds 3 times the third and twice the first column.
    expected = ["3 1.5 5.5 0.5 9 3.5 13.5 2.5 "] * 2 + ["3 folds", "12 6 22 2 36 14 54 10 ", "4 folds"]
    inCPlusPlus = program("run-folded", "run-folded-cpp")
    library = inCPlusPlus.parent / "libmlp.so"
    assert output(inCPlusPlus, library).splitlines() == expected, "what run-folded-cpp prints"
    assert output(inCPlusPlus.parent / "run-folded-c", library).split() == ["4000", "3f00", "4100", "4000", "4", "folds"]
    assert "MLIR" not in output("ldd", inCPlusPlus), "the program holds MLIR"
    wrong = run(inCPlusPlus, BUILD / "lib/libonnxfold_tensorfolding_programs.so")
    assert wrong.returncode == 1 and "metadata has no address" in wrong.stderr, wrong.stderr
