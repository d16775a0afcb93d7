# SPDX-License-Identifier: Apache-2.0
"""Wrong input gets exit 1 and a message that names it; no output is left, nothing of the input has changed.

Broken models: cut off, with wrong lengths, with external data that is missing or outside, with graphs that are none.
"""

import gzip
import os
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import onnxfold_testing as t
import onnxfold_wire as wire
from bad_cases import expectRefused, expectRefusedOrWhole, external, info, put, smallModel


def test_truncated_at_every_offset_of_a_small_model(folder):
    data = smallModel().SerializeToString()
    for size in range(1, len(data)):
        put(folder, data[:size])
        try:
            onnx.checker.check_model(onnx.load_model_from_string(data[:size]), full_check=True)
            legal = True
        except Exception:
            legal = False
        if legal:
            expectRefusedOrWhole(folder, f"cut at byte {size} of {len(data)}")
        else:
            expectRefused(folder, what=f"cut at byte {size} of {len(data)}")


def test_truncated_real_model(folder):
    data = (t.ROOT / "tests/models/data/bert.onnx").read_bytes()
    chooser = random.Random(t.options.seed)
    for size in [1, 2, 3, 100, len(data) // 2, len(data) - 1] + [chooser.randrange(1, len(data)) for _ in range(40)]:
        put(folder, data[:size])
        expectRefused(folder, what=f"bert.onnx cut at byte {size}")


def test_empty_file(folder):
    put(folder, b"")
    expectRefused(folder, says=["empty", "no graph", "graph"])


def test_flipped_bytes(folder):
    """Random damage: the tool may refuse or fold, but never dies and never leaves traces."""
    chooser = random.Random(t.options.seed)
    source = smallModel().SerializeToString()
    for _ in range(2000 if t.options.long else 300):
        data = bytearray(source)
        for _ in range(chooser.choice((1, 1, 2, 5))):
            data[chooser.randrange(len(data))] = chooser.randrange(256)
        put(folder, bytes(data))
        before = t.folderState(folder)
        result = t.run("--quiet", "-o", folder / "out.onnx", folder / "model.onnx", timeout=600)
        assert result.code in (0, 1), f"expected exit 0 or 1: {result}; model: {bytes(data).hex()}"
        (folder / "out.onnx").unlink(missing_ok=True)
        t.expectUnchanged(before, folder, f"damaged model {bytes(data).hex()}")


def test_flipped_bytes_of_real_models(folder):
    chooser = random.Random(t.options.seed + 1)
    for name in ("control_flow", "lstm", "detector"):
        source = (t.ROOT / f"tests/models/data/{name}.onnx").read_bytes()
        for _ in range(300 if t.options.long else 30):
            data = bytearray(source)
            at = chooser.randrange(len(data))
            data[at] = chooser.randrange(256)
            put(folder, bytes(data))
            result = t.run("--quiet", "-o", folder / "out.onnx", folder / "model.onnx", timeout=600)
            assert result.code in (0, 1), f"{name}.onnx with byte {at} set to {data[at]}: expected exit 0 or 1: {result}"
            (folder / "out.onnx").unlink(missing_ok=True)


def test_raw_data_shorter_than_the_shape(folder):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(23))
    put(folder, smallModel(initializers=[tensor]))
    expectRefused(folder, names=("model.onnx", "w", "23", "24"))


def test_float_data_shorter_than_the_shape(folder):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], float_data=[1, 2, 3, 4, 5])
    put(folder, smallModel(initializers=[tensor]))
    expectRefused(folder, names=("model.onnx", "w", "5", "6"))


def test_negative_and_huge_dimensions(folder):
    for dims in ([-1, 3], [2**62, 2**62], [2**40, 3], [2**63 - 1]):
        put(
            folder,
            smallModel(
                initializers=[TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=bytes(24))]
            ),
        )
        expectRefused(folder, names=("model.onnx", "w"), what=f"dims {dims}")


def test_length_beyond_the_file(folder):
    for length in (1 << 20, 1 << 31, (1 << 63) - 1, (1 << 64) - 1):
        put(folder, wire.number(1, 10) + wire.tag(7, wire.LENGTH) + wire.varint(length) + b"short")
        expectRefused(folder, what=f"length {length}")


def test_varint_of_eleven_bytes(folder):
    put(folder, wire.number(1, 10) + wire.tag(5, wire.VARINT) + b"\xff" * 10 + b"\x01")
    expectRefused(folder)


def test_wrong_wire_types(folder):
    for data in (
        wire.number(7, 5),
        wire.tag(1, wire.LENGTH) + b"\x01a",
        wire.tag(7, 6) + b"ab",
        wire.tag(7, 7),
        wire.varint(0) + b"\0",
    ):
        put(folder, wire.number(2, 1) + data)
        expectRefused(folder, what=data.hex())


def test_deep_nesting(folder):
    """If in If in If ... 20,000 deep, as bytes: must be refused, not overflow the stack."""
    graph = wire.message(2, "g")
    for _ in range(20_000):
        attribute = wire.message(1, "then_branch") + wire.message(6, graph) + wire.number(20, 5)
        graph = wire.message(2, "g") + wire.message(1, wire.message(4, "If") + wire.message(5, attribute))
    put(folder, wire.number(1, 10) + wire.message(7, graph) + wire.message(8, wire.number(2, 21)))
    expectRefused(folder, says=["nest", "deep", "depth"])


def test_text_and_gzip_and_pictures(folder):
    model = smallModel().SerializeToString()
    for data in (
        b"This is not a model.\n" * 20,
        gzip.compress(model),
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"\x7fELF" + bytes(200),
        b"PK\x03\x04" + bytes(50),
        b'{"model": 1}\n',
        b"<html></html>",
        bytes(4096),
    ):
        put(folder, data)
        expectRefused(folder, what=f"file that begins {data[:8]!r}")


def test_cyclic_graph(folder):
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="first"),
        helper.make_node("Add", ["a", "w"], ["b"], name="second"),
        helper.make_node("Mul", ["a", "b"], ["y"]),
    ]
    put(folder, smallModel(nodes))
    expectRefused(folder, says=["cycl", "order", "sorted", "defined", "before"])


def test_node_that_reads_itself(folder):
    put(folder, smallModel([helper.make_node("Add", ["y", "w"], ["y"], name="loop")]))
    expectRefused(folder, names=("model.onnx", "y"))


def test_undefined_input_of_a_node(folder):
    put(folder, smallModel([helper.make_node("Add", ["x", "nowhere"], ["y"], name="adder")]))
    expectRefused(folder, names=("model.onnx", "nowhere"))


def test_undefined_name_in_a_subgraph(folder):
    branch = helper.make_graph([helper.make_node("Neg", ["nowhere"], ["b"])], "branch", [], [info("b")])
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)]
    put(folder, smallModel(nodes, [numpy_helper.from_array(np.array(True), "c")]))
    expectRefused(folder, names=("model.onnx", "nowhere"))


def test_undefined_graph_output(folder):
    put(folder, smallModel([helper.make_node("Add", ["x", "w"], ["z"])]))
    expectRefused(folder, names=("model.onnx", "y"))


def test_value_of_a_subgraph_read_outside(folder):
    branch = helper.make_graph([helper.make_node("Neg", ["x"], ["b"])], "branch", [], [info("b")])
    nodes = [
        helper.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch),
        helper.make_node("Add", ["z", "b"], ["y"]),
    ]
    put(folder, smallModel(nodes, [numpy_helper.from_array(np.array(True), "c")]))
    expectRefused(folder, names=("model.onnx", "b"))


def test_duplicate_outputs(folder):
    put(folder, smallModel([helper.make_node("Neg", ["x"], ["y"]), helper.make_node("Abs", ["x"], ["y"])]))
    expectRefused(folder, names=("model.onnx", "y"))
    put(folder, smallModel([helper.make_node("Split", ["x"], ["y", "y"], num_outputs=2)]))
    expectRefused(folder, names=("model.onnx", "y"))


def test_output_named_as_an_initializer_or_an_input(folder):
    put(folder, smallModel([helper.make_node("Neg", ["x"], ["w"]), helper.make_node("Neg", ["w"], ["y"])]))
    expectRefused(folder, names=("model.onnx", "w"))
    put(folder, smallModel([helper.make_node("Neg", ["w"], ["x"]), helper.make_node("Neg", ["x"], ["y"])]))
    expectRefused(folder, names=("model.onnx", "x"))


def test_missing_external_file(folder):
    put(folder, smallModel(initializers=[external("w", "weights.bin")]))
    expectRefused(folder, names=("model.onnx", "w", "weights.bin"))


def test_external_file_too_short(folder):
    (folder / "weights.bin").write_bytes(bytes(30))
    for more in (
        {"offset": 8},
        {"offset": 31},
        {"offset": 7, "length": 24},
        {"offset": 2**63 - 1, "length": 24},
        {"offset": 2**64 - 8, "length": 24},
    ):
        put(folder, smallModel(initializers=[external("w", "weights.bin", **more)]))
        expectRefused(folder, names=("model.onnx", "w", "weights.bin"), what=f"{more}")


def test_external_length_that_is_not_the_shape(folder):
    (folder / "weights.bin").write_bytes(bytes(100))
    put(folder, smallModel(initializers=[external("w", "weights.bin", length=20)]))
    expectRefused(folder, names=("model.onnx", "w", "20", "24"))


def test_external_numbers_that_are_none(folder):
    (folder / "weights.bin").write_bytes(bytes(100))
    for key in ("offset", "length"):
        for value in ("", "-1", "twelve", "1e3", "0x10", "24 ", "99999999999999999999"):
            put(folder, smallModel(initializers=[external("w", "weights.bin", **{key: value})]))
            expectRefused(folder, names=("model.onnx", "w", key), what=f"{key}={value!r}")


def test_external_file_outside_the_folder(folder):
    home = folder / "home"
    (home / "below").mkdir(parents=True)
    (folder / "secret.bin").write_bytes(bytes(24))
    (home / "link.bin").symlink_to("../secret.bin")
    (home / "out").symlink_to("..")
    for location in (
        "../secret.bin",
        "below/../../secret.bin",
        str(folder / "secret.bin"),
        "link.bin",
        "out/secret.bin",
    ):
        put(home, smallModel(initializers=[external("w", location)]))
        expectRefused(
            home,
            names=("model.onnx", "w", location),
            says=["outside", "folder", "link", "absolute", ".."],
            what=location,
        )


def test_external_location_that_is_no_file(folder):
    (folder / "sub").mkdir()
    os.mkfifo(folder / "pipe")
    for location in ("sub", "pipe", ".", "", "sub/"):
        put(folder, smallModel(initializers=[external("w", location)]))
        expectRefused(folder, names=("model.onnx", "w"), what=f"location {location!r}")
    put(folder, smallModel(initializers=[external("w", "/dev/zero")]))
    expectRefused(folder, names=("model.onnx", "w", "/dev/zero"))


def test_external_data_of_strings(folder):
    (folder / "weights.bin").write_bytes(bytes(100))
    tensor = external("w", "weights.bin")
    tensor.data_type = TensorProto.STRING
    put(
        folder,
        smallModel([helper.make_node("Identity", ["w"], ["v"]), helper.make_node("Neg", ["x"], ["y"])], [tensor]),
    )
    expectRefused(folder, names=("model.onnx", "w"))


def test_external_data_on_standard_input(folder):
    """Standard input has no folder that data could lie in."""
    data = smallModel(initializers=[external("w", "weights.bin")]).SerializeToString()
    expectRefused(folder, "-o", folder / "out.onnx", "-", names=("w",), stdin=data)


def test_function_that_calls_itself(folder):
    body = [helper.make_node("Twice", ["a"], ["b"], domain="com.example")]
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.example", 1)]
    function = helper.make_function("com.example", "Twice", ["a"], ["b"], body, imports)
    model = smallModel([helper.make_node("Twice", ["x"], ["y"], domain="com.example")])
    model.functions.append(function)
    model.opset_import.append(helper.make_opsetid("com.example", 1))
    put(folder, model)
    expectRefusedOrWhole(folder, "function that calls itself")


def test_missing_opset_import(folder):
    """Nothing is known of a custom domain in any case: the node may pass through."""
    put(folder, smallModel([helper.make_node("Thing", ["x"], ["y"], domain="com.example")]))
    expectRefusedOrWhole(folder, "missing opset import of com.example")


def test_no_opset_import_at_all(folder):
    model = smallModel()
    del model.opset_import[:]
    put(folder, model)
    expectRefused(folder, says=["opset"])


def test_element_type_that_does_not_exist(folder):
    """A later ONNX may define it: refused or kept, never interpreted."""
    for kind in (0, 99, -1):
        tensor = (
            wire.number(1, 2)
            + wire.number(1, 3)
            + wire.number(2, kind)
            + wire.message(8, "w")
            + wire.message(9, bytes(24))
        )
        graph = smallModel(initializers=[]).graph.SerializeToString() + wire.message(5, tensor)
        put(folder, wire.number(1, 10) + wire.message(8, wire.number(2, 21)) + wire.message(7, graph))
        expectRefusedOrWhole(folder, f"data_type {kind}")
