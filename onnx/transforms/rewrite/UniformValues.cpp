//===- UniformValues.cpp - Tensors of one number --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The shape of Expand(0, [1, N, 3]) is known at run time, its elements are known
// before. What moves elements, casts them or chooses among equal ones keeps that,
// and a product of integers with 0 has it, also one of matrices.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/rewrite/UniformValues.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

/// As Operator::isAny; what makes an operand is asked often, and is mostly none.
static bool isOneOf(Operator op, std::initializer_list<OperatorName> names) {
  StringRef type = op.domain().empty() ? op.opType() : StringRef();
  return llvm::any_of(
      names, [&](OperatorName name) { return type == StringRef(name); });
}

/// The operator moves elements of input #0 and adds none.
static bool onlyMoves(Operator op) {
  return isOneOf(op,
                 {"Slice", "Transpose", "Expand", "Gather", "Tile", "Identity",
                  "GatherElements", "GatherND", "DepthToSpace", "SpaceToDepth",
                  "Split", "Reshape", "Flatten", "Squeeze", "Unsqueeze"});
}

/// The element that all of a constant are; null if there is none, or they
/// differ.
static Elements elementOf(const Elements &value) {
  constexpr int64_t most = 4096; // as CleanUpContext::isAll
  if (!value || value.size() == 0 || value.size() > most ||
      value.type() == DataType::String ||
      typeClass(value.type()) == TypeClass::Complex)
    return {};
  Elements first = value.reshape({value.size()}).slice(0, 0, 1);
  bool isOne =
      value.size() == 1 ||
      first.expand({value.size()}).identicalTo(value.reshape({value.size()}));
  return isOne ? first.reshape({}).materialize() : Elements();
}

/// The number, if a double holds it and its neighbours.
static std::optional<double> exactNumber(const Elements &element) {
  constexpr double most = 0x1p53;
  if (!element)
    return std::nullopt;
  double number = element.number().to<double>();
  return std::fabs(number) < most ? std::optional(number) : std::nullopt;
}

static Elements truth(bool value) {
  return Elements::splat<bool>(Shape(), value);
}

/// The element in another type, if that holds it exactly.
static Elements castExactly(const Elements &element, DataType to) {
  auto number = exactNumber(element);
  if (!number || bitWidth(to) < 8 || (!isNumeric(to) && to != DataType::Bool) ||
      typeClass(to) == TypeClass::Complex)
    return {};
  if (to == DataType::Bool)
    return truth(*number != 0);
  // Small floats have modes of their own for what they do not hold.
  if (isFloat(to) && bitWidth(to) < 16)
    return {};
  if (isInteger(to)) {
    double end = std::ldexp(1, int(bitWidth(to)) - (isSigned(to) ? 1 : 0));
    if (std::floor(*number) != *number || *number >= end ||
        *number < (isSigned(to) ? -end : 0))
      return {};
  }
  Elements result = ops::cast(element, to).materialize();
  return exactNumber(result) == number ? result : Elements();
}

/// Compares as the operator does.
static bool compared(Operator op, double a, double b) {
  return op.is("Equal")         ? a == b
         : op.is("Less")        ? a < b
         : op.is("LessOrEqual") ? a <= b
         : op.is("Greater")     ? a > b
                                : a >= b;
}

namespace {

/// A search upwards, of bounded length.
class UniformSearch {
public:
  explicit UniformSearch(const CleanUpContext &cx) : cx(cx) {}
  /// The element, of rank 0; or null.
  Elements find(Value value);

private:
  Elements findOf(Operator made, Value value);
  Elements findAlike(ValueRange values);
  Elements findNull(Operator made, double number);
  Elements findChoice(Operator made);
  Elements findNullProduct(Operator made);
  bool equalsZeroPoint(Operator made, unsigned operand, unsigned channelsEnd);

  const CleanUpContext &cx;
  int steps = 64;
};

} // namespace

Elements UniformSearch::find(Value value) {
  if (!value || --steps < 0)
    return {};
  if (Elements constant = cx.constantOf(value))
    return elementOf(constant);
  Operator made = Operator::from(value.getDefiningOp());
  return made && !made.isCustom() && !made.hasReferences() ? findOf(made, value)
                                                           : Elements();
}

/// All have the same element.
Elements UniformSearch::findAlike(ValueRange values) {
  Elements first;
  for (Value value : values) {
    Elements next = find(value);
    if (!next || (first && !next.identicalTo(first)))
      return {};
    first = next;
  }
  return first;
}

/// Some operand is all `number`, and so is the result.
Elements UniformSearch::findNull(Operator made, double number) {
  for (Value operand : made->getOperands())
    if (Elements one = find(operand); exactNumber(one) == number)
      return one;
  return {};
}

Elements UniformSearch::findChoice(Operator made) {
  if (auto condition = exactNumber(find(made.input(0))))
    return find(made.input(*condition != 0 ? 1 : 2));
  return findAlike({made.input(1), made.input(2)});
}

/// Each element of a constant operand is that of its zero point, which is one
/// number or one for each channel; `channelsEnd` is the place of their axis from
/// behind. The zero point of operand #i is input #2 + i.
bool UniformSearch::equalsZeroPoint(Operator made, unsigned operand,
                                    unsigned channelsEnd) {
  constexpr int64_t most = 1 << 20; // elements that are looked at
  Value given = made.input(2 + operand);
  if (!given)
    return exactNumber(find(made.input(operand))) == 0;
  Elements x = cx.constantOf(made.input(operand)), zero = cx.constantOf(given);
  if (!zero || zero.size() == 0)
    return false;
  if (zero.size() == 1 && zero.rank() <= 1) {
    auto number = exactNumber(elementOf(zero));
    return number && exactNumber(find(made.input(operand))) == number;
  }
  if (!x || x.size() == 0 || x.size() > most || x.rank() < 2)
    return false;
  Shape channels(x.rank(), 1);
  int64_t axis = x.rank() - channelsEnd;
  channels[axis] = x.dim(axis);
  bool fits = zero.rank() == 1
                  ? zero.dim(0) == channels[axis]
                  : made.is("MatMulInteger") && zero.shape() == channels;
  return fits && zero.reshape(channels).expand(x.shape()).identicalTo(x);
}

/// Finds 8-bit integers less their zero points that are 0. Where a ConvInteger
/// pads, runtimes do not agree on the number, so only its weights count.
Elements UniformSearch::findNullProduct(Operator made) {
  bool isConv = made.is("ConvInteger");
  // A runtime may refuse the other zero point if it is not one number.
  auto isNumber = [&](unsigned i) {
    Elements zero = cx.constantOf(made.input(i));
    return !made.input(i) || (zero && zero.size() == 1 && zero.rank() <= 1);
  };
  Elements weights = cx.constantOf(made.input(1));
  unsigned channelsEnd = isConv && weights ? weights.rank() : 1;
  bool isNull = (isNumber(2) && equalsZeroPoint(made, 1, channelsEnd)) ||
                (!isConv && isNumber(3) && equalsZeroPoint(made, 0, 2));
  return isNull ? Elements::splat<int32_t>(Shape(), 0) : Elements();
}

static bool keepsNumbers(Operator op) {
  return isOneOf(op,
                 {"ConstantOfShape", "Cast", "Concat", "Where", "Mul", "MatMul",
                  "MatMulInteger", "ConvInteger", "And", "Or", "Not", "Equal",
                  "Less", "LessOrEqual", "Greater", "GreaterOrEqual"});
}

Elements UniformSearch::findOf(Operator made, Value value) {
  if (onlyMoves(made))
    return find(made.input(0));
  if (!keepsNumbers(made))
    return {};
  if (made.is("ConstantOfShape")) {
    Attribute given = made.attribute("value");
    return given ? elementOf(elementsOf(given))
                 : Elements::splat<float>(Shape(), 0.0f);
  }
  if (made.is("Cast"))
    return castExactly(find(made.input(0)), cx.typeOf(value));
  if (made.is("Concat"))
    return findAlike(made->getOperands());
  if (made.is("Where"))
    return findChoice(made);
  // 0 * NaN of floats is NaN, and 0 * -1 is -0.
  if (made.is("Mul") || made.is("MatMul"))
    return isInteger(cx.typeOf(value)) ? findNull(made, 0) : Elements();
  if (made.is("MatMulInteger") || made.is("ConvInteger"))
    return findNullProduct(made);
  if (made.is("And"))
    return findNull(made, 0);
  if (made.is("Or"))
    return findNull(made, 1);
  if (made.is("Not")) {
    auto operand = exactNumber(find(made.input(0)));
    return operand ? truth(*operand == 0) : Elements();
  }
  if (made.numInputs() != 2)
    return {};
  auto a = exactNumber(find(made.input(0)));
  auto b = a ? exactNumber(find(made.input(1))) : std::nullopt;
  return b ? truth(compared(made, *a, *b)) : Elements();
}

Elements onnxfold::uniformOf(const CleanUpContext &cx, Value value) {
  return UniformSearch(cx).find(value);
}

bool onnxfold::isUniform(const CleanUpContext &cx, unsigned i, double number) {
  if (cx.constant(i))
    return cx.isAll(i, number);
  Elements element = uniformOf(cx, cx.op.input(i));
  if (!element)
    return false;
  double found = element.number().to<double>();
  return found == number && std::signbit(found) == std::signbit(number);
}
