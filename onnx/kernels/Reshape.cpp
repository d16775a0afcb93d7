//===- Reshape.cpp - Constant kernel of onnx.Reshape ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same elements in another shape, as a view. Spec: onnx Reshape, versions
// 1 (shape is an attribute), 5, 13, 14 (allowzero), 19, 21, 23, 24, 25.
// 0 copies the input's dimension unless allowzero; one -1 is inferred.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

static FoldResult foldReshape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape target = cx.version() == 1 ? cx.ints("shape").value_or(Shape())
                                   : Shape(cx.intsOf(1));
  std::string text =
      "shape is " + toString(target) + ", the input has " + toString(x.shape());
  bool zeroCopies = cx.integer("allowzero").value_or(0) == 0;
  if (!zeroCopies && llvm::is_contained(target, 0) &&
      llvm::is_contained(target, -1))
    return invalid(text + " and allowzero is 1, 0 and -1 do not go together");
  for (size_t i = 0; zeroCopies && i < target.size(); ++i) {
    if (target[i] != 0)
      continue;
    if (int64_t(i) >= x.rank())
      return invalid(text + ", there is no dimension #" + llvm::Twine(i));
    target[i] = x.dim(i);
  }
  if (auto *inferred = llvm::find(target, -1); inferred != target.end()) {
    *inferred = 1;
    std::optional<int64_t> rest = checkedNumElements(target);
    if (!rest || *rest == 0 || x.size() % *rest != 0)
      return invalid(text + ", -1 cannot be inferred");
    *inferred = x.size() / *rest;
  }
  if (checkedNumElements(target) != x.size())
    return invalid(text);
  return x.reshape(target);
}

namespace onnxfold {
void registerReshape(KernelRegistry &registry) {
  registry.add("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, foldReshape)
      .movesSymbols(0);
}
} // namespace onnxfold
