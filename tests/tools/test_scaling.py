#!/usr/bin/env python3
"""Time grows linearly: models with eight times as much of one thing take at most twenty times the processor time.

Quadratic walks take sixty-four times. What the clock says depends on the machine; processor time of the tool less so.
Memory too: a node more, that folds or stays, takes at most 1,000 bytes, and so does an initializer.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
SMALL, FACTOR, MOST = 1500, 8, 20
FLOOR = 0.02  # seconds: below, starting the program counts
CONDITION = helper.make_tensor_value_info("c", TensorProto.BOOL, [])


def chain(n):
    return m.model([node("Neg", [f"v{i}" if i else "x"], [f"v{i + 1}"]) for i in range(n)], [info("x")], [info(f"v{n}")])


def reversedChain(n):
    """Every node waits for the one after it in the file."""
    model = chain(n)
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def foldedChain(n):
    nodes = [node("Neg", [f"v{i}" if i else "w"], [f"v{i + 1}"]) for i in range(n)] + [node("Add", ["x", f"v{n}"], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))])


def manyInputsOfANode(n):
    nodes = [node("Neg", ["x"], [f"v{i}"]) for i in range(n)] + [node("Sum", [f"v{i}" for i in range(n)], ["y"])]
    return m.model(nodes, [info("x")], [info("y")])


def manyGraphOutputs(n):
    return m.model([node("Neg", ["x"], [f"v{i}"]) for i in range(n)], [info("x")], [info(f"v{i}") for i in range(n)])


def manyInitializers(n):
    nodes = [node("Mul", [f"w{i}", "two"], [f"k{i}"]) for i in range(n)] + [node("Add", ["x", f"k{i}"], [f"y{i}"]) for i in range(n)]
    weights = [const(f"w{i}", np.full((2, 3), i, np.float32)) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [*weights, const("two", np.float32(2))])


def equalNewConstants(n):
    nodes = [node("Neg", ["w"], [f"k{i}"]) for i in range(n)] + [node("Add", ["x", f"k{i}"], [f"y{i}"]) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [const("w", np.ones((2, 3), np.float32))])


def quantisedWeights(n):
    """Nodes of constants only that stay: they look alike but for their elements."""
    nodes = [node("DequantizeLinear", [f"q{i}", "s"], [f"w{i}"]) for i in range(n)]
    nodes += [node("Add", ["x", f"w{i}"], [f"y{i}"]) for i in range(n)]
    weights = [const(f"q{i}", [[i % 100, i // 100, 0], [0, 0, 0]], np.int8) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [*weights, const("s", np.float32(0.5))])


def manyBodies(n):
    def branch(operator):
        return helper.make_graph([node(operator, ["x"], ["p"])], "b", [], [info("p")])

    nodes = [node("If", ["c"], [f"z{i}"], then_branch=branch("Neg"), else_branch=branch("Abs")) for i in range(n)]
    return m.model(nodes, [info("x"), CONDITION], [info(f"z{i}") for i in range(n)])


def manyFunctions(n):
    model = m.model([node("Neg", ["x"], ["y"])], [info("x")], [info("y")], domains=[("l", 1)])
    body, imports = [node("Neg", ["a"], ["b"])], [helper.make_opsetid("", 21)]
    model.functions.extend(helper.make_function("l", f"F{i}", ["a"], ["b"], body, imports) for i in range(n))
    return model


def manyAnnotations(n):
    model = foldedChain(10)
    for i in range(n):
        model.metadata_props.add(key=f"k{i}", value="v")
        model.graph.value_info.append(info(f"u{i}"))
    return model


def processorTime(path, out):
    """Seconds of the faster of two runs."""
    times = []
    for _ in range(2):
        child = subprocess.Popen([str(t.TOOL), "--quiet", "--max-growth=unlimited", "--threads=1", "-o", out, path])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        t.expectEqual(child.returncode, 0, f"exit status for {path.name}")
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


def check(folder, build):
    times = []
    for count in (SMALL, SMALL * FACTOR):
        path = folder / f"{build.__name__}-{count}.onnx"
        path.write_bytes(build(count).SerializeToString())
        times.append(processorTime(path, folder / "out.onnx"))
    ratio = times[1] / max(times[0], FLOOR)
    print(f"  {build.__name__}: {times[0]:.3f} s and {times[1]:.3f} s", flush=True)
    t.expect(ratio <= MOST, f"{FACTOR} times as much takes {ratio:.1f} times as long ({times[0]:.3f} s, {times[1]:.3f} s)")


for one in (chain, reversedChain, foldedChain, manyInputsOfANode, manyGraphOutputs, manyInitializers, equalNewConstants):
    suite.add(one.__name__, lambda folder, build=one: check(folder, build))
for one in (quantisedWeights, manyBodies, manyFunctions, manyAnnotations):
    suite.add(one.__name__, lambda folder, build=one: check(folder, build))

# ---- memory

FEW, MANY = 20_000, 80_000
BYTES = 1000  # for a node, and for an initializer
STAGE = ("Shape", "Gather", "Mul", "Div", "Unsqueeze", "Concat", "Reshape", "Relu")


def foldedSums(n):
    """The result of each is read by the next and the one after it: no program of all of them."""
    names = ["w", "w"] + [f"v{i}" for i in range(n)]
    nodes = [node("Add", names[i : i + 2], [names[i + 2]]) for i in range(n)] + [node("Add", ["x", names[-1]], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))])


def shapeArithmetic(n):
    """What exporters write before each Reshape, with names as long as theirs."""
    initializers = [const("i1", np.int64(1)), const("zero", [0], np.int64), const("two", [2], np.int64)]
    nodes, value = [], "x"
    for layer in range(n // len(STAGE)):
        shape, width, double, half, wide, target, out, end = (f"/layers.{layer}/attention/{name}_output_0" for name in STAGE)
        nodes += [
            node("Shape", [value], [shape]),
            node("Gather", [shape, "i1"], [width]),
            node("Mul", [width, "i1"], [double]),
            node("Div", [double, "i1"], [half]),
            node("Unsqueeze", [half, "zero"], [wide]),
            node("Concat", ["two", wide], [target], axis=0),
            node("Reshape", [value, target], [out]),
            node("Relu", [out], [end]),
        ]
        value = end
    for one in nodes:
        one.name = one.output[0].removesuffix("_output_0")
    return m.model(nodes, [info("x", (2, 3))], [info(value, (2, 3))], initializers)


def peakOf(path, out):
    """Bytes at the most (VmHWM), looked at until the tool ends: with a report of all nodes they would take their share."""
    child = subprocess.Popen([str(t.TOOL), "--quiet", "--max-growth=unlimited", "-o", out, path])
    peak = 0
    while child.poll() is None:
        status = Path(f"/proc/{child.pid}/status").read_text()
        peak = max([peak, *(int(kilobytes) << 10 for kilobytes in re.findall(r"VmHWM:\s+(\d+) kB", status))])
        time.sleep(0.002)
    t.expectEqual(child.returncode, 0, f"exit status for {path.name}")
    return peak


def checkMemory(folder, build, bytesEach):
    peaks = []
    for count in (FEW, MANY):
        path = folder / f"{build.__name__}-{count}.onnx"
        path.write_bytes(build(count).SerializeToString())
        peaks.append(peakOf(path, folder / "out.onnx"))
    each = (peaks[1] - peaks[0]) / (MANY - FEW)
    print(f"  {build.__name__}: {each:.0f} bytes each, {peaks[1] / 1e6:.1f} MB", flush=True)
    t.expect(each <= bytesEach, f"one more takes {each:.0f} bytes, at most {bytesEach} expected")


for one, limit in ((chain, BYTES), (foldedChain, BYTES), (foldedSums, BYTES), (shapeArithmetic, BYTES)):
    suite.add(f"memory_of_{one.__name__}", lambda folder, build=one, limit=limit: checkMemory(folder, build, limit))
suite.add("memory_of_initializers", lambda folder: checkMemory(folder, manyInitializers, 3 * BYTES))

if __name__ == "__main__":
    sys.exit(suite.main())
