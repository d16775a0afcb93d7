//===- AttributeImport.h - Attributes of nodes as MLIR's --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts the attributes that NodeReader.h reads to the form that Operator.h
// documents. Attributes that hold graphs are not converted here: they become
// regions.
//
// Errors name the file, the node (AttributeSource::subject) and the attribute.
// Thread safety: one thread per context and reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_ATTRIBUTEIMPORT_H
#define ONNXFOLD_ONNX_IO_READ_ATTRIBUTEIMPORT_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/NodeReader.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace onnxfold {

/// `elements` as an attribute with the dialect's element types.
mlir::ElementsAttr tensorAttribute(const Elements &elements,
                                   mlir::MLIRContext *context);

/// The reader, the data files and the context that conversion needs besides the
/// attribute.
struct AttributeSource {
  WireReader &reader;
  ExternalData &external;
  mlir::MLIRContext *context;
  /// Node 'conv1' (Conv), for messages.
  Subject subject;
};

/// Returns the attribute in MLIR's form. REQUIRES: the attribute holds no
/// graph.
llvm::Expected<mlir::Attribute>
importAttribute(const AttributeSource &source,
                const AttributeFields &attribute);

/// The value of a Constant node as Elements, from whichever of its attributes
/// (value, sparse_value, value_float, ...) it has; null if none of them holds a
/// value (it refers to an attribute of the function).
llvm::Expected<Elements> importConstant(const AttributeSource &source,
                                        const NodeFields &node);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_ATTRIBUTEIMPORT_H
