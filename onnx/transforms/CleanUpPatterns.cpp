//===- CleanUpPatterns.cpp - The clean-ups --------------------------------===//
//
// Each function is one line of CleanUpPatterns.def. Shapes are compared with
// the symbols of the evaluation: what is equal there is equal at run time.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/onnx/transforms/CleanUp.h"
#include "onnxfold/widenum/DataType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Elements CleanUpContext::constant(unsigned i) const {
  Value value = op.input(i);
  if (!value)
    return {};
  const Fact &fact = evaluation.fact(value);
  return fact.isConstant() ? fact.value : Elements();
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
  const auto &x = evaluation.fact(a).shape, &y = evaluation.fact(b).shape;
  return x && y && *x == *y;
}

bool CleanUpContext::isLike(Value value) const {
  Value result = op->getResult(0);
  return value && typeOf(value) != DataType::Undefined &&
         typeOf(value) == typeOf(result) && haveSameShape(value, result);
}

Operator CleanUpContext::producer(unsigned i) const {
  Value value = op.input(i);
  Operator made = value ? Operator::from(value.getDefiningOp()) : Operator();
  // The attributes of one with references are not known.
  return made && !made.isCustom() && !made.hasReferences() ? made : Operator();
}

Operator CleanUpContext::producer(unsigned i, StringRef type) const {
  Operator made = producer(i);
  return made && made.is(type) ? made : Operator();
}

static Value only(const CleanUpContext &cx, unsigned i) {
  return cx.isLike(cx.op.input(i)) ? cx.op.input(i) : Value();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static Value matchIdentity(const CleanUpContext &cx) {
  return cx.op.is("Identity") ? cx.op.input(0) : Value();
}

static Value matchOneInput(const CleanUpContext &cx) {
  bool fits = cx.op.is("Sum") || cx.op.is("Mean") || cx.op.is("Min") ||
              cx.op.is("Max") || cx.op.is("Concat");
  return fits && cx.op.numInputs() == 1 ? only(cx, 0) : Value();
}

/// Inference does not know that a dimension plus 0 is that dimension.
static Value matchConcatOfNothing(const CleanUpContext &cx) {
  if (!cx.op.is("Concat"))
    return {};
  Value rest;
  int64_t axis = cx.op.getInt("axis", 1);
  for (unsigned i = 0; i < cx.op.numInputs(); ++i) {
    Elements value = cx.constant(i);
    int64_t at = value && axis < 0 ? axis + value.rank() : axis;
    if (value && at >= 0 && at < value.rank() && value.shape()[at] == 0)
      continue;
    if (rest)
      return {};
    rest = cx.op.input(i);
  }
  return rest && cx.typeOf(rest) == cx.typeOf(cx.op->getResult(0)) ? rest
                                                                   : Value();
}

bool CleanUpContext::dropsNothing() const {
  if (!op.is("Dropout") || (op.since() < 7 && !op.getInt("is_test", 0)))
    return false;
  return !op.hasInput(2) || isAll(2, 0);
}

static Value matchDropout(const CleanUpContext &cx) {
  return cx.dropsNothing() ? cx.op.input(0) : Value();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// A cast of floats of 8 bits and fewer to their own type may saturate.
static bool saturates(DataType type) {
  return typeClass(type) == TypeClass::SmallFloat;
}

static Value matchSameCast(const CleanUpContext &cx) {
  if (!cx.op.is("Cast") && !cx.op.is("CastLike"))
    return {};
  return saturates(cx.typeOf(cx.op->getResult(0))) ? Value() : only(cx, 0);
}

/// Every number of `from` is one of `to`.
static bool isWider(DataType from, DataType to) {
  if (from == DataType::Bool)
    return isInteger(to) || typeClass(to) == TypeClass::Float;
  bool fromInt = isInteger(from), toInt = isInteger(to);
  if (fromInt && toInt)
    return isSigned(from) == isSigned(to)
               ? bitWidth(to) >= bitWidth(from)
               : isSigned(to) && bitWidth(to) > bitWidth(from);
  if (fromInt)
    return (to == DataType::Float32 && bitWidth(from) <= 16) ||
           (to == DataType::Float64 && bitWidth(from) <= 32);
  bool isHalf = from == DataType::Float16 || from == DataType::BFloat16;
  return (isHalf && (to == DataType::Float32 || to == DataType::Float64)) ||
         (from == DataType::Float32 && to == DataType::Float64);
}

static Value matchCastPair(const CleanUpContext &cx) {
  Operator first = cx.producer(0, "Cast");
  if (!cx.op.is("Cast") || !first || !cx.isLike(first.input(0)))
    return {};
  DataType from = cx.typeOf(first.input(0));
  return isWider(from, cx.typeOf(first->getResult(0))) ? first.input(0)
                                                       : Value();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Elements stay in their order: with the shape, all is the same.
static bool keepsOrder(Operator op) {
  return op.is("Reshape") || op.is("Flatten") || op.is("Squeeze") ||
         op.is("Unsqueeze");
}

static Value matchSameShape(const CleanUpContext &cx) {
  bool fits = keepsOrder(cx.op) || cx.op.is("Expand") || cx.op.is("Tile");
  return fits ? only(cx, 0) : Value();
}

static Value matchReshapeOfReshape(const CleanUpContext &cx) {
  Operator first = cx.producer(0);
  if (!keepsOrder(cx.op) || !first || !keepsOrder(first) ||
      !cx.isLike(first.input(0)))
    return {};
  return first.input(0);
}

static Value matchWholeSlice(const CleanUpContext &cx) {
  if (cx.op.is("Split"))
    return cx.op.numOutputs() == 1 ? only(cx, 0) : Value();
  if (!cx.op.is("Slice"))
    return {};
  if (cx.op.hasInput(4)) {
    Elements steps = cx.constant(4);
    if (!steps || llvm::any_of(steps.ints(), [](int64_t s) { return s < 1; }))
      return {};
  }
  return only(cx, 0);
}

static Value matchNoPad(const CleanUpContext &cx) {
  if (!cx.op.is("Pad"))
    return {};
  if (cx.op.since() >= 11)
    return cx.isAll(1, 0) ? only(cx, 0) : Value();
  auto pads = cx.op.getInts(cx.op.since() == 1 ? "paddings" : "pads");
  bool isZero = pads && llvm::all_of(*pads, [](int64_t p) { return p == 0; });
  return isZero ? only(cx, 0) : Value();
}

/// The permutation of a Transpose, or nothing if the rank is not known.
static std::optional<llvm::SmallVector<int64_t>> permutationOf(Operator op) {
  if (auto given = op.getInts("perm"))
    return given;
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(type.getRank())));
}

static Value matchTranspose(const CleanUpContext &cx) {
  if (!cx.op.is("Transpose"))
    return {};
  auto perm = permutationOf(cx.op);
  if (!perm)
    return {};
  auto isIdentity = [](ArrayRef<int64_t> p) {
    return llvm::all_of(llvm::enumerate(p), [](auto pair) {
      return int64_t(pair.index()) == pair.value();
    });
  };
  if (isIdentity(*perm))
    return only(cx, 0);
  Operator first = cx.producer(0, "Transpose");
  auto before = first ? permutationOf(first) : std::nullopt;
  if (!before || before->size() != perm->size() || !cx.isLike(first.input(0)))
    return {};
  llvm::SmallVector<int64_t> both;
  for (int64_t axis : *perm) {
    if (axis < 0 || axis >= int64_t(before->size()))
      return {};
    both.push_back((*before)[axis]);
  }
  return isIdentity(both) ? first.input(0) : Value();
}

//===----------------------------------------------------------------------===//
// Arithmetic and logic
//===----------------------------------------------------------------------===//

/// The operand beside which a neutral constant stands. Before version 7 shapes
/// are broadcast in another way, but to the shape of the first just the same.
static Value besideAll(const CleanUpContext &cx, double neutral,
                       bool commutes) {
  if (cx.op.numInputs() != 2)
    return {};
  if (cx.isAll(1, neutral))
    return only(cx, 0);
  return commutes && cx.isAll(0, neutral) ? only(cx, 1) : Value();
}

static Value matchTimesOne(const CleanUpContext &cx) {
  if (cx.op.is("Mul"))
    return besideAll(cx, 1, true);
  return cx.op.is("Div") || cx.op.is("Pow") ? besideAll(cx, 1, false) : Value();
}

static Value matchPlusZero(const CleanUpContext &cx) {
  if (cx.op.is("Sub"))
    return besideAll(cx, 0.0, false);
  if (!cx.op.is("Add"))
    return {};
  bool isFloat = typeClass(cx.typeOf(cx.op->getResult(0))) == TypeClass::Float;
  return besideAll(cx, isFloat ? -0.0 : 0.0, true);
}

static Value matchBits(const CleanUpContext &cx) {
  if (cx.op.is("And"))
    return besideAll(cx, 1, true);
  bool fits = cx.op.is("Or") || cx.op.is("Xor") || cx.op.is("BitwiseOr") ||
              cx.op.is("BitwiseXor");
  return fits ? besideAll(cx, 0, true) : Value();
}

static Value matchTwice(const CleanUpContext &cx) {
  for (StringRef type : {"Neg", "Not", "BitwiseNot"})
    if (cx.op.is(type))
      if (Operator first = cx.producer(0, type))
        return first.input(0);
  return {};
}

static Value matchIdempotent(const CleanUpContext &cx) {
  for (StringRef type : {"Relu", "Abs", "Floor", "Ceil", "Round", "Sign"})
    if (cx.op.is(type) && cx.producer(0, type))
      return cx.op.input(0);
  return {};
}

static Value matchWhere(const CleanUpContext &cx) {
  bool isSame = cx.op.is("Where") && cx.op.input(1) == cx.op.input(2);
  return isSame ? only(cx, 1) : Value();
}

static Value matchCondition(const CleanUpContext &cx) {
  if (!cx.op.is("Where"))
    return {};
  if (cx.isAll(0, 1))
    return only(cx, 1);
  return cx.isAll(0, 0) ? only(cx, 2) : Value();
}

//===----------------------------------------------------------------------===//
// Chains of reshapes
//===----------------------------------------------------------------------===//

/// A Reshape of `shape` to constant `target` cannot fail: of the dimensions
/// that are not copied, what is known is a multiple of what is asked for.
static bool alwaysFits(ShapedType type, ArrayRef<int64_t> target) {
  int64_t known = 1, asked = 1;
  bool hasRest = false;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size) &&
        (i >= target.size() || target[i] != 0) &&
        llvm::MulOverflow(known, size, known))
      return false;
  for (auto [i, size] : llvm::enumerate(target)) {
    // Beside a copied 0 a rest is refused.
    if (size == 0 && (i >= type.getShape().size() || type.isDynamicDim(i) ||
                      type.getShape()[i] == 0))
      return false;
    hasRest |= size < 0;
    if (size > 0 && llvm::MulOverflow(asked, size, asked))
      return false;
  }
  return hasRest && known != 0 && known % asked == 0;
}

Value CleanUpContext::beforeReshape() const {
  if (!op.is("Reshape") || op.since() < 5)
    return {};
  Elements target = constant(1);
  if (!target || llvm::is_contained(target.ints(), 0)) // 0 copies from input 0
    return {};
  Operator first = producer(0);
  if (!first || !keepsOrder(first))
    return {};
  auto type = dyn_cast<ShapedType>(first.input(0).getType());
  auto made = dyn_cast<ShapedType>(first->getResult(0).getType());
  if (!type || !type.hasRank() || !made || !made.hasRank())
    return {};
  // Others may fail at run time, and go on doing so.
  bool works = first.is("Flatten") || first.is("Unsqueeze") ||
               (type.hasStaticShape() && made.hasStaticShape() &&
                type.getNumElements() == made.getNumElements());
  if (!works && first.is("Reshape") && first.since() >= 5 &&
      !first.getInt("allowzero", 0)) {
    CleanUpContext outer(first, evaluation);
    Elements before = outer.constant(1);
    works = before && alwaysFits(type, before.ints());
  }
  return works ? first.input(0) : Value();
}

//===----------------------------------------------------------------------===//

ArrayRef<CleanUpPattern> onnxfold::cleanUpPatterns() {
  static constexpr CleanUpPattern patterns[] = {
#define PATTERN(function, name, algebra) {name, algebra, function},
#include "onnxfold/onnx/transforms/CleanUpPatterns.def"
#undef PATTERN
  };
  return patterns;
}
