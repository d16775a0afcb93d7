//===- ConvertedBodies.h - Graphs inside operators --------------*- C++ -*-===//
//
// What the lowerings of If, SequenceMap, Loop and Scan share. Bodies are
// converted into blocks that belong to nobody yet, because only what they yield
// says the types of the operation around them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include <memory>

namespace onnxfold {

/// A body that was converted: what it yields, and where its operations are.
struct Body {
  std::unique_ptr<mlir::Block> block = std::make_unique<mlir::Block>();
  llvm::SmallVector<mlir::Value> yielded;
  /// Of those that are optionals, null for others.
  llvm::SmallVector<mlir::Value> presences;
};

/// Converts the operations of a graph to the end of a block; gives what the
/// graph yields.
llvm::LogicalResult convertGraph(ToSequenceConverter &converter, Operator op,
                                 mlir::Region &graph, Body &body);

/// Whether a body has as many arguments and yields as many values as the
/// operator around it needs. The text form may have any number.
llvm::LogicalResult checkBody(Operator op, llvm::StringRef name,
                              unsigned arguments, unsigned yielded);

/// Ends a block with an scf.yield of the values, as values of these types.
llvm::LogicalResult addYield(ToSequenceConverter &converter, Operator op,
                             mlir::Block *block,
                             llvm::ArrayRef<mlir::Value> values,
                             mlir::TypeRange types,
                             llvm::ArrayRef<mlir::Value> presences = {});

/// Joins types of values one by one. Fails, with an error, where that is not
/// possible.
llvm::LogicalResult joinAll(Operator op,
                            llvm::SmallVectorImpl<mlir::Type> &types,
                            llvm::ArrayRef<mlir::Value> values);

/// Loop and Scan.
llvm::LogicalResult lowerLoop(ToSequenceConverter &converter, Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_CONVERTEDBODIES_H
