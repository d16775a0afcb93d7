//===- ToSequenceConverter.h - Operators as other dialects ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The converter and the functions that the files of convert-onnx-to-sequence
// share.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_TOSEQUENCECONVERTER_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_TOSEQUENCECONVERTER_H

#include "onnxfold/elements/Shape.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/sequence/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold {

/// True for the type of a tensor of strings.
bool isStrings(mlir::Type type);

/// The type after the conversion; null if there is none.
mlir::Type convertedType(mlir::Type type);
/// The same for the type of a tensor; null for other types.
inline mlir::TensorType convertedTensor(mlir::Type type) {
  return llvm::dyn_cast_or_null<mlir::TensorType>(convertedType(type));
}

/// Appends the types to which `type` is converted. An optional becomes two
/// values: its value, and whether there is one. Fails if the type cannot be
/// converted.
llvm::LogicalResult appendTypes(mlir::Type type,
                                llvm::SmallVectorImpl<mlir::Type> &types);

/// True if a ranked tensor is known to be empty. MLIR refuses slices of it, and
/// those that begin behind the last element.
inline bool hasNoElements(mlir::Value tensor) {
  auto type = llvm::cast<mlir::RankedTensorType>(tensor.getType());
  return llvm::is_contained(type.getShape(), 0);
}

/// The least type that covers both; null if there is none.
mlir::Type joinTypes(mlir::Type left, mlir::Type right);

/// An error of the pass at `op`, which is named before `text`.
inline llvm::LogicalResult errorAt(Operator op, const llvm::Twine &text) {
  return op->emitError("convert-onnx-to-sequence: ")
         << describeNode(op) << text;
}

/// A location with the name of a node (describeNode), by which messages of the run time name operations
/// that are made there.
mlir::Location namedLocation(Operator op);

/// Converts one function. It makes operations in a new body from top to bottom
/// and keeps the converted value of each value.
class ToSequenceConverter {
public:
  explicit ToSequenceConverter(mlir::MLIRContext *context) : builder(context) {}

  llvm::LogicalResult convertFunction(mlir::func::FuncOp function);

  //===--- for lowerings --------------------------------------------------===//

  mlir::OpBuilder builder;

  /// The converted value; null for an absent input.
  mlir::Value get(mlir::Value value) const { return values.lookup(value); }
  mlir::Value input(Operator op, unsigned index) const {
    return op.hasInput(index) ? get(op.input(index)) : mlir::Value();
  }
  /// The type of an input that is a tensor with a rank; null for others.
  mlir::RankedTensorType rankedInput(Operator op, unsigned index) const {
    return llvm::dyn_cast_or_null<mlir::RankedTensorType>(typeOf(op, index));
  }
  void set(mlir::Value value, mlir::Value converted) {
    values[value] = converted;
  }

  /// For an optional, whether it has a value (an i1), which is get() then. Null
  /// for other values.
  mlir::Value presence(mlir::Value value) const {
    return presences.lookup(value);
  }
  void setOptional(mlir::Value value, mlir::Value converted,
                   mlir::Value present) {
    values[value] = converted;
    presences[value] = present;
  }

  /// The integers of a constant input, or of an attribute in older versions of
  /// the operator; nothing if there is neither, failure if the input is not
  /// constant.
  llvm::FailureOr<std::optional<llvm::SmallVector<int64_t>>>
  constantInts(Operator op, unsigned index, llvm::StringRef name) const;

  /// True if an optional is known to be empty.
  static bool isNothing(mlir::Value presence);
  /// A value of a converted type that is never used, such as that of an empty
  /// optional; null if none can be made.
  mlir::Value nothing(mlir::Location location, mlir::Type type);

  /// Casts a value to another type, with a check at run time if that type is
  /// more precise. Null, with an error at `op`, if the types contradict each
  /// other.
  mlir::Value coerce(mlir::Operation *op, mlir::Value value, mlir::Type type);

  /// Makes an unranked tensor one of rank 0: the program stops unless it has one
  /// element. Other tensors are returned unchanged.
  mlir::Value asScalar(mlir::Operation *op, mlir::Value tensor);
  /// Whether a tensor, of which only a run says the rank, has rank 1.
  mlir::Value isVector(mlir::Location location, mlir::Value tensor);
  /// The only element of a tensor of any rank.
  mlir::Value onlyElement(mlir::Operation *op, mlir::Value tensor);

  mlir::Value index(mlir::Location location, int64_t value);
  /// The element of a tensor of one i32 or i64, as an index.
  mlir::Value indexOf(mlir::Location location, mlir::Value tensor,
                      int64_t position = 0);
  /// A tensor of rank 0 with the scalar.
  mlir::Value scalar(mlir::Location location, mlir::Value value);
  mlir::Value dim(mlir::Location location, mlir::Value tensor, int64_t axis);

  /// Converts the operations of a block, but not its terminator.
  llvm::LogicalResult convertBlock(mlir::Block &block);

private:
  mlir::Type typeOf(Operator op, unsigned index) const {
    mlir::Value value = input(op, index);
    return value ? value.getType() : mlir::Type();
  }
  mlir::Value narrow(mlir::Operation *op, mlir::Value value,
                     mlir::RankedTensorType type);
  llvm::LogicalResult convertOperation(mlir::Operation *op);
  llvm::LogicalResult convertCall(mlir::func::CallOp call);
  llvm::LogicalResult convertReturn(mlir::Operation *terminator,
                                    llvm::ArrayRef<mlir::Type> results);

  llvm::DenseMap<mlir::Value, mlir::Value> values, presences;
};

/// Lowers an operator and sets its results.
using ToSequenceLowering = llvm::LogicalResult (*)(ToSequenceConverter &,
                                                   Operator);

/// Lowers any operator to a call of the run time's kernel. Other lowerings call
/// it for cases that they do not lower themselves.
llvm::LogicalResult lowerToKernel(ToSequenceConverter &converter, Operator op);

/// Squeezes a tensor of unknown rank to rank 0, by the kernel of Squeeze, which
/// stops the program if it has not one element. `op` is who reads it.
mlir::Value squeezedByKernel(ToSequenceConverter &converter,
                             mlir::Operation *op, mlir::Value tensor);

/// Lowers a constant of strings: the run time has the numbers of its texts.
llvm::LogicalResult lowerStrings(ToSequenceConverter &converter,
                                 mlir::Operation *constant);

llvm::LogicalResult lowerConv(ToSequenceConverter &converter, Operator op);
llvm::LogicalResult lowerMatMul(ToSequenceConverter &converter, Operator op);
llvm::LogicalResult lowerGemm(ToSequenceConverter &converter, Operator op);
llvm::LogicalResult lowerMaxPool(ToSequenceConverter &converter, Operator op);
llvm::LogicalResult lowerAveragePool(ToSequenceConverter &converter,
                                     Operator op);
llvm::LogicalResult lowerDropout(ToSequenceConverter &converter, Operator op);
llvm::LogicalResult lowerBatchNormalization(ToSequenceConverter &converter,
                                            Operator op);

/// The lowering of an operator of ai.onnx in one of the groups; null if the
/// group does not have the operator.
ToSequenceLowering sequenceLowering(llvm::StringRef opType);
ToSequenceLowering tensorLowering(llvm::StringRef opType);
ToSequenceLowering elementwiseLowering(llvm::StringRef opType);
ToSequenceLowering movementLowering(llvm::StringRef opType);
ToSequenceLowering reductionLowering(llvm::StringRef opType);
ToSequenceLowering controlFlowLowering(llvm::StringRef opType);
ToSequenceLowering optionalLowering(llvm::StringRef opType);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_TOSEQUENCECONVERTER_H
