//===- Blocks.cpp - What DepthToSpace and SpaceToDepth share --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Blocks.h"

using namespace onnxfold;

ReasonOr<Blocks> onnxfold::readBlocks(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Blocks blocks;
  std::string mode = cx.string("mode").value_or("DCR");
  blocks.size = cx.integer("blocksize").value_or(0);
  blocks.depthFirst = mode == "DCR";
  if (x.rank() != 4)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected four dimensions");
  if (mode != "DCR" && mode != "CRD")
    return invalid("attribute 'mode' is '" + mode + "', expected DCR or CRD");
  if (blocks.size < 1)
    return badBlockSize(blocks, x);
  return blocks;
}

Reason onnxfold::badBlockSize(const Blocks &blocks, const Elements &x) {
  return invalid("attribute 'blocksize' is " + llvm::Twine(blocks.size) +
                 ", input #0 has shape " + toString(x.shape()));
}
