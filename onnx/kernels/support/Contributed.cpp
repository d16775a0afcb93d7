//===- Contributed.cpp - What kernels of com.microsoft share --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/AllKernels.h"
#include "onnxfold/onnx/kernels/support/Activations.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason checkRule(FoldContext &cx, unsigned i, const InputRule &rule) {
  if (!cx.hasInput(i))
    return rule.presence == InputRule::Optional
               ? Reason()
               : invalid("input #" + llvm::Twine(i) + " is missing");
  DataType type = cx.input(i).type();
  if (!rule.types.has(type))
    return notFolded(ReasonCode::UnsupportedType,
                     "input #" + llvm::Twine(i) + " has element type " +
                         name(type) + ", which the operator does not take");
  if (rule.like != InputRule::any && type != cx.input(rule.like).type())
    return invalid("input #" + llvm::Twine(i) + " has element type " +
                   name(type) + ", expected " +
                   name(cx.input(rule.like).type()) + " as input #" +
                   llvm::Twine(rule.like));
  return {};
}

Reason onnxfold::checkInputs(FoldContext &cx, llvm::ArrayRef<InputRule> rules) {
  if (cx.numInputs() > rules.size())
    return invalid("there are " + llvm::Twine(cx.numInputs()) +
                   " inputs, expected at most " + llvm::Twine(rules.size()));
  for (unsigned i = 0; i < rules.size(); ++i)
    if (Reason wrong = checkRule(cx, i, rules[i]))
      return wrong;
  return {};
}

FoldResult onnxfold::runStandard(FoldContext &cx, llvm::StringRef op,
                                 int version, llvm::ArrayRef<Elements> inputs) {
  struct Standard {
    KernelRegistry registry{"onnx"};
    Standard() { registerAllKernels(registry); }
  };
  static const Standard standard;
  ReasonOr<const Kernel *> kernel =
      standard.registry.lookup("onnx." + op.str(), version);
  if (!kernel)
    return kernel.reason();
  return cx.runKernel(**kernel, version, inputs);
}

/// Moves dimension `from` to `to`.
static Elements moved(const Elements &x, int64_t from, int64_t to) {
  Shape order;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != from)
      order.push_back(i);
  order.insert(order.begin() + to, from);
  return x.transpose(order);
}

Elements onnxfold::channelsSecond(const Elements &x) {
  return x.rank() < 3 ? x : moved(x, x.rank() - 1, 1);
}

Elements onnxfold::channelsLast(const Elements &x) {
  return x.rank() < 3 ? x : moved(x, 1, x.rank() - 1);
}

static Elements clipped(const Elements &y, double lower, double upper) {
  return mapAs<double, double>(
      y, [=](double v) { return minimum(maximum(v, lower), upper); });
}

ReasonOr<Elements> onnxfold::fusedActivation(FoldContext &cx, const Elements &y,
                                             llvm::ArrayRef<float> parameters) {
  std::string name = cx.string("activation").value_or("");
  if (name.empty())
    return y;
  if (name == "Clip" && parameters.size() == 2)
    return clipped(y, parameters[0], parameters[1]);
  std::optional<Activation> f = activationNamed(name, parameters);
  if (!f)
    return undefined("attribute 'activation' is '" + llvm::Twine(name) +
                     "' with " + llvm::Twine(parameters.size()) +
                     " parameters");
  return mapBlocks(
      y, DataType::Float64, [f = *f](const void *in, void *out, size_t count) {
        auto *values = static_cast<double *>(out);
        std::copy_n(static_cast<const double *>(in), count, values);
        f.function(values, count, f.alpha, f.beta);
      });
}

FoldResult onnxfold::fusedConvolution(FoldContext &cx, bool isChannelsLast) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(cx, {{floats},
                                      {floats, 0},
                                      {floats, 0, optional},
                                      {floats, 0, optional}}))
    return wrong;
  Elements x = unroundedInput(cx, 0);
  FoldResult conv = runStandard(cx, "Conv", 22,
                                {isChannelsLast ? channelsSecond(x) : x,
                                 unroundedInput(cx, 1), unroundedInput(cx, 2)});
  if (!conv)
    return conv;
  Elements y = conv.values()[0].tensor;
  if (isChannelsLast)
    y = channelsLast(y);
  if (cx.hasInput(3))
    if (Reason wrong = checkShape(cx, 3, y.shape()))
      return wrong;
  ReasonOr<Elements> active = fusedActivation(
      cx, shiftedBy(y, unroundedInput(cx, 3)),
      cx.reals("activation_params").value_or(llvm::SmallVector<float>()));
  return active ? FoldResult(roundedResult(cx, *active))
                : FoldResult(active.reason());
}

/// Input i of a product as a batch of matrices that multiply as they stand.
static ReasonOr<Elements> matrixOf(FoldContext &cx, unsigned i,
                                   llvm::StringRef transposes,
                                   llvm::StringRef transposesBatch) {
  Elements x = unroundedInput(cx, i);
  bool ofBatch = cx.integer(transposesBatch).value_or(0) != 0;
  if (ofBatch && x.rank() < 3)
    return invalid("attribute '" + transposesBatch + "' is set, input #" +
                   llvm::Twine(i) + " has shape " + toString(x.shape()));
  if (ofBatch)
    x = moved(x, 0, x.rank() - 2);
  // A vector has nothing to transpose.
  return cx.integer(transposes).value_or(0) != 0 && x.rank() >= 2
             ? moved(x, x.rank() - 1, x.rank() - 2)
             : x;
}

FoldResult onnxfold::fusedMatMul(FoldContext &cx, bool hasBatches) {
  if (Reason wrong = checkInputs(cx, {{floats}, {floats, 0}}))
    return wrong;
  ReasonOr<Elements> a =
      matrixOf(cx, 0, "transA", hasBatches ? "transBatchA" : "");
  ReasonOr<Elements> b =
      matrixOf(cx, 1, "transB", hasBatches ? "transBatchB" : "");
  for (const Reason &wrong : {a.reason(), b.reason()})
    if (wrong)
      return wrong;
  ReasonOr<MatrixProduct> product = planProduct(cx, *a, *b, cx.input(0).type());
  if (!product)
    return product.reason();
  double alpha = cx.real("alpha").value_or(1);
  return roundedResult(cx, mapAs<double, double>(matmul(*a, *b), [=](double v) {
                         return alpha * v;
                       }));
}

Elements onnxfold::unpacked(const Elements &x, int64_t bits) {
  llvm::SmallVector<Elements, 4> parts;
  auto mask = uint8_t((1 << bits) - 1);
  for (int64_t shift = 0; shift < 8; shift += bits)
    parts.push_back(mapAs<uint8_t, uint8_t>(x, [=](uint8_t v) {
                      return uint8_t(v >> shift & mask);
                    }).unsqueeze({x.rank()}));
  Shape shape(x.shape());
  shape.back() *= int64_t(parts.size());
  return concat(parts, x.rank()).reshape(shape);
}
