//===- Fusions.cpp - Several nodes as one newer operator ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Only where the opset of the model has the operator. Each is looked for in the
// forms that exporters write; factors and terms may stand in any order.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numbers>

using namespace onnxfold;
using namespace mlir;

static bool isFloatResult(const CleanUpContext &cx) {
  return typeClass(cx.typeOf(cx.op->getResult(0))) == TypeClass::Float;
}

/// The one number that a value is, up to the rounding of half precision.
static bool isNumber(const CleanUpContext &cx, Value value, double number) {
  Elements constant = cx.constantOf(value);
  if (!constant || constant.size() != 1 || constant.rank() > 1 ||
      typeClass(constant.type()) != TypeClass::Float)
    return false;
  double tolerance = constant.type() == DataType::Float16    ? 0x1p-10
                     : constant.type() == DataType::BFloat16 ? 0x1p-7
                                                             : 0x1p-22;
  return std::fabs(constant.number().to<double>() - number) <=
         tolerance * std::fabs(number);
}

/// The producer of a value, if it is a `type` whose attributes are known.
static Operator makerOf(Value value, OperatorName type) {
  Operator made = value ? Operator::from(value.getDefiningOp()) : Operator();
  return made && !made.isCustom() && !made.hasReferences() && made.is(type)
             ? made
             : Operator();
}

/// The other operand of a commutative operator that has `number` as one.
static Value besideNumber(const CleanUpContext &cx, Operator op,
                          double number) {
  for (unsigned i : {0u, 1u})
    if (op && isNumber(cx, op.input(i), number))
      return op.input(1 - i);
  return {};
}

/// The factors of a product of at most three, in the nodes that make it.
static SmallVector<Value, 3> factorsOf(const CleanUpContext &cx) {
  SmallVector<Value, 3> factors(cx.op->getOperands());
  for (unsigned i : {0u, 1u})
    if (factors.size() == 2)
      if (Operator inner = cx.producer(i, "Mul"); inner && cx.isOnlyReader(i)) {
        factors[i] = inner.input(0);
        factors.push_back(inner.input(1));
      }
  return factors;
}

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

/// The value is x / sqrt(2).
static bool isOverRootOfTwo(const CleanUpContext &cx, Value value, Value x) {
  if (Operator div = makerOf(value, "Div"))
    return div.input(0) == x && isNumber(cx, div.input(1), std::numbers::sqrt2);
  return besideNumber(cx, makerOf(value, "Mul"), 1 / std::numbers::sqrt2) == x;
}

/// The value is x to the power of three.
static bool isCube(const CleanUpContext &cx, Value value, Value x) {
  if (Operator pow = makerOf(value, "Pow"))
    return pow.input(0) == x && isNumber(cx, pow.input(1), 3);
  Operator mul = makerOf(value, "Mul");
  for (unsigned i : {0u, 1u})
    if (mul && mul.input(i) == x)
      if (Operator square = makerOf(mul.input(1 - i), "Mul"))
        return square.input(0) == x && square.input(1) == x;
  return false;
}

/// The value is sqrt(2 / pi) * (x + 0.044715 * x^3).
static bool isTanhArgument(const CleanUpContext &cx, Value value, Value x) {
  Operator sum = makerOf(
      besideNumber(cx, makerOf(value, "Mul"), std::sqrt(2 / std::numbers::pi)),
      "Add");
  for (unsigned i : {0u, 1u})
    if (sum && sum.input(i) == x)
      return isCube(
          cx, besideNumber(cx, makerOf(sum.input(1 - i), "Mul"), 0.044715), x);
  return false;
}

/// "none" or "tanh" if `value` is the factor beside x / 2 in that Gelu of x.
static StringRef approximationOf(const CleanUpContext &cx, Value value,
                                 Value x) {
  Value part = besideNumber(cx, makerOf(value, "Add"), 1);
  if (Operator erf = makerOf(part, "Erf"))
    return isOverRootOfTwo(cx, erf.input(0), x) ? "none" : "";
  Operator tanh = makerOf(part, "Tanh");
  return tanh && isTanhArgument(cx, tanh.input(0), x) ? "tanh" : "";
}

Value patterns::matchGelu(const CleanUpContext &cx) {
  if (!cx.op.is("Mul") || !isFloatResult(cx) || !cx.nodes.sinceOf("Gelu"))
    return {};
  SmallVector<Value, 3> factors = factorsOf(cx);
  if (factors.size() != 3)
    return {};
  SmallVector<unsigned, 3> order{0, 1, 2};
  do {
    Value x = factors[order[0]], rest = factors[order[1]];
    if (!cx.isLike(x) || !isNumber(cx, factors[order[2]], 0.5))
      continue;
    StringRef approximation = approximationOf(cx, rest, x);
    if (approximation.empty())
      continue;
    Builder builder(cx.op->getContext());
    return cx.nodes.create(
        "Gelu", {x},
        {builder.getNamedAttr("approximate",
                              builder.getStringAttr(approximation))});
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// How many of the last dimensions a reduction is along that keeps dimensions;
/// 0 if it is along others.
static int64_t lastAxes(const CleanUpContext &cx, Operator reduce) {
  const auto &shape = cx.knownValues().state(reduce.input(0)).shape;
  auto axes = reduce.getInts("axes");
  if (Elements list = cx.constantOf(reduce.input(1)))
    axes = list.ints();
  if (!shape || !axes || reduce.getInt("keepdims", 1) != 1)
    return 0;
  int64_t rank = shape->size(), count = axes->size();
  for (int64_t axis = rank - count; axis < rank; ++axis)
    if (!llvm::is_contained(*axes, axis) &&
        !llvm::is_contained(*axes, axis - rank))
      return 0;
  return count;
}

/// The value whose square this is: d^2 or d * d.
static Value rootOf(const CleanUpContext &cx, Value value) {
  if (Operator pow = makerOf(value, "Pow"))
    return isNumber(cx, pow.input(1), 2) ? pow.input(0) : Value();
  Operator mul = makerOf(value, "Mul");
  return mul && mul.input(0) == mul.input(1) ? mul.input(0) : Value();
}

namespace {

/// d / sqrt(mean(d^2) + epsilon), means along the last dimensions.
struct Normalized {
  Value value;
  float epsilon;
  int64_t axes; ///< how many
};

} // namespace

static std::optional<Normalized> normalizedBy(const CleanUpContext &cx,
                                              Operator div) {
  Operator root = div ? makerOf(div.input(1), "Sqrt") : Operator();
  Operator sum = root ? makerOf(root.input(0), "Add") : Operator();
  for (unsigned i : {0u, 1u}) {
    Operator mean = sum ? makerOf(sum.input(i), "ReduceMean") : Operator();
    Elements epsilon = mean ? cx.constantOf(sum.input(1 - i)) : Elements();
    int64_t axes = mean ? lastAxes(cx, mean) : 0;
    if (epsilon && epsilon.size() == 1 && axes &&
        rootOf(cx, mean.input(0)) == div.input(0))
      return Normalized{div.input(0), epsilon.number().to<float>(), axes};
  }
  return std::nullopt;
}

/// The value that a difference is of with its mean along the last dimensions.
static Value centredBy(const CleanUpContext &cx, const Normalized &by) {
  Operator sub = makerOf(by.value, "Sub");
  Operator mean = sub ? makerOf(sub.input(1), "ReduceMean") : Operator();
  return mean && mean.input(0) == sub.input(0) && lastAxes(cx, mean) == by.axes
             ? sub.input(0)
             : Value();
}

/// `value`, which need not be constant, is one number for each place of the
/// last `axes` dimensions of `x`: runtimes do not broadcast the scale of a norm.
static bool isAlongLast(const CleanUpContext &cx, Value value, Value x,
                        int64_t axes) {
  const auto &have = cx.knownValues().state(value).shape,
             &shape = cx.knownValues().state(x).shape;
  return have && shape && axes > 0 && int64_t(shape->size()) >= axes &&
         ArrayRef(*have) == ArrayRef(*shape).take_back(axes) &&
         cx.typeOf(value) == cx.typeOf(x);
}

/// LayerNormalization(x, scale), or RMSNormalization.
static Value norm(const CleanUpContext &cx, OperatorName type, Value x,
                  Value scale, const Normalized &by) {
  NodeBuilder &nodes = cx.nodes;
  return nodes.create(type, {x, scale},
                      {nodes.attribute("axis", -by.axes),
                       nodes.attribute("epsilon", by.epsilon)});
}

Value patterns::matchNorm(const CleanUpContext &cx) {
  // It would take the mean of doubles in single precision.
  if (!cx.op.is("Mul") || cx.typeOf(cx.op->getResult(0)) != DataType::Float32)
    return {};
  for (unsigned i : {0u, 1u}) {
    Value scale = cx.op.input(1 - i);
    auto found = normalizedBy(cx, cx.producer(i, "Div"));
    if (!found || !isAlongLast(cx, scale, found->value, found->axes) ||
        !cx.isLike(found->value) || !cx.isOnlyReader(i))
      continue;
    Value x = centredBy(cx, *found);
    if (x && cx.isLike(x) && cx.nodes.sinceOf("LayerNormalization"))
      return norm(cx, "LayerNormalization", x, scale, *found);
    if (!x && cx.nodes.sinceOf("RMSNormalization"))
      return norm(cx, "RMSNormalization", found->value, scale, *found);
  }
  return {};
}

/// How many of the last dimensions of its input a LayerNormalization is along;
/// 0 if that is not known.
static int64_t lastAxesOf(const CleanUpContext &cx, Operator norm) {
  const auto &shape = cx.knownValues().state(norm.input(0)).shape;
  int64_t axis = norm.getInt("axis", -1);
  return axis < 0 ? -axis : shape ? int64_t(shape->size()) - axis : 0;
}

Value patterns::matchNormShift(const CleanUpContext &cx) {
  if (!cx.op.is("Add"))
    return {};
  for (unsigned i : {0u, 1u}) {
    Operator made = cx.producer(i, "LayerNormalization");
    if (!made || made.hasInput(2) || made.numOutputs() != 1 ||
        !cx.isLike(cx.op.input(i)) ||
        !isAlongLast(cx, cx.op.input(1 - i), made.input(0),
                     lastAxesOf(cx, made)) ||
        (cx.constant(1 - i) && addsToRound(cx.constant(1 - i))) ||
        !cx.isOnlyReader(i))
      continue;
    return cx.nodes.create("LayerNormalization",
                           {made.input(0), made.input(1), cx.op.input(1 - i)},
                           made->getAttrs());
  }
  return {};
}
