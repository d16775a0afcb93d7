//===- RuntimeKernels.h - Nodes that ONNX Runtime cannot run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the nodes of a model with the kernels of the CPU provider of one
// release of ONNX Runtime (OnnxRuntimeKernels.inc). A node is left out if its
// operator is a function of ONNX, whose nodes run instead, if it belongs to
// another domain, or if what is known of its types does not tell.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEKERNELS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEKERNELS_H

#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/driver/stats/internal/ValueSizes.h"

namespace onnxfold {

/// Fills `noKernel`, and adds to `runtimeNotes` which nodes of f16 run in f32.
void addMissingKernels(mlir::Operation *main, const ValueSizes &sizes,
                       ModelStats &stats);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEKERNELS_H
