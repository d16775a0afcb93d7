//===- Fields.h - What attributes of StableHLO say --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect keeps its attributes as text. These functions write and read it:
//
//   #stablehlo.dot<lhs_contracting_dimensions = [1]>
//     intsOf(attribute, "lhs_contracting_dimensions")        // {1}
//   #stablehlo<comparison_direction LT>
//     wordOf(attribute)                                      // "LT"
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_IR_FIELDS_H
#define ONNXFOLD_STABLEHLO_IR_FIELDS_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace onnxfold::hlo {

/// `#stablehlo.text`.
mlir::Attribute opaqueAttr(mlir::MLIRContext *context, const llvm::Twine &text);

/// `[1, 2]`.
std::string listText(llvm::ArrayRef<int64_t> numbers);

/// The text behind `name = ` of a field, up to the next comma outside of
/// brackets; empty if there is no such field.
llvm::StringRef fieldOf(mlir::Attribute attribute, llvm::StringRef name);

/// The list of integers that a field is, or nothing if it is no list. A field
/// that is left out is an empty list.
std::optional<llvm::SmallVector<int64_t, 4>> intsOf(mlir::Attribute attribute,
                                                    llvm::StringRef name);

/// The integer that a field is; `otherwise` if it is left out.
std::optional<int64_t> integerOf(mlir::Attribute attribute,
                                 llvm::StringRef name, int64_t otherwise = 0);

/// The last word of an enumeration; empty if the attribute is none.
llvm::StringRef wordOf(mlir::Attribute attribute);

/// The three lists of `#stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0,
/// 1]>`: for input, kernel and output the dimensions of the first letter, the
/// second letter, and then those of the spatial numbers in order. Also of
/// `#stablehlo.conv<raw input_batch_dimension = 0, ...>`.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 3>>
convolutionOf(mlir::Attribute attribute);

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_IR_FIELDS_H
