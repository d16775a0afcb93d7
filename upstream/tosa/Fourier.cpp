//===- Fourier.cpp - Constant kernels of Fourier transforms in tosa -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of the last two dimensions, in double.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaFourier.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The two-dimensional Fourier transform of complex images, or its inverse,
/// which is not divided by their size. In double, rounded once.
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

/// The two-dimensional Fourier transform of real images: the first w / 2 + 1
/// columns. In double, rounded once.
static FoldResult foldTosaRfft2d(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (typeClass(x.type()) != TypeClass::Float)
    return Elements();
  if (Reason wrong = checkImages(cx, x.shape()))
    return wrong;
  Elements result =
      transformImages(ops::cast(x.unsqueeze({3}), DataType::Float64));
  return llvm::SmallVector<Elements, 1>{partOf(result, 0, x.type()),
                                        partOf(result, 1, x.type())};
}

namespace onnxfold::upstream {
void registerTosaFourier(KernelRegistry &registry) {
  registry.add("fft2d", {1}, foldTosaFft2d);
  registry.add("rfft2d", {1}, foldTosaRfft2d);
}
} // namespace onnxfold::upstream
