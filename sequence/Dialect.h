//===- Dialect.h - The sequence dialect -------------------------*- C++ -*-===//
//
// Immutable lists of tensors, `!sequence.seq<element type, length>`, as ONNX
// has them, and how they become programs. SequenceDialect.td describes each
// operation. From top to bottom:
//
//   values    sequence.empty, construct, insert, erase, at, length, split,
//             concat, cast on tensors. They fold and canonicalise.
//   records   One-shot bufferization makes memrefs of tensors and, of elements,
//             reference-counted records. The pass sequence-ownership says
//             with retain and release how long each lives.
//   storage   convert-sequence makes two values of a sequence, its storage and
//             its length: seqalloc, seqreserve, seqstore, seqextract,
//             seqdealloc ...
//   memref    convert-seq-to-memref makes calls of the run-time library
//             (runtime/Runtime.h) and views of records as memrefs.
//
// Passes.h has the passes; runtime/Sequence.h is for programs that call what
// has been compiled.
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

/// The least type that has all values of both: dimensions that differ are `?`,
/// of different ranks it is unranked. Null if element kinds or encodings
/// differ.
mlir::TensorType joinTensors(mlir::TensorType left, mlir::TensorType right);

/// The same of sequences; lengths that differ are `?`. A sequence of length 0
/// says nothing about elements but their kind.
SequenceType joinSequences(SequenceType left, SequenceType right);

/// Whether each value of type `special` is one of type `general`.
bool covers(mlir::TensorType general, mlir::TensorType special);
bool covers(SequenceType general, SequenceType special);

/// Whether a value can be of both types.
bool areCompatible(mlir::TensorType left, mlir::TensorType right);
bool areCompatible(SequenceType left, SequenceType right);

/// What an index is if it is a constant.
std::optional<int64_t> constantIndex(mlir::Value value);

/// A position counted from the front: `position` is in [-length, length) or,
/// `inclusive`, in [-length, length]. Nothing outside of that, or if the length
/// is unknown and the position is negative or not provably inside.
std::optional<int64_t> positionFromFront(int64_t position, int64_t length,
                                         bool inclusive);

/// The same for an operation: the position of an insert (none: append) or an
/// erase (none: the last), counted from the front, if it is known and inside.
std::optional<int64_t> knownPosition(InsertOp op);
std::optional<int64_t> knownPosition(EraseOp op);
std::optional<int64_t> knownPosition(AtOp op);

/// `value` as a value of that type: itself, or cast.
mlir::Value castSequence(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Value value, SequenceType type);
mlir::Value castTensor(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Value value, mlir::TensorType type);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_DIALECT_H
