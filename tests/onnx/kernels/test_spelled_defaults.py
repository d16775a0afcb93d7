# SPDX-License-Identifier: Apache-2.0
"""A default that a kernel spells is that of the schema, in every version that has one.

Kernels spell them, since they also run for operators without a schema (a FusedConv calls Conv), where a lookup would find none.
"""

import re
from collections import defaultdict

import onnx
import onnxfold_testing as t
import pytest

KERNELS = t.ROOT / "onnx/kernels"
DOMAINS = {"": "", "ml": "ai.onnx.ml", "training": "ai.onnx.preview.training", "preview": "ai.onnx.preview"}
DEFAULT = re.compile(r'\b(?:integer|real|string)\(\s*"(\w+)"\s*\)\s*\.value_or\(\s*("[^"]*"|[-+.\w]+)\s*\)')
MISSPELLED = {"GRU 1: direction"}  # "foward"

SCHEMAS = defaultdict(list)
for one in onnx.defs.get_all_schemas_with_history():
    SCHEMAS[one.domain, one.name].append(one)


def spelledIn(text):
    """The attributes that are read with a literal as their default; variables are none."""
    for name, literal in DEFAULT.findall(text):
        if literal.startswith('"'):
            yield name, literal[1:-1]
        elif re.match(r"[-+.\d]", literal):
            yield name, float(literal.rstrip("f"))


def readBy(kernel):
    """A kernel and what it shares with others."""
    text = kernel.read_text()
    yield text
    for header in re.findall(r"kernels/support/(\w+)\.h", text):
        for file in KERNELS.glob(f"support/{header}.*"):
            yield file.read_text()


def differences(domain, operator, name, spelled):
    for schema in SCHEMAS[domain, operator]:
        attribute = schema.attributes.get(name)
        if attribute is None or not attribute.default_value.name:
            continue
        stated = onnx.helper.get_attribute_value(attribute.default_value)
        stated = stated.decode() if isinstance(stated, bytes) else pytest.approx(stated, rel=1e-6)
        where = f"{operator} {schema.since_version}: {name}"
        if spelled != stated and where not in MISSPELLED:
            yield f"{where} is {spelled!r}, in the schema {stated!r}"


def test_defaults():
    found, numRead = [], 0
    for folder, domain in DOMAINS.items():
        for kernel in (KERNELS / folder).glob("*.cpp"):
            for text in readBy(kernel):
                for name, spelled in spelledIn(text):
                    numRead += 1
                    found += differences(domain, kernel.stem, name, spelled)
    assert numRead > 200, numRead
    assert not found, found


def test_another_default_is_found():
    (name, spelled), *_ = spelledIn('cx.real("alpha").value_or(0.02f)')
    assert list(differences("", "LeakyRelu", name, spelled))
    assert not list(differences("", "LeakyRelu", name, 0.01))
