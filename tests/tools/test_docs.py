# SPDX-License-Identifier: Apache-2.0
"""docs/ and `onnx-fold --help` say the same, and every command that docs/ shows runs as it stands there."""

import os
import re
import shutil
import subprocess

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto

import check_layers
import onnxfold_models as m
import onnxfold_testing as t
import rewrites_page
from onnxfold_models import const, info, node

PAGES = [t.ROOT / f"docs/{name}.md" for name in ("quick-start", "how-to", "reference", "rewrites", "report", "schemas")]
QUICK_START = PAGES[0]  # its commands depend on each other
REFERENCE = t.ROOT / "docs/reference.md"
FLAG = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z-]*(?![\w-])")
# Of onnxsim, in the table for those who come from there.
ONNXSIM = {"--overwrite-input-shape", "--save-as-external-data", "--skip-optimization", "--no-large-tensor"}
ONNXSIM |= {"--unused-output", "--input-data-path"}
CHANGES = 2  # the exit status of --check


def flagsOfHelp():
    """What --help lists: the first word of an indented line."""
    text = "".join(t.runOk(*command, "--help=all").out.decode() for command in ([], ["reduce"]))
    return {flag for flag in re.findall(r"^  (--?[a-zA-Z][a-z-]*)", text, re.MULTILINE)}


def codeOf(page):
    """Everything between backticks, and indented lines: prose may have other dashes."""
    text = page.read_text()
    return re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ {4}(.*)$", text, re.MULTILINE)


def commands():
    """(page, command, lines of output that are shown, jq commands after it) of each indented line with onnx-fold that is
    not a synopsis."""
    found = []
    for page in PAGES[1:]:
        lines = page.read_text().splitlines()
        for number, line in enumerate(lines):
            command, shown = line.removeprefix("    "), []
            queries = [more.strip() for more in lines[number + 1 : number + 2] if more.startswith("    jq ")]
            if command.startswith("$ "):
                command = command.removeprefix("$ ")
                for more in lines[number + 1 :]:
                    if not more.startswith("    "):
                        break
                    shown.append(more.removeprefix("    "))
            if line.startswith("    ") and re.search(r"\bonnx-fold -|\bonnx-fold \w+\.onnx", command):
                found.append((page, command, shown, queries))
    return found


def test_every_flag_is_described(folder):
    described = {flag for text in codeOf(REFERENCE) for flag in FLAG.findall(text)}
    flags = flagsOfHelp()
    assert len(flags) > 30, f"--help lists {sorted(flags)}"
    missing = {flag for flag in flags if flag != "-O"} - described
    assert not missing, f"docs/reference.md does not have {sorted(missing)}"
    assert "-O" in flags and "`-O0`, `-O1`, `-O2`" in REFERENCE.read_text(), "levels"


def test_every_flag_exists(folder):
    flags = flagsOfHelp()
    for page in PAGES:
        named = {flag for text in codeOf(page) for flag in FLAG.findall(text) if flag.startswith("--")}
        named -= ONNXSIM if page.stem == "quick-start" else set()
        assert named <= flags, f"{page.name} has {sorted(named - flags)}, which --help does not"


def test_tables_of_rewrites_are_those_of_the_tool(folder):
    text = rewrites_page.PAGE.read_text()
    assert text == rewrites_page.page(t.TOOL), "run tools/rewrites_page.py: docs/rewrites.md is not what it writes"
    rows = re.findall(r"^- `([\w-]+)`: ", text.partition(rewrites_page.BEGIN)[2], re.MULTILINE)
    listed = [line.split()[0] for line in t.runOk("--list-patterns").out.decode().splitlines()]
    assert sorted(rows) == sorted(listed), "names in docs/rewrites.md"
    bounds = text.partition("at -O2")[2]
    assert "- `conv-batchnorm`: " in bounds and "- `identity`: " not in bounds, "levels"


def test_folders_of_the_table_are_there(folder):
    """The first column of docs/architecture.md names folders, and each library's top folder is one of them."""
    text = (t.ROOT / "docs/architecture.md").read_text().partition("| folder | what it is |")[2].partition("\n\n")[0]
    named = {name for row in text.splitlines() for name in re.findall(r"`([\w/]+)/`", row.split("|")[1] if "|" in row else "")}
    absent = sorted(name for name in named if not (t.ROOT / name).is_dir())
    assert not absent, f"docs/architecture.md names the folders {absent}, which are not there"
    lacks = sorted({layer.split("/")[0] for layer in check_layers.LAYERS} - {name.split("/")[0] for name in named})
    assert not lacks, f"docs/architecture.md lacks the folders {lacks}"


def weight(shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def makeFiles(folder):
    """What the commands read."""
    nodes = [
        node("Transpose", ["w"], ["wt"]),
        node("MatMul", ["x", "wt"], ["y"]),
        node("Expand", ["s", "shape"], ["wide"]),
        node("Mul", ["x", "wide"], ["z"]),
    ]
    constants = [const("w", weight((64, 64))), const("s", weight((1, 64))), const("shape", [64, 64], np.int64)]
    model = m.model(nodes, [info("x", ("batch", 64))], [info("y", ("batch", 64)), info("z", (None, 64))], constants)
    for name in ("model.onnx", "a.onnx", "m.onnx"):
        onnx.save(model, folder / name)
    ids = info("token_type_ids", ("batch", "sequence"), TensorProto.INT64)
    bert = [node("Cast", ["token_type_ids"], ["f"], to=TensorProto.FLOAT), node("Add", ["e", "f"], ["y"])]
    dims = ("batch", "sequence")
    onnx.save(m.model(bert, [ids, info("e", dims)], [info("y", dims)]), folder / "bert.onnx")
    lora = [node("MatMul", ["lora_a", "lora_b"], ["ab"]), node("Add", ["w", "ab"], ["w2"]), node("MatMul", ["x", "w2"], ["y"])]
    inputs = [info("x", ("batch", 64)), info("lora_a", (64, 4)), info("lora_b", (4, 64))]
    onnx.save(m.model(lora, inputs, [info("y", ("batch", 64))], constants[:1]), folder / "adapted.onnx")
    adapters = [const("lora_a", weight((64, 4))), const("lora_b", weight((4, 64)))]
    tuned = m.model(lora, inputs[:1], [info("y", ("batch", 64))], [constants[0], *adapters])
    onnx.save(tuned, folder / "tuned.onnx")
    np.save(folder / "zeros.npy", np.zeros((1, 128), np.int64))
    np.save(folder / "x.npy", np.ones((64, 64), np.float32))
    np.savez(folder / "x.npz", x=np.ones((64, 64), np.float32))
    (folder / "inputs").mkdir()
    np.save(folder / "inputs/x.npy", np.ones((64, 64), np.float32))
    (folder / "models/part").mkdir(parents=True)
    onnx.save(model, folder / "models/part/c.onnx")
    schemas = (t.ROOT / "docs/schemas.md").read_text()
    (folder / "acme.json").write_text(re.search(r"^```json\n(.*?)^```", schemas, re.M | re.S)[1])
    functions = m.model([node("Relu", ["x"], ["y"])], [info("x")], [info("y")])
    opset = [onnx.helper.make_opsetid("", 21)]
    square = onnx.helper.make_function("com.acme", "Square", ["x"], ["y"], [node("Mul", ["x", "x"], ["y"])], opset)
    functions.functions.append(square)
    onnx.save(functions, folder / "acme-functions.onnx")
    # A snapshot of a model hub: links into a common store.
    store = folder / ".cache/huggingface/hub"
    for place in (store, folder / "snapshot", folder / "out"):
        place.mkdir(parents=True)
    onnx.save(model, store / "model.onnx", save_as_external_data=True, location="weights", size_threshold=1024)
    for name in ("model.onnx", "weights"):
        os.symlink(store / name, folder / "snapshot" / name)


def test_the_program_for_adapters_runs(folder, monkeypatch):
    """What how-to.md shows beside --run-once gives the results of the model."""
    makeFiles(folder)
    t.runOk("--quiet", "--run-once=lora_*", folder / "adapted.onnx")
    [program] = re.findall(r"^```python\n(once = .*?)^```", (t.ROOT / "docs/how-to.md").read_text(), re.M | re.S)
    adapter = {"lora_a": weight((64, 4)), "lora_b": weight((4, 64))}
    names = {"onnxruntime": onnxruntime, "adapters": [adapter], "x": weight((2, 64))}
    monkeypatch.chdir(folder)
    exec(program, names)  # the text of our own page
    want = onnxruntime.InferenceSession("adapted.onnx").run(None, {"x": names["x"], **adapter})
    assert np.array_equal(names["answer"][0], want[0])


def withoutNumbers(text):
    return re.sub(r"\d+", "0", text)


def test_every_command_runs(folder):
    """`--data-root=~/.cache` is no home folder for a shell."""
    tools = folder / "bin"
    tools.mkdir()
    os.symlink(t.TOOL, tools / "onnx-fold")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    found = commands()
    assert len(found) >= 20, f"{len(found)} commands in the documents, expected more"
    for number, (page, command, shown, queries) in enumerate(found):
        place = folder / str(number)
        place.mkdir()
        makeFiles(place)
        done = subprocess.run(
            ["bash", "-c", "set -o pipefail; " + command],
            cwd=place,
            env={**environment, "HOME": str(place)},
            capture_output=True,
            text=True,
            timeout=600,
        )
        status = CHANGES if "--check" in command else 0
        assert done.returncode == status, f"exit status of '{command}' in {page.name} ({done.stderr[-300:]})"
        if shown and shutil.which("strings"):
            assert withoutNumbers(done.stdout) == withoutNumbers("\n".join(shown) + "\n"), f"output of '{command}'"
        for name in re.findall(r"-o (\S+\.\w+)", command):
            assert (place / name).is_file(), f"'{command}' in {page.name} wrote no {name}"
        for query in queries if shutil.which("jq") else []:
            asked = subprocess.run(["bash", "-c", query], cwd=place, capture_output=True, text=True)
            assert asked.returncode == 0 and asked.stdout.strip(), f"'{query}' in {page.name} finds nothing ({asked.stderr})"
    assert sum(len(queries) for *_, queries in found) >= 1, "queries of the report"


def typedLines(page):
    """(command, lines of output that are shown) of each indented line; output follows a line with '$'."""
    found, isShown = [], False
    for line in page.read_text().splitlines():
        if not line.startswith("    "):
            isShown = False
        elif isShown:
            found[-1][1].append(line[4:])
        else:
            isShown = line.startswith("    $ ")
            found.append((line[4:].removeprefix("$ "), []))
    return found


def test_each_line_of_the_quick_start_can_be_typed(folder, monkeypatch):
    """Its names were those of no model that is there. In one shell, from the root of a checkout."""
    (folder / "build/bin").mkdir(parents=True)
    for place in ("build/bin/onnx-fold", "onnx-fold"):
        os.symlink(t.TOOL, folder / place)
    (folder / "examples").mkdir()
    shutil.copy(t.ROOT / "examples/sample.onnx", folder / "examples")
    text = QUICK_START.read_text()
    lines = typedLines(QUICK_START)
    assert len(lines) >= 15 and "/tmp/onnx-fold" in text, lines
    statuses = {"diff": 2, "--check": 2, "--check --quiet": 2}
    script = ["set -o pipefail"]
    for number, (command, _) in enumerate(lines):
        if command.startswith("jq ") and not shutil.which("jq"):
            continue
        status = next((code for word, code in statuses.items() if f"onnx-fold {word} " in command), 0)
        script.append(f"echo '<{number}>'; {command.replace('/tmp/onnx-fold', str(folder / 'try'))}")
        script.append(f"s=$?; [ $s = {status} ] || {{ echo 'line {number}: exit status' $s; exit 1; }}")
    done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-1000:]
    printed = dict(re.findall(r"^<(\d+)>\n((?:(?!<\d+>).*\n)*)", done.stdout, re.M))
    for number, (command, shown) in enumerate(lines):
        if shown:
            assert printed[str(number)].splitlines() == shown, command
        for name in re.findall(r"-o (\S+)", command):
            assert (folder / "try" / name).is_file(), command
        if command.startswith("jq ") and shutil.which("jq"):
            assert '"logits"' in printed[str(number)], command


def test_the_first_commands_of_the_readme(folder):
    """It began with `pip install onnx-fold`, which is on no index."""
    text = (t.ROOT / "README.md").read_text()
    commands = re.findall(r"^    (.*)$", text, re.M)
    wanted = ["./onnx-fold model.onnx ", "./run-tests ", "pip install . --config-settings=cmake.define.ONNXFOLD_PROGRAM=$PWD/build/bin/onnx-fold "]
    assert all(line.startswith(start) for line, start in zip(commands, wanted)) and "pip install onnx-fold" not in text, commands[:3]
    assert len(text.splitlines()) <= 110, "longer than a reader has patience for"
