//===- ModelIndex.h - Positions of everything in a model file -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The index of a ModelProto, which one walk over the file makes in linear time:
// the place of each graph, node, initializer, function and so on, with the
// names and numbers that are often needed. No payload is read. Texts and
// attributes of nodes are not kept either (a million nodes cost 32 MB here, and
// 930 MB when parsed): readNode() in NodeReader.h reads one when it is needed.
//
// Subgraphs in attributes of nodes are part of the index, so every message
// around any place in the file has a MessageSpan with its parents, as
// EditScript.h needs them. Singular messages that appear several times are
// merged, as protobuf does: a GraphIndex has one or more parts.
//
// Fields that are unknown, or known but of another wire type, are ignored here
// and kept in the file. Bytes that protobuf cannot read (WireCheck.h), and a
// file without a graph, are errors; tensors that contradict themselves are not
// (TensorIndex::problem).
//
// Ownership: the index owns everything it points to, and shares the file.
// Thread safety: the index is constant once built; any thread may read it.
//
// Example:
//   Expected<std::unique_ptr<ModelIndex>> model = ModelIndex::build(file);
//   for (const MessageSpan &node : (*model)->mainGraph().nodes) ...
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_MODELINDEX_H
#define ONNXFOLD_ONNX_IO_READ_MODELINDEX_H

#include "onnxfold/onnx/io/read/TensorIndex.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <memory>

namespace onnxfold {

/// A message and the name in it: graph inputs and outputs (ValueInfoProto).
struct NamedSpan {
  llvm::StringRef name;
  MessageSpan span;
};

/// A StringStringEntryProto and its place (metadata_props).
struct MetadataEntry {
  llvm::StringRef key;
  ByteRange value; ///< of the file; the text may be long, so it is not held
  MessageSpan span;
};

struct OpsetImport {
  llvm::StringRef domain;
  int64_t version = 0;
  MessageSpan span;
};

/// SparseTensorProto; its name is values.name.
struct SparseTensorIndex {
  TensorIndex values;
  TensorIndex indices;
  llvm::ArrayRef<int64_t> dims;
  MessageSpan span;
};

/// TensorAnnotation: quantisation parameters of a value.
struct QuantizationAnnotation {
  llvm::StringRef tensorName;
  llvm::ArrayRef<TextEntry> parameters; ///< values are names of tensors
  MessageSpan span;
};

/// A GraphProto.
struct GraphIndex {
  /// The messages that this graph is merged from, almost always one; new fields
  /// are added at the end of the last one.
  llvm::SmallVector<const MessageSpan *, 1> parts;
  llvm::StringRef name;
  std::deque<MessageSpan> nodes;
  std::deque<TensorIndex> initializers;
  std::deque<SparseTensorIndex> sparseInitializers;
  std::deque<NamedSpan> inputs;
  std::deque<NamedSpan> outputs;
  std::deque<MessageSpan> valueInfos;
  std::deque<QuantizationAnnotation> annotations;
  std::deque<MetadataEntry> metadata;
  /// The node that holds this subgraph, and the graph or function that the node
  /// is in; null for the graphs of the model and of training information.
  const MessageSpan *owner = nullptr;
  const GraphIndex *parentGraph = nullptr;
};

/// A FunctionProto. The nodes' parent is `span`.
struct FunctionIndex {
  const MessageSpan *span = nullptr;
  llvm::StringRef name;
  llvm::StringRef domain;
  llvm::StringRef overload;
  llvm::SmallVector<llvm::StringRef, 4> inputs;
  llvm::SmallVector<ByteRange, 4> inputFields; ///< whole fields, one each
  llvm::SmallVector<llvm::StringRef, 4> outputs;
  llvm::SmallVector<llvm::StringRef, 4> attributes;
  /// Attributes with default values; readAttribute() reads them.
  llvm::SmallVector<MessageSpan, 0> defaultAttributes;
  llvm::SmallVector<OpsetImport, 1> opsetImports;
  std::deque<MessageSpan> nodes;
  std::deque<MessageSpan> valueInfos;
};

/// A TrainingInfoProto. Keys of the bindings name initializers that are state.
struct TrainingInfo {
  const MessageSpan *span = nullptr;
  const GraphIndex *initialization = nullptr;
  const GraphIndex *algorithm = nullptr;
  llvm::SmallVector<TextEntry, 2> initializationBinding;
  llvm::SmallVector<TextEntry, 2> updateBinding;
};

class ModelIndex {
public:
  static llvm::Expected<std::unique_ptr<ModelIndex>> build(InputFileRef file);

  const InputFileRef &file() const { return input; }
  /// The whole file.
  const MessageSpan &root() const { return rootSpan; }
  const GraphIndex &mainGraph() const { return *graph; }
  /// The graph whose (first) message has its contents at this offset, or null.
  const GraphIndex *graphAt(uint64_t body) const {
    return graphsByBody.lookup(body);
  }
  /// Whether training information binds the initializer: it is state then, and
  /// not a constant.
  bool isTrainingState(llvm::StringRef name) const {
    return trainingState.contains(name);
  }

  /// Some node has a doc_string or metadata_props.
  bool hasNodeTexts() const { return anyNodeTexts; }

  std::optional<int64_t> irVersion; ///< the last one holds
  llvm::SmallVector<ByteRange, 1> irVersionFields;
  std::optional<int64_t> modelVersion;
  llvm::StringRef producerName;
  llvm::StringRef producerVersion;
  llvm::StringRef domain;
  llvm::SmallVector<OpsetImport, 2> opsetImports;
  std::deque<MetadataEntry> metadata;
  std::deque<TrainingInfo> trainingInfos;
  std::deque<FunctionIndex> functions;
  /// All graphs, subgraphs included, each after the graph that holds it.
  std::deque<GraphIndex> graphs;

private:
  friend class IndexBuilder;
  ModelIndex() = default;

  InputFileRef input;
  MessageSpan rootSpan;
  GraphIndex *graph = nullptr;
  llvm::DenseMap<uint64_t, const GraphIndex *> graphsByBody;
  llvm::StringSet<> trainingState;
  bool anyNodeTexts = false;
  llvm::BumpPtrAllocator arena;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_MODELINDEX_H
