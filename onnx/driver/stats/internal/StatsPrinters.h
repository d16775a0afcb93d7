//===- StatsPrinters.h - Forms of the numbers of a model --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// printStats() calls these. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPRINTERS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPRINTERS_H

#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/ir/PrintableText.h"

namespace onnxfold {

/// "Conv", "com.microsoft.FusedConv".
std::string nameOf(llvm::StringRef domain, llvm::StringRef type);

void printStatsText(llvm::raw_ostream &out, const ModelStats &stats);
void printStatsJson(llvm::raw_ostream &out, const ModelStats &stats,
                    unsigned indent);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_STATSPRINTERS_H
