//===- FieldNumbers.h - Fields of messages that are patched -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The field numbers of onnx.proto that the exporter uses, apart from those of
// the reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_INTERNAL_FIELDNUMBERS_H
#define ONNXFOLD_ONNX_IO_WIRE_INTERNAL_FIELDNUMBERS_H

#include <cstdint>

namespace onnxfold {

/// NodeProto, AttributeProto, GraphProto and FunctionProto.
inline constexpr uint32_t nodeInput = 1, nodeOutput = 2, nodeName = 3,
                          nodeAttribute = 5, nodeDoc = 6, nodeMetadata = 9,
                          nodeDevices = 10, attributeName = 1,
                          attributeGraph = 6, attributeGraphs = 11,
                          graphNode = 1, graphName = 2, graphInitializer = 5,
                          graphInput = 11, graphOutput = 12,
                          graphValueInfo = 13, graphAnnotation = 14,
                          graphSparse = 15, functionValueInfo = 12;

/// AttributeProto, TensorProto and SparseTensorProto.
inline constexpr uint32_t attributeTensor = 5, attributeType = 20,
                          attributeSparse = 22, tensorName = 8, tensorDoc = 12,
                          tensorMetadata = 16, sparseTensorValues = 1,
                          sparseTensorIndices = 2;

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_INTERNAL_FIELDNUMBERS_H
