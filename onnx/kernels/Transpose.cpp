//===- Transpose.cpp - Constant kernel of onnx.Transpose ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Permutes dimensions, as a view; by default reverses them. Spec: onnx
// Transpose, versions 1, 13, 21, 23, 24, 25.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape reversed;
  for (int64_t i = x.rank(); i-- > 0;)
    reversed.push_back(i);
  Shape perm = cx.ints("perm").value_or(reversed);
  if (!isPermutation(perm, x.rank()))
    return invalid("attribute 'perm' is " + toString(perm) +
                   ", expected a permutation of the " + llvm::Twine(x.rank()) +
                   " dimensions");
  return x.transpose(perm);
}

namespace onnxfold {
void registerTranspose(KernelRegistry &registry) {
  registry.add("Transpose", {1, 13, 21, 23, 24, 25}, foldTranspose)
      .movesSymbols(0);
}
} // namespace onnxfold
