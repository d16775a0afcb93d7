//===- Bufferization.h - Sequences in one-shot bufferization ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Models of BufferizableOpInterface for the operations of sequences that see
// tensors: elements become records, tensors that are taken out become views of
// records.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BUFFERIZATION_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BUFFERIZATION_H

namespace mlir {
class DialectRegistry;
}

namespace onnxfold::sequence {
void registerSequenceBufferization(mlir::DialectRegistry &registry);
}

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_BUFFERIZATION_H
