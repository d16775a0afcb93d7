//===- ChloBroadcast.cpp - Constant kernels of CHLO that broadcast --------===//
// SPDX-License-Identifier: Apache-2.0
//
// `chlo.broadcast_add` is `stablehlo.add` of operands that broadcast, as
// torch-mlir writes it; `chlo.broadcast_zeta` is `chlo.zeta`.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

namespace {
struct Registry : KernelRegistry {
  explicit Registry(llvm::StringRef dialect) : KernelRegistry(dialect) {
    addStablehloKernels(dialect, *this);
  }
};
} // namespace

/// Dimensions of the operand with less of them are the last ones of the result:
/// XLA knows no other order.
static Reason checkPlaces(FoldContext &cx, int64_t rank) {
  std::optional<Shape> places = cx.ints("broadcast_dimensions");
  if (!places)
    return {};
  int64_t first = rank - int64_t(places->size());
  for (auto [i, place] : llvm::enumerate(*places))
    if (place != first + int64_t(i))
      return notFolded(ReasonCode::NoKernel,
                       "'broadcast_dimensions' is " + toString(*places) +
                           ", expected the last ones of " + llvm::Twine(rank));
  return {};
}

/// The operands, all of the shape of the result.
static ReasonOr<llvm::SmallVector<Elements>> spreadOperands(FoldContext &cx) {
  Shape shape;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    std::optional<Shape> both = broadcastShapes(shape, cx.input(i).shape());
    if (!both)
      return invalid("shapes " + toString(shape) + " and " +
                     toString(cx.input(i).shape()) + " do not broadcast");
    shape = *both;
  }
  if (Reason kept = checkPlaces(cx, shape.size()))
    return kept;
  if (Reason large = cx.checkResult(cx.resultType(), shape))
    return large;
  llvm::SmallVector<Elements> operands;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    operands.push_back(cx.input(i).expand(shape));
  return operands;
}

/// The kernel of the dialect that has an operation of this name; CHLO's own first.
static ReasonOr<const Kernel *> kernelOf(llvm::StringRef name) {
  static const Registry stablehlo("stablehlo"), chlo("chlo");
  if (ReasonOr<const Kernel *> own = chlo.lookup(("chlo." + name).str(), 1))
    return own;
  return stablehlo.lookup(("stablehlo." + name).str(), 1);
}

static FoldResult foldChloBroadcast(FoldContext &cx) {
  llvm::StringRef name = cx.operation()->getName().stripDialect();
  name.consume_front("broadcast_");
  ReasonOr<const Kernel *> kernel = kernelOf(name);
  if (!kernel)
    return kernel.reason();
  auto operands = spreadOperands(cx);
  if (!operands)
    return operands.reason();
  return cx.runKernel(**kernel, 1, *operands);
}

namespace onnxfold::hlo {
void registerChloBroadcast(KernelRegistry &registry) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(
      "add and atan2 compare complex divide maximum minimum multiply "
      "next_after or polygamma power remainder select shift_left "
      "shift_right_arithmetic shift_right_logical subtract xor zeta")
      .split(names, ' ');
  for (llvm::StringRef name : names)
    registry.add(("broadcast_" + name).str(), {1}, foldChloBroadcast);
}
} // namespace onnxfold::hlo
