//===- Softmax.cpp - Constant kernel of onnx.Softmax ----------------------===//
//
// exp(x) / sum(exp(x)) along an axis. Spec: onnx Softmax, versions 1, 11 (x is
// a matrix, cut before `axis`, by default 1: the sum runs over all dimensions
// from there on), 13 (`axis`, by default the last, alone).
// In double throughout, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/Reduce.h"

using namespace onnxfold;

static FoldResult foldSoftmax(FoldContext &cx) {
  const Elements &x = cx.input(0);
  bool flattens = cx.version() < 13;
  int64_t given = cx.integer("axis").value_or(flattens ? 1 : -1);
  std::optional<int64_t> axis = normalizeAxis(given, x.rank());
  if (!axis)
    return invalid("attribute 'axis' is " + llvm::Twine(given) +
                   ", the rank of input #0 is " + llvm::Twine(x.rank()));
  if (!flattens)
    return softmax(x, *axis);
  Shape matrix = {numElements(x.shape().take_front(*axis)),
                  numElements(x.shape().drop_front(*axis))};
  Elements y = softmax(x.reshape(matrix), 1);
  return y ? y.reshape(x.shape()) : y;
}

namespace onnxfold {
void registerSoftmax(KernelRegistry &registry) {
  registry.add("Softmax", {1, 11, 13}, foldSoftmax);
}
} // namespace onnxfold
