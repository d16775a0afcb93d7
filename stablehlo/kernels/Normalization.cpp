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

template <class F>
static Elements zipDoubles(const Elements &a, const Elements &b, F f) {
  return ops::zipAs<double, double, double>(a, b, f);
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
static Elements normalized(const Elements &x, const Features &f,
                           double epsilon) {
  Elements centred =
      zipDoubles(x, f.mean, [](double a, double b) { return a - b; });
  Elements scaled =
      zipDoubles(centred, f.variance, [epsilon](double a, double b) {
        return a / std::sqrt(b + epsilon);
      });
  return zipDoubles(
      zipDoubles(scaled, f.scale, [](double a, double b) { return a * b; }),
      f.offset, [](double a, double b) { return a + b; });
}

namespace {

/// The three operations have these in common: x, and numbers of features.
struct Batch {
  DataType type;
  int64_t features;
  Elements x;           // in double, as the others
  Shape spread, others; // of a feature's numbers; the dimensions of x summed
  double epsilon;

  Elements feature(const Elements &values) const {
    return inDoubles(values).reshape(spread);
  }
  Elements sum(const Elements &values) const {
    return ops::reduce(values, others, true, ops::Reduction::Sum);
  }
  Elements mean(const Elements &values) const {
    return ops::reduce(values, others, true, ops::Reduction::Mean);
  }
  /// A number for each feature as a result.
  Elements flat(const Elements &values) const {
    return ops::cast(values, type).reshape({features});
  }
};

} // namespace

/// The inputs from the second one on, `count` in all, are for each feature.
static ReasonOr<Batch> batchOf(FoldContext &cx, unsigned count) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> dim = dimensionOf(cx, "feature_index", x.rank());
  if (!dim)
    return dim.reason();
  std::optional<float> epsilon = cx.real("epsilon");
  if (!epsilon)
    return invalid("attribute 'epsilon' is missing");
  if (typeClass(x.type()) != TypeClass::Float)
    return notFolded(ReasonCode::NoKernel, "no kernel for " + name(x.type()));
  for (unsigned i = 1; i <= count; ++i)
    if (cx.input(i).type() != x.type() ||
        cx.input(i).shape() != ShapeRef(x.dim(*dim)))
      return invalid("operand #" + llvm::Twine(i) +
                     " is not one number for each feature");
  Batch batch{x.type(),           x.dim(*dim), inDoubles(x),
              Shape(x.rank(), 1), {},          *epsilon};
  batch.spread[*dim] = x.dim(*dim);
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != *dim)
      batch.others.push_back(d);
  return batch;
}

static FoldResult foldBatchNormInference(FoldContext &cx) {
  ReasonOr<Batch> batch = batchOf(cx, 4);
  if (!batch)
    return batch.reason();
  Features f{batch->feature(cx.input(1)), batch->feature(cx.input(2)),
             batch->feature(cx.input(3)), batch->feature(cx.input(4))};
  return ops::cast(normalized(batch->x, f, batch->epsilon), batch->type);
}

static FoldResult foldBatchNormTraining(FoldContext &cx) {
  ReasonOr<Batch> batch = batchOf(cx, 2);
  if (!batch)
    return batch.reason();
  if (batch->x.size() == 0)
    return undefined("the mean of nothing");
  Features f{batch->feature(cx.input(1)),
             batch->feature(cx.input(2)),
             batch->mean(batch->x),
             {}};
  f.variance = batch->mean(zipDoubles(
      batch->x, f.mean, [](double a, double b) { return (a - b) * (a - b); }));
  return llvm::SmallVector<Elements, 1>{
      ops::cast(normalized(batch->x, f, batch->epsilon), batch->type),
      batch->flat(f.mean), batch->flat(f.variance)};
}

/// The gradients of x, scale and offset, from that of the result.
static FoldResult foldBatchNormGrad(FoldContext &cx) {
  ReasonOr<Batch> batch = batchOf(cx, 3);
  if (!batch)
    return batch.reason();
  if (batch->x.size() == 0)
    return undefined("the mean of nothing");
  if (cx.input(4).type() != batch->type ||
      cx.input(4).shape() != batch->x.shape())
    return invalid("operand #4 is not of the shape and type of operand #0");
  Elements scale = batch->feature(cx.input(1)), dy = inDoubles(cx.input(4));
  auto subtract = [](double a, double b) { return a - b; };
  auto multiply = [](double a, double b) { return a * b; };
  auto divide = [](double a, double b) { return a / b; };
  Elements x = zipDoubles(batch->x, batch->feature(cx.input(2)), subtract);
  Elements variance = ops::mapAs<double, double>(
      batch->feature(cx.input(3)),
      [epsilon = batch->epsilon](double a) { return a + epsilon; });
  Elements deviation = ops::mapAs<double, double>(
      variance, [](double a) { return std::sqrt(a); });
  Elements product = batch->sum(zipDoubles(dy, x, multiply));
  // dx = scale / deviation * (dy - mean(dy) - x * mean(dy * x) / variance)
  double count = double(batch->x.size()) / double(batch->features);
  Elements slope =
      ops::mapAs<double, double>(zipDoubles(product, variance, divide),
                                 [count](double a) { return a / count; });
  Elements rest = zipDoubles(zipDoubles(dy, batch->mean(dy), subtract),
                             zipDoubles(x, slope, multiply), subtract);
  return llvm::SmallVector<Elements, 1>{
      ops::cast(
          zipDoubles(zipDoubles(scale, deviation, divide), rest, multiply),
          batch->type),
      batch->flat(zipDoubles(product, deviation, divide)),
      batch->flat(batch->sum(dy))};
}

namespace onnxfold::hlo {
void registerNormalization(KernelRegistry &registry) {
  registry.add("batch_norm_inference", {1}, counted<foldBatchNormInference, 5>);
  registry.add("batch_norm_training", {1}, counted<foldBatchNormTraining, 3>);
  registry.add("batch_norm_grad", {1}, counted<foldBatchNormGrad, 5>);
}
} // namespace onnxfold::hlo
