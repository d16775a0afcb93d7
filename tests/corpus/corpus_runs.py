# SPDX-License-Identifier: Apache-2.0
"""A model in ONNX Runtime: inputs on which it runs, its results, and whether another model gives the same.

`Original(path)` looks for sizes and values that the model takes: those of test data beside the file, then seeded random ones.
"""

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

import onnxfold_testing as t

# Tried in this order: (size of the first dimension of an input, of the others); None: a small size for each name.
SIZES = ((None, None), (1, 1), (1, 2), (1, 8), (1, 32), (1, 64), (1, 128), (1, 224), (1, 512), (2, 16), (1, 640))
SMALL = (2, 3, 4, 5)
MOST_BYTES = 1 << 26  # of the inputs of one run
KINDS = ("plain", "wide", "special")
# No infinities: ONNX Runtime multiplies them with zeros of its own, or not, as a weight is a constant or computed.
SPECIAL = (np.nan, -0.0, 0.0, 1e-40, -1.5, 2.5, 3e4)
# Part of the largest value by which two runs may differ, where the original itself does not move more.
TOLERANCE = {2: 2e-2, 4: 1e-5, 8: 1e-9}
MOVEMENTS = 8  # how much more than the original moves when its inputs move by one unit in the last place
ELEMENTS = {"float": "float32", "double": "float64", "string": "object"}


def load(path, saturates=True):
    """A session that computes every node as it stands, or why there is none.

    Of weights that are packed when a model is loaded products are summed in another order, which infinities show. Without VNNI, ONNX Runtime's sums of products of bytes saturate at 16 bits. One of its optimisations avoids that.
    """
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    if not saturates:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.add_session_config_entry("session.x64quantprecision", "1")
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]), ""
    except Exception as error:
        return None, str(error)[:600]


def elementType(kind):
    """NumPy's type of "tensor(int64)"; None for what NumPy cannot hold."""
    if not kind.startswith("tensor("):
        return None
    name = kind[len("tensor(") : -1]
    try:
        return np.dtype(ELEMENTS.get(name, name))
    except TypeError:
        return None


def shapeOf(one, sizes, named):
    """A shape that an input may have: open dimensions of one name have one size."""
    first, others = sizes
    shape = []
    for place, size in enumerate(one.shape or []):
        if not isinstance(size, int) or size < 0:
            name = str(size) if size else f"{one.name}#{place}"
            given = first if place == 0 else others
            size = named.setdefault(name, SMALL[len(named) % len(SMALL)] if given is None else given)
        shape.append(size)
    return shape


def valueOf(dtype, shape, kind, random):
    if dtype == object:
        return random.choice(np.array(["a", "b", "", "3"], object), shape)
    if dtype == bool:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        low, high = {"plain": (0, 2), "wide": (-3, 10), "special": (1, 2)}[kind]
        return random.integers(max(low, 0) if dtype.kind == "u" else low, high, shape).astype(dtype)
    scale = 10 if kind == "wide" else 1
    values = np.asarray(random.standard_normal(shape) * scale)
    if kind == "special" and values.size:
        places = random.random(shape) < 0.1
        values = np.where(places, random.choice(SPECIAL, shape), values)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def storedFeeds(path, names):
    """Inputs of ONNX test data beside the model."""
    feeds = []
    for folder in sorted(path.parent.glob("test_data_set_*"))[:3]:
        feed = {}
        for place, name in enumerate(names):
            file = folder / f"input_{place}.pb"
            if not file.is_file():
                break
            try:
                feed[name] = numpy_helper.to_array(onnx.TensorProto.FromString(file.read_bytes()))
            except Exception:  # a sequence, or another file of this name
                break
        else:
            feeds.append(feed)
    return feeds


def moved(feed, random):
    """The inputs, each float moved to one of its neighbours."""
    result = {}
    for name, value in feed.items():
        if value.dtype.kind == "f":
            towards = np.where(random.random(value.shape) < 0.5, np.inf, -np.inf).astype(value.dtype)
            value = np.nextafter(value, towards)
        result[name] = value
    return result


def flat(results):
    """Arrays of results, those in sequences and maps too."""
    for one in results:
        if isinstance(one, np.ndarray):
            yield one
        elif hasattr(one, "dense_shape"):  # a sparse tensor
            yield from flat([one.values(), np.asarray(one.dense_shape())])
        elif isinstance(one, dict):
            yield np.asarray(list(one))
            yield from flat([np.asarray(list(one.values()))])
        elif isinstance(one, (list, tuple)):
            yield np.asarray(len(one))
            yield from flat(one)
        else:
            yield np.asarray(one)


def distance(got, want):
    """How far two arrays of floats are apart, relative to the largest finite value; infinite where one is not finite."""
    a, b = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        apart = np.where(same, 0, np.abs(a - b))
    finite = np.abs(b[np.isfinite(b)])
    largest = finite.max() if finite.size else 0.0
    most = np.nan_to_num(apart, nan=np.inf).max() if apart.size else 0.0
    return 0.0 if most == 0 else most / largest if largest else np.inf


def shortOf(array):
    return np.array2string(array.ravel()[:6], separator=", ", threshold=6)


class Original:
    """A model as it is, with feeds and results."""

    def __init__(self, path, isRun=True):
        self.path = path
        self.session, self.why = load(path)
        self.checker = ""
        self.feeds = []  # (kind, feed, results)
        self.isRandom = False
        if self.session is not None and isRun:
            self.findFeeds()

    def notes(self):
        kinds = [kind for kind, _, _ in self.feeds]
        return {"feeds": kinds, "why": self.why, "checker": self.checker, "random": self.isRandom}

    def attempt(self, feed):
        """The results, or None and why in `why`."""
        try:
            return self.session.run(None, feed)
        except Exception as error:
            self.why = str(error)[:400]
            return None

    def made(self, sizes, kind):
        random = np.random.default_rng([t.options.seed, KINDS.index(kind)])
        named, feed = {}, {}
        for one in self.session.get_inputs():
            dtype = elementType(one.type)
            if dtype is None:
                self.why = f"input {one.name} is {one.type}"
                return None
            shape = shapeOf(one, sizes, named)
            if np.prod(shape, dtype=float) * dtype.itemsize > MOST_BYTES:
                self.why = f"input {one.name} has shape {shape}"
                return None
            feed[one.name] = valueOf(dtype, shape, kind, random)
        return feed

    def findFeeds(self):
        names = [one.name for one in self.session.get_inputs()]
        for feed in storedFeeds(self.path, names):
            results = self.attempt(feed)
            if results is not None:
                self.feeds.append(("stored", feed, results))
        for sizes in SIZES:
            feed = self.made(sizes, "plain")
            results = None if feed is None else self.attempt(feed)
            if results is not None:
                self.feeds.append(("plain", feed, results))
                self.addKinds(sizes)
                break
        if self.feeds:
            self.why = ""
            self.isRandom = self.differsFromItself()

    def differsFromItself(self):
        """Whether it is random: Dropout is so in training only, and not each time, so its name says too little."""
        other = load(self.path)[0]
        for _, feed, results in self.feeds:
            for _ in range(3):
                for a, b in zip(flat(other.run(None, feed)), flat(results)):
                    if a.dtype.kind == "f" and (a.shape != b.shape or distance(a, b)):
                        return True
        return False

    def addKinds(self, sizes):
        for kind in KINDS[1:] if self.session.get_inputs() else ():
            feed = self.made(sizes, kind)
            results = self.attempt(feed)
            if results is not None:
                self.feeds.append((kind, feed, results))

    def movement(self, feed, results, place):
        """How far output `place` of the original moves when its inputs move by one unit."""
        most = 0.0
        for seed in range(3):
            other = self.attempt(moved(feed, np.random.default_rng(seed)))
            arrays = list(flat(other)) if other is not None else []
            want = list(flat(results))[place]
            if place < len(arrays) and arrays[place].shape == want.shape and want.dtype.kind in "fiu":
                most = max(most, distance(arrays[place], want))
        return most

    def differences(self, out, level):
        """Yields (kind, text) for all in which the folded model is not the same in ONNX Runtime."""
        if self.session is None:
            return
        other, why = load(out)
        if other is None:
            yield "unloadable", why
            return
        for field in ("get_inputs", "get_outputs"):
            now, was = ([one.name for one in getattr(session, field)()] for session in (other, self.session))
            if now != was:
                yield field, f"{now}, expected {was}"
                return
        for kind, feed, results in self.feeds:
            if self.isRandom or (kind == "special" and level == "-O2"):
                continue
            try:
                got = other.run(None, feed)
            except Exception as error:
                yield "fails", f"{kind}: {str(error)[:400]}"
                return
            text = self.compare(got, feed, results)
            if text:
                yield "wrong", f"{kind}: {text}"
                return

    def compare(self, got, feed, results):
        """How results differ; nothing if they do not."""
        gotAll, wantAll = list(flat(got)), list(flat(results))
        if len(gotAll) != len(wantAll):
            return f"{len(gotAll)} arrays, expected {len(wantAll)}"
        for place, (a, b) in enumerate(zip(gotAll, wantAll)):
            if a.dtype != b.dtype or a.shape != b.shape:
                return f"array #{place} is {a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}"
            if b.dtype.kind not in "fiu":
                if not np.array_equal(a, b):
                    return f"array #{place} is {shortOf(a)}, expected {shortOf(b)}"
                continue
            apart = distance(a, b)
            if apart <= (TOLERANCE.get(b.dtype.itemsize, 0) if b.dtype.kind == "f" else 0):
                continue
            movement = self.movement(feed, results, place)
            if apart > MOVEMENTS * movement or not np.isfinite(apart):
                return f"array #{place} differs by {apart:.3g}, and moves by {movement:.3g}: {shortOf(a)}, expected {shortOf(b)}"
        return ""
