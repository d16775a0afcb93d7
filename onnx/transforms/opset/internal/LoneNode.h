//===- LoneNode.h - The only node of a graph --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Conversions rewrite one node at a time, in a graph of its own: inputs with
// types, and initializers for the values of small constants. The view has
// pointers into the graph, and is valid until a node is added.
//
//   LoneNode node(graph);
//   if (node.is({"Squeeze"}) && node.hasInput(1))
//     std::optional<std::vector<int64_t>> axes = node.ints(1);
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONENODE_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONENODE_H

#include "onnxfold/onnx/ir/OperatorName.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <initializer_list>
#include <optional>
#include <vector>

namespace onnxfold {

/// The elements of a tensor of int64 or float32; nothing for other types.
std::optional<std::vector<int64_t>> intsOf(const onnx::TensorProto &tensor);
std::optional<std::vector<float>> floatsOf(const onnx::TensorProto &tensor);

class LoneNode {
public:
  explicit LoneNode(onnx::GraphProto &graph)
      : graph(graph), node(*graph.mutable_node(0)) {}

  bool is(std::initializer_list<OperatorName> operators) const {
    return llvm::is_contained(operators, llvm::StringRef(node.op_type()));
  }

  onnx::AttributeProto *attribute(llvm::StringRef name) const;
  llvm::StringRef text(llvm::StringRef name, llvm::StringRef otherwise) const;
  int64_t integer(llvm::StringRef name, int64_t otherwise) const;
  /// These replace an attribute of that name.
  void setInt(llvm::StringRef name, int64_t value) const;
  void setInts(llvm::StringRef name, llvm::ArrayRef<int64_t> values) const;
  void setFloat(llvm::StringRef name, float value) const;
  void setFloats(llvm::StringRef name, llvm::ArrayRef<float> values) const;
  void setText(llvm::StringRef name, llvm::StringRef value) const;
  void remove(llvm::StringRef name) const;

  bool hasInput(int index) const {
    return index < node.input_size() && !node.input(index).empty();
  }
  const onnx::TypeProto_Tensor *type(int index) const;
  std::optional<int> rank(int index) const;
  /// The size of a dimension; nothing if it is open.
  std::optional<int64_t> size(int index, int dimension) const;
  /// Null if the value of the input is not known.
  const onnx::TensorProto *value(int index) const;
  std::optional<std::vector<int64_t>> ints(int index) const;
  std::optional<std::vector<float>> floats(int index) const;

  void leaveOutInput(int index) const;
  void dropAbsentInputs() const; ///< at the end
  /// A constant of one dimension becomes input #index.
  void setInput(int index, llvm::ArrayRef<int64_t> values) const;
  /// A constant without elements, of float32.
  void setEmptyInput(int index) const;
  /// Input #index gets dimensions of one at these places.
  void unsqueeze(int index, int first, int count) const;
  /// Output #0 becomes elements `start` to `end` of what it was (Slice-10).
  void sliceResult(int64_t start, int64_t end) const;
  /// Input #0 and output #0 are transposed.
  void transposeAround(llvm::ArrayRef<int64_t> permutation) const;

  onnx::GraphProto &graph;
  onnx::NodeProto &node;

private:
  onnx::TensorProto &newInput(int index, int32_t type, int64_t size) const;
  onnx::AttributeProto &fresh(llvm::StringRef name,
                              onnx::AttributeProto::AttributeType type) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONENODE_H
