//===- ParameterStats.h - What the weights of a model are -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts the initializers and the values of Constant nodes of a model, bodies
// and functions included, each once: by element type, by how they are stored,
// by what reads them. Data is not read.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_PARAMETERSTATS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_PARAMETERSTATS_H

#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/io/read/Import.h"

namespace onnxfold {

/// Fills `parameters`, `byType`, `byStorage`, `byOwner` and `largest`.
/// REQUIRES: the module is as it was imported.
void countParameters(const ImportedModel &model, ModelStats &stats);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_PARAMETERSTATS_H
