//===- Normalization.cpp - Constant kernels of batch normalisation --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/stablehlo/support/Operands.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

namespace {

/// The values of one feature each, along its dimension of x.
struct Features {
  Elements scale, offset, mean, variance;
};

} // namespace

static Elements inDoubles(const Elements &x) {
  return ops::cast(x, DataType::Float64);
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
static Elements normalized(const Elements &x, const Features &f,
                           double epsilon) {
  auto zip = [](const Elements &a, const Elements &b, auto g) {
    return ops::zipAs<double, double, double>(a, b, g);
  };
  Elements centred = zip(x, f.mean, [](double a, double b) { return a - b; });
  Elements scaled = zip(centred, f.variance, [epsilon](double a, double b) {
    return a / std::sqrt(b + epsilon);
  });
  return zip(zip(scaled, f.scale, [](double a, double b) { return a * b; }),
             f.offset, [](double a, double b) { return a + b; });
}

static FoldResult foldBatchNorm(FoldContext &cx, bool isTraining) {
  if (Reason wrong = checkCount(cx, isTraining ? 3 : 5))
    return wrong;
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> dim = dimensionOf(cx, "feature_index", x.rank());
  if (!dim)
    return dim.reason();
  std::optional<float> epsilon = cx.real("epsilon");
  if (!epsilon || typeClass(x.type()) != TypeClass::Float)
    return epsilon ? FoldResult(Elements())
                   : invalid("attribute 'epsilon' is missing");
  Shape spread(x.rank(), 1), others;
  spread[*dim] = x.dim(*dim);
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != *dim)
      others.push_back(d);
  for (unsigned i = 1; i < cx.numInputs(); ++i)
    if (cx.input(i).type() != x.type() ||
        cx.input(i).shape() != ShapeRef(x.dim(*dim)))
      return invalid("operand #" + llvm::Twine(i) +
                     " is not one number for each feature");
  auto feature = [&](unsigned i) {
    return inDoubles(cx.input(i)).reshape(spread);
  };
  Elements wide = inDoubles(x);
  Features f{feature(1), feature(2), {}, {}};
  if (isTraining) {
    if (x.size() == 0)
      return undefined("the mean of nothing");
    f.mean = ops::reduce(wide, others, true, ops::Reduction::Mean);
    Elements centred = ops::zipAs<double, double, double>(
        wide, f.mean, [](double a, double b) { return (a - b) * (a - b); });
    f.variance = ops::reduce(centred, others, true, ops::Reduction::Mean);
  } else {
    f.mean = feature(3), f.variance = feature(4);
  }
  Elements y = ops::cast(normalized(wide, f, *epsilon), x.type());
  if (!isTraining)
    return y;
  auto flat = [&](const Elements &values) {
    return ops::cast(values, x.type()).reshape({x.dim(*dim)});
  };
  return llvm::SmallVector<Elements, 1>{y, flat(f.mean), flat(f.variance)};
}

static FoldResult foldBatchNormInference(FoldContext &cx) {
  return foldBatchNorm(cx, /*isTraining=*/false);
}
static FoldResult foldBatchNormTraining(FoldContext &cx) {
  return foldBatchNorm(cx, /*isTraining=*/true);
}

namespace onnxfold::hlo {
void registerNormalization(KernelRegistry &registry) {
  registry.add("batch_norm_inference", {1}, foldBatchNormInference);
  registry.add("batch_norm_training", {1}, foldBatchNormTraining);
}
} // namespace onnxfold::hlo
