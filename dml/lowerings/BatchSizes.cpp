//===- BatchSizes.cpp - Lowerings of what depends on the free batch size ---===//
// SPDX-License-Identifier: Apache-2.0
//
// With sizes that are known all of these fold.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/elements/ir/AttributeConversion.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// With a free batch size; all others fold.
static Lowered lowerConstantOfShape(LoweringContext &cx) {
  double value = 0;
  if (mlir::ElementsAttr given = cx.op().getTensor("value")) {
    Elements one = fromAttribute(given);
    if (firstInexact(one) >= 0)
      return Lowered::refused("its value is an integer beyond 2^53");
    value = asDoubles(one).value<double>();
  }
  auto [rows, columns] = naturalSizes(cx.result().dims);
  cx.define(0, cx.filled(value, rows, columns));
  return Lowered::done();
}

/// Ones where column - row = k. With a free batch size; all others fold.
static Lowered lowerEyeLike(LoweringContext &cx) {
  auto [rows, columns] = naturalSizes(cx.result().dims);
  int64_t k = cx.op().getInt("k", 0), last = columns.count - k;
  Expr column = cx.local("rows", call("seq", {1, cx.expr(rows), 1}));
  Expr row = cx.local("columns",
                      matrix(call("seq", {1 - k, last, 1}), 1, columns.count));
  cx.define(0, call("outer", {column, row, Expr::text("==")}));
  return Lowered::done();
}

/// start + i * delta, of a known length or the free batch size.
static Lowered lowerRange(LoweringContext &cx) {
  Size count = sizeOf(cx.result().dims);
  View steps{call("seq", {0, cx.expr(count) - 1, 1}), count, {}};
  auto [rows, columns] = naturalSizes(cx.result().dims);
  Expr list = cx.reshape(steps, rows, columns).expr;
  cx.define(0, list * cx.scalar(2) + cx.scalar(0));
  return Lowered::done();
}

/// Numbers but for the free batch size. All others fold.
static Lowered lowerShape(LoweringContext &cx) {
  const Shape &dims = cx.input(0).dims;
  int64_t rank = dims.size();
  auto bound = [&](llvm::StringRef name, int64_t byDefault) {
    int64_t at = cx.op().getInt(name, byDefault);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  std::vector<Argument> sizes;
  for (int64_t i = bound("start", 0), end = bound("end", rank); i < end; ++i)
    sizes.push_back(matrix(cx.expr(sizeOf({dims[i]})), 1, 1));
  cx.define(0, sizes.size() == 1 ? sizes[0].value : call("cbind", sizes));
  return Lowered::done();
}

/// With a free batch size; all others fold.
static Lowered lowerSize(LoweringContext &cx) {
  cx.define(0, matrix(cx.expr(sizeOf(cx.input(0).dims)), 1, 1));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerBatchSizesLowering(LoweringRegistry &registry) {
  registry.add("ConstantOfShape", {9, 20, 21, 23, 24, 25},
               lowerConstantOfShape);
  registry.add("EyeLike", {9, 22}, lowerEyeLike);
  registry.add("Range", {11, 27}, lowerRange);
  registry.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, lowerShape);
  registry.add("Size", {1, 13, 19, 21, 23, 24, 25}, lowerSize);
}
} // namespace onnxfold::dml
