//===- ViewsAround.cpp - Views before and behind one node -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An element-wise node computes the same elements in any order, so it can read
// what its operands are views of. Exporters of channels-last models write such
// pairs of Transposes.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

using Axes = SmallVector<int64_t>;

/// A node whose operands are views.
struct Viewed {
  SmallVector<Value> operands; ///< without their views
  SmallVector<unsigned> views; ///< the operands that have one
  Axes axes;                   ///< of all views
};

} // namespace

static bool isElementwise(Operator op) {
  // First versions of binary operators align their operands by attributes.
  if (op.has("axis") || op.has("broadcast"))
    return false;
  return op.isAny({"Abs",         "Acos",      "Acosh",       "Add",
                   "And",         "Asin",      "Asinh",       "Atan",
                   "Atanh",       "Cast",      "Ceil",        "Celu",
                   "Clip",        "Cos",       "Cosh",        "Div",
                   "Elu",         "Equal",     "Erf",         "Exp",
                   "Floor",       "Gelu",      "Greater",     "GreaterOrEqual",
                   "HardSigmoid", "HardSwish", "IsInf",       "IsNaN",
                   "LeakyRelu",   "Less",      "LessOrEqual", "Log",
                   "Max",         "Min",       "Mish",        "Mul",
                   "Neg",         "Not",       "Or",          "Pow",
                   "Reciprocal",  "Relu",      "Round",       "Selu",
                   "Sigmoid",     "Sign",      "Sin",         "Sinh",
                   "Softplus",    "Softsign",  "Sqrt",        "Sub",
                   "Sum",         "Tan",       "Tanh",        "ThresholdedRelu",
                   "Where",       "Xor"});
}

static bool isScalar(const CleanUpContext &cx, Value value) {
  const auto &shape = cx.knownValues().state(value).shape;
  return shape && shape->empty();
}

/// The permutation of a Transpose that no runtime refuses.
static std::optional<Axes> permutation(const CleanUpContext &cx,
                                       Operator transpose) {
  const auto &shape = cx.knownValues().state(transpose.input(0)).shape;
  return shape ? patterns::permutationOfRank(cx, transpose, shape->size())
               : std::nullopt;
}

/// The result of `axesOf` for each operand's producer of this type, if it is
/// the same for all of them; operands of rank 0 need no view.
template <typename AxesOf>
static std::optional<Viewed> withoutViews(const CleanUpContext &node,
                                          OperatorName type, AxesOf axesOf) {
  Viewed viewed;
  for (unsigned i = 0; i < node.op.numInputs(); ++i) {
    Value operand = node.op->getOperand(i);
    if (!node.op.hasInput(i) || isScalar(node, operand)) {
      viewed.operands.push_back(operand);
      continue;
    }
    Operator view = node.producer(i, type);
    std::optional<Axes> axes = view ? axesOf(view) : std::nullopt;
    if (!axes || (!viewed.views.empty() && *axes != viewed.axes))
      return std::nullopt;
    viewed.axes = *axes;
    viewed.views.push_back(i);
    viewed.operands.push_back(view.input(0));
  }
  return viewed.views.empty() ? std::nullopt : std::optional(viewed);
}

/// The node that a view reads, if it can be made again where the view is.
static Operator nodeBefore(const CleanUpContext &cx) {
  Operator node = cx.producer(0);
  if (!node || node.isCustom() || node->getNumResults() != 1)
    return {};
  node = cx.producer(0, node.name()); // its types are checked
  return node && cx.nodes.sinceOf(node.name()) == node.since() ? node
                                                               : Operator();
}

static Value onOperands(const CleanUpContext &cx, Operator node,
                        const Viewed &viewed) {
  return cx.nodes.create(node.name(), viewed.operands, node->getAttrs());
}

/// The axis of a Concat of views is that axis of what they are views of.
static Value concatOnOperands(const CleanUpContext &cx, Operator concat,
                              const Viewed &viewed, int64_t axis) {
  NamedAttrList attributes(concat->getAttrs());
  NamedAttribute moved = cx.nodes.attribute("axis", viewed.axes[axis]);
  attributes.set(moved.getName(), moved.getValue());
  return cx.nodes.create("Concat", viewed.operands, attributes.getAttrs());
}

static bool areReadOnce(const CleanUpContext &node, const Viewed &viewed) {
  return llvm::all_of(viewed.views,
                      [&](unsigned i) { return node.isOnlyReader(i); });
}

Value patterns::matchTransposesAround(const CleanUpContext &cx) {
  Operator node = nodeBefore(cx);
  bool isConcat = node && node.is("Concat");
  auto outer = isConcat || (node && isElementwise(node))
                   ? permutation(cx, cx.op)
                   : std::nullopt;
  if (!outer || !cx.nodes.sinceOf("Transpose"))
    return {};
  CleanUpContext before = cx.at(node);
  auto viewed = withoutViews(before, "Transpose", [&](Operator transpose) {
    return permutation(before, transpose);
  });
  if (!viewed || viewed->axes.size() != outer->size())
    return {};
  int64_t rank = outer->size(), axis = isConcat ? node.getInt("axis", rank) : 0;
  axis += axis < 0 ? rank : 0;
  Axes both;
  for (int64_t place : *outer)
    both.push_back(viewed->axes[place]);
  bool cancel = llvm::is_sorted(both);
  if (axis < 0 || axis >= rank || !cx.isOnlyReader(0) ||
      (!cancel && !areReadOnce(before, *viewed)))
    return {};
  Value made = isConcat ? concatOnOperands(cx, node, *viewed, axis)
                        : onOperands(cx, node, *viewed);
  return cancel ? made
                : cx.nodes.create("Transpose", {made},
                                  {cx.nodes.attribute("perm", both)});
}

Value patterns::matchSqueezesAround(const CleanUpContext &cx) {
  Operator node = nodeBefore(cx);
  auto outer = node && isElementwise(node) ? patterns::squeezedAxes(cx, cx.op)
                                           : std::nullopt;
  if (!outer)
    return {};
  bool isSqueeze = cx.op.is("Squeeze");
  CleanUpContext before = cx.at(node);
  auto axesOf = [&](Operator view) -> std::optional<Axes> {
    auto axes = patterns::squeezedAxes(before, view);
    // A Squeeze of what is no 1 is refused.
    if (!axes || *axes != *outer ||
        (!isSqueeze && !cx.haveSameShape(view.input(0), cx.op->getResult(0))))
      return std::nullopt;
    return Axes(axes->set_bits_begin(), axes->set_bits_end());
  };
  OperatorName inner = isSqueeze ? OperatorName("Unsqueeze") : "Squeeze";
  auto viewed = withoutViews(before, inner, axesOf);
  return viewed && cx.isOnlyReader(0) ? onOperands(cx, node, *viewed) : Value();
}
