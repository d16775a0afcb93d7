# SPDX-License-Identifier: Apache-2.0
"""Rules that move elements, proved for all sizes by z3: the proof of check-rules tries small ones.

A rule says which sizes its values have and how these hang together. For each place of an element between the Reshapes of a pattern the
standard says where the operator of the replacement reads it and writes it. z3 proves that the pattern reads and writes the same places, or
finds sizes for which it does not.
"""

import pathlib
import re

import pytest
import z3
from onnx import parser

SETS = pathlib.Path(__file__).parents[2] / "onnx/transforms/rules/sets"
RESOURCES = 200_000_000  # of z3, whatever the machine is; the hardest claim takes a few millions


class Rule:
    def __init__(self, text):
        self.proto = parser.parse_function(text)
        self.sizes, self.shapes, self.facts = {}, {}, []
        for statement in re.split(r"[\n;]", self.proto.doc_string):
            if shape := re.fullmatch(r" *(\w+)\??:[^\[]*\[(.*)\] *", statement):
                self.shapes[shape[1]] = [self.size(name.strip()) for name in shape[2].split(",")]
            elif condition := re.fullmatch(r" *if: (.*)", statement):
                self.facts += [self.condition(part) for part in condition[1].split(" and ")]
        self.facts = [size >= 0 for size in self.sizes.values()] + [fact for fact in self.facts if fact is not None]

    def size(self, name):
        """Dimensions that nothing is said of are one in a row: `_`, `rest...`."""
        return z3.IntVal(name) if name.isdigit() else self.sizes.setdefault(name, z3.Int(name))

    def condition(self, text):
        """Of sizes alone; what else a rule asks for only makes it narrower."""
        if not set(re.findall(r"[A-Za-z_]\w*", text)) <= set(self.sizes) or "(" in text:
            return None
        return eval(text, {}, dict(self.sizes))

    def __getattr__(self, name):
        return self.sizes[name]

    def turned(self, numbers):
        """The input's shape, or a place in it, as the result of the Transpose has it."""
        node = next(node for node in self.proto.node if node.op_type == "Transpose")
        return [numbers[axis] for axis in node.attribute[0].ints]


def load(name, change=("", "")):
    for file in SETS.glob("*.rules"):
        for text in re.split(r"\n(?=<)", file.read_text()):
            if f'\n"{name}" ' in text:
                assert change[0] in text
                return Rule(re.sub(r"(?m)^#.*\n", "", text.replace(*change)))
    raise KeyError(name)


def offset(place, shape):
    """Of an element in the order of its tensor, which Reshape keeps."""
    result = z3.IntVal(0)
    for at, size in zip(place, shape, strict=True):
        result = result * size + at
    return z3.simplify(result, som=True)


def refute(facts, claims):
    """Sizes and a place for which one of the claims is wrong, or None if each is proved, with those before it known."""
    for claim in claims:
        solver = z3.Solver()
        solver.set("rlimit", RESOURCES)
        solver.add(*facts, z3.Not(claim))
        found = solver.check()
        assert found != z3.unknown, claim
        if found == z3.sat:
            return solver.model()
        facts = [*facts, claim]
    return None


def places(shape):
    place = z3.Ints(" ".join(f"i{n}" for n in range(len(shape))))
    return place, [z3.And(at >= 0, at < size) for at, size in zip(place, shape)]


def checkMove(rule, middle, read, move):
    """x -> Reshape (middle) -> Transpose -> Reshape (before), against where the operator reads and writes an element."""
    shape = rule.shapes[middle]
    place, inRange = places(shape)
    source, target = move(rule, *place)
    read = [rule.sizes[name] for name in read]
    written = offset(rule.turned(place), rule.turned(shape))
    return refute(rule.facts + inRange, [offset(place, shape) == offset(source, read), written == offset(target, rule.shapes["before"])])


# The shape between the Reshapes, in which a place is given; the shape in which it is read; where it is read and written.
MOVES = {
    "depth-to-space-dcr": ("parts", "NCHW", lambda s, n, i, j, k, h, w: ([n, (i * s.R + j) * s.K + k, h, w], [n, k, h * s.R + i, w * s.R + j])),
    "depth-to-space-crd": ("parts", "NCHW", lambda s, n, k, i, j, h, w: ([n, (k * s.R + i) * s.R + j, h, w], [n, k, h * s.R + i, w * s.R + j])),
    "space-to-depth-parts": ("parts", "NCHW", lambda s, n, c, p, i, q, j: ([n, c, p * s.R + i, q * s.R + j], [n, (i * s.R + j) * s.C + c, p, q])),
    "batched-transpose": ("flat", "ABCD", lambda s, p, c, d: ([p / s.B, p % s.B, c, d], [p / s.B, p % s.B, d, c])),
}


@pytest.mark.parametrize("name", MOVES)
def test_elements_are_moved_alike_for_all_sizes(name):
    assert checkMove(load(name), *MOVES[name]) is None


WRONG = {
    "depth-to-space-dcr": ("0, 3, 4, 1, 5, 2", "0, 3, 4, 2, 5, 1"),
    "depth-to-space-crd": ("P == H * R and ", ""),
    "space-to-depth-parts": ("before: [N, K, P, Q]", "before: [N, K, Q, P]"),
    "batched-transpose": ("perm = [0, 2, 1]", "perm = [0, 1, 2]"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_is_refuted_by_sizes(name):
    found = checkMove(load(name, WRONG[name]), *MOVES[name])
    assert found is not None and len(found.decls()) > 0


def checkHeads(rule):
    """Unsqueeze, Expand and Reshape repeat each head of keys R times: Attention reads head h / (H / G) for head h."""
    (b, g, r, t, d), inRange = places(rule.shapes["ke"])
    head = z3.Int("head")
    isRead = [head * rule.H <= (g * rule.R + r) * rule.G, (g * rule.R + r) * rule.G < (head + 1) * rule.H]
    same = offset([b, g, r, t, d], rule.shapes["ke"]) == offset([b, g * rule.R + r, t, d], rule.shapes["kr"])
    return refute(rule.facts + inRange + isRead, [same, head == g])


def test_heads_of_grouped_attention():
    assert checkHeads(load("attention-grouped")) is None
    assert checkHeads(load("attention-grouped", ("H == G * R and ", ""))) is not None


def checkGroups(rule):
    """[N, C, S] as [N, G, M]: the channels of a group are C / G in a row."""
    _, channels, *_ = rule.shapes["x"]
    (_, g, m), inRange = places(rule.shapes["parts"])
    width, inner, c, s = z3.Ints("width inner c s")  # channels of a group, elements of a channel, a place
    facts = rule.facts + inRange + [s >= 0, s < inner, c >= 0, c < channels, width * rule.G == channels, rule.G > 0]
    facts += [inner * channels == rule.M * rule.G, g * rule.M + m == c * inner + s]
    return refute(facts, [rule.M == width * inner, g * width <= c, c < (g + 1) * width])


def test_groups_of_channels():
    assert checkGroups(load("group-norm-parts")) is None
    assert checkGroups(load("group-norm-parts", ("parts: [N, G, M]", "parts: [N, M, G]"))) is not None
