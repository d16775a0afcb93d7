//===- GraphNodes.h - Nodes of an ONNX graph that grows ---------*- C++ -*-===//
//
// What OnnxGraph keeps of its nodes, and their bytes in the end. A message of
// protobuf for each of ten thousand statements' nodes would take ten times as
// many instructions.
//
//   GraphBody body;
//   body.nodes.push_back(memory.add("Add", {"x", "y"}, {"z"}, 0));
//   std::string fields = nodeFields(body.nodes); // GraphProto.node
//
// Ownership: the memory has the nodes and copies of their texts; the caller
// owns bodies in attributes. Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_GRAPHNODES_H
#define ONNXFOLD_DML_INTERNAL_GRAPHNODES_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>
#include <vector>

namespace onnxfold::dml {

struct GraphBody;

/// The field that `type` says: ints, the first of them, text or body.
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

/// A graph inside of a node; of the main graph, the nodes alone.
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
  /// Its outputs and attributes are to be set.
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

/// Fields of a GraphProto, one for each node.
std::string nodeFields(llvm::ArrayRef<StoredNode *> nodes);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_GRAPHNODES_H
