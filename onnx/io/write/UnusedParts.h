//===- UnusedParts.h - Functions and imports that nothing needs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Erases functions that no node reachable from the main graph calls, and
// imports of operator sets of which the model has no node and no function. The
// import of ai.onnx is kept, at least one import if none is needed, and all
// imports of a model with training_info. This header is private to onnx/io.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_UNUSEDPARTS_H
#define ONNXFOLD_ONNX_IO_WRITE_UNUSEDPARTS_H

#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/write/Cleaning.h"

namespace onnxfold {

/// Erases them in the script, and counts them. REQUIRES: the module is in its
/// final state.
void eraseUnusedParts(const ImportedModel &model, EditScript &script,
                      CleaningRecord &record);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_UNUSEDPARTS_H
