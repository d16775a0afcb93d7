//===- CleanUpContext.cpp - What patterns may ask -------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/transforms/rewrite/internal/CleanUpPatterns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

Elements CleanUpContext::constantOf(Value value) const {
  if (!value)
    return {};
  const ValueState &state = evaluation.state(value);
  return state.isConstant() ? state.value : Elements();
}

bool CleanUpContext::isAll(unsigned i, double number) const {
  Elements value = constant(i);
  // One element, or one that is broadcast: others cost a look at each.
  if (!value || value.size() == 0 || value.type() == DataType::String ||
      typeClass(value.type()) == TypeClass::Complex || value.size() > 4096)
    return false;
  Elements wide = onnxfold::cast(value, DataType::Float64);
  return wide && llvm::all_of(wide.values<double>(), [&](double v) {
           return v == number && std::signbit(v) == std::signbit(number);
         });
}

bool CleanUpContext::haveSameShape(Value a, Value b) const {
  const auto &x = evaluation.state(a).shape, &y = evaluation.state(b).shape;
  return x && y && *x == *y;
}

bool CleanUpContext::isLike(Value value) const {
  Value result = op->getResult(0);
  return value && typeOf(value) != DataType::Undefined &&
         typeOf(value) == typeOf(result) && haveSameShape(value, result);
}

Operator CleanUpContext::producer(unsigned i) const {
  Value value = op.input(i);
  if (hidesMakers && constantOf(value))
    return {};
  Operator made = value ? Operator::from(value.getDefiningOp()) : Operator();
  // The attributes of one with references are not known.
  return made && !made.isCustom() && !made.hasReferences() ? made : Operator();
}

bool CleanUpContext::isReadOnce(Value value) const {
  if (cleanUp.countReaders(value, 2) == 1)
    return true;
  cleanUp.noteReaders(value);
  return false;
}

bool CleanUpContext::isOnlyReader(unsigned i) const {
  Operator made = producer(i);
  return made && evaluation.mayChange(made.getOperation()) &&
         made->getBlock() == op->getBlock() && isReadOnce(op.input(i));
}

Operator CleanUpContext::producer(unsigned i, StringRef type) const {
  Operator made = producer(i);
  if (!made || !made.is(type))
    return {};
  // What patterns read of it is of the types that it takes.
  llvm::Error error = checkInputTypes(made);
  bool isRight = !error;
  llvm::consumeError(std::move(error));
  return isRight ? made : Operator();
}

Value patterns::inputAlike(const CleanUpContext &cx, unsigned i) {
  return cx.isLike(cx.op.input(i)) ? cx.op.input(i) : Value();
}

bool CleanUpContext::dropsNothing() const {
  if (!op.is("Dropout") || (op.since() < 7 && !op.getInt("is_test", 0)))
    return false;
  return !op.hasInput(2) || isAll(2, 0);
}

Value CleanUpContext::decomposed() const {
  Decomposition &decomposition = *cleanUp.decompositions;
  std::optional<int64_t> left = cleanUp.budget;
  if (left)
    *left -= cleanUp.bytesMade() - decomposition.bytesMade() +
             decomposition.growth();
  return decomposition.run(*this, left);
}

//===----------------------------------------------------------------------===//
// Chains of reshapes
//===----------------------------------------------------------------------===//

/// Elements stay in their order: with the shape, all is the same.
bool patterns::keepsOrder(Operator op) {
  return op.is("Reshape") || op.is("Flatten") || op.is("Squeeze") ||
         op.is("Unsqueeze");
}

using DimExprList = ArrayRef<DimExpr>;

/// A Reshape of `shape` to constant `target` cannot fail: of the dimensions
/// that are not copied, what is known is a multiple of what is asked for, or
/// all of it where no rest is.
static bool alwaysFits(DimExprList shape, ArrayRef<int64_t> target,
                       const DimExprs &exprs) {
  int64_t known = 1, asked = 1;
  bool hasRest = llvm::is_contained(target, -1), isOpen = false;
  for (auto [i, symbol] : llvm::enumerate(shape)) {
    if (i < target.size() && target[i] == 0) {
      // Beside a copied 0 a rest is refused.
      if (hasRest && exprs.rangeOf(symbol).least <= 0)
        return false;
      continue;
    }
    std::optional<int64_t> size = exprs.valueOf(symbol);
    isOpen |= !size;
    if (size && llvm::MulOverflow(known, *size, known))
      return false;
  }
  for (auto [i, size] : llvm::enumerate(target))
    if (size < -1 || (size == 0 && i >= shape.size()) ||
        (size > 0 && llvm::MulOverflow(asked, size, asked)))
      return false;
  return hasRest ? known != 0 && known % asked == 0 : !isOpen && known == asked;
}

/// The same dimensions in the same order, but for ones.
static bool differInOnes(DimExprList a, DimExprList b, const DimExprs &exprs) {
  auto others = [&](DimExprList shape) {
    SmallVector<DimExpr> list(shape);
    llvm::erase_if(list, [&](DimExpr d) { return exprs.valueOf(d) == 1; });
    return list;
  };
  return others(a) == others(b);
}

/// The number of elements, if all dimensions are known.
static std::optional<int64_t> sizeOf(DimExprList shape, const DimExprs &exprs) {
  Shape sizes;
  for (DimExpr symbol : shape)
    sizes.push_back(exprs.valueOf(symbol).value_or(-1));
  return llvm::is_contained(sizes, -1) ? std::nullopt
                                       : checkedNumElements(sizes);
}

/// A reshape that works whatever the dimensions are. Others may fail at run
/// time, and go on doing so.
static bool alwaysWorks(const CleanUpContext &cx, DimExprList before,
                        DimExprList after) {
  const DimExprs &exprs = cx.knownValues().exprs();
  Operator op = cx.op;
  if (op.is("Flatten") || op.is("Unsqueeze"))
    return true;
  std::optional<int64_t> size = sizeOf(before, exprs);
  if (size && size == sizeOf(after, exprs))
    return true;
  if (op.is("Squeeze"))
    return differInOnes(before, after, exprs);
  if (!op.is("Reshape") || op.since() < 5 || op.getInt("allowzero", 0))
    return false;
  Elements target = cx.constant(1);
  return target && alwaysFits(before, target.ints(), exprs);
}

Value CleanUpContext::beforeReshape() const {
  if (!op.is("Reshape") || op.since() < 5)
    return {};
  Elements target = constant(1);
  if (!target || llvm::is_contained(target.ints(), 0)) // 0 copies from input 0
    return {};
  Operator first = producer(0);
  if (!first || !patterns::keepsOrder(first))
    return {};
  const auto &before = evaluation.state(first.input(0)).shape;
  const auto &after = evaluation.state(first->getResult(0)).shape;
  bool works = before && after && alwaysWorks(at(first), *before, *after);
  return works ? first.input(0) : Value();
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

ArrayRef<CleanUpPattern> onnxfold::cleanUpPatterns() {
  static constexpr CleanUpPattern all[] = {
#define PATTERN(function, name, algebra) {name, algebra, patterns::function},
#define REWRITE(function, name, level, algebra)                                \
  {name, algebra, patterns::function, level, /*makesNodes=*/true},
#define INPUTS(function, name, level, algebra)                                 \
  {name, algebra, nullptr, level, /*makesNodes=*/false, patterns::function},
#include "onnxfold/onnx/transforms/rewrite/CleanUpPatterns.def"
#undef PATTERN
#undef REWRITE
#undef INPUTS
  };
  return all;
}
