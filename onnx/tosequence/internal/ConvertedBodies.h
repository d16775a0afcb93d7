//===- ConvertedBodies.h - Graphs inside operators --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the lowerings of If, SequenceMap, Loop and Scan. Bodies
// are converted into blocks without a parent, because the types of the
// operation around them follow from the values that they yield.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include <memory>

namespace onnxfold {

/// A converted body: the block of its operations, and the values that it
/// yields.
struct Body {
  std::unique_ptr<mlir::Block> block = std::make_unique<mlir::Block>();
  llvm::SmallVector<mlir::Value> yielded;
  /// For each yielded value that is an optional, whether it has a value
  /// (ToSequenceConverter::presence); null for others.
  llvm::SmallVector<mlir::Value> presences;
};

/// Converts the operations of a graph, appends them to the block of `body`, and
/// sets the values that the graph yields.
llvm::LogicalResult convertGraph(ToSequenceConverter &converter, Operator op,
                                 mlir::Region &graph, Body &body);

/// Checks that a body has as many arguments and yields as many values as the
/// operator around it needs. A model in text form may have any number.
llvm::LogicalResult checkBody(Operator op, llvm::StringRef name,
                              unsigned arguments, unsigned yielded);

/// Ends a block with an scf.yield of the values, converted to these types.
llvm::LogicalResult addYield(ToSequenceConverter &converter, Operator op,
                             mlir::Block *block,
                             llvm::ArrayRef<mlir::Value> values,
                             mlir::TypeRange types,
                             llvm::ArrayRef<mlir::Value> presences = {});

/// Joins each type with that of the value at the same position (joinTypes).
/// Fails, with an error, if two types cannot be joined.
llvm::LogicalResult joinAll(Operator op,
                            llvm::SmallVectorImpl<mlir::Type> &types,
                            llvm::ArrayRef<mlir::Value> values);

/// Lowers Loop and Scan.
llvm::LogicalResult lowerLoop(ToSequenceConverter &converter, Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H
