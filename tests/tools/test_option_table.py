# SPDX-License-Identifier: Apache-2.0
"""One table of options: an option that is added to a copy of it is in everything that is made of it; what is checked in is what
the table makes."""

import ast
import inspect
import json
import os
import re
import subprocess
import sys

import pytest

import onnxfold_testing as t

sys.path.insert(0, str(t.ROOT / "tools/options"))
import option_headers  # noqa: E402
import option_pages  # noqa: E402
import option_python  # noqa: E402
import option_shell  # noqa: E402
import option_table  # noqa: E402

pytestmark = pytest.mark.skipif(not os.access(option_table.TABLEGEN, os.X_OK), reason="no llvm-tblgen")

ADDED = """
let Group = limits in {
defm most_wonders : Value<"most-wonders", "N", "keep nodes after so many wonders; none by default">,
    In<[OnnxFold], [fold, diff]>, Flags<[Common]>, Values<"1,2">,
    Member<"uint64_t", "mostWonders", "readNumber", "7">, Python<"int | None">, Example<"most_wonders=2">,
    Row<["`--most-wonders=N` | the most wonders | 7"]>;
}
def : Excludes<most_wonders, in_place, "wonders need room">;
"""


@pytest.fixture(scope="module")
def table():
    return option_table.load()


@pytest.fixture(scope="module")
def enlarged(tmp_path_factory):
    """The file of a copy of the table with one option more, and what it says."""
    path = tmp_path_factory.mktemp("table") / "Options.td"
    path.write_text(option_table.SOURCE.read_text() + ADDED)
    return path, option_table.load(path)


def test_pages_are_those_of_the_table(table):
    wrong = "is not what the table makes: run tools/options/make_options.py"
    assert option_pages.REFERENCE.read_text() == option_pages.reference(table), f"docs/reference.md {wrong}"
    assert option_python.MODULE.read_text() == option_python.module(table), f"{option_python.MODULE.name} {wrong}"


def test_an_added_option_is_in_the_parser(enlarged):
    path, _ = enlarged
    command = [option_table.TABLEGEN, "--gen-opt-parser-defs", path, "-I", option_table.SOURCE.parent]
    command += ["-I", "/usr/lib/llvm-22/include"]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert re.search(r"--most-wonders= \*/, most_wonders, Joined, limits", made), "--most-wonders=N"
    assert re.search(r"--most-wonders \*/, most_wonders_separate, Separate, limits, most_wonders", made), "--most-wonders N"


def test_an_added_option_is_in_what_cpp_includes(enlarged):
    """Help, what excludes what, the members of FoldOptions, and the names of the C ABI."""
    texts = {name: make(enlarged[1]) for name, make in option_headers.FILES.items()}
    assert texts["Help.inc"].count("  --most-wonders=N          keep nodes after so many wonders") == 2, "short and all"
    assert 'RULE(Excludes, most_wonders, in_place, "", "wonders need room")\n' in texts["Rules.inc"]
    assert (
        'FOLD_RULE(Excludes, "--most-wonders", isGiven(options.mostWonders), "--in-place", isGiven(options.inPlace), "wonders need room")\n'
        in texts["FoldRules.inc"]
    )
    assert "/// --most-wonders: keep nodes after so many wonders; none by default.\nuint64_t mostWonders = 7;\n" in texts["FoldMembers.inc"]
    assert 'FOLD_OPTION("most-wonders", readNumber(options.mostWonders, given))\n' in texts["FoldSettings.inc"]


def test_an_added_option_is_completed_and_in_the_manual(enlarged):
    files = option_shell.files(enlarged[1])
    bash = files["bash-completion/completions/onnx-fold"]
    for name in ("fold", "diff", "cut"):
        [words] = re.findall(rf"^    {name}\) options='(.*)' ;;$", bash, re.M)
        assert ("--most-wonders=2" in words.split()) == (name != "cut"), f"bash: {name}"
    assert files["zsh/site-functions/_onnx-fold"].count("--most-wonders=-[keep nodes after so many wonders") == 2, "zsh"
    assert "-l most-wonders " in files["fish/vendor_completions.d/onnx-fold.fish"], "fish"
    assert "\\fB\\-\\-most\\-wonders=N\\fR\nthe most wonders (default: 7)." in files["man/man1/onnx-fold.1"], "manual"
    assert "most-wonders" not in files["bash-completion/completions/onnx-run"], "a near miss: another program"
    for program in ("onnx-fold", "onnx-run", "fold-run", "onnx-to-dml", "dml-to-onnx"):
        manual = files[f"man/man1/{program}.1"]
        assert ".SH EXAMPLES\n" in manual and ".SH EXIT STATUS\n" in manual, program


def test_options_of_other_tools_are_options_here(table):
    """What an error tells to type is an option, and what it is told of is none."""
    names = {one.dashes + one.name for one in table.of("OnnxFold", "fold")}
    assert len(table.elsewhere) > 15
    for one in table.elsewhere:
        assert one["There"] not in names and re.match(r"-O[0-2]$|--?[a-z-]+", one["Here"])[0] in names | {"-O0", "-O1"}, one


def test_an_added_option_is_in_the_reference(enlarged):
    page = option_pages.reference(enlarged[1])
    limits = page.partition("<!-- options: limits -->")[2].partition("\n\n")[0]
    assert "| `--most-wonders=N` | the most wonders | 7 |\n" in limits + "\n", "its row"
    assert "| `--most-wonders` | excludes `--in-place` (wonders need room) |\n" in page, "what it excludes"
    assert "| `--keep-data-files` | excludes `--external-data`, `--inline-data` |\n" in page, "one row for an option"


def test_an_added_option_is_in_python(enlarged):
    """In the signature, the docstring, the type of the options of check and fold_all, and the flags."""
    text = option_python.module(enlarged[1])
    tree = ast.parse(text)
    [fold] = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    names = {one.arg: ast.unparse(one.annotation) for one in fold.args.kwonlyargs}
    assert names["most_wonders"] == "int | None"
    document = "        most_wonders = None\n            keep nodes after so many wonders; none by default\n            Example: most_wonders=2\n"
    assert document in text, "docstring"
    [options] = [one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)]
    assert "most_wonders" in {one.target.id for one in options.body if isinstance(one, ast.AnnAssign)}, "Options"
    assert '    "most_wonders": (None, "most-wonders", "value"),\n' in text, "FLAGS"


def test_a_word_has_one_meaning(enlarged, tmp_path):
    """llvm-tblgen refuses a second option of one name, also of another program."""
    path = tmp_path / "Options.td"
    path.write_text(option_table.SOURCE.read_text() + 'defm other : Value<"unroll", "N", "x">, In<[OnnxRun]>;\n')
    command = [option_table.TABLEGEN, "--gen-opt-parser-defs", path, "-I", option_table.SOURCE.parent, "-I", "/usr/lib/llvm-22/include"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and "equivalent" in done.stderr, done.stderr


def test_every_option_has_what_readers_look_for(table):
    """A line of help, a row of the reference, and a group."""
    for one in table.options:
        for program in one.programs:
            value, text = one.textIn(program)
            assert text and not text[0].isspace() and not text.endswith("."), f"help of {one.name}: {text!r}"
            assert not one.takesValue or value, f"a word for the value of {one.name}"
        assert "OnnxFold" not in one.programs or one.fields.get("Rows"), f"a row for {one.name}"
        assert not one.values or all(value in one.fields["MetaVarName"] + one.fields["HelpText"] for value in one.values), one.name


def test_completion_of_bash(table, tmp_path):
    """Flags of a subcommand, values of an option, and files."""
    script = tmp_path / "onnx-fold"
    script.write_text(option_shell.bash(table, "OnnxFold"))
    (tmp_path / "model.onnx").touch()

    def complete(line):
        words = line.split(" ")
        code = f"""source {script}; COMP_LINE='{line}'; COMP_POINT={len(line)}; COMP_WORDS=({line} ''); COMP_CWORD={len(words) - 1}
            compopt() {{ :; }}; _onnx_fold; printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done
        return set(done.stdout.split())

    assert complete("onnx-fold --max-m") == {"--max-memory="}
    assert complete("onnx-fold diff --m") == {"--messages=text", "--messages=json"}
    assert complete("onnx-fold --precision=") == {"exact", "wide"}
    assert {"all", "limits", "diff"} <= complete("onnx-fold --help=")
    assert complete("onnx-fold mod") == {"model.onnx"}
    assert complete("onnx-fold co") == {"compare"}


def test_python_needs_no_table():
    """The wheel has no llvm-tblgen: what Python imports is made before."""
    import onnx_fold

    text = option_python.MODULE.read_text()
    assert "option_table" not in text and "subprocess" not in text
    assert list(inspect.signature(onnx_fold.fold).parameters)[:2] == ["model", "output"]
    assert json.dumps({name: row[1] for name, row in sys.modules["onnx_fold._arguments"].FLAGS.items()}), "plain data"
