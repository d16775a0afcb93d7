//===- SchemaTypes.h - What a schema says of other types --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Asks the schema of an operator's version, and ONNX's inference, what the
// operator would be with other element types.
//
// Thread safety: as ShapeInference.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_SCHEMATYPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_SCHEMATYPES_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"

namespace onnxfold {

/// A formal input or output, as the actual one of that number meets it.
struct FormalParameter {
  std::string name;
  std::string variable; ///< equal for places that have one type
  bool takes = false;   ///< a tensor of the asked type; false for Undefined
};

FormalParameter formalInput(const onnx::OpSchema &schema, unsigned index,
                            DataType type);
FormalParameter formalOutput(const onnx::OpSchema &schema, unsigned index,
                             DataType type);

/// The element type that an operand shall have; Undefined: its own.
using OperandType = llvm::function_ref<DataType(unsigned operand)>;

/// The element types of the results with other operands; Undefined where
/// nothing is known. Nothing if inference refuses the node.
std::optional<llvm::SmallVector<DataType>> inferElements(Operator op,
                                                         OperandType typeOf);

/// Attributes of which one may state the type of a result: each with the value
/// that states `pair.to` in place of `pair.from`.
llvm::SmallVector<mlir::NamedAttribute> statedTypes(Operator op,
                                                    const TypePair &pair);

/// The same for a copy of the operator with this attribute.
std::optional<llvm::SmallVector<DataType>>
inferElementsWith(Operator op, mlir::NamedAttribute attribute);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_SCHEMATYPES_H
