//===- Rfft2d.cpp - Constant kernel of tosa.rfft2d -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The two-dimensional Fourier transform of real images: the first w / 2 + 1 columns. In
// double, rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaFourier.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

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
void registerTosaRfft2d(KernelRegistry &registry) {
  registry.add("rfft2d", {1}, foldTosaRfft2d);
}
} // namespace onnxfold::upstream
