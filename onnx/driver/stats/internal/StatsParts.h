//===- StatsParts.h - What fills the numbers of a model ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parts of ModelStats that have a source of their own. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPARTS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPARTS_H

#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/driver/stats/internal/ValueSizes.h"
#include "onnxfold/onnx/io/read/Import.h"

namespace onnxfold {

/// Counts the initializers and the values of Constant nodes of a model, bodies
/// and functions included, each once, without reading their data: fills
/// `parameters`, `byType`, `byStorage`, `byOwner` and `largest`. REQUIRES: the
/// module is as it was imported.
void countParameters(const ImportedModel &model, ModelStats &stats);

/// Compares the opsets and the IR version of a model with the published tables
/// of releases, which are in RuntimeFacts.cpp with their sources: fills
/// `runtimes` and `runtimeNotes` from `opsets`, `irVersion` and `operators`.
/// `definedDomains`: the domains of the model's functions.
void addRuntimes(ModelStats &stats,
                 const std::vector<std::string> &definedDomains);

/// Compares the nodes of a model with the kernels of the CPU provider of one
/// release of ONNX Runtime (OnnxRuntimeKernels.inc): fills `noKernel`, and adds
/// to `runtimeNotes` which nodes of f16 run in f32. A node is left out if its
/// operator is a function of ONNX, whose nodes run instead, if it belongs to
/// another domain, or if what is known of its types does not tell.
void addMissingKernels(mlir::Operation *main, const ValueSizes &sizes,
                       ModelStats &stats);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPARTS_H
