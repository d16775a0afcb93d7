//===- Scales.cpp - Powers of two that blocks of numbers share ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Scales.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static bool isScale(double value) {
  int exponent;
  return std::isnan(value) ||
         (std::frexp(value, &exponent) == 0.5 && std::abs(exponent - 1) <= 127);
}

ReasonOr<Elements> upstream::scaleAs(const Elements &scale, DataType type) {
  if (!isFloat(scale.type()))
    return notFolded(ReasonCode::UnsupportedType, "the scales are not floats");
  Elements wide = ops::cast(scale, DataType::Float64);
  if (auto bad =
          ops::firstWhere<double>(wide, [](double v) { return !isScale(v); }))
    return undefined("scale " + toString(ops::indexOf(*bad, wide.shape())) +
                     " is not a power of two from 2^-127 to 2^127");
  FoldResult result = rounded(wide, type);
  if (!result)
    return result.reason();
  return result.values()[0].tensor;
}

ReasonOr<Elements> upstream::timesScales(const Elements &data,
                                         const Elements &scale,
                                         int64_t blockSize) {
  if (!isFloat(data.type()))
    return notFolded(ReasonCode::UnsupportedType, "the data are not floats");
  int64_t last = data.rank() - 1;
  Shape blocks(data.shape());
  if (last < 0 || blockSize < 1 || blocks[last] % blockSize != 0)
    return invalid("blocks of " + llvm::Twine(blockSize) + " do not divide " +
                   toString(data.shape()));
  blocks[last] /= blockSize;
  if (scale.shape() != ShapeRef(blocks))
    return invalid("the scales have shape " + toString(scale.shape()) +
                   ", expected " + toString(blocks));
  ReasonOr<Elements> factors = scaleAs(scale, DataType::Float64);
  if (!factors)
    return factors.reason();
  blocks.push_back(blockSize);
  Elements wide = ops::cast(data, DataType::Float64).reshape(blocks);
  Elements product = ops::zipAs<double, double, double>(
      wide, factors->unsqueeze({last + 1}).expand(blocks),
      [](double x, double y) { return x * y; });
  return product.reshape(data.shape());
}
