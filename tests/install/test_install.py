# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` and find_package: projects outside the tree find what they ask for, build with it and run.

ONNXFOLD_TOOL tells which build is installed (its bin/onnx-fold): once, and each test gets a copy of hard links, so what is
installed must not know where it is.
"""

import atexit
import functools
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import onnxfold_testing as t
import public_headers

BUILD = t.TOOL.parents[1]
HERE = Path(__file__).resolve().parent
VALUES = ["widenum", "elements_memory", "elements"]  # what the attribute stands on
LOWER = ("onnxfold::constprop onnxfold::elements onnxfold::elements_ir onnxfold::elements_memory onnxfold::elements_ops "
         "onnxfold::llvm onnxfold::sleef onnxfold::symbolic onnxfold::widenum")
RESULTS = ["2", "6", "4", "8", "0"]
NO_PROTOBUF = "-DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=TRUE"


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)


def command(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, f"{arguments[0]} failed: {(done.stdout + done.stderr)[-2000:]}"
    return done.stdout


def ownFolder():
    """A folder until the end of this process."""
    name = tempfile.mkdtemp(prefix="onnxfold-")
    atexit.register(shutil.rmtree, name, ignore_errors=True)
    return Path(name)


@functools.cache
def package():
    """The whole package, where `cmake --install` wrote it."""
    place = ownFolder()
    command("cmake", "--install", BUILD, "--prefix", place)
    return place


def install(folder):
    shutil.copytree(package(), folder / "installed", symlinks=True, copy_function=os.link)


@functools.cache
def knownCompilers():
    """What CMake finds out about the compilers in each new build folder, which takes it longer than all the rest."""
    project = ownFolder()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.24)\nproject(nothing LANGUAGES C CXX)\n")
    command("cmake", "-S", project, "-B", project / "build", "-G", "Ninja", *t.consumerOptions(BUILD))
    (known,) = (project / "build/CMakeFiles").glob("[0-9]*")
    return known


def configure(project, folder, *options):
    known = knownCompilers()
    shutil.copytree(known, folder / "build/CMakeFiles" / known.name, dirs_exist_ok=True)
    return run("cmake", "-S", HERE / project, "-B", folder / "build", "-G", "Ninja",
               f"-DCMAKE_PREFIX_PATH={folder}/installed", *t.consumerOptions(BUILD), *options)


def probe(folder, *options):
    """What the probe prints: {what: rest of the line}."""
    done = configure("probe", folder, *options)
    assert done.returncode == 0, f"the probe failed with {options}: {done.stderr[-2000:]}"
    return dict(line.split(": ", 1) for line in done.stderr.splitlines() if ": " in line)


def refused(folder, *options):
    """What find_package says, on one line."""
    done = configure("probe", folder, *options)
    assert done.returncode != 0, f"the probe was configured with {options}"
    return " ".join(done.stderr.split())


def test_package_builds_a_consumer(folder):
    install(folder)
    done = configure("consumer", folder, NO_PROTOBUF, "-DEigen3_DIR=/nowhere", "-DPROTOZERO_INCLUDE_DIR=/nowhere")
    assert done.returncode == 0, f"configuring failed: {done.stderr}"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/consumer").split() == RESULTS, "the consumer's output"


def test_consumer_can_hold_llvm(folder):
    install(folder)
    kind = (folder / "installed/lib/cmake/onnxfold/onnxfoldConfig.cmake").read_text()
    if "set(ONNXFOLD_SHARED ON)" in kind:
        pytest.skip("libraries on libMLIR.so link libLLVM.so too")
    assert configure("consumer", folder, "-DONNXFOLD_STATIC_LLVM=ON").returncode == 0, "configuring"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/consumer").split() == RESULTS, "the consumer's output"
    assert "libLLVM" not in command("ldd", folder / "build/consumer"), "the consumer still needs libLLVM"


def test_consumers_do_not_fuse_multiply_and_add(folder):
    # A consumer that was compiled for its own machine got other bits: loops of map are compiled there.
    if " fma " not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this processor has no fused multiply-add")
    install(folder)
    flags = "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -mfma"
    assert configure("consumer", folder, *flags).returncode == 0, "configuring"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/consumer").split() == RESULTS, "the consumer's output"


def test_shared_libraries_are_a_package_too(folder):
    # Built here, and only the lowest one: the others take minutes, and are built with --long.
    parts = [*VALUES, "elements_ops", "elements_ir", "symbolic", "constprop"] if t.options.long else ["widenum"]
    command("cmake", "-S", t.ROOT, "-B", folder / "shared", "-G", "Ninja", "-DBUILD_SHARED_LIBS=ON",
            "-DCMAKE_BUILD_TYPE=Debug", "-DONNXFOLD_BUILD_TESTS=OFF", "-DONNXFOLD_BUILD_BENCH=OFF")
    command("cmake", "--build", folder / "shared", "-j2", "--target", f"onnxfold_{parts[-1]}")
    for component in ["package", *parts]:
        command("cmake", "--install", folder / "shared", "--prefix", folder / "installed", "--component", component)
    project = folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.24)
project(consumer LANGUAGES C CXX)
find_package(onnxfold 0.1 REQUIRED COMPONENTS {parts[-1]})
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE onnxfold::{parts[-1]})
""")
    (project / "main.cpp").write_text("""
#include "onnxfold/widenum/WideNum.h"
#include "llvm/Support/raw_ostream.h"
int main() {
  using namespace onnxfold;
  llvm::outs() << name(DataType::Float16) << " " << WideNum::widen(2.5).fits(DataType::Int8) << "\\n";
}
""")
    assert configure(project, folder, NO_PROTOBUF).returncode == 0, "configuring the consumer"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/consumer") == "f16 1\n", "the consumer's output"
    assert "libonnxfold_widenum.so => " + str(folder) in command("ldd", folder / "build/consumer"), "not shared"
    shutil.rmtree(folder / "build")
    text = refused(folder, "-DREQUIRED=onnx")
    assert "component 'onnx' needs '" in text and "', which is not installed" in text, text


def test_components_load_only_what_they_need(folder):
    install(folder)
    got = probe(folder, "-DREQUIRED=elements", NO_PROTOBUF)
    targets = "onnxfold::elements onnxfold::elements_memory onnxfold::llvm onnxfold::widenum"
    assert got["targets"] == targets, "what elements loads"
    assert got["elements"] == "TRUE", "onnxfold_elements_FOUND"
    assert probe(folder, "-DREQUIRED=widenum")["targets"] == "onnxfold::llvm onnxfold::widenum", "what widenum loads"
    assert probe(folder, "-DREQUIRED=constprop;widenum")["targets"] == "MLIRIR " + LOWER, "what constprop loads"


def test_folded_programs_run_without_mlir_and_llvm(folder):
    for component in ["package", "tensorfolding_runtime"]:
        command("cmake", "--install", BUILD, "--prefix", folder / "installed", "--component", component)
    options = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=TRUE" for package in ("MLIR", "LLVM", "Protobuf")]
    done = configure("runtime", folder, *options, "-DXXHASH_INCLUDE_DIR=/nowhere")
    assert done.returncode == 0, f"configuring failed: {done.stderr}"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/runtime").split() == ["21", "42", "402", "2"], "the output"
    libraries = command("ldd", folder / "build/runtime")
    assert "libffi" in libraries and "MLIR" not in libraries and "LLVM" not in libraries, libraries


def test_plugin_is_installed(folder):
    """The component `plugin` alone: stock mlir-opt folds with it, and it needs no other library of ours."""
    command("cmake", "--install", BUILD, "--prefix", folder / "installed", "--component", "plugin")
    (plugin,) = folder.glob("installed/**/libonnxfold_passes.so")
    assert "onnxfold" not in command("ldd", plugin).replace(str(plugin), ""), "it links other libraries of ours"
    opt = Path(t.cmakeCache(BUILD, "MLIR_DIR")).parents[2] / "bin/mlir-opt"
    printed = command(opt, f"--load-pass-plugin={plugin}", f"--load-dialect-plugin={plugin}",
                      "--pass-pipeline=builtin.module(constprop,scrub)", t.ROOT / "examples/plugin/constprop.mlir")
    assert "arith.truncf" not in printed and "arith.constant 45 : index" in printed, printed


def test_kernels_of_mlirs_dialects_are_a_component(folder):
    """A compiler of somebody else registers the kernels of `upstream` and runs constprop on its module."""
    install(folder)
    assert configure("upstream", folder, NO_PROTOBUF).returncode == 0, "configuring"
    command("cmake", "--build", folder / "build")
    printed = command(folder / "build/upstream")
    assert "dense<[[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00]]> : tensor<2x2xf16>" in printed, printed
    assert "linalg" not in printed and "arith.truncf" not in printed, printed


def test_onnx_is_all_of_onnx(folder):
    install(folder)
    for options in ["-DREQUIRED=onnx"], ["-DREQUIRED="]:
        targets = probe(folder, *options)["targets"].split()
        for target in LOWER.split() + ["onnxfold::onnx_ir", "onnxfold::onnx_io", "onnxfold::onnx_kernels",
                                       "onnxfold::onnx_library", "onnxfold::protozero", "protobuf::libprotobuf"]:
            assert target in targets, f"{target} is not loaded with {options}: {targets}"


def test_a_package_is_found_once(folder):
    # Each component once looked for MLIR again, 63 times in a find_package of all, which took seven seconds.
    install(folder)
    done = configure("probe", folder, "-DREQUIRED=", "--trace-source=MLIRConfig.cmake")
    assert done.stderr.count("find_package(LLVM") == 2, "how often the probe, which looks twice for onnxfold, found MLIR"


def test_what_is_missing_is_named(folder):
    install(folder)
    text = refused(folder, "-DREQUIRED=elements;elemnts")
    assert "no component 'elemnts', only: options widenum elements_memory elements elements_ops elements_nn elements_ir elements_npy gc" in text, text
    text = refused(folder, "-DREQUIRED=onnx", NO_PROTOBUF)
    assert "component 'onnx' needs Protobuf, which was not found" in text, text
    text = refused(folder, "-DREQUIRED=", NO_PROTOBUF)
    assert "component 'onnx_ir' needs Protobuf, which was not found" in text, text
    (folder / "installed/lib/cmake/onnxfold/onnxfold_elements_irTargets.cmake").unlink()
    text = refused(folder, "-DREQUIRED=constprop")
    assert "component 'constprop' needs 'elements_ir', which is not installed" in text, text


def test_optional_components_may_be_missing(folder):
    install(folder)
    got = probe(folder, "-DREQUIRED=gc", "-DOPTIONAL=onnx_io;nothing", NO_PROTOBUF)
    assert [got[name] for name in ("gc", "onnx_io", "nothing")] == ["TRUE", "FALSE", "FALSE"], "what was found"


def test_the_consumers_mlir_is_left_alone(folder):
    # The package once made MLIR's archives link LLVM's support code in whatever project found it: one that links
    # libLLVM too, as Debian's MLIR does, then had LLVM twice in a process.
    install(folder)
    plain = folder / "plain"
    plain.mkdir()
    (plain / "CMakeLists.txt").write_text("""
cmake_minimum_required(VERSION 3.24)
project(plain LANGUAGES C CXX)
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22)
get_target_property(needed MLIRIR INTERFACE_LINK_LIBRARIES)
message("MLIRIR links: ${needed}")
""")
    done = run("cmake", "-S", plain, "-B", plain / "build", "-G", "Ninja")
    expected = done.stderr.split("MLIRIR links: ")[1].splitlines()[0]
    assert probe(folder, "-DREQUIRED=constprop")["MLIRIR links"] == expected, "what MLIRIR links"


def test_the_attribute_comes_without_the_operators(folder):
    # Only the components of the attribute are installed. It links, so it needs no archive of elements/ops or elements/nn.
    for component in ["package", *VALUES, "elements_ir"]:
        command("cmake", "--install", BUILD, "--prefix", folder / "installed", "--component", component)
    rooms = {path.parent.relative_to(folder / "installed/include/onnxfold").as_posix()
             for path in (folder / "installed/include/onnxfold").rglob("*.h")}
    assert rooms == {"widenum", "elements", "elements/memory", "elements/ir"}, "the folders with headers"
    done = configure("attribute", folder, NO_PROTOBUF, "-DSLEEF_INCLUDE_DIR=/nowhere")
    assert done.returncode == 0, f"configuring failed: {done.stderr}"
    command("cmake", "--build", folder / "build")
    assert command(folder / "build/attribute") == "tensor<1024xf32> 1023\n", "the program's output"
    line = command("ninja", "-C", folder / "build", "-t", "commands", "attribute")
    libraries = set(re.findall(r"libonnxfold_(\w+)\.(?:a|so)", line))
    assert libraries == {*VALUES, "elements_ir"}, "our libraries on the link line"


def test_the_headers_of_the_list_are_installed():
    """338 headers were installed, and nobody had chosen them."""
    include = package() / "include"
    found = {path.relative_to(include).as_posix() for path in include.rglob("*") if path.is_file()}
    ofC = {"capi/onnx_fold.h": "onnx_fold.h", "upstream/plugin/onnx_fold_mlir.h": "onnx_fold_mlir.h"}
    wanted = {ofC.get(name, f"onnxfold/{name}") for name in public_headers.listed(t.ROOT)}
    assert found == wanted, f"installed and not listed: {sorted(found - wanted)}; listed and not installed: {sorted(wanted - found)}"


def test_installed_headers_need_no_others(folder):
    install(folder)
    include = folder / "installed/include"
    layers = ["widenum", "elements", "gc", "symbolic", "constprop"]
    headers = [path for layer in layers for path in (include / "onnxfold" / layer).rglob("*.h")]
    assert len(headers) > 40, f"only {len(headers)} headers are installed"
    project = folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text("""
cmake_minimum_required(VERSION 3.24)
project(all_headers LANGUAGES C CXX)
find_package(onnxfold 0.1 REQUIRED COMPONENTS constprop_plan elements_nn gc)
add_library(all_headers OBJECT all.cpp)
target_link_libraries(all_headers PRIVATE onnxfold::constprop_plan onnxfold::elements_nn onnxfold::gc)
""")
    names = sorted(str(path.relative_to(folder / "installed/include")) for path in headers)
    (project / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    assert configure(project, folder, NO_PROTOBUF).returncode == 0, "configuring"
    command("cmake", "--build", folder / "build")


def test_installed_files_do_not_name_the_tree():
    for path in package().rglob("*.cmake"):
        assert str(t.ROOT) not in path.read_text(), f"{path.relative_to(package())} names the source tree"
    assert sorted(path.name for path in (package() / "bin").iterdir()) == [
        "dml-to-onnx", "fold-opt", "fold-run", "onnx-fold", "onnx-run", "onnx-run-dml", "onnx-to-dml", "stablehlo-fold"], "tools"


def test_installed_tools_start(folder):
    """fold-run and onnx-run link libMLIR.so, which the loader does not find by itself: installed, they did not start."""
    command("cmake", "--install", BUILD, "--prefix", folder, "--component", "tools")
    tools = sorted((folder / "bin").iterdir())
    assert len(tools) >= 6, f"{tools}"
    for tool in tools:
        command(tool, "--help")
