//===- InPlace.h - What --in-place would spoil ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks of a run that replaces the file it reads, and the data files of it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_INPLACE_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_INPLACE_H

#include "onnxfold/onnx/driver/emit/internal/OutputTarget.h"

namespace onnxfold {

/// An error if the input is not a file that the output can replace.
llvm::Error checkInPlace(const ModelSource &source, const ImportedModel &model,
                         const OutputTarget &target);

/// An error if a data file that is replaced, or deleted as a part of
/// `dataFile`, is that of another model, whose tensors would become others.
llvm::Error checkSharedData(const PreparedModel &model,
                            const OutputTarget &target,
                            llvm::StringRef dataFile,
                            const ModelExporter &exporter);

/// Warns of data files that the output no longer refers to. Other models may
/// need them: nobody but the user knows.
void warnOfUnusedData(const PreparedModel &model, const OutputTarget &target,
                      const ModelExporter &exporter, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_INPLACE_H
