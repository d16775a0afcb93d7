//===- BufferReuseSteps.h - The steps of buffer-reuse ---------------------===//
//
// Of this folder only. BufferReuse.h says what each does.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_BUFFERREUSESTEPS_H
#define ONNXFOLD_DEALLOC_BUFFERREUSESTEPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold::deallocation {

void eliminateCopies(mlir::FunctionOpInterface function);

/// Both for one loop whose body is done. The operation that is there
/// afterwards, which may be a new one with the old blocks.
mlir::Operation *doubleBuffer(mlir::Operation *loop);
void simplifyLoop(mlir::Operation *loop);

/// Reuse and hoisting for all blocks, and the loops on the way.
void shareBuffers(mlir::FunctionOpInterface function);

void promoteToStack(mlir::FunctionOpInterface function, int64_t bytes);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_BUFFERREUSESTEPS_H
