//===- GraphNodes.h - Nodes of an ONNX graph that grows ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of an OnnxGraph, and their serialisation. A protobuf message for
// each node would take ten times as many instructions.
//
//   GraphBody body;
//   body.nodes.push_back(memory.add("Add", {"x", "y"}, {"z"}, 0));
//   std::string fields = nodeFields(body.nodes); // GraphProto.node
//
// Ownership: the memory owns the nodes and copies of their texts; the caller
// owns the bodies in attributes. Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_GRAPHNODES_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_GRAPHNODES_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>
#include <vector>

namespace onnxfold::dml {

struct GraphBody;

/// An attribute. `type` says which field has its value: `ints`, the first of
/// these, `text` or `body`.
struct StoredAttribute {
  llvm::StringRef name;
  onnx::AttributeProto::AttributeType type = onnx::AttributeProto::INT;
  llvm::ArrayRef<int64_t> ints = {};
  llvm::StringRef text = {};
  GraphBody *body = nullptr;
};

struct StoredNode {
  llvm::StringRef op, name;
  llvm::MutableArrayRef<llvm::StringRef> inputs, outputs;
  llvm::MutableArrayRef<StoredAttribute> attributes;
};

/// A graph in a node, or the main graph, of which only the nodes are here.
struct GraphBody {
  std::string name;
  std::vector<StoredNode *> nodes;
  std::vector<onnx::ValueInfoProto> inputs, outputs;
};

class NodeMemory {
public:
  llvm::StringRef save(llvm::StringRef text) {
    return text.empty() ? "" : text.copy(memory);
  }
  llvm::ArrayRef<int64_t> save(llvm::ArrayRef<int64_t> values) {
    return values.copy(memory);
  }
  /// Adds a node. The caller sets its outputs and attributes.
  StoredNode &add(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                  size_t outputs, size_t attributes);

private:
  template <typename T> llvm::MutableArrayRef<T> list(size_t count) {
    T *first = memory.Allocate<T>(count);
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  llvm::BumpPtrAllocator memory;
};

/// The nodes as fields of a serialised GraphProto.
std::string nodeFields(llvm::ArrayRef<StoredNode *> nodes);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_GRAPHNODES_H
