//===- ModelIndex.cpp - Positions of everything in a model file -----------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/ModelIndex.h"

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/WireCheck.h"

using namespace llvm;

namespace onnxfold {

/// The walk that makes the index. Errors are sticky in the reader, so the
/// functions return nothing; a failed walk's index is thrown away. Recursion is
/// as deep as graphs are nested, which is limited.
class IndexBuilder {
public:
  explicit IndexBuilder(InputFileRef file)
      : model(new ModelIndex()), reader(file) {
    model->input = std::move(file);
    model->rootSpan.end = reader.file().size();
  }

  Expected<std::unique_ptr<ModelIndex>> build();

private:
  void walkModel();
  void markDoubled(GraphIndex &graph);
  void walkGraph(GraphIndex &graph, const MessageSpan &part);
  void walkGraphField(GraphIndex &graph, const WireField &field,
                      const MessageSpan &part);
  void walkNode(const MessageSpan &node, const GraphIndex *parent,
                int64_t number);
  void walkAttribute(const MessageSpan &attribute, const MessageSpan &node,
                     const GraphIndex *parent);
  void walkFunction(const WireField &field);
  void walkFunctionField(FunctionIndex &function, const WireField &field);
  void walkTraining(const WireField &field);
  SparseTensorIndex walkSparse(const MessageSpan &span, int64_t number);
  QuantizationAnnotation walkAnnotation(const MessageSpan &span);
  NamedSpan walkNamed(const MessageSpan &span);
  OpsetImport walkOpset(const MessageSpan &span);
  MetadataEntry walkMetadata(const MessageSpan &span);
  GraphIndex *newGraph(const GraphIndex *parent, const MessageSpan *owner);
  GraphIndex *addPart(GraphIndex *graph, const MessageSpan &part,
                      const GraphIndex *parent, const MessageSpan *owner);
  StringRef text(const WireField &field) {
    return reader.text(field.body(), model->arena);
  }
  /// A span with an address that lasts.
  const MessageSpan *keep(const MessageSpan &span) {
    return new (model->arena) MessageSpan(span);
  }

  std::unique_ptr<ModelIndex> model;
  WireReader reader;
  NodeContents contents; ///< of all nodes
};

Expected<std::unique_ptr<ModelIndex>> ModelIndex::build(InputFileRef file) {
  return IndexBuilder(std::move(file)).build();
}

Expected<std::unique_ptr<ModelIndex>> IndexBuilder::build() {
  contents = checkWire(reader, model->rootSpan.contents());
  model->anyNodeTexts = contents.texts;
  walkModel();
  if (Error error = reader.takeError())
    return error;
  for (GraphIndex &graph : model->graphs)
    markDoubled(graph);
  if (!model->graph)
    return ModelFault()
        .file(reader.file().name())
        .has("no graph")
        .expected("an ONNX model");
  return std::move(model);
}

/// Readers take the first or the last of several initializers of one name, or
/// refuse the model.
void IndexBuilder::markDoubled(GraphIndex &graph) {
  llvm::DenseMap<StringRef, TensorIndex *> known;
  auto mark = [&](TensorIndex &tensor) {
    static const StoredFault doubled = {
        "has",
        "the name of another initializer, and runtimes differ in which "
        "one they take",
        ""};
    tensor.problem = &doubled;
    tensor.tolerable = tensor.isDoubled = true;
  };
  auto note = [&](TensorIndex &tensor) {
    if (tensor.name.empty())
      return;
    auto [first, isNew] = known.try_emplace(tensor.name, &tensor);
    if (isNew)
      return;
    mark(*first->second);
    mark(tensor);
  };
  known.reserve(graph.initializers.size() + graph.sparseInitializers.size());
  for (TensorIndex &tensor : graph.initializers)
    note(tensor);
  for (SparseTensorIndex &tensor : graph.sparseInitializers)
    note(tensor.values);
}

GraphIndex *IndexBuilder::newGraph(const GraphIndex *parent,
                                   const MessageSpan *owner) {
  GraphIndex &graph = model->graphs.emplace_back();
  graph.parentGraph = parent;
  graph.owner = owner;
  return &graph;
}

/// Walks one message of a graph: the first one if `graph` is null.
GraphIndex *IndexBuilder::addPart(GraphIndex *graph, const MessageSpan &part,
                                  const GraphIndex *parent,
                                  const MessageSpan *owner) {
  if (!graph) {
    graph = newGraph(parent, owner);
    model->graphsByBody[part.body] = graph;
  }
  graph->parts.push_back(keep(part));
  walkGraph(*graph, *graph->parts.back());
  return graph;
}

void IndexBuilder::walkModel() {
  const MessageSpan &root = model->rootSpan;
  WireCursor cursor(reader, root.contents(), {"model"});
  WireField field;
  while (cursor.next(field)) {
    if (field.isVarint(1)) {
      model->irVersion = int64_t(field.value);
      model->irVersionFields.push_back(field.whole());
    } else if (field.isMessage(2))
      model->producerName = text(field);
    else if (field.isMessage(3))
      model->producerVersion = text(field);
    else if (field.isMessage(4))
      model->domain = text(field);
    else if (field.isVarint(5))
      model->modelVersion = int64_t(field.value);
    else if (field.isMessage(7))
      model->graph = addPart(model->graph, field.span(&root), nullptr, nullptr);
    else if (field.isMessage(8))
      model->opsetImports.push_back(walkOpset(field.span(&root)));
    else if (field.isMessage(14))
      model->metadata.push_back(walkMetadata(field.span(&root)));
    else if (field.isMessage(20))
      walkTraining(field);
    else if (field.isMessage(25))
      walkFunction(field);
  }
}

void IndexBuilder::walkGraph(GraphIndex &graph, const MessageSpan &part) {
  WireCursor cursor(reader, part.contents(), {"graph"});
  WireField field;
  while (cursor.next(field))
    if (field.type == WireType::Length)
      walkGraphField(graph, field, part);
}

void IndexBuilder::walkGraphField(GraphIndex &graph, const WireField &field,
                                  const MessageSpan &part) {
  MessageSpan span = field.span(&part);
  switch (field.number) {
  case 1:
    graph.nodes.push_back(span);
    return walkNode(graph.nodes.back(), &graph, graph.nodes.size() - 1);
  case 2:
    graph.name = text(field);
    return;
  case 5:
    graph.initializers.push_back(
        readTensor(reader, span, model->arena,
                   {"initializer", int64_t(graph.initializers.size())}));
    return;
  case 11:
    graph.inputs.push_back(walkNamed(span));
    return;
  case 12:
    graph.outputs.push_back(walkNamed(span));
    return;
  case 13:
    graph.valueInfos.push_back(span);
    return;
  case 14:
    graph.annotations.push_back(walkAnnotation(span));
    return;
  case 15:
    graph.sparseInitializers.push_back(
        walkSparse(span, graph.sparseInitializers.size()));
    return;
  case 16:
    graph.metadata.push_back(walkMetadata(span));
    return;
  }
}

void IndexBuilder::walkNode(const MessageSpan &node, const GraphIndex *parent,
                            int64_t number) {
  if (!contents.graphs)
    return;
  WireCursor cursor(reader, node.contents(), {"node", number});
  WireField field;
  while (cursor.next(field))
    if (field.isMessage(5))
      walkAttribute(field.span(&node), node, parent);
}

/// Looks for graphs: `g` is singular, `graphs` is repeated.
void IndexBuilder::walkAttribute(const MessageSpan &attribute,
                                 const MessageSpan &node,
                                 const GraphIndex *parent) {
  WireCursor cursor(reader, attribute.contents(), {"attribute"});
  const MessageSpan *kept = nullptr;
  GraphIndex *singular = nullptr;
  WireField field;
  while (cursor.next(field)) {
    if (!field.isMessage(6) && !field.isMessage(11))
      continue;
    if (!kept)
      kept = keep(attribute);
    GraphIndex *graph = field.number == 6 ? singular : nullptr;
    graph = addPart(graph, field.span(kept), parent, &node);
    if (field.number == 6)
      singular = graph;
  }
}

void IndexBuilder::walkFunction(const WireField &field) {
  FunctionIndex &function = model->functions.emplace_back();
  function.span = keep(field.span(&model->rootSpan));
  WireCursor cursor(reader, field.body(),
                    {"function", int64_t(model->functions.size() - 1)});
  WireField inner;
  while (cursor.next(inner))
    if (inner.type == WireType::Length)
      walkFunctionField(function, inner);
}

void IndexBuilder::walkFunctionField(FunctionIndex &function,
                                     const WireField &field) {
  MessageSpan span = field.span(function.span);
  switch (field.number) {
  case 1:
    function.name = text(field);
    return;
  case 4:
    function.inputs.push_back(text(field));
    function.inputFields.push_back(span.field());
    return;
  case 5:
    function.outputs.push_back(text(field));
    return;
  case 6:
    function.attributes.push_back(text(field));
    return;
  case 7:
    function.nodes.push_back(span);
    return walkNode(function.nodes.back(), nullptr, function.nodes.size() - 1);
  case 9:
    function.opsetImports.push_back(walkOpset(span));
    return;
  case 10:
    function.domain = text(field);
    return;
  case 11:
    function.defaultAttributes.push_back(span);
    return walkAttribute(span, *function.span, nullptr);
  case 12:
    function.valueInfos.push_back(span);
    return;
  case 13:
    function.overload = text(field);
    return;
  }
}

void IndexBuilder::walkTraining(const WireField &field) {
  TrainingInfo &info = model->trainingInfos.emplace_back();
  info.span = keep(field.span(&model->rootSpan));
  GraphIndex *graphs[2] = {nullptr, nullptr};
  WireCursor cursor(reader, field.body(), {"training information"});
  WireField inner;
  while (cursor.next(inner)) {
    if (inner.isMessage(1) || inner.isMessage(2)) {
      GraphIndex *&graph = graphs[inner.number - 1];
      graph = addPart(graph, inner.span(info.span), nullptr, nullptr);
    } else if (inner.isMessage(3) || inner.isMessage(4)) {
      TextEntry entry = readTextEntry(reader, inner, model->arena);
      model->trainingState.insert(entry.key);
      (inner.number == 3 ? info.initializationBinding : info.updateBinding)
          .push_back(entry);
    }
  }
  info.initialization = graphs[0];
  info.algorithm = graphs[1];
}

SparseTensorIndex IndexBuilder::walkSparse(const MessageSpan &span,
                                           int64_t number) {
  SparseTensorIndex sparse;
  sparse.span = span;
  SmallVector<MessageSpan, 1> values, indices;
  SmallVector<int64_t, 4> dims;
  WireLabel label{"sparse initializer", number};
  WireCursor cursor(reader, span.contents(), label);
  WireField field;
  while (cursor.next(field)) {
    if (field.isMessage(1))
      values.push_back(field.span(keep(span)));
    else if (field.isMessage(2))
      indices.push_back(field.span(keep(span)));
    else if (field.isVarint(3) || field.isMessage(3))
      readVarints(reader, field.whole(), 3,
                  [&](uint64_t dim) { dims.push_back(dim); });
  }
  if (!values.empty())
    sparse.values = readTensor(reader, values, model->arena, label);
  if (!indices.empty())
    sparse.indices = readTensor(reader, indices, model->arena, label);
  sparse.dims = copyList(ArrayRef<int64_t>(dims), model->arena);
  return sparse;
}

QuantizationAnnotation IndexBuilder::walkAnnotation(const MessageSpan &span) {
  QuantizationAnnotation annotation;
  annotation.span = span;
  SmallVector<TextEntry, 2> parameters;
  WireCursor cursor(reader, span.contents(), {"quantization annotation"});
  WireField field;
  while (cursor.next(field)) {
    if (field.isMessage(1))
      annotation.tensorName = text(field);
    else if (field.isMessage(2))
      parameters.push_back(readTextEntry(reader, field, model->arena));
  }
  annotation.parameters =
      copyList(ArrayRef<TextEntry>(parameters), model->arena);
  return annotation;
}

NamedSpan IndexBuilder::walkNamed(const MessageSpan &span) {
  NamedSpan named{{}, span};
  WireCursor cursor(reader, span.contents(), {"value info"});
  WireField field;
  while (cursor.next(field))
    if (field.isMessage(1))
      named.name = text(field);
  return named;
}

OpsetImport IndexBuilder::walkOpset(const MessageSpan &span) {
  OpsetImport opset;
  opset.span = span;
  WireCursor cursor(reader, span.contents(), {"opset import"});
  WireField field;
  while (cursor.next(field)) {
    if (field.isMessage(1))
      opset.domain = text(field);
    else if (field.isVarint(2))
      opset.version = int64_t(field.value);
  }
  return opset;
}

MetadataEntry IndexBuilder::walkMetadata(const MessageSpan &span) {
  MetadataEntry entry;
  entry.span = span;
  WireCursor cursor(reader, span.contents(), {"metadata entry"});
  WireField field;
  while (cursor.next(field)) {
    if (field.isMessage(1))
      entry.key = text(field);
    else if (field.isMessage(2))
      entry.value = field.body();
  }
  return entry;
}

} // namespace onnxfold
