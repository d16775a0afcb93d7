//===- TosaFolding.cpp - Kernels for the tosa dialect ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The TOSA 1.0 specification says what each operator means. Where it REQUIREs
// something of the values (no overflow of integers), and they are not so, the
// operation is kept. Integers of 8 to 32 bits are computed in 64 bits, so that an
// overflow can be seen.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool isSmallInteger(DataType type) {
  return isInteger(type) && bitWidth(type) < 64;
}

/// 64-bit integers as integers of `type`, if all fit.
static FoldResult narrowed(const Elements &x, DataType type) {
  if (auto bad = firstNotConvertible(x, type))
    return undefined("element " + toString(indexOf(*bad, x.shape())) + " is " +
                     llvm::Twine(x.value<int64_t>(*bad)) + ", which " +
                     name(type) + " cannot hold");
  return cast(x, type);
}

template <class F> static FoldFunction zipKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    const Elements &x = cx.input(0), &y = cx.input(1);
    auto f = [](auto a, auto b) { return decltype(a)(F()(a, b)); };
    if (isFloat(x.type()))
      return zip(x, y, f);
    if (!isSmallInteger(x.type()))
      return Elements(); // is reported as an unsupported type
    return narrowed(zip(cast(x, DataType::Int64), cast(y, DataType::Int64), f),
                    x.type());
  };
}

/// i32 are shifted right, rounding half up; 8 and 16 bits give 32.
static FoldResult foldMul(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isFloat(x.type()))
    return zip(x, y, [](auto a, auto b) { return a * b; });
  if (!isSmallInteger(x.type()))
    return Elements();
  int64_t shift = cx.intsOf(2)[0];
  if (shift < 0 || shift > 63 || (shift > 0 && x.type() != DataType::Int32))
    return invalid("the shift is " + llvm::Twine(shift));
  Elements products =
      zip(cast(x, DataType::Int64), cast(y, DataType::Int64),
          [shift](auto a, auto b) {
            if constexpr (std::is_same_v<decltype(a), int64_t>)
              return shift == 0
                         ? a * b
                         : (a * b + (int64_t(1) << (shift - 1))) >> shift;
            return a;
          });
  return narrowed(products, cx.resultType());
}

static FoldResult foldMatMul(FoldContext &cx) {
  DataType accumulator =
      isSmallInteger(cx.input(0).type()) ? DataType::Int64 : cx.resultType();
  auto withoutZeroPoint = [&](unsigned i) {
    Elements x = cast(cx.input(i), accumulator);
    Elements zeroPoint = cast(cx.input(i + 2), accumulator);
    return zip(x, zeroPoint, [](auto a, auto b) { return subtract(a, b); });
  };
  Elements a = withoutZeroPoint(0), b = withoutZeroPoint(1);
  if (!a || !b)
    return Elements();
  std::optional<Shape> shape = matmulShape(a.shape(), b.shape());
  if (!shape)
    return invalid("the shapes do not fit");
  if (Reason reason = cx.checkWork(double(numElements(*shape)) * a.dim(2)))
    return reason;
  Elements product = matmul(a, b);
  if (accumulator != DataType::Int64)
    return product;
  return narrowed(product, cx.resultType());
}

static FoldResult foldReduceSum(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape axes = {cx.integer("axis").value_or(0)};
  if (isFloat(x.type()))
    return reduce(x, axes, /*keepDims=*/true, Reduction::Sum);
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(reduce(cast(x, DataType::Int64), axes, true, Reduction::Sum),
                  x.type());
}

template <Reduction kind> static FoldResult foldReduce(FoldContext &cx) {
  if (cx.integer("nan_mode").value_or(0) > 1)
    return notFolded(ReasonCode::UnsupportedType, "no kernel for the NaN mode");
  return reduce(cx.input(0), {cx.integer("axis").value_or(0)}, true, kind);
}

/// In double, rounded once.
template <WideFunction function> static FoldResult foldWide(FoldContext &cx) {
  return mapWide(cx.input(0), function);
}

/// Floats become the nearest integer that the type has, ties to even.
static FoldResult foldCast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  if (!isFloat(x.type()) || !isInteger(type))
    return cast(x, type);
  if (!isSmallInteger(type))
    return Elements();
  Elements wide = cast(x, DataType::Float64);
  if (auto nan = firstWhere<double>(wide, [](double v) { return v != v; }))
    return undefined("element " + toString(indexOf(*nan, x.shape())) +
                     " is not a number");
  double limit = std::ldexp(1, bitWidth(type) - 1);
  Elements nearest = mapFloat(wide, [limit](auto v) {
    return std::fmin(std::fmax(std::nearbyint(v), -limit), limit - 1);
  });
  return cast(nearest, type);
}

//===----------------------------------------------------------------------===//
// Comparisons, data movement
//===----------------------------------------------------------------------===//

template <class F> static FoldFunction compareKernel(F) {
  return [](FoldContext &cx) -> FoldResult {
    return zipTo<bool>(cx.input(0), cx.input(1), F());
  };
}

static FoldResult foldSelect(FoldContext &cx) {
  return select(cx.input(0), cx.input(1), cx.input(2));
}

static FoldResult foldIdentity(FoldContext &cx) { return cx.input(0); }

/// A view where strides allow.
static FoldResult foldReshape(FoldContext &cx) {
  Shape shape(cx.intsOf(1));
  const Elements &x = cx.input(0);
  // -1 stands for what is left over.
  for (int64_t &d : shape)
    if (d == -1) {
      d = 1;
      d = numElements(shape) ? x.size() / numElements(shape) : 0;
    }
  std::optional<int64_t> count = checkedNumElements(shape);
  if (count != x.size())
    return invalid("the shape " + toString(shape) + " has not " +
                   llvm::Twine(x.size()) + " elements");
  return x.reshape(shape);
}

static FoldResult foldTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape perms = cx.ints("perms").value_or(Shape());
  if (!isPermutation(perms, x.rank()))
    return invalid("'perms' is " + toString(perms));
  return x.transpose(perms);
}

static FoldResult foldConcat(FoldContext &cx) {
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return concat(parts, cx.integer("axis").value_or(0));
}

static FoldResult foldSlice(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape starts(cx.intsOf(1)), sizes(cx.intsOf(2));
  for (int64_t d = 0; d < x.rank(); ++d)
    if (starts[d] < 0 || sizes[d] < 0 || starts[d] > x.dim(d) - sizes[d])
      return invalid("dimension " + llvm::Twine(d) + " is left");
  return x.slice(starts, sizes, Shape(x.rank(), 1));
}

/// A step of -1 is a view as well.
static FoldResult foldReverse(FoldContext &cx) {
  const Elements &x = cx.input(0);
  int64_t axis = cx.integer("axis").value_or(0);
  Shape starts(x.rank(), 0), steps(x.rank(), 1);
  if (x.dim(axis) > 0)
    starts[axis] = x.dim(axis) - 1, steps[axis] = -1;
  return x.slice(starts, x.shape(), steps);
}

/// Limits are asked before memory is: a small input may become a large result.
static FoldResult foldTile(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape repeats(cx.intsOf(1)), shape(x.shape());
  for (auto [dim, repeat] : llvm::zip_equal(shape, repeats)) {
    if (repeat < 0 || llvm::MulOverflow(dim, repeat, dim))
      return invalid("a multiple is " + llvm::Twine(repeat));
  }
  if (Reason reason = cx.checkResult(x.type(), shape))
    return reason;
  return tile(x, repeats);
}

static FoldResult foldPad(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape counts(cx.intsOf(1)), begins, ends;
  for (int64_t d = 0; d < x.rank(); ++d) {
    begins.push_back(counts[2 * d]);
    ends.push_back(counts[2 * d + 1]);
    if (begins[d] < 0 || ends[d] < 0)
      return invalid("a padding is negative");
  }
  return pad(x, begins, ends, PadMode::Constant, cx.input(2).reshape({}));
}

//===----------------------------------------------------------------------===//
// The dialect's answers to the engine
//===----------------------------------------------------------------------===//

static void registerTosa(KernelRegistry &kernels) {
  kernels.add("add", {1}, zipKernel([](auto a, auto b) { return a + b; }));
  kernels.add("sub", {1}, zipKernel([](auto a, auto b) { return a - b; }));
  kernels.add("mul", {1}, foldMul);
  kernels.add("matmul", {1}, foldMatMul);
  kernels.add("reduce_sum", {1}, foldReduceSum);
  kernels.add("reduce_max", {1}, foldReduce<Reduction::Max>);
  kernels.add("reduce_min", {1}, foldReduce<Reduction::Min>);
  kernels.add("exp", {1}, foldWide<wide::exp>);
  kernels.add("log", {1}, foldWide<wide::log>);
  kernels.add("tanh", {1}, foldWide<wide::tanh>);
  kernels.add("sigmoid", {1}, foldWide<wide::sigmoid>);
  kernels.add("cast", {1}, foldCast);
  kernels.add("equal", {1},
              compareKernel([](auto a, auto b) { return a == b; }));
  kernels.add("greater", {1},
              compareKernel([](auto a, auto b) { return a > b; }));
  kernels.add("greater_equal", {1},
              compareKernel([](auto a, auto b) { return a >= b; }));
  kernels.add("select", {1}, foldSelect);
  kernels.add("identity", {1}, foldIdentity);
  kernels.add("reshape", {1}, foldReshape);
  kernels.add("transpose", {1}, foldTranspose);
  kernels.add("concat", {1}, foldConcat);
  kernels.add("slice", {1}, foldSlice);
  kernels.add("reverse", {1}, foldReverse);
  kernels.add("tile", {1}, foldTile);
  kernels.add("pad", {1}, foldPad);
}

namespace {

struct TosaFolding : FoldingInterface {
  explicit TosaFolding(mlir::Dialect *dialect)
      : FoldingInterface(dialect), registry("tosa") {
    registerTosa(registry);
  }
  const KernelRegistry &kernels() const override { return registry; }

  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override {
    auto create = [&](mlir::TypedAttr attribute) -> mlir::Value {
      return mlir::tosa::ConstOp::create(
          builder, op->getLoc(), attribute.getType(),
          mlir::cast<mlir::ElementsAttr>(attribute));
    };
    return materializeAs(builder, op->getLoc(), op->getResult(result).getType(),
                         value, create);
  }

  KernelRegistry registry;
};

} // namespace

void addTosaFolding(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *, mlir::tosa::TosaDialect *dialect) {
        dialect->addInterfaces<TosaFolding>();
      });
}
