//===- AttributeImport.h - Attributes of nodes as MLIR's --------*- C++ -*-===//
//
// Converts what NodeReader.h read of an attribute to the form that Operator.h
// documents. Graphs are not handled here: they become regions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_ATTRIBUTEIMPORT_H
#define ONNXFOLD_ONNX_IO_ATTRIBUTEIMPORT_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/ExternalData.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace onnxfold {

/// `elements` as an attribute with the dialect's element types.
mlir::ElementsAttr tensorAttribute(const Elements &elements,
                                   mlir::MLIRContext *context);

/// What conversion needs besides the attribute.
struct AttributeSource {
  WireReader &reader;
  ExternalData &external;
  mlir::MLIRContext *context;
  /// "node 'conv1'", for messages.
  Subject subject;
};

/// REQUIRES: the attribute holds no graph.
llvm::Expected<mlir::Attribute>
importAttribute(const AttributeSource &source,
                const AttributeFields &attribute);

/// The value of a Constant node as Elements, from whichever of its attributes
/// (value, sparse_value, value_float, ...) it has; null if it has none that is
/// a value here (a reference to an attribute of a function).
llvm::Expected<Elements> importConstant(const AttributeSource &source,
                                        const NodeFields &node);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_ATTRIBUTEIMPORT_H
