# SPDX-License-Identifier: Apache-2.0
"""The node tests of every operator with their inputs turned into constants fold into the same bytes at every level of vector
instructions and with any number of threads. Short form: one folder of each operator; --long: all."""

import onnx

import onnxfold_testing as t

FLAGS = ("--quiet", "--max-growth=unlimited", "--fold-quantization=all")
RUNS = [("baseline", 1), ("avx2", 2), ("avx512", 2)]


def withConstants(folder):
    """The model with all of its inputs constant, or None if one is no tensor."""
    model = onnx.load(folder / "model.onnx")
    for index, value in enumerate(model.graph.input):
        path = folder / "test_data_set_0" / f"input_{index}.pb"
        if value.type.WhichOneof("value") != "tensor_type" or not path.exists():
            return None
        tensor = onnx.load_tensor(path)
        tensor.name = value.name
        model.graph.initializer.append(tensor)
    del model.graph.input[:]
    model.ir_version = max(4, model.ir_version)
    return model


def folders():
    """Of each operator one folder, or all."""
    seen = set()
    for folder in sorted((t.TEST_DATA / "node").iterdir()):
        if not (folder / "model.onnx").exists():
            continue
        operator = onnx.load(folder / "model.onnx").graph.node[0].op_type
        if t.options.long or operator not in seen:
            seen.add(operator)
            yield folder


def test_node_tests(folder):
    count = 0
    for test in folders():
        model = withConstants(test)
        if model is None:
            continue
        onnx.save(model, folder / "model.onnx")
        outs = []
        for level, threads in RUNS:
            outs.append(folder / f"{level}.onnx")
            command = (*FLAGS, f"--threads={threads}", "-o", outs[-1], folder / "model.onnx")
            result = t.run(*command, env={**t.os.environ, "ONNXFOLD_CPU_LEVEL": level})
            assert result.code == 0, f"exit status of {test.name} at {level}"
        for (level, threads), out in zip(RUNS[1:], outs[1:]):
            t.expectSameBytes(out, outs[0], f"{test.name} at {level} with {threads} threads")
        count += 1
    print(f"  {count} models, the same bytes at {len(RUNS)} levels")
    assert count > 150, f"only {count} models were folded"
