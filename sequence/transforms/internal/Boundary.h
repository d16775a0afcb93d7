//===- Boundary.h - What functions take and give ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
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

/// Copies a returned buffer that may be that of an earlier result. It must run
/// after bufferization.
void separateResults(mlir::Operation *function);

/// Inserts checks of the arguments of a function with a C interface.
void checkArguments(mlir::Operation *function);

/// Frees, at the end of each iteration, the stack that the descriptors of
/// unranked memrefs take in it. Descriptors that the loop carries are kept in
/// slots that are allocated once. It must run before loops are lowered to
/// branches.
void freeStackOfLoops(mlir::Operation *module, RuntimeSymbols &symbols);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BOUNDARY_H
