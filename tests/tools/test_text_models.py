# SPDX-License-Identifier: Apache-2.0
"""Models as text: ONNX text, protobuf text and JSON, with the comments that people write into them."""

import subprocess

import numpy as np
import onnx
import onnx.parser
import pytest
from google.protobuf import json_format, text_format

import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import expectRefused, put

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'
GRAPH = (
    "g (float[2] x) => (float[2] y)\n"
    "<float[2] a = {1, 2}, float[2] b = {3, 4}>\n"
    "{\n  c = Add(a, b)\n  y = Mul(x, c)\n}\n"
)
ONNX_TEXT = HEADER + GRAPH
MODEL = onnx.parser.parse_model(ONNX_TEXT)
PROTOBUF_TEXT = text_format.MessageToString(MODEL)
JSON = json_format.MessageToJson(MODEL)
TEXTS = {"onnxtxt": ONNX_TEXT, "textproto": PROTOBUF_TEXT, "json": JSON}


def expectFolded(folder, text, what, name="model.onnxtxt"):
    path = put(folder, text.encode() if isinstance(text, str) else text, name)
    folded = onnx.load(t.fold(path, folder / "folded.onnx"))
    assert m.operators(folded) == ["Mul"], f"operators ({what})"
    m.expectValue(folded.graph, "c", np.array([4, 6], np.float32))


@pytest.mark.parametrize("form", TEXTS)
def test_comments_before_a_model_are_skipped(folder, form):
    """A file that began with a comment was taken for protobuf text (`#`) or for a damaged binary model (`//`)."""
    text = TEXTS[form]
    for start in (
        "# one\n",
        "// RUN: a compiler %s | FileCheck %s\n",
        "\n\n \t// blank lines\n\n#\n//\n\t# { ( [ < \"'\n\n",
        "\ufeff",
        "\ufeff# after a byte order mark\n",
        "# names: äöü 名\n",
        "// long\n" + "// and longer: as licences are\n" * 3000,
    ):
        expectFolded(folder, start + text, f"{form} after {start[:20]!r}", "model." + form)
        expectFolded(folder, (start + text).replace("\n", "\r\n"), f"{form} with CRLF after {start[:20]!r}")


@pytest.mark.parametrize("form", TEXTS)
def test_comments_inside_a_model_are_skipped(folder, form):
    """Strings hold what looks like a comment, and comments what looks like a string."""
    text, name = TEXTS[form], "http://x/#1'"
    for comment in ("# it's \"open {\n", "// it's \"open (\n", "//CHECK\n"):
        commented = text.replace("\n", "\n" + comment) + "\n" + comment.rstrip()
        expectFolded(folder, commented, f"{form} with {comment!r}")
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    model.doc_string = name
    written = {
        "onnxtxt": HEADER.replace(">", f', doc_string: "{name}">') + GRAPH,
        "textproto": text_format.MessageToString(model),
        "json": json_format.MessageToJson(model),
    }[form]
    expectFolded(folder, "// a\n" + written, f"{form} with a string like a comment")
    assert onnx.load(folder / "folded.onnx").doc_string == name, "what is in a string is no comment"


def test_protobuf_text_with_other_quotes(folder):
    """In single quotes, double quotes and `#` are characters."""
    expectFolded(folder, "# a\nproducer_name: '\"#//'\n" + PROTOBUF_TEXT, "single quotes")
    assert onnx.load(folder / "folded.onnx").producer_name == '"#//'


def test_places_in_messages_stay(folder):
    put(folder, (HEADER + "# { a comment\n" + GRAPH.replace("Mul(x, c)", "Mul(x, // why\n c")).encode())
    expectRefused(folder, says=["ONNX text", "line: 9 column: 1"])
    put(folder, b"\xef\xbb\xbf// a comment\nir_version: ten\n")
    expectRefused(folder, says=["protobuf text", "line 2, column 13"])


def test_comments_do_not_hide_depth(folder):
    """Parsers recurse: brackets behind a quote in a comment, or behind a string that its line ends, were not counted."""
    for start, opened in (
        ('# "\ngraph {', "node { attribute { g {"),
        ("graph { # '\n", "node { attribute { g {"),
        ('producer_name: "\ngraph {', "node { attribute { g {"),
        ('producer_name: "\\\ngraph {', "node { attribute { g {"),
        ("producer_name: '\"'\ngraph {", "node { attribute { g {"),
        ('// "\n{', '{"graph":'),
        ('# "\n<', "seq("),
    ):
        put(folder, (start + opened * 100_000).encode())
        expectRefused(folder, says=["deep"], what=f"{opened} nested after {start!r}")


def test_what_follows_the_comments_decides(folder):
    for content, words in (
        (b"# only a comment", ["is text", "ONNX text"]),
        (b"#!/bin/sh\necho\n", ["is text"]),
        (b"hello world\n", ["is text"]),
        (b"// a\n<!DOCTYPE html>", ["web page"]),
        ("\ufeff<!DOCTYPE html>".encode(), ["web page"]),
        (ONNX_TEXT.encode("utf-16"), ["UTF-16"]),
        (GRAPH.encode(), ["opset_import"]),  # the parser of the ONNX library reads a graph without a header
        (b"# a\n\x00\x01\x02\x03", ["byte"]),
        (b"/ a\n" + ONNX_TEXT.encode(), ["is text"]),
    ):
        put(folder, content)
        expectRefused(folder, names=("model.onnx", *words), what=content[:40])


def test_binary_models_stay_binary(folder):
    """A near miss: protobuf reads fields that it does not know, so a binary model may begin with `\\n#` or `\\n/`."""
    binary = MODEL.SerializeToString()
    for start in (b"\n#" + b"#" * 35, b"\n\x0a# a\n<ir_ve", b"\x22\x02//"):
        if start.startswith(b"\n"):
            model = onnx.ModelProto()
            assert model.ParseFromString(start + binary), "protobuf reads it"
        expectFolded(folder, start + binary, f"binary after {start!r}", "model.onnx")
        warnings = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")["warnings"]
        assert not any("text" in one for one in warnings), f"binary after {start!r}: {warnings}"


def test_text_on_standard_input(folder):
    for form, text in TEXTS.items():
        result = t.runOk("--quiet", "-", stdin=("// a\n# b\n" + text).encode())
        assert m.operators(onnx.load_model_from_string(result.out)) == ["Mul"], form


def test_every_program_reads_text(folder):
    """One reader: --schemas, diff and compare of onnx-fold, and onnx-to-dml."""
    path = put(folder, ("// a\n" + ONNX_TEXT).encode(), "model.onnxtxt")
    out = t.fold(path, folder / "folded.onnx")
    t.runOk("compare", path, out)
    assert t.run("diff", path, out).code == 2
    for other in ("onnx-to-dml", "onnx-run"):
        if (program := t.TOOL.with_name(other)).exists():
            arguments = ["-o", folder / "model.dml"] if other == "onnx-to-dml" else ["--emit=mlir"]
            done = subprocess.run([program, path, *arguments], capture_output=True)
            assert done.returncode == 0, f"{other}: {done.stderr}"
