//===- TypeConversion.h - A model in other element types --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts element types of a module, its bodies and functions: f32 to f16, i64
// to i32, or any pair of floats or of integers. Constants get new values,
// lazily; attributes that state a type are changed; Casts stand where a
// converted value meets one that is not.
//
//   llvm::Expected<SmallVector<TypePair>> pairs = parseTypePairs({"f32:f16"});
//   TypeConversionOptions options{*pairs};
//   llvm::Expected<TypeConversion> done = convertTypes(module, options, session);
//
// Which operands and results of an operator change together, and which types
// they may have, is what the schema of its version says: the names of type
// variables. What a type variable does not tie is asked of ONNX's inference.
// Values of one class are converted or kept together:
//   * a class of which some place does not take the new type is kept;
//   * one with a constant that would overflow, or become 0 throughout, is kept;
//   * integers that are narrowed must be in range, which is proved (constants,
//     sizes, indices), unless the pair saturates;
//   * sizes that are computed only for other sizes are kept.
//
// REQUIRES: types are refined. Thread safety: as the operations; registers
// operators.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_TYPECONVERSION_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_TYPECONVERSION_H

#include "onnxfold/widenum/DataType.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace onnxfold {

class RewriteSession;

struct TypePair {
  DataType from, to;
  /// Numbers out of range become the nearest one instead of being kept, and
  /// floats that would all become 0 the smallest one of their sign.
  bool saturates = false;
};

/// Reads "f32:f16", "i64:i32=saturate", several separated by commas. An error
/// says what is wrong with the text, without the name of the option.
llvm::Expected<llvm::SmallVector<TypePair>>
parseTypePairs(llvm::ArrayRef<std::string> texts);

struct TypeConversionOptions {
  llvm::SmallVector<TypePair> pairs;
  /// Inputs and outputs of the main graph are converted too.
  bool convertsInterface = false;
  /// Why a node must stay as it is; "" if it need not. May be empty.
  std::function<std::string(mlir::Operation *)> whyKept;
  /// Why an argument of the main graph, or a constant, must keep its type; "" if
  /// it need not. May be empty.
  std::function<std::string(mlir::Value)> whyFixed;
};

/// A constant that was converted, or that was not for a reason of its own.
struct ConvertedTensor {
  std::string name;
  DataType from = DataType::Undefined, to = DataType::Undefined;
  int64_t elements = 0;
  double largestError = 0; ///< of the numbers that stay finite
  int64_t overflows = 0;   ///< finite numbers that become infinite, or clipped
  int64_t underflows = 0;  ///< numbers that become 0
  bool vanishes = false;   ///< all numbers but 0 become 0, or the smallest one
  std::string kept;        ///< why it keeps its type; "" if it does not
};

/// Results and operands of a node that keep their type.
struct UnconvertedNode {
  std::string node, reason;
};

struct TypeConversion {
  llvm::SmallVector<TypePair> pairs;
  std::vector<ConvertedTensor> tensors;
  std::vector<UnconvertedNode> kept;
  int64_t nodes = 0; ///< of which a result has another type now
  int64_t casts = 0; ///< that were added
  int64_t droppedCasts = 0;
  /// Nodes that another fold may fold or erase, although the one before left
  /// them: of constants alone, no copies of an input as an output any more, or
  /// without the Cast that was between them and others.
  int64_t foldable = 0;
  /// Constants whose value is not that of their name in the file.
  llvm::DenseSet<mlir::Operation *> newValues;
  /// Nodes that were erased, or null. As long as the caller keeps them, no new
  /// operation has the address of one of them.
  mlir::OwningOpRef<mlir::ModuleOp> replaced;

  bool isChange() const {
    return nodes + casts + droppedCasts + int64_t(newValues.size()) != 0;
  }
};

/// The session learns which nodes read other values, and which are new.
llvm::Expected<TypeConversion>
convertTypes(mlir::ModuleOp module, const TypeConversionOptions &options,
             RewriteSession &session);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_TYPECONVERSION_H
