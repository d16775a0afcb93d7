//===- NodeReader.h - The fields of one node, read on demand --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a NodeProto that a ModelIndex has located: names, and attributes as
// decoded values where they are small; tensors as TensorIndex, graphs as their
// GraphIndex, types and sparse tensors as ranges. Every input has the range of
// its field, so that the writer can replace one name.
//
// Small means at most maxDecodedSize bytes in the file. For a longer text or
// list (the `ints` of a table, the context blob of an execution provider) only
// the ranges are returned: `decoded` is false.
//
// As protobuf does, fields may come in any order, the last value of a singular
// scalar wins, singular messages are merged, and fields of other wire types are
// ignored. An attribute that contradicts itself is no error; see
// AttributeFields::problem.
//
// Ownership: texts and lists live in the NodeFields; reading another node into
// the same NodeFields reuses its memory.
// Thread safety: one WireReader and one NodeFields per thread.
//
// Example:
//   WireReader reader(model.file());
//   NodeFields node;
//   for (const MessageSpan &span : model.mainGraph().nodes) {
//     if (Error error = readNode(reader, model, span, node))
//       return error;
//     if (node.opType == "Constant") ...
//   }
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_NODEREADER_H
#define ONNXFOLD_ONNX_IO_READ_NODEREADER_H

#include "onnxfold/onnx/io/read/ModelIndex.h"

namespace onnxfold {

/// AttributeProto.AttributeType, same numbers.
enum class AttributeKind : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};

/// One attribute. Only the members of its kind are set.
struct AttributeFields {
  llvm::StringRef name;
  /// If it is not empty, which is possible in a function's body only, the value
  /// is that of this attribute of the function, and no member below is set.
  llvm::StringRef refAttrName;
  /// The kind that `type` declares or, if it is missing (IR < 2), that of the
  /// one value that is set.
  AttributeKind kind = AttributeKind::Undefined;
  AttributeKind declaredKind = AttributeKind::Undefined;
  /// False for a text or list beyond maxDecodedSize; see `ranges`.
  bool decoded = true;

  float f = 0;
  int64_t i = 0;
  llvm::StringRef s;
  llvm::ArrayRef<float> floats;
  llvm::ArrayRef<int64_t> ints;
  llvm::ArrayRef<llvm::StringRef> strings;
  llvm::ArrayRef<TensorIndex> tensors;       ///< one for Tensor
  llvm::ArrayRef<const GraphIndex *> graphs; ///< one for Graph
  /// String: its bytes. Lists: whole fields (see FieldRuns; readVarints(),
  /// readFixed() and readTexts() decode them). Types and sparse tensors: the
  /// contents of each message; of a singular one all parts, which together are
  /// its bytes.
  llvm::ArrayRef<ByteRange> ranges;

  /// The reason why the attribute has no meaning: `attribute 'axis' has values
  /// in 'i' and 'ints', expected one`; empty if it has one.
  const StoredFault *problem = nullptr;
  /// Some value of it is a graph, also if it has a problem.
  bool holdsGraphs = false;
  const MessageSpan *span = nullptr; ///< parent: the node
};

/// A name in `input` or `output`, and the range of its whole field.
struct NameField {
  llvm::StringRef name;
  ByteRange field;
};

/// One node.
class NodeFields {
public:
  const MessageSpan *span = nullptr;
  llvm::SmallVector<NameField, 4> inputs;
  llvm::SmallVector<NameField, 2> outputs;
  llvm::StringRef name;
  llvm::StringRef opType;
  llvm::StringRef domain;
  llvm::StringRef overload;
  llvm::SmallVector<AttributeFields, 2> attributes;
  llvm::SmallVector<WireField, 0> configurations; ///< device_configurations

  /// The attribute of that name, or null.
  const AttributeFields *attribute(llvm::StringRef wanted) const;
  void clear();

  /// Holds the texts and lists.
  llvm::BumpPtrAllocator arena;
};

/// The largest size in bytes of a text or list that is decoded; longer ones are
/// left in the file.
constexpr uint64_t maxDecodedSize = 64 * 1024;

/// Calls `take` for each text of a list of strings (AttributeFields::ranges);
/// they live in `arena`.
void readTexts(WireReader &reader, llvm::ArrayRef<ByteRange> runs,
               llvm::BumpPtrAllocator &arena,
               llvm::function_ref<void(llvm::StringRef)> take);

/// The bytes of these fields' messages.
std::vector<std::string> readMessages(WireReader &reader,
                                      llvm::ArrayRef<WireField> fields);

/// Reads the node at `span`, which must be one of the model's own spans, since
/// the spans in the result point to it.
llvm::Error readNode(WireReader &reader, const ModelIndex &model,
                     const MessageSpan &span, NodeFields &node);

/// Reads one attribute of a node, or the default value of an attribute of a
/// function.
llvm::Error readAttribute(WireReader &reader, const ModelIndex &model,
                          const MessageSpan &span,
                          llvm::BumpPtrAllocator &arena,
                          AttributeFields &attribute);

/// A node in messages: its name, else that of its first output.
ModelFault atNode(const NodeFields &node);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_NODEREADER_H
