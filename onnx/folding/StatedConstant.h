//===- StatedConstant.h - Constants of functions in protobuf ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements that a Constant node of a FunctionProto states: of the bodies of
// ONNX's schemas, and of the text of rules. (Nodes of models are read without
// protobuf: AttributeImport.h.) Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_STATEDCONSTANT_H
#define ONNXFOLD_ONNX_FOLDING_STATEDCONSTANT_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"

namespace onnx {
class AttributeProto;
class TensorProto;
} // namespace onnx

namespace onnxfold {

/// The value of a Constant with this attribute; null for what the library's
/// parser and builders do not make: strings, raw data, sub-byte types.
Elements statedElements(const onnx::AttributeProto &value);
/// The same as an attribute.
llvm::Expected<mlir::ElementsAttr>
statedConstant(const onnx::AttributeProto &value, mlir::MLIRContext *context);

/// The same of a tensor.
llvm::Expected<mlir::ElementsAttr> statedTensor(const onnx::TensorProto &tensor,
                                                mlir::MLIRContext *context);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_STATEDCONSTANT_H
