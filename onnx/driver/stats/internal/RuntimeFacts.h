//===- RuntimeFacts.h - Which releases run a model --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the opsets and the IR version of a model with the published tables
// of releases, which are in RuntimeFacts.cpp with their sources.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEFACTS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEFACTS_H

#include "onnxfold/onnx/driver/stats/ModelStats.h"

namespace onnxfold {

/// Fills `runtimes` and `runtimeNotes` from `opsets`, `irVersion` and
/// `operators`. `defined`: the domains of the model's functions.
void addRuntimes(ModelStats &stats,
                 const std::vector<std::string> &definedDomains);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_RUNTIMEFACTS_H
