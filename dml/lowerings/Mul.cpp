//===- Mul.cpp - Lowering of onnx.Mul ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x * y; integers wrap around, as long as the product is below 2^53.
// SystemDS makes x * 0 a 0, also of NaN and infinity; x / Inf it computes, so
// constants with zeros are divided by their reciprocals. The last bit of the
// double may differ.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// 1 / c of a constant input with zeros; nothing if it has none.
static std::optional<std::vector<double>> reciprocalsOf(LoweringContext &cx,
                                                        unsigned input) {
  Elements value = cx.constant(input);
  if (!value || !hasZero(value))
    return std::nullopt;
  std::vector<double> result;
  for (double one : asDoubles(value).values<double>())
    result.push_back(1 / (one == 0 ? 0.0 : one)); // not of -0
  return result;
}

static Lowered divide(LoweringContext &cx, unsigned constant,
                      const std::vector<double> &reciprocals) {
  // Of NaN and infinity; the sign of -0 would be lost.
  if (llvm::any_of(reciprocals,
                   [](double r) { return std::isnan(r) || r == 0; }))
    return Lowered::refused("a constant factor has zeros and NaN or infinity");
  const Tensor &factor = cx.input(constant);
  Operand divisor{{}, factor.dims, std::nullopt};
  auto [rows, columns] = naturalSizes(factor.dims);
  if (factor.isOneElement())
    divisor.number = reciprocals.front();
  else
    divisor.view = {
        cx.constantMatrix("reciprocals",
                          Elements::fromValues<double>(
                              {int64_t(reciprocals.size())}, reciprocals),
                          rows.count, columns.count),
        rows, columns};
  cx.define(0, broadcastBinary(
                   cx, operandOf(cx, 1 - constant), divisor, cx.result().dims,
                   [](Expr x, Expr y) { return x / y; }, nullptr));
  return Lowered::done();
}

/// A constant of zeros. x * 0 would be NaN for integers that a Cast made of NaN:
/// scikit-learn's exporter makes zeros of the shape of the input so.
static bool isZero(const Elements &value) {
  return value && value.isSplat() && asDoubles(value).value<double>() == 0;
}

static Lowered lowerMul(LoweringContext &cx) {
  DataType type = cx.result().type;
  if (!isFloat(type) && (isZero(cx.constant(0)) || isZero(cx.constant(1)))) {
    auto [rows, columns] = naturalSizes(cx.result().dims);
    cx.define(0, cx.filled(0, rows, columns));
    return Lowered::done();
  }
  if (isFloat(type))
    for (unsigned i : {0u, 1u})
      if (auto reciprocals = reciprocalsOf(cx, i))
        return divide(cx, i, *reciprocals);
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return wrapped(cx, x * y, type); },
      [&](Expr x, Expr y) { return wrapped(cx, x * y, type); });
}

namespace onnxfold::dml {
void registerMulLowering(LoweringRegistry &registry) {
  registry.add("Mul", {7, 13, 14}, lowerMul);
}
} // namespace onnxfold::dml
