//===- Fft2d.cpp - Constant kernel of tosa.fft2d -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The two-dimensional Fourier transform of complex images, or its inverse, which is not
// divided by their size. In double, rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaFourier.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaFft2d(FoldContext &cx) {
  Elements real = cx.input(0), imaginary = cx.input(1);
  DataType type = real.type();
  if (typeClass(type) != TypeClass::Float)
    return Elements();
  if (Reason wrong = checkImages(cx, real.shape()))
    return wrong;
  if (real.shape() != imaginary.shape())
    return invalid("the shapes do not fit");
  // The inverse: what the transform is with the two parts exchanged.
  bool isInverse = cx.integer("inverse").value_or(0) != 0;
  if (isInverse)
    std::swap(real, imaginary);
  Elements both =
      ops::concat({real.unsqueeze({3}), imaginary.unsqueeze({3})}, 3);
  Elements result = transformImages(ops::cast(both, DataType::Float64));
  return llvm::SmallVector<Elements, 1>{
      partOf(result, isInverse ? 1 : 0, type),
      partOf(result, isInverse ? 0 : 1, type)};
}

namespace onnxfold::upstream {
void registerTosaFft2d(KernelRegistry &registry) {
  registry.add("fft2d", {1}, foldTosaFft2d);
}
} // namespace onnxfold::upstream
