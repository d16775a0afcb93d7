//===- Blocks.h - What DepthToSpace and SpaceToDepth share ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_BLOCKS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_BLOCKS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Attributes `blocksize` and `mode` of an operator on a four-dimensional
/// input.
struct Blocks {
  int64_t size = 0;
  bool depthFirst = true; // mode DCR, not CRD
};
ReasonOr<Blocks> readBlocks(FoldContext &cx);

/// The reason that the block size does not fit the input.
Reason badBlockSize(const Blocks &blocks, const Elements &x);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_BLOCKS_H
