//===- Passes.h - From sequences to programs --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The passes that lower sequence operations to programs, and the pipeline of
// all of them, `--lower-sequence-to-llvm` in fold-opt:
//
//   protect-arguments         functions do not write to their arguments
//   canonicalize, one-shot-bufferize (function boundaries too)
//   sequence-ownership        reference counts; elements are shared
//   convert-sequence          a sequence becomes its storage and its length
//   buffer deallocation       MLIR's own, for all other buffers
//   convert-seq-to-memref     calls of the run-time library, views of records
//   verify-layouts            no cast takes a layout away
//   to LLVM                   linalg, scf, memref, arith, math, func
//
// The convention of compiled functions:
//   tensor     a memref, as in MLIR's bufferization. The caller keeps its
//              arguments, which the function does not write to, and owns the
//              results; each result has a buffer of its own.
//   sequence   a pointer to its storage and its length (SequenceValue in
//              runtime/Runtime.h). A function takes the references that it is
//              passed, and gives those that it returns; a caller that keeps an
//              argument passes an additional reference. runtime/Sequence.h does
//              that.
// With `llvm.emit_c_interface` a function f is _mlir_ciface_f too: a pointer to
// the results (a struct if there are several, sequences side by side as two
// fields) unless there is none, then the arguments: of a sequence its two
// words, of a tensor a pointer to its descriptor. It checks what is passed: the
// elements of sequences against the type (once for each storage, which remembers
// it), the sizes, strides and alignment of tensors. An error names argument and
// function.
//
// Errors are diagnostics: functions with several blocks, and unknown operations
// with sequences as operands.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_PASSES_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace onnxfold::sequence {

/// The passes by name: registerSequencePasses(). Passes.td declares and
/// docs/passes.md describes them.
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/sequence/transforms/Passes.h.inc"

/// MLIR's canonicalizer without its pattern ForOpTensorCastFolder, which gives a
/// tensor that scf.for carries the shape of its initial value, though the body
/// may yield one of another shape.
std::unique_ptr<mlir::Pass> createCarriedShapesCanonicalizerPass();

/// Adds all of these passes and those between them, down to the LLVM dialect.
void buildLowerSequenceToLLVM(mlir::OpPassManager &manager);

/// Registers the pipeline by name.
void registerSequencePipelines();

/// Registers the dialects that the pipeline needs, with their models for
/// bufferization.
void registerSequenceDialects(mlir::DialectRegistry &registry);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_PASSES_H
