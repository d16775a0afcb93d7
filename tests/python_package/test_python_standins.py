# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.compat.install and `python -m onnx_fold.compat`: modules named onnxsim and onnxslim, as public callers use them.

The calls are those of the products' sources; the products are not needed, which would bring PyTorch.
"""

import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import signal
import subprocess
import sys

import numpy as np
import onnx
import pytest

import onnx_fold
import onnxfold_models as m
import onnxfold_testing as t
from onnx_fold import compat
from onnxfold_models import const, info, node
from python_cases import W, operators, save, simple
from test_python_switches import FULL, chain, dims, everything

DATA = t.ROOT / "tests/models/data"


@pytest.fixture
def installed():
    compat.install()
    yield
    compat.uninstall()


def test_install_and_uninstall():
    for name in ("onnxsim", "onnxslim"):
        assert name not in sys.modules or "onnx_fold" not in str(sys.modules[name].__spec__), f"{name} before"
    compat.install()
    compat.install()
    try:
        import onnxsim
        import onnxslim

        assert onnxsim.simplify is compat.simplify and onnxslim.slim is compat.slim, "functions"
        assert sum(type(finder).__name__ == "Finder" for finder in sys.meta_path) == 1, "once"
    finally:
        compat.uninstall()
    assert "onnxsim" not in sys.modules and "onnxslim.utils" not in sys.modules, "modules"
    assert not any(type(finder).__name__ == "Finder" for finder in sys.meta_path), "the finder"


def test_what_was_imported_before_is_replaced(folder, monkeypatch):
    """A package that is installed and imported gives way, and comes back."""
    (folder / "onnxslim").mkdir()
    (folder / "onnxslim/__init__.py").write_text("slim = 'the other one'\n")
    monkeypatch.syspath_prepend(str(folder))
    import onnxslim

    assert onnxslim.slim == "the other one"
    compat.install()
    try:
        assert importlib.import_module("onnxslim").slim is compat.slim, "ours"
    finally:
        compat.uninstall()
    assert importlib.import_module("onnxslim").slim == "the other one", "theirs"
    sys.modules.pop("onnxslim")


def test_versions(installed):
    """Products look for a package, ask for its version, and install another one if they find none."""
    import onnxsim
    import onnxslim
    from onnxsim.version import version

    assert (onnxsim.__version__, version, onnxslim.__version__) == ("v0.8.1", "v0.8.1", "0.1.98"), "attributes"
    for name, wanted in (("onnxsim", "0.8.1"), ("onnxslim", "0.1.98")):
        assert importlib.metadata.version(name) == wanted and importlib.util.find_spec(name) is not None, name
        assert importlib.metadata.distribution(name).metadata["Name"] == name, name
        assert not importlib.metadata.requires(name), "requirements"
    assert {"onnxsim", "onnxslim"} <= {one.metadata["Name"] for one in importlib.metadata.distributions()}, "in the list"
    assert importlib.metadata.version("numpy"), "other packages"
    assert not list(importlib.metadata.distributions(path=[str(t.ROOT)])), "pip looks into folders"


# Of the last five releases, 0.7.0 to 0.8.1; the first 16 are positional.
SIMPLIFY = (
    "model check_n perform_optimization skip_fuse_bn overwrite_input_shapes test_input_shapes skipped_optimizers "
    "skip_constant_folding skip_shape_inference input_data dynamic_input_shape custom_lib include_subgraph unused_output "
    "tensor_size_threshold mutable_initializer"
).split()
KEYWORDS = {
    "initializers_as_constants": True,
    "inline_functions": False,
    "import_custom_schemas": True,
    "input_shapes": None,
    "target_opset_version": None,
    "extra_optimizers": None,
    "custom_rewriter": None,
    "function_rewrite_rules": None,
    "check_rtol": 1e-4,
    "check_atol": 1e-5,
    "input_fill": "random",
    "providers": None,
    "gemm_fusion_backend": "ort_cpu",
    "profile": None,
    "ort_profile": None,
    "merge_ort_profile": False,
    "output_path": None,
    "external_data_threshold": "100MB",
}
SLIM = {
    "model_check": False,
    "input_shapes": None,
    "inputs": None,
    "outputs": None,
    "no_shape_infer": False,
    "skip_optimizations": None,
    "dtype": None,
    "skip_fusion_patterns": None,
    "size_threshold": None,
    "inspect": False,
    "dump_to_disk": False,
    "save_as_external_data": False,
    "model_check_inputs": None,
    "verbose": False,
}
NAMES = {
    "onnxsim": "simplify main import_onnx_schemas load_model inline_local_functions __version__ quantize_static apply_awq",
    "onnxsim.onnx_simplifier": "simplify main import_onnx_schemas get_output_names remove_unused_output "
    "remove_initializer_from_input check_and_update_input_shapes DEFAULT_TENSOR_SIZE_THRESHOLDHOLD",
    "onnxsim.model_info": "ModelInfo print_simplifying_info human_readable_size annotate_metadata",
    "onnxsim.model_checking": "compare",
    "onnxsim.backend": "has_onnxruntime run_model",
    "onnxslim": "slim register_fusion_pattern __version__",
    "onnxslim.cli": "slim main",
    "onnxslim.cli._main": "slim main",
    "onnxslim.argparser": "OnnxSlimKwargs OnnxSlimArgumentParser",
    "onnxslim.core": "optimize shape_infer freeze input_shape_modification input_modification output_modification "
    "convert_data_format OptimizationSettings",
    "onnxslim.core.pattern.registry": "DEFAULT_FUSION_PATTERNS register_fusion_pattern get_fusion_patterns",
    "onnxslim.utils": "summarize_model print_model_info_as_table init_logging format_bytes get_opset get_ir_version save "
    "check_onnx gen_onnxruntime_input_data dump_model_info_to_disk ModelInfo TensorInfo",
}


def test_names_and_keywords(installed):
    for module, names in NAMES.items():
        there = importlib.import_module(module)
        for name in names.split():
            assert hasattr(there, name), f"{module}.{name}"
    given = list(inspect.signature(compat.simplify).parameters)
    assert given[: len(SIMPLIFY)] == SIMPLIFY, "positional arguments"
    assert " ".join(operators(compat.simplify(everything(), **KEYWORDS)[0])) == FULL, "keywords, with their defaults"
    assert " ".join(operators(compat.slim(everything(), **SLIM))) == FULL, "keywords, with their defaults"


def test_names_that_are_refused(installed):
    """They say what to do, when they are used; others are an ImportError."""
    import onnxsim
    from onnxslim.core.pattern import PatternMatcher

    with pytest.raises(NotImplementedError, match="without `onnx_fold.compat`, with onnxsim 0.8.1 installed"):
        onnxsim.quantize_dynamic("model.onnx")
    with pytest.raises(NotImplementedError, match="onnxslim.core.pattern.PatternMatcher"):
        type("Mine", (PatternMatcher,), {})
    with pytest.raises(ModuleNotFoundError, match="only simplifies"):
        importlib.import_module("onnxsim.gptq")
    assert not hasattr(onnxsim, "simplifi"), "a name that is not there"
    with pytest.raises(ImportError):
        exec("from onnxslim import slimm")


def test_parts(installed, folder, capsys):
    """What callers use besides the two functions."""
    from onnxsim import model_checking, model_info, onnx_simplifier
    from onnxslim import core, utils

    before = onnx.load(DATA / "mobilenet.onnx")
    after, ok = onnx_simplifier.simplify(before)
    assert (
        ok and model_checking.compare(after, before, 2) and not model_checking.compare(chain(), everything_but(chain()))
    ), "compare"
    model_info.print_simplifying_info(before, after)
    said = capsys.readouterr().out
    assert "BatchNormalization        10         0" in said and "nodes" in said, said
    assert model_info.ModelInfo(after).op_nums["Conv"] == 10 and model_info.human_readable_size(2048) == "2.0KiB", "counts"
    utils.print_model_info_as_table([utils.summarize_model(before, "one"), utils.summarize_model(str(DATA / "mobilenet.onnx"))])
    assert "BatchNormalization        10         10" in capsys.readouterr().out, "a table"
    assert (
        utils.get_opset(before) and utils.get_ir_version(before) and utils.format_bytes((1024, 10)) == "1.0KiB + 10.0B"
    ), "numbers"
    summary = utils.summarize_model(after, "after")
    assert summary.op_type_counts["Conv"] == 10 and (summary.tag, summary.op_set) == (
        "after",
        str(utils.get_opset(after)),
    ), "summary"
    utils.save(after, str(folder / "saved.onnx"), model_check=True)
    assert onnx.load(folder / "saved.onnx") == after, "saved as it is"
    assert operators(core.optimize(before)) == operators(after), "optimize"
    assert dims(core.input_shape_modification(chain(), ["x:1,2"])) == [1, 2], "shapes"
    assert operators(core.output_modification(chain(), ["h"])) == ["Neg", "Exp"], "outputs"
    assert operators(core.input_modification(chain(), ["a"])) == ["Exp", "Abs"], "inputs"
    assert [one.name for one in core.shape_infer(chain()).graph.value_info] == ["a", "h"], "types"
    assert operators(core.shape_infer(everything())) == operators(everything()), "nothing else"


def everything_but(model):
    model.graph.node[1].op_type = "Sin"
    return model


# ---- the calls of public callers -----------------------------------------------------------------------------------------------


def exported(folder, name="model.onnx"):
    return save(folder, everything(), name)


def ultralytics(folder):
    """engine/exporter.py: asks importlib.metadata for the version, logs __version__, simplifies the model in memory."""
    assert tuple(map(int, importlib.metadata.version("onnxslim").split("."))) >= (0, 1, 71)
    import onnxslim

    model = onnx.load(exported(folder))
    text = f"slimming with onnxslim {onnxslim.__version__}..."
    model = onnxslim.slim(model)
    return model, text


def ultralyticsOfOld(folder):
    import onnxsim

    model = onnx.load(exported(folder))
    model, check = onnxsim.simplify(model)
    assert check, "Simplified ONNX model could not be validated"
    return model, f"simplifying with onnxsim {onnxsim.__version__}..."


def yolov5(folder):
    import onnxsim

    model = onnx.load(exported(folder))
    model, check = onnxsim.simplify(model, dynamic_input_shape=True, input_shapes={"x": [1, 3, 4, 4]})
    assert check, "assert check failed"
    return model, onnxsim.__version__


def yolox(folder):
    from onnxsim import simplify

    model, check = simplify(onnx.load(exported(folder)), dynamic_input_shape=False, input_shapes=None)
    assert check, "Simplified ONNX model could not be validated"
    return model, ""


def mmdetection(folder):
    import onnxsim

    image = np.ones((1, 3, 4, 4), np.float32)
    model, check = onnxsim.simplify(str(exported(folder)), input_data={"x": image}, custom_lib="", dynamic_input_shape=True)
    assert check
    return model, ""


def insightface(folder):
    from onnxsim import simplify

    model, check = simplify(onnx.load(exported(folder)), overwrite_input_shapes={"x": (1, 3, 4, 4)}, skip_fuse_bn=False)
    assert check, "Simplified ONNX model could not be validated"
    return model, ""


def nanodet(folder):
    import onnxsim

    data = {"x": np.ones((1, 3, 4, 4), np.float32)}
    model, check = onnxsim.simplify(onnx.load(exported(folder)), input_data=data, check_n=3)
    assert check
    return model, ""


def styleBertVits(folder):
    from onnxsim import model_info, simplify

    before = onnx.load(exported(folder))
    model, check = simplify(before)
    assert check
    model_info.print_simplifying_info(before, model)
    return model, ""


def furiosa(folder):
    from onnxsim import model_info, onnx_simplifier

    model, check = onnx_simplifier.simplify(onnx.load(exported(folder)), overwrite_input_shapes={"x": [1, 3, 4, 4]}, check_n=1)
    assert check and model_info.ModelInfo(model).op_nums
    return model, ""


def optimum(folder):
    """exporters/onnx/convert.py: looks for the package, then simplifies each file in its place."""
    assert importlib.util.find_spec("onnxslim") is not None and importlib.metadata.version("onnxslim")
    from onnxslim import slim

    path = str(exported(folder))
    model = slim(path)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return onnx.load(path), ""


def toAFile(folder):
    import onnxslim

    assert onnxslim.slim(str(exported(folder)), str(folder / "slim.onnx")) is None
    return onnx.load(folder / "slim.onnx"), ""


def external(folder):
    """Language models: one file in its place, with its data beside it."""
    from onnxslim import slim

    path = folder / "large.onnx"
    onnx.save(everything(), path, save_as_external_data=True, location="large.onnx.data", size_threshold=0)
    slim(model=str(path), output_model=str(path), no_shape_infer=False, skip_fusion_patterns=False, save_as_external_data=True)
    return onnx.load(path), ""


CALLERS = [ultralytics, ultralyticsOfOld, yolov5, yolox, mmdetection, insightface, nanodet, styleBertVits, furiosa, optimum]


@pytest.mark.parametrize("caller", [*CALLERS, toAFile, external], ids=lambda one: one.__name__)
def test_callers(installed, folder, caller):
    model, text = caller(folder)
    assert " ".join(operators(model)) == FULL and "None" not in text, f"{operators(model)}, {text}"


# ---- the command ---------------------------------------------------------------------------------------------------------------


def command(folder, *words, program=("-m", "onnx_fold.compat"), **more):
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python"), "TMPDIR": str(folder / "tmp"), **more}
    (folder / "tmp").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, *program, *map(str, words)], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert not list((folder / "tmp").iterdir()), "its folder is gone"
    return done


SCRIPT = """import sys
import onnx, onnxsim
print("operators", *(one.op_type for one in onnxsim.simplify(onnx.load("model.onnx"))[0].graph.node))
print("arguments", *sys.argv[1:])
sys.exit(5)
"""


def test_command_with_scripts(folder):
    """A script, a module, a program with a shebang, a process of a process; the arguments and the status are theirs."""
    exported(folder)
    (folder / "export.py").write_text(SCRIPT)
    (folder / "tool").write_text(f"#!{sys.executable}\n{SCRIPT}")
    (folder / "tool").chmod(0o755)
    nested = f"import subprocess, sys; sys.exit(subprocess.call([{sys.executable!r}, 'export.py', '-v', 'a b']))"
    ways = [
        ["--", sys.executable, "export.py", "-v", "a b"],
        ["--", sys.executable, "-m", "export", "-v", "a b"],
        ["--", "./tool", "-v", "a b"],
        ["--", sys.executable, "-c", nested],
        [sys.executable, "export.py", "-v", "a b"],
        ["export.py", "-v", "a b"],
        ["--", "-m", "export", "-v", "a b"],
    ]
    for words in ways:
        done = command(folder, *words)
        assert done.stdout == f"operators {FULL}\narguments -v a b\n" and done.returncode == 5, f"{words}: {done}"


def test_command_keeps_the_site(folder):
    """Another sitecustomize runs too, and a Python that imports neither module does not load onnx."""
    (folder / "site").mkdir()
    (folder / "site/sitecustomize.py").write_text("print('mine')\n")
    code = "import sys; print('onnx' in sys.modules, sys.modules['sitecustomize'].__file__)"
    path = f"{folder / 'site'}:{t.ROOT / 'python'}"
    done = command(folder, "--", sys.executable, "-c", code, PYTHONPATH=path)
    assert done.stdout.endswith(f"mine\nFalse {folder / 'site/sitecustomize.py'}\n"), f"{done}"


def test_command_with_other_pythons(folder):
    """One that is older than the package runs as it did, without a word; a newer one finds the modules."""
    code = (
        "import sys; print(sys.version_info >= (3, 9) and __import__('importlib.util').util.find_spec('onnxslim') is not None)"
    )
    for version, python in sorted(pythons(oldest=(2, 7)).items())[:8]:
        done = command(folder, "--", python, "-c", code)
        assert done.stdout == f"{version >= (3, 9)}\n" and not done.stderr and done.returncode == 0, f"{python}: {done}"


def pythons(oldest):
    """Those of this machine, one of each version: of PATH and pyenv."""
    from pathlib import Path

    places = [Path(folder) for folder in os.environ.get("PATH", "").split(":") if folder]
    places += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    found = {}
    for path in (place / name for place in places for name in ("python3", "python2")):
        script = "import sys; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run([path, "-c", script], capture_output=True, text=True) if path.is_file() else None
        if done is not None and done.returncode == 0:
            found.setdefault(tuple(map(int, done.stdout.split("."))), path)
    return {version: path for version, path in found.items() if version >= oldest}


def test_command_with_programs(folder):
    """onnxsim and onnxslim as programs and as modules, also from a shell."""
    path = exported(folder)
    ways = [
        ["onnxsim", path, "out.onnx"],
        [sys.executable, "-m", "onnxslim", path, "out.onnx", "--save-as-external-data"],
        ["sh", "-c", f"onnxslim {path} out.onnx && {sys.executable} -m onnxsim {path} out.onnx"],
    ]
    for words in ways:
        (folder / "out.onnx").unlink(missing_ok=True)
        done = command(folder, "--", *words)
        assert done.returncode == 0 and " ".join(operators(onnx.load(folder / "out.onnx"))) == FULL, f"{words}: {done}"
        assert "BatchNormalization" in done.stdout, f"a table: {done.stdout}"


def test_options_of_the_programs(installed, folder, capsys):
    import onnxsim
    from onnxslim.cli import main as slimMain

    path, out = str(exported(folder)), str(folder / "out.onnx")
    np.ones((1, 3, 4, 4), np.float32).tofile(folder / "x.bin")
    norm = "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"
    none = "Constant Identity Conv BatchNormalization Relu Add Mul Exp Exp Add Transpose Transpose Abs"
    for main, options, wanted in (
        (onnxsim.main, "3 --overwrite-input-shape x:1,3,4,4 --test-input-shape 1,3,4,4 --enable-fuse-bn", FULL),
        (onnxsim.main, "--no-large-tensor 1M --include-subgraph --check-rtol 0.1 --providers CPUExecutionProvider", FULL),
        (onnxsim.main, f"1 --input-data-path x:{folder / 'x.bin'} --save-as-external-data", FULL),
        (onnxsim.main, "--no-large-tensor 4B", "Add " + FULL),
        (onnxsim.main, "--skip-fuse-bn --graph-diff", norm),
        (onnxsim.main, "--skip-optimization fuse_bn_into_conv", norm),
        (onnxsim.main, "--skip-optimization", none),
        (onnxsim.main, "--skip-constant-folding --target-opset 18 --skip-shape-inference", "Add " + FULL),
        (slimMain, "--model-check --model-check-inputs x:1,3,4,4 --input-shapes x:-1,3,4,4 --verbose", FULL),
        (slimMain, "--skip-fusion-patterns FusionConvBN --size-threshold 100000", norm),
        (
            slimMain,
            "--skip-optimizations graph_fusion subexpression_elimination",
            norm.replace("Exp", "Exp Exp").replace("Tr", "Transpose Tr"),
        ),
        (slimMain, "--outputs y:fp32 --dtype fp32 --save-as-external-data", FULL.replace(" Transpose Abs", "")),
    ):
        assert main([path, out, *options.split()]) == 0, options
        assert " ".join(operators(onnx.load(out))) == wanted, f"{options}: {operators(onnx.load(out))}"
        assert "Conv" in capsys.readouterr().out, "a table"
    assert slimMain(["--inspect", path, path]) == 0 and capsys.readouterr().out.count("BatchNormalization") == 2, "inspect"
    assert onnxsim.main(["--list-default-optimizers"]) == 0 and "fuse_bn_into_conv\n" in capsys.readouterr().out, "names"
    with pytest.raises(ValueError, match="expected NAME:FILE with one of x"):
        onnxsim.main([path, out, "1", "--input-data-path", "z:x.bin"])
    with pytest.raises(SystemExit):
        slimMain(["--version"])
    assert capsys.readouterr().out == "0.1.98\n", "the version"


def test_wrong_commands(folder):
    path = exported(folder)
    for words, status, text in (
        ([], 2, "python -m onnx_fold.compat -- python export.py"),
        (["--"], 2, "no command"),
        (["--quiet", "python"], 2, "expected -- before it"),
        (["--", "no-such-program"], 127, "no program 'no-such-program'"),
        (["--", "onnxsim", path, "out.onnx", "--fp16-quantize"], 2, "run onnxsim itself on out.onnx"),
        (["--", "onnxslim", path, "b.onnx", "c.onnx"], 2, "--inspect takes several"),
    ):
        done = command(folder, *words)
        assert done.returncode == status and text in done.stderr, f"{words}: {done}"
    assert "yolo export" in command(folder, "--help").stdout, "help"


def test_ends_with_its_command(folder):
    """A signal that ends the command is its status; one that ends us is passed on."""
    done = command(folder, "--", "sh", "-c", "kill -9 $$")
    assert done.returncode == 137, f"{done}"
    code = "import os, signal; os.kill(os.getppid(), signal.SIGTERM); signal.pause()"
    done = command(folder, "--", sys.executable, "-c", code)
    assert done.returncode == 128 + signal.SIGTERM, f"{done}"


# ---- three scripts -------------------------------------------------------------------------------------------------------------

# Nodes that are no Constant, of tests/models/data: what onnxsim 0.8.1 and OnnxSlim 0.1.98 leave.
LEFT = {
    "albert": (65, 79),
    "bert": (153, 135),
    "bert_int8": (156, 156),
    "control_flow": (20, 19),
    "detector": (43, 43),
    "lstm": (12, 19),
    "mobilenet": (22, 22),
    "mobilenet_qdq": (99, 99),
    "qwen2": (176, 179),
    "swin": (243, 255),
    "t5": (119, 115),
    "vit": (131, 128),
    "vit_fp16": (139, 140),
    "xlnet": (81, 89),
}
SCRIPTS = {
    "onnxsim": "from onnxsim import simplify\nmodel, ok = simplify(path)\nassert ok\nonnx.save(model, path)\n",
    "OnnxSlim": "import onnxslim\nonnxslim.slim(path, path)\n",
    "Optimum": "from onnxslim import slim\nmodel = slim(path)\nonnx.checker.check_model(model)\nonnx.save(model, path)\n",
}
LINE = "import onnx_fold.compat; onnx_fold.compat.install()\n"


def test_three_scripts_with_one_line_more(folder):
    """Each leaves at most as many nodes as the package did that it was written for, of every model."""
    for kind, text in SCRIPTS.items():
        loop = "import sys, onnx\nfor path in sys.argv[1:]:\n" + "".join(f"    {line}\n" for line in text.splitlines())
        (folder / "script.py").write_text(LINE + loop)
        paths = {name: folder / f"{name}.onnx" for name in LEFT}
        for name, path in paths.items():
            path.write_bytes((DATA / f"{name}.onnx").read_bytes())
        done = command(folder, *paths.values(), program=("script.py",))
        assert done.returncode == 0, f"{kind}: {done}"
        for name, (sim, slimmed) in LEFT.items():
            graphs = [onnx.load(paths[name]).graph]
            count = 0
            while graphs:
                graph = graphs.pop()
                count += len(graph.node)
                graphs += [attribute.g for one in graph.node for attribute in one.attribute if attribute.HasField("g")]
            assert count <= (sim if kind == "onnxsim" else slimmed), f"{kind}: {name} has {count}, {sim} and {slimmed}"
