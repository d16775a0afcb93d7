//===- ArithFolding.cpp - Kernels for the arith dialect -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's documentation of `arith` says what each operator means. Poison
// (division by 0, shifts by the width, ...) is not folded: the operation is kept,
// with the reason. Comments are about what differs from the library's own
// functions, which follow ONNX.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using mlir::arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Kernels from one lambda
//===----------------------------------------------------------------------===//

/// A kernel is a function pointer; a lambda that captures nothing can be made
/// again from its type.
template <class F> static FoldFunction zipKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    return zip(cx.input(0), cx.input(1),
               [](auto a, auto b) { return decltype(a)(F()(a, b)); });
  };
}

/// On unsigned numbers. The result is held as a signed one again.
template <class F> static FoldFunction unsignedKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    Elements result =
        zipIntegers(asUnsigned(cx.input(0)), asUnsigned(cx.input(1)), F());
    return result ? cast(result, cx.input(0).type()) : result;
  };
}

/// Divisions, where no element divides by 0 or overflows.
enum class Sign { Signed, Unsigned };
template <Sign sign, class F> static FoldFunction divisionKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    Elements x = cx.input(0), y = cx.input(1);
    if (sign == Sign::Unsigned)
      x = asUnsigned(x), y = asUnsigned(y);
    auto isBad = [](auto a, auto b) { return divisionUndefined(a, b); };
    if (auto where = findPair(x, y, isBad))
      return undefined("element " + *where + " divides by 0 or overflows");
    Elements result = zipIntegers(x, y, F());
    return result ? cast(result, cx.input(0).type()) : result;
  };
}

/// Bits are bits, of an i1 too, for which zip has no arithmetic.
template <class F> static FoldFunction bitsKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    const Elements &x = cx.input(0), &y = cx.input(1);
    if (x.type() == DataType::Bool)
      return zipAs<bool, bool, bool>(x, y, F());
    return zipIntegers(x, y, F());
  };
}

template <Sign sign, class F> static FoldFunction shiftKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    Elements x = cx.input(0), by = asUnsigned(cx.input(1));
    auto tooFar = [](auto a, auto by) { return by >= sizeof(a) * 8; };
    if (auto where = findPair(by, by, tooFar))
      return undefined("element " + *where + " is shifted by its width");
    if (sign == Sign::Unsigned)
      x = asUnsigned(x);
    Elements result = zipIntegers(x, cast(by, x.type()), F());
    return result ? cast(result, cx.input(0).type()) : result;
  };
}

//===----------------------------------------------------------------------===//
// Kernels with something of their own
//===----------------------------------------------------------------------===//

static bool compare(CmpIPredicate predicate, auto a, auto b) {
  switch (predicate) {
  case CmpIPredicate::eq:
    return a == b;
  case CmpIPredicate::ne:
    return a != b;
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return a < b;
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    return a <= b;
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    return a > b;
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

/// cx.integer("predicate") would do; the operation itself is there for what an
/// integer does not say.
static FoldResult foldCmpI(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::CmpIOp>(cx.operation());
  CmpIPredicate predicate = op.getPredicate();
  Elements x = cx.input(0), y = cx.input(1);
  auto f = [predicate](auto a, auto b) { return compare(predicate, a, b); };
  if (x.type() == DataType::Bool) {
    if (predicate > CmpIPredicate::ne)
      return notFolded(ReasonCode::UnsupportedType,
                       "no kernel for the order of i1");
    return zipAs<bool, bool, bool>(x, y, f);
  }
  if (predicate >= CmpIPredicate::ult)
    x = asUnsigned(x), y = asUnsigned(y);
  return zipTo<bool>(x, y, f);
}

/// Each predicate is a set of outcomes, in the order of the enumeration.
static FoldResult foldCmpF(FoldContext &cx) {
  enum : uint8_t { equal = 1, greater = 2, less = 4, unordered = 8 };
  static constexpr uint8_t sets[] = {
      0, 1,  2,  3,  4,  5,  6, 7, // false oeq ogt oge olt ole one ord
      9, 10, 11, 12, 13, 14,       // ueq ugt uge ult ule une
      8, 15};                      // uno true
  uint8_t set = sets[cx.integer("predicate").value_or(0) & 15];
  return zipTo<bool>(cx.input(0), cx.input(1), [set](auto a, auto b) {
    return (set & (a == b  ? equal
                   : a > b ? greater
                   : a < b ? less
                           : unordered)) != 0;
  });
}

/// The condition may be a scalar, which select broadcasts.
static FoldResult foldSelect(FoldContext &cx) {
  return select(cx.input(0), cx.input(1), cx.input(2));
}

static FoldResult foldNegF(FoldContext &cx) {
  return mapFloat(cx.input(0), [](auto a) { return negate(a); });
}

/// NaN is handed on, as by the library's maximum. But +0 is larger than -0.
template <bool wantsLarger> static FoldResult foldExtremum(FoldContext &cx) {
  return zip(cx.input(0), cx.input(1), [](auto a, auto b) {
    if (a == 0 && b == 0)
      return std::signbit(double(a)) == wantsLarger ? b : a;
    return wantsLarger ? maximum(a, b) : minimum(a, b);
  });
}

//===----------------------------------------------------------------------===//
// The dialect's answers to the engine
//===----------------------------------------------------------------------===//

static void registerIntegers(KernelRegistry &kernels) {
  auto divide = [](auto a, auto b) { return a / b; };
  auto rest = [](auto a, auto b) { return a % b; };
  auto larger = [](auto a, auto b) { return a < b ? b : a; };
  auto smaller = [](auto a, auto b) { return a < b ? a : b; };
  auto left = [](auto a, auto by) { return uint64_t(a) << uint64_t(by); };
  auto right = [](auto a, auto by) { return a >> by; };
  // The library's functions wrap; in C++ the overflow would be undefined.
  kernels.add("addi", {1}, zipKernel([](auto a, auto b) { return add(a, b); }));
  kernels.add("subi", {1},
              zipKernel([](auto a, auto b) { return subtract(a, b); }));
  kernels.add("muli", {1},
              zipKernel([](auto a, auto b) { return multiply(a, b); }));
  kernels.add("divsi", {1}, divisionKernel<Sign::Signed>(divide));
  kernels.add("divui", {1}, divisionKernel<Sign::Unsigned>(divide));
  kernels.add("remsi", {1}, divisionKernel<Sign::Signed>(rest));
  kernels.add("remui", {1}, divisionKernel<Sign::Unsigned>(rest));
  kernels.add("maxsi", {1}, zipKernel(larger));
  kernels.add("minsi", {1}, zipKernel(smaller));
  kernels.add("maxui", {1}, unsignedKernel(larger));
  kernels.add("minui", {1}, unsignedKernel(smaller));
  kernels.add("andi", {1}, bitsKernel([](auto a, auto b) { return a & b; }));
  kernels.add("ori", {1}, bitsKernel([](auto a, auto b) { return a | b; }));
  kernels.add("xori", {1}, bitsKernel([](auto a, auto b) { return a ^ b; }));
  kernels.add("shli", {1}, shiftKernel<Sign::Unsigned>(left));
  kernels.add("shrui", {1}, shiftKernel<Sign::Unsigned>(right));
  kernels.add("shrsi", {1}, shiftKernel<Sign::Signed>(right));
  kernels.add("cmpi", {1}, foldCmpI);
  kernels.add("select", {1}, foldSelect);
}

static void registerFloats(KernelRegistry &kernels) {
  kernels.add("addf", {1}, zipKernel([](auto a, auto b) { return a + b; }));
  kernels.add("subf", {1}, zipKernel([](auto a, auto b) { return a - b; }));
  kernels.add("mulf", {1}, zipKernel([](auto a, auto b) { return a * b; }));
  kernels.add("divf", {1}, zipKernel([](auto a, auto b) { return a / b; }));
  kernels.add("maximumf", {1}, foldExtremum<true>);
  kernels.add("minimumf", {1}, foldExtremum<false>);
  kernels.add("negf", {1}, foldNegF);
  kernels.add("cmpf", {1}, foldCmpF);
}

namespace {

struct ArithFolding : FoldingInterface {
  explicit ArithFolding(mlir::Dialect *dialect)
      : FoldingInterface(dialect), registry("arith") {
    registerIntegers(registry);
    registerFloats(registry);
    registerArithCasts(registry);
  }
  const KernelRegistry &kernels() const override { return registry; }

  /// The library knows tensors of a known number of elements.
  Reason mustBeKept(mlir::Operation *op) const override {
    auto vector = mlir::dyn_cast<mlir::VectorType>(op->getResult(0).getType());
    if (vector && vector.isScalable())
      return notFolded(ReasonCode::UnsupportedType, "is of a scalable vector");
    return {};
  }

  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override {
    auto create = [&](mlir::TypedAttr attribute) -> mlir::Value {
      return mlir::arith::ConstantOp::create(builder, op->getLoc(), attribute);
    };
    return materializeAs(builder, op->getLoc(), op->getResult(result).getType(),
                         value, create);
  }

  KernelRegistry registry;
};

} // namespace

void addArithFolding(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *, mlir::arith::ArithDialect *dialect) {
        dialect->addInterfaces<ArithFolding>();
      });
}

//===----------------------------------------------------------------------===//
// What both dialects need
//===----------------------------------------------------------------------===//

/// A tensor of rank 0 as the attribute of a scalar.
static mlir::TypedAttr scalarAttribute(mlir::Type type, const Elements &value) {
  if (mlir::isa<mlir::FloatType>(type))
    return mlir::FloatAttr::get(type, value.number().to<double>());
  return mlir::IntegerAttr::get(type, value.number().to<int64_t>());
}

mlir::Value
materializeAs(mlir::OpBuilder &builder, mlir::Location location,
              mlir::Type type, const Elements &value,
              llvm::function_ref<mlir::Value(mlir::TypedAttr)> create) {
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
  if (!shaped)
    return create(scalarAttribute(type, value));
  mlir::ShapedType exact = shaped.clone(value.shape());
  mlir::Value constant =
      create(mlir::cast<mlir::TypedAttr>(toAttribute(value, exact)));
  if (exact == type)
    return constant;
  return mlir::tensor::CastOp::create(builder, location, type, constant);
}

DataType unsignedOf(DataType type) {
  switch (type) {
  case DataType::Int2:
    return DataType::UInt2;
  case DataType::Int4:
    return DataType::UInt4;
  case DataType::Int8:
    return DataType::UInt8;
  case DataType::Int16:
    return DataType::UInt16;
  case DataType::Int32:
    return DataType::UInt32;
  case DataType::Int64:
    return DataType::UInt64;
  default:
    return type;
  }
}

Elements asUnsigned(const Elements &x) { return cast(x, unsignedOf(x.type())); }
