//===- SpaceToDepth.cpp - Constant kernel of onnx.SpaceToDepth ------------===//
//
// Blocks of rows and columns become channels: a transposed view, the inverse of
// DepthToSpace. Spec: onnx SpaceToDepth, versions 1, 13, 28 (mode; DCR before).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldSpaceToDepth(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.rank() != 4)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected four dimensions");
  std::string mode = cx.string("mode").value_or("DCR");
  if (mode != "DCR" && mode != "CRD")
    return invalid("attribute 'mode' is '" + mode + "', expected DCR or CRD");
  int64_t block = cx.integer("blocksize").value_or(0);
  int64_t n = x.dim(0), c = x.dim(1), h = x.dim(2), w = x.dim(3);
  if (block < 1 || h % block != 0 || w % block != 0 ||
      !checkedNumElements({c, block, block}))
    return invalid("attribute 'blocksize' is " + llvm::Twine(block) +
                   ", input #0 has shape " + toString(x.shape()));
  Elements blocks = x.reshape({n, c, h / block, block, w / block, block});
  Elements moved = mode == "DCR" ? blocks.transpose({0, 3, 5, 1, 2, 4})
                                 : blocks.transpose({0, 1, 3, 5, 2, 4});
  return moved.reshape({n, c * block * block, h / block, w / block});
}

namespace onnxfold {
void registerSpaceToDepth(KernelRegistry &registry) {
  registry.add("SpaceToDepth", {1, 13, 28}, foldSpaceToDepth);
}
} // namespace onnxfold
