# SPDX-License-Identifier: Apache-2.0
"""Rows and columns of the matrices of a script: it is run with sizes instead of values.

    Shapes(functions, main, sizesOfInputs).run()        # trees of onnxfold_dml.Checker; raises Mistake

What a size depends on is nearly always known: sizes of inputs stand in comments, helper functions get theirs as arguments, and
a free batch size is taken as BATCH. What is not known (an element of a matrix, what a loop left) is not checked. Loops run their
first steps and their last.
"""

import math
from dataclasses import dataclass, field

BATCH = 7  # no other size of a test, if possible
STEPS = 6  # of a loop that are run one by one


class Mistake(Exception):
    """What is wrong with a script, and in which line."""


@dataclass
class Node:
    """Of the tree. kind: number, text, name, unary, binary, call, list, index, assign, for, while, if."""

    kind: str
    line: int
    text: str = ""
    parts: list = field(default_factory=list)


@dataclass(frozen=True)
class Matrix:
    """None: not known."""

    rows: object = None
    columns: object = None

    def __str__(self):
        return f"{'?' if self.rows is None else self.rows} x {'?' if self.columns is None else self.columns}"

    def isKnown(self):
        return None not in (self.rows, self.columns)


@dataclass(frozen=True)
class Scalar:
    value: object = None

    def __str__(self):
        return "a scalar" if self.value is None else f"{self.value:g}"


@dataclass(frozen=True)
class Text:
    value: str = ""


ANY = None  # may be anything


def whole(value):
    """The integer of a known scalar; None for what is not known."""
    if not isinstance(value, Scalar) or value.value is None or math.isnan(value.value) or math.isinf(value.value):
        return None
    return int(value.value)


def truncated(a, b):
    return math.trunc(a / b) if b else 0


ARITHMETIC = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": lambda a, b: a**b,
    "%%": math.fmod, "%/%": truncated, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "&": lambda a, b: bool(a and b),
    "|": lambda a, b: bool(a or b), "max": max, "min": min,
}
OF_ROWS = set("rowIndexMax rowIndexMin rowMaxs rowMeans rowMins rowProds rowSums rowVars rowSds".split())
OF_COLUMNS = set("colMaxs colMeans colMins colProds colSums colVars colSds".split())
SAME_SIZE = set(
    "abs acos asin atan ceil cos cosh cumsum cumprod cummin cummax exp floor isInf isNaN isNA log rev round sign sin sinh sqrt"
    " tan tanh softmax sigmoid".split()
)
TO_SCALAR = set("sum mean prod trace det length".split())
ELEMENTWISE = set("max min xor bitwAnd bitwOr bitwXor bitwShiftL bitwShiftR".split())


def assigned(body):
    """Names that the statements of a body may define."""
    names = set()
    for one in body:
        if one.kind == "assign":
            names.update(one.text.split(","))
        elif one.kind in ("for", "while"):
            names |= assigned(one.parts[-1]) | ({one.text} if one.kind == "for" else set())
        elif one.kind == "if":
            names |= assigned(one.parts[1]) | assigned(one.parts[2])
    return names


def joined(a, b):
    """What is known of a value that is one of both."""
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        return Matrix(a.rows if a.rows == b.rows else None, a.columns if a.columns == b.columns else None)
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return a if a == b else Scalar()
    return a if a == b else ANY


class Shapes:
    """`functions`: name -> (parameters, results, body), each parameter (type, name)."""

    def __init__(self, functions, main, inputs):
        self.functions, self.main, self.inputs, self.line = functions, main, inputs, 0

    def fail(self, text):
        raise Mistake(f"line {self.line}: {text}")

    def run(self):
        """Returns the sizes of the variables of the driver part."""
        variables = {}
        self.body(self.main, variables)
        return variables

    def body(self, body, variables):
        for one in body:
            self.line = one.line
            getattr(self, "do" + one.kind.capitalize())(one, variables)

    # ---- statements ----------------------------------------------------------------------------------------------------

    def doCall(self, one, variables):
        self.value(one, variables)

    def doAssign(self, one, variables):
        target, expression = one.parts
        value = self.value(expression, variables)
        self.line = one.line
        if isinstance(target, list):
            values = value if isinstance(value, tuple) else (ANY,) * len(target)
            if len(values) != len(target):
                self.fail(f"{len(values)} results for {len(target)} variables")
            variables.update(zip(target, values))
        elif isinstance(target, Node):
            self.assignPart(target, value, variables)
        else:
            value = value[0] if isinstance(value, tuple) else value
            if expression.kind == "call" and expression.text == "read" and one.text in self.inputs:
                value = Matrix(*self.inputs[one.text])
            variables[target] = value

    def assignPart(self, target, value, variables):
        region = self.value(target, variables)
        if isinstance(value, Matrix) and value.isKnown() and region.isKnown() and value != region:
            self.fail(f"{value} is assigned to {region} of {target.text}")

    def doFor(self, one, variables):
        steps = self.range(one.parts[0], variables)
        body = one.parts[1]
        if steps is None:
            self.unknownSteps(one.text, body, variables)
            return
        for step in steps[:STEPS]:
            variables[one.text] = Scalar(step)
            self.body(body, variables)
        if len(steps) > STEPS:
            variables[one.text] = Scalar(steps[-1])
            self.forget(body, variables)
            self.body(body, variables)

    def unknownSteps(self, name, body, variables):
        """A body that runs any number of times: what it defines is what was there, or what it makes of something unknown."""
        self.forget(body, variables)
        before = dict(variables)
        if name:
            variables[name] = Scalar()
        self.body(body, variables)
        for key, value in before.items():
            variables[key] = joined(variables[key], value)

    def doWhile(self, one, variables):
        self.condition(one.parts[0], variables)
        self.unknownSteps(None, one.parts[1], variables)

    def forget(self, body, variables):
        """The values of scalars that a body changes, and sizes that one run of it changes."""
        names = [name for name in assigned(body) if name in variables]
        for name in names:
            if isinstance(variables[name], Scalar):
                variables[name] = Scalar()
        for _ in range(2):
            after = dict(variables)
            try:
                self.body(body, after)
            except Mistake:
                return  # it comes again, with a line
            for name in names:
                variables[name] = joined(variables[name], after.get(name))

    def doIf(self, one, variables):
        condition, body, otherwise = one.parts
        known = self.condition(condition, variables)
        if known is not None:
            self.body(body if known else otherwise, variables)
            return
        other = dict(variables)
        self.body(body, variables)
        self.body(otherwise, other)
        for name in variables.keys() | other.keys():
            if name in variables and name in other:
                variables[name] = joined(variables[name], other[name])
            else:
                variables[name] = variables.get(name, other.get(name))

    def condition(self, node, variables):
        value = self.value(node, variables)
        if isinstance(value, Matrix):
            self.fail(f"a condition is a matrix, {value}")
        return value.value if isinstance(value, Scalar) else None

    # ---- expressions ---------------------------------------------------------------------------------------------------

    def value(self, node, variables):
        """A Matrix, a Scalar, a Text, a tuple of results, or ANY."""
        if node is None:
            return ANY
        if node.kind == "number":
            return Scalar(float(node.text))
        if node.kind == "text":
            return Text(node.text[1:-1])
        if node.kind == "name":
            constants = {"TRUE": 1.0, "FALSE": 0.0, "Inf": math.inf, "NaN": math.nan}
            return Scalar(constants[node.text]) if node.text in constants else variables.get(node.text, ANY)
        return getattr(self, node.kind)(node, variables)

    def list(self, node, variables):
        return [self.value(one, variables) for one in node.parts]

    def unary(self, node, variables):
        value = self.value(node.parts[0], variables)
        if isinstance(value, Scalar) and value.value is not None:
            return Scalar(-value.value if node.text == "-" else float(not value.value))
        return value

    def binary(self, node, variables):
        left, right = (self.value(one, variables) for one in node.parts)
        self.line = node.line
        if node.text == "%*%":
            return self.product(left, right)
        return self.elementwise(node.text, left, right)

    def product(self, left, right):
        if not isinstance(left, Matrix) or not isinstance(right, Matrix):
            if isinstance(left, Scalar) or isinstance(right, Scalar):
                self.fail("a matrix product with a scalar")
            return Matrix(getattr(left, "rows", None), getattr(right, "columns", None))
        if None not in (left.columns, right.rows) and left.columns != right.rows:
            self.fail(f"a product of {left} and {right}")
        return Matrix(left.rows, right.columns)

    def elementwise(self, op, left, right):
        if isinstance(left, Text) or isinstance(right, Text):
            isKnown = op in ("==", "!=") and None not in (getattr(left, "value", None), getattr(right, "value", None))
            return Scalar(float((left == right) == (op == "=="))) if isKnown else Text()
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            if None in (left.value, right.value):
                return Scalar()
            try:
                result = ARITHMETIC[op](left.value, right.value)
                return Scalar(float(result) if not isinstance(result, complex) else None)
            except (ArithmeticError, ValueError, KeyError):
                return Scalar()
        if ANY in (left, right):
            return left if isinstance(left, Matrix) and left.isKnown() and max(left.rows, left.columns) > 1 else ANY
        if isinstance(left, Scalar):
            return right
        if isinstance(right, Scalar):
            return left
        return self.broadcast(op, left, right)

    def broadcast(self, op, left, right):
        """Equal sizes, or a row, a column or one value on the right."""
        if not isinstance(left, Matrix) or not isinstance(right, Matrix):
            self.fail(f"operands of {op} are {left} and {right}")
        rows = None in (left.rows, right.rows) or right.rows in (1, left.rows)
        columns = None in (left.columns, right.columns) or right.columns in (1, left.columns)
        if not rows or not columns:
            self.fail(f"operands of {op} are {left} and {right}")
        return Matrix(
            left.rows if left.rows is not None or right.rows in (1, None) else right.rows,
            left.columns if left.columns is not None or right.columns in (1, None) else right.columns,
        )

    def index(self, node, variables):
        base = variables.get(node.text)
        if isinstance(base, Scalar):
            self.fail(f"{node.text} is a scalar and is indexed")
        base = base if isinstance(base, Matrix) else Matrix()
        sizes = []
        for what, bounds, size in zip(("rows", "columns"), node.parts, (base.rows, base.columns)):
            ends = [self.value(one, variables) for one in bounds]
            self.line = node.line
            if any(isinstance(one, Matrix) for one in ends):
                self.fail(f"{what} of {node.text} are numbered by a matrix")
            ends = [whole(one) for one in ends]
            if not ends:
                sizes.append(size)
                continue
            first, last = ends[0], ends[-1]
            if (first is not None and first < 1) or None not in (last, size) and last > size:
                self.fail(f"{what} {first}:{last} of {node.text}, which is {base}")
            if None not in (first, last) and last < first:
                self.fail(f"{what} {first}:{last} of {node.text} are none")
            known = 1 if len(bounds) == 1 else None if None in (first, last) else last - first + 1
            sizes.append(known)
        return Matrix(*sizes)

    def range(self, node, variables):
        """The values of the variable of a loop; None if they are not known."""
        if node.kind != "call" or node.text != "seq":
            ends = [self.value(node, variables)]
            if node.kind == "range":
                ends = ends[0]
                if None not in ends and ends[1] < ends[0]:
                    self.fail("a loop that counts down")
            return None
        first, last, step = (whole(self.value(one, variables)) for _, one in node.parts)
        if None in (first, last, step) or not step:
            return None
        return list(range(first, last + (1 if step > 0 else -1), step))

    # ---- calls ---------------------------------------------------------------------------------------------------------

    def call(self, node, variables):
        name = node.text
        positional = [self.value(one, variables) for key, one in node.parts if not key]
        keyed = {key: self.value(one, variables) for key, one in node.parts if key}
        self.line = node.line
        if name in self.functions:
            return self.function(name, positional, keyed)
        if name in SAME_SIZE:
            value = positional[0] if positional else ANY
            return self.scalarFunction(name, value) if isinstance(value, Scalar) else value
        if name in ELEMENTWISE and len(positional) == 2:
            return self.elementwise(name, *positional)
        if name in TO_SCALAR or name in ("max", "min"):
            return Scalar()
        matrix = positional[0] if positional and isinstance(positional[0], Matrix) else Matrix()
        if name in OF_ROWS:
            return Matrix(matrix.rows, 1)
        if name in OF_COLUMNS:
            return Matrix(1, matrix.columns)
        method = getattr(self, "call_" + name.replace(".", "_"), None)
        return method(positional, keyed) if method else ANY

    def scalarFunction(self, name, value):
        known = {"abs": abs, "floor": math.floor, "ceil": math.ceil, "round": lambda x: math.floor(x + 0.5)}
        if value.value is None or name not in known or not math.isfinite(value.value):
            return Scalar()
        return Scalar(float(known[name](value.value)))

    def function(self, name, positional, keyed):
        parameters, results, body = self.functions[name]
        variables = dict(zip((parameter for _, parameter in parameters), positional)) | keyed
        for kind, parameter in parameters:
            value = variables.get(parameter, ANY)
            isMatrix = kind == "matrix"
            if value is not ANY and isinstance(value, (Matrix, Scalar)) and isMatrix != isinstance(value, Matrix):
                self.fail(f"{parameter} of {name} is {value}, expected {'a matrix' if isMatrix else 'a scalar'}")
        line = self.line
        self.body(body, variables)
        self.line = line
        values = tuple(variables.get(result, ANY) for _, result in results)
        return values if len(values) > 1 else values[0]

    def call_read(self, positional, keyed):
        return Matrix(whole(keyed.get("rows")), whole(keyed.get("cols")))

    def call_ifdef(self, positional, keyed):
        return Text() if isinstance(positional[1], Text) else Scalar()

    def call_write(self, positional, keyed):
        if not isinstance(positional[0], Matrix) and positional[0] is not ANY:
            self.fail(f"{positional[0]} is written, expected a matrix")

    def call_nrow(self, positional, keyed):
        return Scalar(getattr(positional[0], "rows", None))

    def call_ncol(self, positional, keyed):
        return Scalar(getattr(positional[0], "columns", None))

    def call_as_scalar(self, positional, keyed):
        value = positional[0]
        if isinstance(value, Scalar) or isinstance(value, Matrix) and value.isKnown() and value != Matrix(1, 1):
            self.fail(f"as.scalar of {value}, expected 1 x 1")
        return Scalar()

    def call_as_matrix(self, positional, keyed):
        return Matrix(1, 1) if isinstance(positional[0], Scalar) else positional[0]

    def call_as_integer(self, positional, keyed):
        return Scalar(whole(positional[0]))

    call_as_double = call_as_logical = lambda self, positional, keyed: positional[0]

    def call_matrix(self, positional, keyed):
        value, result = positional[0], Matrix(whole(keyed.get("rows")), whole(keyed.get("cols")))
        count = None
        if isinstance(value, Matrix) and value.isKnown():
            count = value.rows * value.columns
        elif isinstance(value, Text):
            count = len(value.value.split())
        if count is None or isinstance(value, Text) and not value.value:
            return result
        if result.isKnown() and count != result.rows * result.columns:
            what = f"{value}" if isinstance(value, Matrix) else f"{count} numbers"
            self.fail(f"{what} as a matrix of {result}")
        return result

    def call_t(self, positional, keyed):
        value = positional[0]
        if isinstance(value, Scalar):
            self.fail("t() of a scalar")
        return Matrix(value.columns, value.rows) if isinstance(value, Matrix) else Matrix()

    def stacked(self, name, positional, same, added):
        known = {getattr(one, same) for one in positional if isinstance(one, Matrix)} - {None}
        if any(isinstance(one, Scalar) for one in positional) or len(known) > 1:
            self.fail(f"{name} of {', '.join(map(str, positional))}")
        parts = [getattr(one, added, None) for one in positional]
        return {same: known.pop() if known else None, added: None if None in parts else sum(parts)}

    def call_cbind(self, positional, keyed):
        return Matrix(**self.stacked("cbind", positional, "rows", "columns"))

    def call_rbind(self, positional, keyed):
        return Matrix(**self.stacked("rbind", positional, "columns", "rows"))

    def call_ifelse(self, positional, keyed):
        condition = positional[0]
        if not isinstance(condition, Matrix):
            if isinstance(condition, Scalar):
                return joined(positional[1], positional[2])
            return ANY
        for one in positional[1:]:
            if isinstance(one, Scalar):
                self.fail("ifelse of a matrix with a scalar: where sizes are unknown, SystemDS takes it for one of no rows")
            if isinstance(one, Matrix) and one.isKnown() and condition.isKnown() and one != condition:
                self.fail(f"ifelse of {condition} with a branch of {one}")
        return condition

    def call_seq(self, positional, keyed):
        first, last, step = (one.value if isinstance(one, Scalar) else None for one in positional)
        return Matrix(None if None in (first, last, step) or not step else max(0, math.floor((last - first) / step) + 1), 1)

    def call_table(self, positional, keyed):
        sizes = [whole(one) for one in positional[2:]]
        if any(isinstance(one, Matrix) and one.columns not in (1, None) for one in positional[:2]):
            self.fail(f"table of {positional[0]} and {positional[1]}, expected columns")
        return Matrix(*sizes[-2:]) if len(sizes) >= 2 else Matrix()

    def call_outer(self, positional, keyed):
        left, right = positional[:2]
        if getattr(left, "columns", 1) not in (1, None) or getattr(right, "rows", 1) not in (1, None):
            self.fail(f"outer of {left} and {right}, expected a column and a row")
        return Matrix(getattr(left, "rows", None), getattr(right, "columns", None))

    def call_diag(self, positional, keyed):
        value = positional[0]
        if not isinstance(value, Matrix) or not value.isKnown():
            return Matrix()
        return Matrix(value.rows, value.rows if value.columns == 1 else 1)

    def call_order(self, positional, keyed):
        target = keyed.get("target", positional[0] if positional else ANY)
        isIndex = whole(keyed.get("index.return")) == 1
        rows = getattr(target, "rows", None)
        return Matrix(rows, 1 if isIndex else getattr(target, "columns", None))

    def call_replace(self, positional, keyed):
        return keyed.get("target", ANY)

    def call_bias_add(self, positional, keyed):
        value, bias = positional
        if isinstance(bias, Matrix) and bias.columns not in (1, None):
            self.fail(f"the bias is {bias}, expected a column")
        if None not in (getattr(value, "columns", None), getattr(bias, "rows", None)) and value.columns % bias.rows:
            self.fail(f"a bias of {bias} for {value}")
        return value

    call_bias_multiply = call_bias_add

    # ---- images --------------------------------------------------------------------------------------------------------

    def sizes(self, keyed, name, count):
        """Of input_shape=[n, c, h, w] and the like."""
        values = keyed.get(name)
        if not isinstance(values, list) or len(values) != count:
            self.fail(f"{name}, expected a list of {count}")
        return [whole(one) for one in values]

    def expectSize(self, what, value, rows, columns):
        if isinstance(value, Matrix):
            for size, expected in ((value.rows, rows), (value.columns, columns)):
                if None not in (size, expected) and size != expected:
                    self.fail(f"{what} is {value}, expected {Matrix(rows, columns)}")

    def windows(self, keyed, extent, window):
        """Positions of a window in height and width."""
        result = 1
        for size, part, stride, pad in zip(extent, window, self.sizes(keyed, "stride", 2), self.sizes(keyed, "padding", 2)):
            if None in (size, part, stride, pad):
                return None
            if part > size + 2 * pad:
                self.fail(f"a window of {part} in {size} with padding {pad}")
            result *= (size + 2 * pad - part) // stride + 1
        return result

    @staticmethod
    def times(*sizes):
        return None if None in sizes else math.prod(sizes)

    def call_conv2d(self, positional, keyed):
        image, filters = positional
        n, c, *extent = self.sizes(keyed, "input_shape", 4)
        f, cf, *window = self.sizes(keyed, "filter_shape", 4)
        self.expectSize("the image", image, n, self.times(c, *extent))
        self.expectSize("the filter", filters, f, self.times(cf, *window))
        if None not in (c, cf) and c != cf:
            self.fail(f"{c} channels of the image, {cf} of the filter")
        return Matrix(n, self.times(f, self.windows(keyed, extent, window)))

    def call_conv2d_backward_data(self, positional, keyed):
        filters, image = positional
        n, c, *extent = self.sizes(keyed, "input_shape", 4)
        f, cf, *window = self.sizes(keyed, "filter_shape", 4)
        self.expectSize("the filter", filters, f, self.times(cf, *window))
        self.expectSize("the image", image, n, self.times(f, self.windows(keyed, extent, window)))
        return Matrix(n, self.times(c, *extent))

    def call_max_pool(self, positional, keyed):
        n, c, *extent = self.sizes(keyed, "input_shape", 4)
        self.expectSize("the image", positional[0], n, self.times(c, *extent))
        return Matrix(n, self.times(c, self.windows(keyed, extent, self.sizes(keyed, "pool_size", 2))))

    call_avg_pool = call_max_pool
