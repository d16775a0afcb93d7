# SPDX-License-Identifier: Apache-2.0
"""The text that JAX prints by default, its generic text and its bytecode, read by stablehlo-fold.

    jax_forms.py STABLEHLO_FOLD compare          forms.mlir, all models and the cases of seed 0; exit status 1 if two forms differ
    jax_forms.py STABLEHLO_FOLD record FOLDER    what JAX makes of forms.mlir, and a model: FOLDER/*.gz
"""

import gzip
import pathlib
import subprocess
import sys

import jax
from jax import export
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib.mlir import ir

from jax_models import MODELS

HERE = pathlib.Path(__file__).parent


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True)


def parsed(text):
    """The usual and the generic text of a module, as StableHLO's own parser reads it."""
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        return str(module), generic(module)


def model(name):
    """The usual text, the generic text, and the bytecode that jax.export serialises."""
    function, arguments = MODELS[name]()
    lowered = jax.jit(function).lower(*arguments)
    serialized = export.export(jax.jit(function))(*arguments).mlir_module_serialized
    return lowered.as_text(), generic(lowered.compiler_ir("stablehlo")), serialized


def read(program, passes="scrub"):
    """What stablehlo-fold makes of a text or of bytecode."""
    data = program if isinstance(program, bytes) else program.encode()
    done = subprocess.run([sys.argv[1], f"--passes={passes}", "-"], input=data, capture_output=True)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout.decode()


def compare():
    wrong = 0
    texts = {"forms": parsed((HERE / "forms.mlir").read_text())}
    for name in MODELS:
        *texts[name], serialized = model(name)
        # Only operations: defaults are not left out in the bytecode.
        counts = [read(form).count('"stablehlo.') for form in (texts[name][0], serialized)]
        if counts[0] != counts[1]:
            print(name, "operations in text and in bytecode:", counts)
            wrong += 1
    from jax_cases import FAMILIES, cases, module  # it makes 64 bits the default

    for family in FAMILIES:
        texts[family] = parsed(module(cases(family, 0), True)[0])
    for name, (usual, wanted) in texts.items():
        # The usual form leaves this default out.
        if read(usual) != read(wanted).replace(" <{lower = false}>", ""):
            print(name, "differs")
            wrong += 1
    print(f"{len(texts)} programs, {wrong} differ")
    return wrong


def record(folder):
    usual, wanted = parsed((HERE / "forms.mlir").read_text())
    assert read(usual) == read(wanted)
    gcn, text, serialized = model("gcn")
    for name, data in (
        ("forms.generic.mlir", wanted.encode()),
        ("gcn.mlir", text.encode()),
        ("gcn.usual.mlir", gcn.encode()),
        ("gcn.mlirbc", serialized),
    ):
        (folder / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    if sys.argv[2] == "record":
        record(pathlib.Path(sys.argv[3]))
    else:
        sys.exit(bool(compare()))
