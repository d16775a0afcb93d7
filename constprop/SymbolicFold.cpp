//===- SymbolicFold.cpp - Arithmetic on partly known integers -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/symbolic/SymbolicFloats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::ArrayRef;

static std::optional<DimExpr> combine(DimExprs &exprs, SymbolOp op, DimExpr a,
                                      DimExpr b) {
  switch (op) {
  case SymbolOp::Add:
    return exprs.add(a, b);
  case SymbolOp::Subtract:
    return exprs.subtract(a, b);
  case SymbolOp::Multiply:
    return exprs.multiply(a, b);
  case SymbolOp::Divide:
    return exprs.divide(a, b);
  case SymbolOp::Modulo:
    return exprs.remainder(a, b, /*truncate=*/false);
  case SymbolOp::Remainder:
    return exprs.remainder(a, b, /*truncate=*/true);
  case SymbolOp::Minimum:
    return exprs.minimum(a, b);
  case SymbolOp::Maximum:
    return exprs.maximum(a, b);
  case SymbolOp::Equal:
    return exprs.equal(a, b);
  case SymbolOp::Less:
    return exprs.less(a, b);
  case SymbolOp::Greater:
    return exprs.less(b, a);
  case SymbolOp::LessOrEqual:
    return exprs.logicalNot(exprs.less(b, a));
  case SymbolOp::GreaterOrEqual:
    return exprs.logicalNot(exprs.less(a, b));
  case SymbolOp::And:
    return exprs.logicalAnd(a, b);
  case SymbolOp::Or:
    return exprs.logicalNot(
        exprs.logicalAnd(exprs.logicalNot(a), exprs.logicalNot(b)));
  case SymbolOp::Xor:
    return exprs.logicalNot(exprs.equal(a, b));
  case SymbolOp::Negate:
    return exprs.subtract(exprs.constant(0), a);
  case SymbolOp::Absolute:
    return exprs.absolute(a);
  case SymbolOp::Not:
    return exprs.logicalNot(a);
  case SymbolOp::Floor:
  case SymbolOp::Ceil:
  case SymbolOp::Round: // of floats
    break;
  }
  return std::nullopt;
}

/// Nothing for what floats are not followed through.
static std::optional<DimExpr> combineFloats(SymbolicFloats floats, SymbolOp op,
                                            DimExpr a, DimExpr b) {
  switch (op) {
  case SymbolOp::Add:
    return floats.add(a, b);
  case SymbolOp::Subtract:
    return floats.subtract(a, b);
  case SymbolOp::Multiply:
    return floats.multiply(a, b);
  case SymbolOp::Divide:
    return floats.divide(a, b);
  case SymbolOp::Minimum:
    return floats.minimum(a, b);
  case SymbolOp::Maximum:
    return floats.maximum(a, b);
  case SymbolOp::Equal:
    return floats.equal(a, b);
  case SymbolOp::Less:
    return floats.less(a, b);
  case SymbolOp::Greater:
    return floats.less(b, a);
  case SymbolOp::LessOrEqual:
    return floats.lessOrEqual(a, b);
  case SymbolOp::GreaterOrEqual:
    return floats.lessOrEqual(b, a);
  case SymbolOp::Negate:
    return floats.negate(a);
  case SymbolOp::Absolute:
    return floats.absolute(a);
  case SymbolOp::Floor:
    return floats.floor(a);
  case SymbolOp::Ceil:
    return floats.ceil(a);
  case SymbolOp::Round:
    return floats.round(a);
  default:
    return std::nullopt;
  }
}

static bool takesTruths(SymbolOp op) {
  return op == SymbolOp::And || op == SymbolOp::Or || op == SymbolOp::Xor ||
         op == SymbolOp::Not;
}
/// A float, or something else.
static bool takes(SymbolOp op, bool isFloat) {
  bool ofFloats =
      op == SymbolOp::Floor || op == SymbolOp::Ceil || op == SymbolOp::Round;
  bool ofOthers =
      takesTruths(op) || op == SymbolOp::Modulo || op == SymbolOp::Remainder;
  return isFloat ? !ofOthers : !ofFloats;
}
static bool givesTruths(SymbolOp op) {
  return takesTruths(op) || op == SymbolOp::Equal || op == SymbolOp::Less ||
         op == SymbolOp::Greater || op == SymbolOp::LessOrEqual ||
         op == SymbolOp::GreaterOrEqual;
}

/// The result in a type narrower than i64, whose arithmetic wraps earlier;
/// nothing for a quotient that does not fit, which is undefined.
static std::optional<DimExpr> narrowed(DimExprs &exprs, SymbolOp op,
                                       DimExpr symbol, DataType type) {
  std::optional<int64_t> value = exprs.valueOf(symbol);
  if (op == SymbolOp::Divide && value &&
      !ExprRange{*value, *value}.isWithin(ExprRange::of(type)))
    return std::nullopt;
  return exprs.wrap(symbol, type);
}

/// Why these inputs are none of symbols that `op` takes.
static Reason checkSymbols(FoldContext &cx, SymbolOp op, unsigned first,
                           unsigned count) {
  DataType type = cx.inputType(first);
  for (unsigned i = first; i < first + count; ++i) {
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
    if (cx.inputType(i) != type)
      return invalid("inputs have different element types");
    // The upper half of u64 is no i64.
    if (cx.input(i).type() != DataType::Opaque || type == DataType::UInt64)
      return notFolded(ReasonCode::InputNotConstant,
                       "inputs are known in part only");
  }
  bool isBool = type == DataType::Bool;
  if (!takes(op, isFloat(type)))
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for these element types");
  if (isFloat(type))
    return {};
  if (isBool ? !takesTruths(op) && op != SymbolOp::Equal : takesTruths(op))
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for these element types");
  if (op == SymbolOp::Negate && isUnsigned(type))
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for these element types");
  return {};
}

/// The shapes of `count` inputs together. Versions before 7 do not broadcast
/// as numpy does; none that are still met do it with shapes.
static std::optional<Shape> shapeOfAll(FoldContext &cx, unsigned count) {
  std::optional<Shape> shape = Shape(cx.input(0).shape());
  for (unsigned i = 1; shape && i < count; ++i)
    shape = broadcastShapes(*shape, cx.input(i).shape());
  return shape;
}

FoldResult onnxfold::foldSymbols(FoldContext &cx, SymbolOp op) {
  unsigned count = cx.numInputs();
  if (Reason wrong = checkSymbols(cx, op, 0, count))
    return wrong;
  std::optional<Shape> shape = shapeOfAll(cx, count);
  if (!shape)
    return invalid("shapes " + toString(cx.input(0).shape()) + " and " +
                   toString(cx.input(1).shape()) + " do not broadcast");
  if (Reason large = cx.checkResult(DataType::Opaque, *shape))
    return large;
  DataType type = cx.inputType(0);
  bool mayWrap = isInteger(type) && !givesTruths(op);
  std::vector<DimExpr> result = cx.input(0).expand(*shape).values<DimExpr>();
  for (unsigned i = count == 1 ? 0 : 1; i < count; ++i) {
    auto operands = cx.input(i).expand(*shape).values<DimExpr>();
    for (auto [left, right] : llvm::zip_equal(result, operands)) {
      std::optional<DimExpr> value =
          isFloat(type) ? combineFloats({cx.exprs(), type}, op, left, right)
                        : combine(cx.exprs(), op, left, right);
      if (value && mayWrap)
        value = narrowed(cx.exprs(), op, *value, type);
      if (!value)
        return undefined("a divisor is 0, or the quotient does not fit");
      left = *value;
    }
  }
  return Elements::fromValues<DimExpr>(*shape, ArrayRef<DimExpr>(result));
}

FoldResult onnxfold::selectSymbols(FoldContext &cx) {
  if (cx.inputType(0) != DataType::Bool)
    return invalid("input #0 has element type " + name(cx.inputType(0)) +
                   ", expected bool");
  bool areSymbols = llvm::all_of(llvm::seq(3u), [&](unsigned i) {
    return cx.input(i).type() == DataType::Opaque;
  });
  if (!areSymbols)
    return notFolded(ReasonCode::InputNotConstant,
                     "inputs are known in part only");
  if (cx.inputType(1) != cx.inputType(2))
    return invalid("inputs have different element types");
  std::optional<Shape> shape = shapeOfAll(cx, 3);
  if (!shape)
    return invalid("shapes do not broadcast");
  if (Reason large = cx.checkResult(DataType::Opaque, *shape))
    return large;
  auto valuesOf = [&](unsigned i) {
    return cx.input(i).expand(*shape).values<DimExpr>();
  };
  std::vector<DimExpr> result = valuesOf(0);
  for (auto [condition, x, y] :
       llvm::zip_equal(result, valuesOf(1), valuesOf(2)))
    condition = isFloat(cx.inputType(1))
                    ? SymbolicFloats(cx.exprs(), cx.inputType(1))
                          .select(condition, x, y)
                    : cx.exprs().select(condition, x, y);
  return Elements::fromValues<DimExpr>(*shape, ArrayRef<DimExpr>(result));
}

FoldResult onnxfold::reduceSymbols(FoldContext &cx, SymbolOp op, ShapeRef axes,
                                   bool keepDims) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkSymbols(cx, op, 0, 1))
    return wrong;
  if (isFloat(cx.inputType(0))) // sums of floats are rounded once, at the end
    return notFolded(ReasonCode::InputNotConstant,
                     "input #0 is known in part only");
  Shape kept, perm;
  for (int64_t axis = 0; axis < x.rank(); ++axis) {
    bool isReduced = llvm::is_contained(axes, axis);
    if (!isReduced)
      perm.push_back(axis);
    if (!isReduced || keepDims)
      kept.push_back(isReduced ? 1 : x.dim(axis));
  }
  perm.append(axes.begin(), axes.end());
  std::vector<DimExpr> values = x.transpose(perm).values<DimExpr>();
  size_t rows = numElements(kept);
  if (rows == 0 || values.empty())
    return notFolded(ReasonCode::InputNotConstant,
                     "a reduction of no elements that are known in part");
  std::vector<DimExpr> result;
  DataType type = cx.inputType(0);
  for (size_t row = 0, length = values.size() / rows; row < rows; ++row) {
    DimExpr sum = values[row * length];
    for (size_t i = 1; i < length; ++i) {
      sum = *combine(cx.exprs(), op, sum, values[row * length + i]);
      if (isInteger(type))
        sum = cx.exprs().wrap(sum, type);
    }
    result.push_back(sum);
  }
  return Elements::fromValues<DimExpr>(kept, ArrayRef<DimExpr>(result));
}

/// Nothing where it is undefined.
static std::optional<DimExpr> castSymbol(DimExprs &exprs, DimExpr a,
                                         DataType from, DataType to) {
  if (isFloat(to)) {
    SymbolicFloats floats(exprs, to);
    return isFloat(from) ? floats.ofFloat(a, from) : floats.ofInteger(a);
  }
  return isFloat(from) ? SymbolicFloats(exprs, from).toInteger(a, to)
                       : exprs.wrap(a, to);
}

FoldResult onnxfold::castSymbols(FoldContext &cx, DataType type) {
  DataType from = cx.inputType(0);
  // DimExprs are of 64 bits: those of u64 are wrapped. What integers of less
  // than a byte make of floats out of range is the kernel's to say.
  auto isFollowed = [](DataType t) {
    return SymbolicFloats::covers(t) || t == DataType::Bool ||
           (isInteger(t) && !isSubByte(t) && t != DataType::UInt64);
  };
  auto isWhole = [](DataType t) { return isInteger(t) || t == DataType::Bool; };
  if ((!isWhole(from) || !isWhole(type)) &&
      (!isFollowed(from) || !isFollowed(type)))
    return notFolded(ReasonCode::InputNotConstant,
                     "input #0 is known in part only");
  const Elements &x = cx.input(0);
  std::vector<DimExpr> exprs = x.values<DimExpr>();
  for (DimExpr &symbol : exprs) {
    std::optional<DimExpr> value = castSymbol(cx.exprs(), symbol, from, type);
    if (!value)
      return undefined("an element is out of the range of " + name(type));
    symbol = *value;
  }
  return Elements::fromValues<DimExpr>(x.shape(), ArrayRef<DimExpr>(exprs));
}

Elements onnxfold::asSymbols(const Elements &value, DimExprs &exprs) {
  DataType type = value.type();
  bool isTruth = type == DataType::Bool;
  std::vector<DimExpr> list;
  if (SymbolicFloats::covers(type)) {
    SymbolicFloats floats(exprs, type);
    for (double v : cast(value.narrowed(), DataType::Float64).values<double>())
      list.push_back(floats.known(v));
  } else if (isTruth || isInteger(type)) {
    for (int64_t v : (isTruth ? cast(value, DataType::UInt8) : value).ints())
      list.push_back(exprs.constant(v));
  } else {
    return value;
  }
  return Elements::fromValues<DimExpr>(value.shape(), ArrayRef<DimExpr>(list));
}

static Elements resolveFloats(ArrayRef<DimExpr> list, ShapeRef shape,
                              DataType type, const DimExprs &exprs) {
  std::vector<double> known;
  for (DimExpr symbol : list) {
    std::optional<double> v = SymbolicFloats::valueOf(symbol, exprs);
    if (!v)
      return {};
    known.push_back(*v);
  }
  return cast(Elements::fromValues<double>(shape, ArrayRef<double>(known)),
              type)
      .materialize();
}

Elements onnxfold::resolveSymbols(const Elements &value, DataType type,
                                  const DimExprs &exprs) {
  std::vector<DimExpr> list = value.values<DimExpr>();
  if (isFloat(type)) {
    Elements floats = resolveFloats(list, value.shape(), type, exprs);
    return floats ? floats : value;
  }
  std::vector<int64_t> known;
  for (DimExpr symbol : list) {
    std::optional<int64_t> v = exprs.valueOf(symbol);
    if (!v)
      return value;
    known.push_back(*v);
  }
  Elements ints =
      Elements::fromValues<int64_t>(value.shape(), ArrayRef<int64_t>(known));
  return type == DataType::Int64 || type == DataType::Undefined
             ? ints
             : cast(ints, type).materialize();
}

bool onnxfold::haveEqualValues(const ValueState &a, const ValueState &b) {
  if (a.type != b.type || a.type == DataType::Undefined || !a.value ||
      !b.value || a.isSymbolic() != b.isSymbolic() ||
      a.value.shape() != b.value.shape())
    return false;
  if (!a.isSymbolic())
    return a.value.identicalTo(b.value);
  return a.value.values<DimExpr>() == b.value.values<DimExpr>();
}
