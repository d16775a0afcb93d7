//===- Softmax.cpp - Constant kernel of onnx.Softmax ----------------------===//
//
// exp(x) / sum(exp(x)) along an axis. Spec: onnx Softmax, versions 1, 11 (x is
// a matrix, cut before `axis`, by default 1: the sum runs over all dimensions
// from there on), 13 (`axis`, by default the last, alone).
// In double throughout, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldSoftmax(FoldContext &cx) {
  const Elements &x = cx.input(0);
  bool flattens = cx.version() < 13;
  Axis axis = axisOf(cx, /*byDefault=*/flattens ? 1 : -1, x.rank());
  if (axis.wrong)
    return *axis.wrong;
  if (!flattens)
    return softmax(x, axis.value);
  Shape matrix = {numElements(x.shape().take_front(axis.value)),
                  numElements(x.shape().drop_front(axis.value))};
  Elements y = softmax(x.reshape(matrix), 1);
  return y ? y.reshape(x.shape()) : y;
}

namespace onnxfold {
void registerSoftmax(KernelRegistry &registry) {
  registry.add("Softmax", {1, 11, 13}, foldSoftmax);
}
} // namespace onnxfold
