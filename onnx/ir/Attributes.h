//===- Attributes.h - AttributeProto and attributes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts between ONNX's AttributeProto and the attributes of an Operator, in
// both directions (the mapping is in Operator.h). Graphs are not handled here:
// they are regions. This header includes protobuf code; do not include it in
// other headers.
//
// Thread safety: the functions have no state and may be called from several
// threads. Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_ATTRIBUTES_H
#define ONNXFOLD_ONNX_IR_ATTRIBUTES_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace onnxfold {

/// Makes the attribute for a tensor: the caller decides how payloads are held.
using MakeTensor = llvm::function_ref<llvm::Expected<mlir::ElementsAttr>(
    const onnx::TensorProto &)>;

/// The value of an attribute that is not a graph or a list of graphs. Lists of
/// more than 1 KB become TensorProto for `makeTensor`. IR versions before 2 may
/// leave the type field out; the kind is then that of the field that is set.
/// An error names the attribute.
llvm::Expected<mlir::Attribute>
fromAttributeProto(const onnx::AttributeProto &proto,
                   mlir::MLIRContext *context, MakeTensor makeTensor);

/// The kind of an attribute by the schema (AttributeProto.AttributeType); 0 if
/// the schema does not have the attribute, or there is no schema.
int32_t schemaKind(Operator op, llvm::StringRef attribute);

/// The inverse of fromAttributeProto. `kind` is that of schemaKind(): it tells
/// an INTS in an ElementsAttr from a TENSOR. Tensors of up to `maxTensorBytes`
/// get their data, larger ones their type and shape only, which is enough for
/// inference: it reads small tensors. Returns false, and leaves `proto`
/// unspecified, if ONNX has no such attribute.
bool toAttributeProto(mlir::NamedAttribute attribute, int32_t kind,
                      onnx::AttributeProto &proto,
                      size_t maxTensorBytes = 1024);

/// Fills `proto` with type and shape and, if they are no more than `maxBytes`,
/// the data (raw_data or string_data). Returns false if ONNX does not have the
/// element type.
bool toTensorProto(mlir::ElementsAttr value, onnx::TensorProto &proto,
                   size_t maxBytes = 1024);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_ATTRIBUTES_H
