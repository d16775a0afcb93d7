# SPDX-License-Identifier: Apache-2.0
"""Comparing tensors and whole models."""

import multiprocessing

import numpy as np
import onnxruntime as ort


# Largest difference over largest output that two runs of one model may have.
TOLERANCE = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-5}


def session(path, threads=1):
    options = ort.SessionOptions()
    options.log_severity_level = 3
    # Threads of a session wait for work in a loop: for small models that is most of the processor time.
    options.intra_op_num_threads = threads
    # Not ENABLE_ALL: ONNX Runtime 1.31.1 crashes there on a float16 transformer (tests/models/data/vit_fp16.onnx).
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _run(path, feeds, **how):
    """The results, or a text that says why there are none."""
    try:
        running = session(path, **how)
        names = [value.name for value in running.get_outputs()]
        return [dict(zip(names, running.run(None, feed))) for feed in feeds]
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:600]}"


def _runApart(path, feeds):
    """The same in a process of its own; and how that ended."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(_run(path, feeds, threads=2)))
    child.start()
    sender.close()
    try:
        results = receiver.recv()
    except EOFError:
        results = "the process ended without a result"
    child.join()
    return results if not isinstance(results, str) else f"{results} (exit {child.exitcode})"


def outputs(path, feeds, apart=False):
    """Runs a model on each of `feeds` in ONNX Runtime: a list of {output name: array}. Models are run here, which for a small
    one takes a hundredth of the time of a process (if the runtime crashes, that ends the run, and Python's faulthandler names the
    test); `apart`: in a process of its own with two threads, which gives the memory of a large one back."""
    results = (_runApart if apart else _run)(path, feeds)
    assert not isinstance(results, str), f"ONNX Runtime cannot run {path.name}: {results}"
    return results


def randomFeed(inputs, seed):
    """Inputs as tests/models/data/inputs.json lists them: name, dtype, shape, lo, hi (exclusive for integers)."""
    random = np.random.default_rng(seed)
    feed = {}
    for spec in inputs:
        kind = np.dtype(spec["dtype"])
        if kind.kind == "f":
            value = random.uniform(spec["lo"], spec["hi"], spec["shape"])
        else:
            value = random.integers(spec["lo"], spec["hi"], spec["shape"])
        feed[spec["name"]] = np.asarray(value).astype(kind)
    return feed


def expectAgreement(actual, expected, what, tolerance=None, quantum=None):
    """Two results of `outputs` for one feed agree: floats within `tolerance` of the largest value (default by element type)
    or, where `quantum` is given, within it; everything else exactly."""
    assert list(actual) == list(expected), f"{what}: outputs are {list(actual)}, expected {list(expected)}"
    for name, want in expected.items():
        got = actual[name]
        where = f"{what}: output '{name}'"
        assert (
            got.dtype == want.dtype and got.shape == want.shape
        ), f"{where} is {got.dtype}{list(got.shape)}, expected {want.dtype}{list(want.shape)}"
        if want.dtype.kind != "f":
            assert np.array_equal(got, want), f"{where} differs"
            continue
        assert np.array_equal(np.isnan(got), np.isnan(want)), f"{where} has NaN elsewhere"
        if not want.size:
            continue
        wide, reference = np.nan_to_num(got.astype(np.float64)), np.nan_to_num(want.astype(np.float64))
        difference = np.max(np.abs(wide - reference))
        bound = quantum
        if bound is None:
            bound = (tolerance or TOLERANCE[str(want.dtype)]) * np.max(np.abs(reference))
        assert difference <= bound, f"{where} differs by {difference:.3g}, at most {bound:.3g} allowed"


def bitPattern(array):
    """The array as integers or strings, so that equality is equality of bits; every NaN of a type is the same. Complex numbers
    become a last axis of two."""
    array = np.asarray(array, order="C")
    if array.dtype.kind == "c":
        real = np.dtype(f"f{array.dtype.itemsize // 2}")
        return bitPattern(np.stack([array.real, array.imag], -1).astype(real))
    if array.dtype.kind in "OSU":
        return array.astype(object)
    if array.dtype.kind in "biu" or not array.size:
        return array
    bits = array.view(f"u{array.dtype.itemsize}")
    with np.errstate(all="ignore"):
        try:
            notNumber = np.isnan(array)
        except TypeError:  # no NaN in this type (int4 and the like)
            return bits
    # In 64 bits, where all ones are no number in any type: in 8 bits every pattern is a number of some float8 type.
    return np.where(notNumber, np.uint64(np.iinfo(np.uint64).max), bits.astype(np.uint64))


def ulpOf(array):
    """The distance to the next value of the array's own type, element by element, as float64."""
    with np.errstate(all="ignore"):
        if array.dtype in (np.float16, np.float32, np.float64):
            return np.abs(np.spacing(np.abs(array)).astype(np.float64))
        import ml_dtypes

        info = ml_dtypes.finfo(array.dtype)
        wide = np.abs(array.astype(np.float64))
        exponent = np.floor(np.log2(np.maximum(wide, float(info.tiny))))
        return np.exp2(exponent) * float(info.eps)


def differenceText(got, want, ulps=0, relativeToLargest=0.0):
    """Empty when equal: same type and shape, and bit for bit, or each element within `ulps` of its own type plus
    `relativeToLargest` times the largest finite expected value."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"is {got.dtype}{list(got.shape)}, expected {want.dtype}{list(want.shape)}"
    equal = np.asarray(bitPattern(got) == bitPattern(want))
    if got.dtype.kind == "c":
        equal = equal.all(-1)
    if equal.all():
        return ""
    if ulps or relativeToLargest:
        with np.errstate(all="ignore"):
            a, b = got.astype(np.float64), want.astype(np.float64)
            finite = np.abs(b[np.isfinite(b)])
            allowed = ulps * ulpOf(want) + relativeToLargest * (finite.max() if finite.size else 0.0)
            equal = equal | (np.abs(a - b) <= allowed)
        if equal.all():
            return ""
    at = tuple(int(i) for i in np.argwhere(~np.atleast_1d(equal))[0]) if got.ndim else ()
    return f"differs in {int((~equal).sum())} of {got.size} elements, first at {list(at)}: {got[at]!r}, expected {want[at]!r}"


def areClose(got, want, rtol, atol):
    """Whether two arrays of one type and shape are as close as numpy.allclose asks, NaN equal to NaN; strings exactly."""
    if got.dtype.kind in "OSU":
        return bool(np.all(got == want))
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return np.allclose(got.astype(wide), want.astype(wide), rtol=rtol, atol=atol, equal_nan=True)
