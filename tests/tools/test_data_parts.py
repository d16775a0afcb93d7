# SPDX-License-Identifier: Apache-2.0
"""--external-data=FILE,shard=SIZE,threshold=SIZE,align=SIZE: data in files of a most size, and what becomes of older ones."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from external_cases import entries, isExternal
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(8)


def weights(*sizes):
    """A model that adds up vectors, one of each size in bytes, padded to the longest."""
    nodes, constants, total = [], [], "x"
    for i, size in enumerate(sizes):
        constants.append(const(f"w{i}", RANDOM.standard_normal(size // 4).astype(np.float32)))
        nodes += [node("ReduceSum", [f"w{i}"], [f"s{i}"], keepdims=1), node("Mul", ["x", f"s{i}"], [f"p{i}"])]
        nodes.append(node("Add", [total, f"p{i}"], [f"t{i}"]))
        total = f"t{i}"
    nodes.append(node("Identity", [total], ["y"]))
    return m.model(nodes, [info("x", (1,))], [info("y", (1,))], constants)


def write(folder, source, *flags, out="out.onnx"):
    onnx.save(source, folder / "model.onnx")
    t.runOk("--quiet", "--skip=*", *flags, folder / "model.onnx", "-o", folder / out)
    loaded = onnx.load(folder / out)
    for mine, other in zip(loaded.graph.initializer, source.graph.initializer):
        assert mine.raw_data == other.raw_data, f"{mine.name}"
    feeds = [{"x": np.ones(1, np.float32)}]
    assert compare.outputs(folder / out, feeds) == compare.outputs(folder / "model.onnx", feeds), "in ONNX Runtime"
    return onnx.load(folder / out, load_external_data=False)


def places(model):
    """{name: (file, offset)}"""
    told = {tensor.name: entries(tensor) for tensor in model.graph.initializer if isExternal(tensor)}
    return {name: (entry["location"], int(entry["offset"])) for name, entry in told.items()}


def dataFiles(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".onnx"))


def test_a_file_is_begun_where_a_tensor_does_not_fit(folder):
    model = write(folder, weights(4096, 4096, 4096, 40960, 4096), "--external-data=w,shard=12K,align=4K")
    assert places(model) == {"w0": ("w", 0), "w1": ("w", 4096), "w2": ("w", 8192), "w3": ("w_1", 0), "w4": ("w_2", 0)}
    sizes = {name: (folder / name).stat().st_size for name in dataFiles(folder)}
    assert sizes == {"w": 12288, "w_1": 40960, "w_2": 4096}, "one that is larger has a file of its own"


def test_names_are_those_of_model_hubs(folder):
    source = weights(4096, 4096)
    write(folder, source, "--external-data=shard=4K")
    assert dataFiles(folder) == ["out.onnx.data", "out.onnx.data_1"]
    onnx.save(source, folder / "hub.onnx", save_as_external_data=True, location="hub.onnx_data", size_threshold=0)
    t.runOk("--quiet", "--skip=*", "--external-data=shard=4K", folder / "hub.onnx", "-o", folder / "o2.onnx")
    assert {"o2.onnx_data", "o2.onnx_data_1"} <= set(dataFiles(folder)), f"{dataFiles(folder)}"
    t.runOk("--quiet", "--skip=*", "--external-data=shard=4K", folder / "o2.onnx", "-o", folder / "o3.onnx")
    again = places(onnx.load(folder / "o3.onnx", load_external_data=False))
    assert again == {"w0": ("o3.onnx_data", 0), "w1": ("o3.onnx_data_1", 0)}, "parts as an input"


def test_threshold_and_alignment(folder):
    model = write(folder, weights(64, 1024, 4096), "--external-data=w,threshold=4K,align=1")
    assert list(places(model)) == ["w2"]
    model = write(folder, weights(64, 1024, 4096), "--external-data=w,threshold=0,align=1")
    assert places(model) == {"w0": ("w", 0), "w1": ("w", 64), "w2": ("w", 1088)}
    model = write(folder, weights(64, 1024, 4096), "--external-data=w")
    assert places(model) == {"w1": ("w", 0), "w2": ("w", 65536)}, "the defaults"
    model = write(folder, weights(1024, 1024), "--external-data=w,shard=1M,align=512")
    assert places(model) == {"w0": ("w", 0), "w1": ("w", 1024)}


def test_shared_ranges_are_stored_once_in_any_part(folder):
    source = weights(4096, 8192, 4096)
    source.graph.initializer[2].raw_data = source.graph.initializer[0].raw_data
    onnx.save(source, folder / "shared.onnx", save_as_external_data=True, location="all", size_threshold=0)
    bare = onnx.load(folder / "shared.onnx", load_external_data=False)
    del bare.graph.initializer[2].external_data[:]
    bare.graph.initializer[2].external_data.extend(bare.graph.initializer[0].external_data)
    onnx.save(bare, folder / "shared.onnx")
    t.runOk("--quiet", "--skip=*", "--external-data=w,shard=8K,align=1", folder / "shared.onnx", "-o", folder / "out.onnx")
    assert places(onnx.load(folder / "out.onnx", load_external_data=False))["w2"] == ("w", 0)
    assert (folder / "w").stat().st_size == 4096 and (folder / "w_1").stat().st_size == 8192


def test_folded_values_go_to_parts_too(folder):
    nodes = [node("Transpose", ["w"], ["t"]), node("Transpose", ["v"], ["u"])]
    nodes += [node("MatMul", ["x", "t"], ["a"]), node("MatMul", ["a", "u"], ["y"])]
    square = [const(name, RANDOM.standard_normal((64, 64)).astype(np.float32)) for name in ("w", "v")]
    onnx.save(m.model(nodes, [info("x", (2, 64))], [info("y", (2, 64))], square), folder / "model.onnx")
    t.runOk("--quiet", "--verify", "--external-data=w,shard=16K", folder / "model.onnx", "-o", folder / "out.onnx")
    assert places(onnx.load(folder / "out.onnx", load_external_data=False)) == {"t": ("w", 0), "u": ("w_1", 0)}


def test_parts_of_an_earlier_run_go(folder):
    """Those that the replaced model refers to. A file that is only called so is somebody's."""
    source = weights(4096, 4096, 4096)
    write(folder, source, "--external-data=w,shard=4K")
    (folder / "w_3").write_text("mine")
    assert dataFiles(folder) == ["w", "w_1", "w_2", "w_3"]
    write(folder, source, "--external-data=w,shard=8K,align=1")
    assert dataFiles(folder) == ["w", "w_1", "w_3"]
    write(folder, source, "--external-data=w")
    assert dataFiles(folder) == ["w", "w_3"]
    (folder / "w_1").write_text("mine")
    write(folder, source, "--external-data=w", out="out.onnx")
    assert dataFiles(folder) == ["w", "w_1", "w_3"] and (folder / "w_1").read_text() == "mine"


def test_after_an_error_all_parts_are_as_they_were(folder):
    """The second file cannot be replaced: a folder has its name."""
    source = weights(4096, 4096)
    write(folder, source, "--external-data=w")
    before = t.folderState(folder)
    (folder / "w_1").mkdir()
    result = t.run("--skip=*", "--external-data=w,shard=4K", folder / "model.onnx", "-o", folder / "out.onnx")
    assert result.code == 1 and "w_1: is a folder, expected a file" in result.err, result.err
    t.expectUnchanged(before, folder, "an error", added=["w_1"])


def test_the_report_is_no_part(folder):
    onnx.save(weights(4096, 4096), folder / "model.onnx")
    flags = ["--skip=*", "--external-data=w,shard=4K", f"--report=json:{folder}/w_1"]
    result = t.run(*flags, folder / "model.onnx", "-o", folder / "out.onnx")
    assert result.code == 1 and "is the data file of the output too" in result.err, result.err


@pytest.mark.parametrize(
    "value, words",
    [
        ("w,shard=", "--external-data has 'shard=', expected FILE, then any of shard=SIZE"),
        ("w,shards=2G", "--external-data has 'shards=2G'"),
        ("w,v.bin", "--external-data has 'v.bin'"),
        ("shard=2X", "--external-data has 'shard=2X'"),
        ("w,shard=0", "--external-data has shard=0, expected a size"),
        ("w,align=0", "--external-data has align=0, expected a power of two"),
        ("w,align=3", "--external-data has align=3, expected a power of two"),
        ("thresold=100", "--external-data has 'thresold=100', expected FILE, then any of"),
        ("shard=1K,shard=2K", "--external-data has shard=1K and shard=2K, expected one value"),
        ("../w,shard=1G", "--external-data is '../w', expected a file relative"),
    ],
)
def test_refused(folder, value, words):
    onnx.save(weights(4096), folder / "model.onnx")
    before = t.folderState(folder)
    result = t.run(f"--external-data={value}", folder / "model.onnx", "-o", folder / "out.onnx")
    assert result.code == 1 and words in result.err, result.err
    t.expectUnchanged(before, folder, value)


def test_a_file_with_an_equals_sign(folder):
    """What looks like a size is none with a folder before it."""
    onnx.save(weights(4096), folder / "model.onnx")
    t.runOk("--skip=*", "--external-data=./a=b,threshold=16", folder / "model.onnx", "-o", folder / "out.onnx")
    assert (folder / "a=b").exists()


def test_random_layouts(folder):
    """No file is longer than asked for unless it has one tensor, every tensor is aligned, and values are what they were."""
    for seed in range(15):
        random = np.random.default_rng(seed)
        sizes = [int(size) * 4 for size in random.integers(1, 4000, random.integers(1, 9))]
        shard, align, threshold = int(random.integers(1, 20000)), 1 << int(random.integers(0, 13)), int(random.integers(0, 3000))
        place = folder / str(seed)
        place.mkdir()
        model = write(place, weights(*sizes), f"--external-data=w,shard={shard},align={align},threshold={threshold}")
        found = places(model)
        assert set(found) == {f"w{i}" for i, size in enumerate(sizes) if size >= threshold}, f"seed {seed}"
        for name in {file for file, _ in found.values()}:
            inside = [one for one, (file, _) in found.items() if file == name]
            assert (place / name).stat().st_size <= shard or len(inside) == 1, f"seed {seed}: {name}"
        assert all(offset % align == 0 for _, offset in found.values()), f"seed {seed}"
        assert numpy_helper.to_array(onnx.load(place / "out.onnx").graph.initializer[0]).nbytes == sizes[0]
