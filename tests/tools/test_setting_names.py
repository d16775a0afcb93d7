# SPDX-License-Identifier: Apache-2.0
"""Messages of libraries name settings (onnx/ir/SettingName.h), which programs alone spell as options."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"tools", "options", "tests", "bench", "examples", "build", "python"}
# Reports and the reducer print command lines of onnx-fold, the C interface notes one for reports, and Emit.cpp calls the program cc.
COMMANDS = ("onnx/driver/report/", "onnx/driver/stats/", "onnx/driver/reduce/", "capi/OnnxFold.cpp", "onnx/compile/Emit.cpp")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def sources():
    folders = [folder for folder in ROOT.iterdir() if folder.is_dir() and folder.name[0] != "." and folder.name not in PROGRAMS]
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in {".cpp", ".h", ".def", ".inc"}:
            yield name, re.sub(r"^\s*//.*$|(?<=[ ;])//.*$", "", path.read_text(), flags=re.M)


def test_libraries_name_no_options():
    named = [f"{name}: {literal}" for name, text in sources() if not name.startswith(COMMANDS)
             for literal in LITERAL.findall(text) if OPTION.search(literal)]
    assert not named, "\n".join(named)


def test_settings_are_in_the_table():
    table = "\n".join(path.read_text() for path in (ROOT / "options").glob("*.td"))
    known = set(re.findall(r'^def[m]? \w+ : \w+<(?:\[[^\]]*\], |"\w", )?"([a-z][a-z-]*)"', table, re.M))
    used = {setting for _, text in sources() for setting in re.findall(r'\bsetting\("([^"]*)"', text)}
    assert len(used) > 25 and used <= known, used - known
