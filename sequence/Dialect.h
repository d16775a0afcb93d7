//===- Dialect.h - The sequence dialect -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect has immutable lists of tensors, `!sequence.seq<element type,
// length>`, as in ONNX, and the operations to which they are lowered.
// SequenceDialect.td describes each operation. The levels are, from top to
// bottom:
//
//   values    sequence.empty, construct, insert, erase, at, length, split,
//             concat, cast on tensors. They fold and canonicalise.
//   records   One-shot bufferization turns tensors into memrefs, and elements
//             into reference-counted records. The pass sequence-ownership
//             inserts retain and release, which determine their lifetimes.
//   storage   convert-sequence replaces a sequence by two values, its storage
//             and its length: seqalloc, seqreserve, seqstore, seqextract,
//             seqdealloc ...
//   memref    convert-seq-to-memref lowers these to calls of the run-time
//             library (runtime/Runtime.h) and views of records as memrefs.
//
// transforms/Passes.h has the passes; runtime/Sequence.h is for programs that
// call compiled functions.
//
//   context.loadDialect<sequence::SequenceDialect>();
//   auto type = sequence::SequenceType::get(elementType, 3);
//
// Thread safety: as MLIRContext. Source of the definition: the ONNX operators
// Sequence*, SplitToSequence and ConcatFromSequence.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_DIALECT_H
#define ONNXFOLD_SEQUENCE_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "onnxfold/sequence/SequenceDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "onnxfold/sequence/SequenceTypes.h.inc"

#define GET_OP_CLASSES
#include "onnxfold/sequence/SequenceOps.h.inc"

namespace onnxfold::sequence {

/// The most specific type that covers both: dimensions that differ become `?`;
/// types of different ranks become unranked. Null if element types or encodings
/// differ.
mlir::TensorType joinTensors(mlir::TensorType left, mlir::TensorType right);

/// The same for sequences; lengths that differ become `?`. For a sequence of
/// length 0 only the element type counts, not the shape.
SequenceType joinSequences(SequenceType left, SequenceType right);

/// Whether each value of type `special` is one of type `general`.
bool covers(mlir::TensorType general, mlir::TensorType special);
bool covers(SequenceType general, SequenceType special);

/// Whether a value can be of both types.
bool areCompatible(mlir::TensorType left, mlir::TensorType right);
bool areCompatible(SequenceType left, SequenceType right);

/// The value of an index, if it is a constant.
std::optional<int64_t> constantIndex(mlir::Value value);

/// A position counted from the front: `position` is in [-length, length) or,
/// `inclusive`, in [-length, length]. Nothing if it is outside of that range,
/// or if the length is unknown and the position is negative or not provably
/// inside.
std::optional<int64_t> positionFromFront(int64_t position, int64_t length,
                                         bool inclusive);

/// The position of an insert (by default the end), an erase (by default the
/// last element) or an at, counted from the front, if it is known and in range.
std::optional<int64_t> knownPosition(InsertOp op);
std::optional<int64_t> knownPosition(EraseOp op);
std::optional<int64_t> knownPosition(AtOp op);

/// `value` if it has that type, otherwise a cast of it to the type.
mlir::Value castSequence(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Value value, SequenceType type);
mlir::Value castTensor(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Value value, mlir::TensorType type);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_DIALECT_H
