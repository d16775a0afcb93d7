//===- Forms.h - The usual form of operations -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For the files of stablehlo/ir only. What StableHLO prints by default:
//
//   %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> ...
//
// is read into what the generic form says: the same properties, attributes,
// operands and types. Nothing is checked beyond syntax.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_IR_FORMS_H
#define ONNXFOLD_STABLEHLO_IR_FORMS_H

#include "mlir/IR/OpImplementation.h"

namespace onnxfold::hlo {

/// Parses what stands behind the name of the operation `state.name`.
mlir::ParseResult parseUsualForm(mlir::OpAsmParser &parser,
                                 mlir::OperationState &state);

/// Says that an operation has no usual form here, and how to get the other one.
mlir::ParseResult refuseUsualForm(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state);

/// An attribute (or several) of a kind of Forms.def, appended to `properties`.
mlir::ParseResult parseField(mlir::OpAsmParser &parser, llvm::StringRef name,
                             llvm::StringRef kind,
                             mlir::NamedAttrList &properties);

/// `[1, 2]`.
mlir::ParseResult parseInts(mlir::OpAsmParser &parser,
                            llvm::SmallVectorImpl<int64_t> &numbers);

/// `{...}` if there is one: those of these names (commas between them) are
/// properties.
mlir::ParseResult parseDictionary(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state,
                                  llvm::StringRef names,
                                  mlir::NamedAttrList &properties);

/// Gives the operation its properties; an error if one of them, or another
/// attribute, has the name of one.
mlir::ParseResult setProperties(mlir::OpAsmParser &parser,
                                mlir::OperationState &state,
                                const mlir::NamedAttrList &properties);

/// The forms of reduce and while, which have bodies.
mlir::ParseResult parseReduce(mlir::OpAsmParser &parser,
                              mlir::OperationState &state);
mlir::ParseResult parseWhile(mlir::OpAsmParser &parser,
                             mlir::OperationState &state);

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_IR_FORMS_H
