# SPDX-License-Identifier: Apache-2.0
"""The wheel: built from the checkout and from the source distribution around the program of this build, and installed."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import onnxfold_testing as t
from python_cases import save, simple

pytest.importorskip("scikit_build_core")

VERSION = re.search(r"project\(onnxfold VERSION ([0-9.]+)", (t.ROOT / "CMakeLists.txt").read_text())[1]
# pip is that of this Python, which has scikit-build-core: nothing is fetched.
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]


def call(*command, **keywords):
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords
    )
    assert done.returncode == 0, f"{command[:6]}: {done.stdout[-2000:]}"
    return done.stdout


def settings(*texts):
    """Debian bookworm's pip does not know -C yet."""
    return [f"--config-settings={text}" for text in texts]


def buildWheel(source, folder):
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("no cmake")
    archive = folder / "archive"
    archive.mkdir()
    shutil.copy(t.TOOL, archive)
    (archive / "THIRD-PARTY-NOTICES").write_text("licences")
    (archive / "share/man/man1").mkdir(parents=True)
    for program in ("onnx-fold", "onnx-to-dml"):
        (archive / f"share/man/man1/{program}.1").write_text(".TH")
    options = settings(f"cmake.define.ONNXFOLD_PROGRAM={archive / 'onnx-fold'}", f"build-dir={folder / 'build'}")
    call(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--quiet", "-w", folder / "wheels", *options, source)
    [wheel] = (folder / "wheels").glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return buildWheel(t.ROOT, tmp_path_factory.mktemp("wheel"))


def expectContents(wheel):
    assert re.fullmatch(rf"onnx_fold-{VERSION}-py3-none-\w+\.whl", wheel.name), f"name {wheel.name}"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        sources = (t.ROOT / "python/onnx_fold").rglob("*")
        module = {str(path.relative_to(t.ROOT / "python")) for path in sources if path.suffix in (".py", ".typed")}
        program = f"onnx_fold-{VERSION}.data/scripts/onnx-fold"
        manual = f"onnx_fold-{VERSION}.data/data/share/man/man1/onnx-fold.1"  # of the program in the wheel alone
        assert {name for name in names if ".dist-info/" not in name} == module | {program, manual}, f"contents {sorted(names)}"
        assert f"onnx_fold-{VERSION}.dist-info/licenses/THIRD-PARTY-NOTICES" in names, f"contents {sorted(names)}"
        assert archive.getinfo(program).external_attr >> 16 & 0o111, "the program may be executed"
        [metadata] = [archive.read(name).decode() for name in names if name.endswith("/METADATA")]
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]
    assert not needed and "Requires-Python: >=3.9" in metadata, f"requirements {needed}"


def test_contents(wheel):
    expectContents(wheel)


def test_installed(wheel, folder, monkeypatch):
    """In a fresh environment, without a compiler and without this tree."""
    monkeypatch.delenv("ONNXFOLD_BINARY", raising=False)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    venv.create(folder / "venv", with_pip=False)
    python, program = folder / "venv/bin/python", folder / "venv/bin/onnx-fold"
    call(*PIP, "--python", python, "install", "--no-index", "--quiet", wheel)
    assert call(program, "--version", env={}) == f"onnx-fold {VERSION}\n", "the program"
    path = save(folder, simple())
    script = "import sys, onnx_fold; r = onnx_fold.fold(sys.argv[1]); print(r.changed, r.report.operators_after, onnx_fold.__version__)"
    for command in (
        [python, "-I", "-c", script, path],
        [python, "-I", "-S", "-c", f"import sys; sys.path.insert(0, sys.argv.pop()); {script}", path],
    ):
        extra = [] if "-S" not in command else [next((folder / "venv/lib").glob("python*/site-packages"))]
        said = call(*command, *extra, cwd=folder, env={"PATH": "/nowhere"})
        assert said.split() == ["True", "{'Mul':", "1}", VERSION], f"{said}"
    assert call(python, "-m", "onnx_fold", "--version", env={}) == f"onnx-fold {VERSION}\n", "python -m onnx_fold"
    call(*PIP, "--python", python, "uninstall", "-y", "onnx-fold")
    assert not program.exists(), "uninstalled"


def pythons():
    """Every Python of this machine that the package is for, by its version: of PATH, /usr/bin and pyenv."""
    places = [Path(folder) for folder in [*os.environ.get("PATH", "").split(":"), "/usr/bin"] if folder]
    places += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    script = "import sys; assert sys.version_info >= (3, 9); print('%d.%d' % sys.version_info[:2])"
    found = {}
    for path in (one for place in places for one in place.glob("python3*") if re.fullmatch(r"python3(\.\d+)?", one.name)):
        done = subprocess.run([path, "-I", "-S", "-c", script], capture_output=True, text=True)
        if done.returncode == 0:
            found.setdefault(done.stdout.strip(), path)
    return found


def test_every_python_of_this_machine(folder, request):
    """The module runs with each; with --long the wheel is installed for each, with the pip of this one."""
    path = save(folder, simple())
    script = (
        "import pathlib, sys, warnings; warnings.simplefilter('error'); import onnx_fold, onnx_fold.progress, onnx_fold.report\n"
        "given = sys.argv[1]; r = onnx_fold.fold(given); print(r.changed, len(onnx_fold.fold(pathlib.Path(given).read_bytes()).model))\n"
        "try: onnx_fold.fold(b'no model')\n"
        "except onnx_fold.FoldError as error: assert error.file == '<memory>'"
    )
    wanted = None
    for version, python in pythons().items():
        environment = {"PYTHONPATH": str(t.ROOT / "python"), "ONNXFOLD_BINARY": str(t.TOOL), "PYTHONDONTWRITEBYTECODE": "1"}
        if t.options.long:
            target = folder / version
            options = ["--no-index", "--quiet", "--target", target, "--python-version", version, "--only-binary=:all:"]
            call(*PIP, "install", *options, request.getfixturevalue("wheel"))
            environment = {"PYTHONPATH": str(target)}
        said = call(python, "-S", "-c", script, path, env=environment)
        wanted = wanted or said
        assert said == wanted and said.startswith("True "), f"Python {version}: {said}"
    assert wanted, "no Python was found"


def test_installed_to_a_folder(wheel, folder, monkeypatch):
    """pip install --target: the program is found beside the module."""
    monkeypatch.delenv("ONNXFOLD_BINARY", raising=False)
    call(*PIP, "install", "--no-index", "--quiet", "--target", folder / "lib", wheel)
    script = "import onnx_fold._tool; print(onnx_fold._tool.binary())"
    said = call(sys.executable, "-c", script, cwd=folder, env={"PYTHONPATH": str(folder / "lib"), "PATH": "/nowhere"})
    assert said.strip() == str(folder / "lib/bin/onnx-fold"), f"{said}"


def test_source_distribution(folder):
    """It holds what the build reads, and a wheel can be made of it."""
    program = "import sys, scikit_build_core.build as b; print(b.build_sdist(sys.argv[1]))"
    name = call(sys.executable, "-c", program, folder, cwd=t.ROOT).splitlines()[-1]
    with tarfile.open(folder / name) as archive:
        names = archive.getnames()
        archive.extractall(folder, filter="data")
    root = name.removesuffix(".tar.gz")
    tracked = call(
        "git", "-C", t.ROOT, "ls-files", "*.cpp", "*.h", "*.cmake", "*CMakeLists.txt", "*.td", "*.def", "*.sh", "*.py", "*.txt"
    ).split()
    wanted = {f"{root}/{path}" for path in tracked if path.split("/")[0] not in ("tests", "bench", "examples", ".ci")}
    assert not wanted - set(names), f"the source distribution lacks {sorted(wanted - set(names))[:5]}"
    assert not [path for path in names if path.startswith((f"{root}/tests/", f"{root}/build"))], "what it need not have"
    expectContents(buildWheel(folder / root, folder))


def test_what_is_missing_for_a_build_is_named(folder):
    """Whoever has no compiled program needs MLIR and other packages: pip shows which, and what installs them."""
    absent = [f"cmake.define.CMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("MLIR", "Protobuf")]
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, *settings(f"build-dir={folder / 'build'}", *absent)]
    done = subprocess.run([*command, t.ROOT], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = " ".join(done.stdout.split())
    assert done.returncode == 1 and "not found: MLIR 22.1 (set MLIR_DIR), Protobuf. On Debian" in said, f"{said[-2000:]}"
    assert "tools/setup.sh" in said and not list(folder.glob("*.whl")), f"{said[-2000:]}"


def test_version_is_in_one_place():
    texts = [
        (t.ROOT / name).read_text()
        for name in ("pyproject.toml", "python/onnx_fold/__init__.py", "python/onnx_fold/_tool.py")
    ]
    assert not [text for text in texts if VERSION in text], "the version is that of CMakeLists.txt"
    assert os.access(t.TOOL, os.X_OK), "the tool"
