#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/dml-functions.md: what dml-to-onnx makes of each function of SystemDS's scripts. To be run again when more (or
less) of DML is translated; tests/dml/test_dml_functions.py fails as long as the page is not true.

    tools/dml_functions_page.py [--check] [TOOL]     --check: writes nothing, prints what is wrong (exit 1)

What --bind says is chosen by hand, in a short form that optionsOf() makes whole: to choose another, move the function to a line
that has it, and run this.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/dml-functions.md"
TOOL = ROOT / "build/bin/dml-to-onnx"
JAR = ROOT / "build/systemds/systemds/SystemDS.jar"
FOLDERS = ("builtin", "nn/layers", "nn/networks", "nn/optim", "nn/examples")
BEGIN = "<!-- Written by tools/dml_functions_page.py, but for what is bound. -->\n"
WIDTH = 132
NAME = re.compile(r"`([\w.-]+:\w+)`(?: \(('[^)]*')\))?(?: with `([^`]*)`)?")
SIZES = re.compile(r"(\w+):(\d+)x(\d+)$")

# Blocks of the residual networks: (convolutions with normalization in a block, layers).
NETWORKS = {"resnet18": (2, (2, 2, 2, 2)), "resnet34": (2, (3, 4, 6, 3)), "resnet50": (3, (3, 4, 6, 3)),
            "resnet101": (3, (3, 4, 23, 3)), "resnet152": (3, (3, 8, 36, 3))}


def listText(elements):
    return f"list({', '.join(elements)})"


def networkText(name, network, leaf):
    """The weights of a network as lists of lists; of `ema_means_vars` the means and variances of its normalizations."""
    steps, layers = NETWORKS[network]
    each, first, last = (2, 2, 0) if name in ("ema_means_vars", "cached_means_vars", "emas") else (3, 3, 2)
    parts = [leaf(f"{name}_{i}") for i in range(1, first + 1)]
    for layer, blocks in enumerate(layers):
        made = []
        for block in range(1, blocks + 1):
            hasShortcut = block == 1 and (layer > 0 or steps == 3)
            count = each * (steps + hasShortcut)
            made.append(listText(leaf(f"{name}_{first + layer + 1}_{block}_{i}") for i in range(1, count + 1)))
        parts.append(listText(made))
    return listText(parts + [leaf(f"{name}_{first + len(layers) + i}") for i in range(1, last + 1)])


def cachedBlock(name, steps, size, before, hasShortcut):
    """What a block of a residual network caches: its input, and of each convolution the result, that normalized, and that
    after ReLU, with heights and widths."""
    parts, sizes = [f"{name}_x", before, before], [size] * steps
    if steps == 3:
        sizes[0] = before  # the stride is that of the second convolution
    for i, one in enumerate(sizes, 1):
        parts += [f"{name}_c{i}", one, one, f"{name}_n{i}", f"{name}_r{i}"]
    return listText(map(str, parts + [f"{name}_c", size, size, f"{name}_n"] * hasShortcut))


def cachedText(name, network):
    """What forward() of a network caches for images of 32 x 32."""
    steps, layers = NETWORKS[network]
    parts, before = [f"{name}_x", 32, 32, f"{name}_c", 16, 16, f"{name}_n", f"{name}_r", f"{name}_p", 8, 8], 8
    for layer, blocks in enumerate(layers, 1):
        made = []
        for block in range(1, blocks + 1):
            size = before // 2 if block == 1 and layer > 1 else before
            made.append(cachedBlock(f"{name}_{layer}_{block}", steps, size, before, block == 1 and (layer > 1 or steps == 3)))
            before = size
        parts.append(listText(made))
    return listText(map(str, parts + [f"{name}_l", 1, 1, f"{name}_a", 1, 1]))


def valueOf(name, short):
    """list*16: 16 variables; list*16*2: 16 lists of two; list(W1, b1): variables with these keys; resnet18: its lists."""
    kind, *counts = short.split("*")
    leaf = (lambda one: listText(f"{one}_{i}" for i in range(1, int(counts[-1]) + 1)))
    if kind in NETWORKS and name == "cached_out":
        return cachedText(name, kind)
    if kind in NETWORKS:
        return networkText(name, kind, leaf if counts else str)
    if kind == "list" and counts:
        return listText((leaf if len(counts) == 2 else str)(f"{name}_{i}") for i in range(1, int(counts[0]) + 1))
    if short.startswith("list("):
        keys = [key.strip() for key in short[5:-1].split(",")]
        return listText(key if "=" in key or key[0].isdigit() else f"{key}={name}_{key}" for key in keys)
    return short


def optionsOf(bound):
    """The options of a row: `mech=MAR; model=list*16; X:8x4; random`."""
    parts = [one for one in bound.replace("`", "").split("; ") if one]
    sizes = [SIZES.match(one) for one in parts]
    return [f"--input-shape={size[1]}:{size[2]},{size[3]}" if size else "--random" if one == "random"
            else f"--bind={one.split('=', 1)[0]}={valueOf(*one.split('=', 1))}" for one, size in zip(parts, sizes)]


def reasonOf(message, function):
    """The first reason of a refusal, without places and the name of the function itself."""
    lines = [line for line in message.splitlines() if line.startswith("  ")] or message.splitlines()[:1]
    reason = re.sub(r"^dml-to-onnx: error: ", "", lines[0].strip())
    reason = re.sub(r"^(\S+\.dml(:\d+:\d+)?: )+", "", reason).replace(f" of '{function}'", "")
    return reason.replace("<", "\\<").replace("*", "\\*")


def parted(reason):
    """A reason without the names in it, by which rows are joined, and those names: ("'…' is not a matrix", "'x'")."""
    return re.sub(r"'[^']*'", "'…'", reason), ", ".join(re.findall(r"'[^']*'", reason))


def resultOf(tool, folder, function, bound, to=None, more=()):
    """`converts`, or why it does not. `function`: nn/layers/affine:forward. The scripts' own folder is the working directory:
    they source each other relative to it."""
    path, name = function.split(":")
    with tempfile.TemporaryDirectory() as made:
        command = [tool, f"scripts/{path}.dml", f"--function={name}", f"--scripts={JAR}", *optionsOf(bound), *more, "-o", to or f"{made}/a.onnx"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return "converts" if done.returncode == 0 else reasonOf(done.stderr, name)


def functionsOf(folder):
    """nn/layers/affine:forward and all others, folder by folder."""
    found = {}
    for sub in FOLDERS:
        scripts = sorted((folder / "scripts" / sub).glob("*.dml"))
        found[sub] = [f"{path.stem}:{name}" for path in scripts
                      for name in re.findall(r"^\s*(\w+)\s*=\s*function\s*\(", path.read_text(errors="replace"), re.MULTILINE)]
    return found


def networkOf(function):
    script = function.split(":")[0]
    return script if script in NETWORKS else None


def joined(names):
    """The same function of all networks is one: `NETWORK:forward`."""
    ofAll = {name.split(":")[1] for name in names if all(f"{one}:{name.split(':')[1]}" in names for one in NETWORKS)}
    return list(dict.fromkeys(f"NETWORK:{name.split(':')[1]}" if networkOf(name) and name.split(":")[1] in ofAll else name for name in names))


def namesIn(line):
    """[(name, quoted words, bound)] of a line."""
    for name, *more in NAME.findall(line):
        script, function = name.split(":")
        yield from ((f"{one}:{function}", *more) for one in (NETWORKS if script == "NETWORK" else [script]))


def rowsOf(text):
    """{"nn/layers": {"affine:forward": (bound, result)}}, as the page has them."""
    parts = re.split(r"^## (\S+): .*\n", text.partition(BEGIN)[2], flags=re.MULTILINE)[1:]
    found = {}
    for sub, section in zip(parts[::2], parts[1::2]):
        plain, _, refused = section.partition("\nRefused:\n")
        plain, _, bound = plain.partition("\nWith `--bind`:\n")
        rows = {name: ("", "converts") for name, *_ in namesIn(plain)}
        for given, names in re.findall(r"^- `(.*?)`: (.*)$", bound, re.MULTILINE):
            rows |= {name: (given.replace("NETWORK", networkOf(name) or "NETWORK"), "converts") for name, *_ in namesIn(names)}
        for reason, names in re.findall(r"^- (.*?): (`[\w.-]+:\w+`.*)$", refused, re.MULTILINE):
            for name, quoted, given in namesIn(names):
                words = iter(re.findall(r"'[^']*'", quoted))
                rows[name] = (given, re.sub(r"'…'", lambda _: next(words), reason))
        found[sub] = rows
    return found


def listOf(title, rows):
    """`rows`: {"why": {"what follows a name": [names]}}."""
    lines = [f"- {key}: " + ", ".join(f"`{name}`{rest}" for rest, names in parts.items() for name in joined(names)) for key, parts in rows.items()]
    return [title, "", *lines, ""] if rows else []


def sectionOf(sub, rows):
    """`rows`: {"affine:forward": (bound, result)} of a folder. Functions with the same bound or reason share a line."""
    plain, bound, refused = [], {}, {}
    for name, (given, result) in rows.items():
        if result != "converts":
            reason, quoted = parted(result)
            rest = f" ({quoted})" * bool(quoted) + f" with `{given}`" * bool(given)
            refused.setdefault(reason, {}).setdefault(rest, []).append(name)
        elif given:
            bound.setdefault(f"`{given.replace(networkOf(name) or 'NETWORK', 'NETWORK')}`", {}).setdefault("", []).append(name)
        else:
            plain.append(name)
    count = sum(result == "converts" for _, result in rows.values())
    text = textwrap.wrap(", ".join(f"`{name}`" for name in joined(plain)), WIDTH, break_long_words=False, break_on_hyphens=False)
    lines = [f"## {sub}: {count} of {len(rows)}", "", *text, ""]
    return lines + listOf("With `--bind`:", bound) + listOf("Refused:", refused)


def extract(folder):
    with zipfile.ZipFile(JAR) as jar:
        jar.extractall(folder, [name for name in jar.namelist() if re.match(r"scripts/.*\.dml$", name)])


def page(tool):
    """The page as it should be."""
    text = PAGE.read_text()
    old = rowsOf(text)
    lines = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        extract(name)
        for sub, functions in functionsOf(Path(name)).items():
            bounds = [old.get(sub, {}).get(one, ("", ""))[0] for one in functions]
            results = pool.map(lambda one, bound: resultOf(tool, name, f"{sub}/{one}", bound), functions, bounds)
            lines += sectionOf(sub, dict(zip(functions, zip(bounds, results))))
    return text.partition(BEGIN)[0] + BEGIN + "\n" + "\n".join(lines[:-1]) + "\n"


def main(arguments):
    isCheck = "--check" in arguments
    tool = Path(next((one for one in arguments if one != "--check"), TOOL)).resolve()
    made = page(tool)
    if not isCheck:
        PAGE.write_text(made)
    elif made != PAGE.read_text():
        print(f"{PAGE}: not what tools/dml_functions_page.py writes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
