//===- Boundary.h - What functions take and give ----------------*- C++ -*-===//
//
// The steps of lowering that keep the promise of transforms/Passes.h: the
// caller keeps its arguments and owns the results.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BOUNDARY_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BOUNDARY_H

#include "onnxfold/sequence/transforms/internal/RuntimeCalls.h"
#include "mlir/IR/Operation.h"

namespace onnxfold::sequence {

/// After bufferization: copies a returned buffer that may be that of an earlier
/// result.
void separateResults(mlir::Operation *function);

/// Inserts checks of what a function with a C interface is passed.
void checkArguments(mlir::Operation *function);

/// Before loops become branches: gives back, at the end of each iteration, the
/// stack that the descriptors of unranked memrefs take in it. Those that the
/// loop carries are kept in slots that are allocated once.
void freeStackOfLoops(mlir::Operation *module, RuntimeSymbols &symbols);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BOUNDARY_H
