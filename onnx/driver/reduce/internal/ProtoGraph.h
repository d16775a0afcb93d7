//===- ProtoGraph.h - Graphs as messages ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the passes of the reducer ask of a ModelProto, and what they leave to do
// when they have made their changes: erase() marks a node, sweep() takes out
// what is marked and what nothing reads.
//
// Thread safety: none for one model.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_PROTOGRAPH_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_PROTOGRAPH_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace onnxfold {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// All nodes in one order: of the main graph, each before those of its bodies,
/// then of functions.
void walkNodes(onnx::ModelProto &model,
               llvm::function_ref<void(onnx::NodeProto &)> visit);
/// The graph and the bodies in it.
void walkGraphs(onnx::GraphProto &graph,
                llvm::function_ref<void(onnx::GraphProto &)> visit);
/// All tensors that hold constants: initializers and attributes.
void walkTensors(onnx::ModelProto &model,
                 llvm::function_ref<void(onnx::TensorProto &)> visit);

size_t countNodes(const onnx::ModelProto &model);

bool hasBodies(const onnx::NodeProto &node);

/// Names of values that a node reads, those of its bodies from around it too.
std::vector<std::string> namesReadBy(const onnx::NodeProto &node);

/// Marks a node; it stays where it is until sweep().
void erase(onnx::NodeProto &node);
inline bool isErased(const onnx::NodeProto &node) {
  return node.op_type().empty();
}

/// Erases marked nodes, and nodes, initializers, inputs, descriptions and
/// functions that nothing reads or calls.
void sweep(onnx::ModelProto &model);

/// All uses of a value in the graph and in the bodies that see it, outputs of
/// the graph too.
void replaceUses(onnx::GraphProto &graph, const std::string &from,
                 const std::string &to);

/// All names of values.
llvm::StringSet<> valueNames(const onnx::ModelProto &model);

const onnx::AttributeProto *findAttribute(const onnx::NodeProto &node,
                                          llvm::StringRef name);

bool isConstantNode(const onnx::NodeProto &node);

/// The value of a Constant node as an initializer; false if it is none.
bool readConstant(const onnx::NodeProto &node, onnx::TensorProto &tensor);

/// The opset of a domain; 0 where it is not imported.
int64_t opsetOf(const onnx::ModelProto &model, llvm::StringRef domain);

/// The type as tensor type, or null.
const onnx::TypeProto::Tensor *tensorType(const onnx::TypeProto &type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_PROTOGRAPH_H
