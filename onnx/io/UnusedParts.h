//===- UnusedParts.h - Functions and imports that nothing needs -*- C++ -*-===//
//
// Erases functions that no node reachable from the main graph calls, and
// imports of operator sets of which the model has no node and no function. Kept
// are the import of ai.onnx, any one if none is needed, and all imports of a
// model with training_info. Private to onnx/io.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_UNUSEDPARTS_H
#define ONNXFOLD_ONNX_IO_UNUSEDPARTS_H

#include "onnxfold/onnx/io/EditScript.h"
#include "onnxfold/onnx/io/Import.h"

namespace onnxfold {

/// The module is what the output will be.
void eraseUnusedParts(const ImportedModel &model, EditScript &script);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_UNUSEDPARTS_H
