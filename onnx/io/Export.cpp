//===- Export.cpp - The changed model as a file ---------------------------===//

#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/onnx/io/EqualConstants.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/io/TensorElements.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

/// Field numbers of ModelProto, GraphProto, FunctionProto and NodeProto.
static constexpr uint32_t modelMetadata = 14, graphNode = 1, functionNode = 7,
                          nodeInput = 1, nodeOutput = 2;

namespace {

/// Compares one block after the other with the file and notes the edits.
class BlockDiff {
public:
  /// `data`: where new constants go; null for the model file. `redirected`
  /// gets the readers of merged constants.
  BlockDiff(const ModelIndex &index, EditScript &script,
            const ExportOptions &options, DataFile *data,
            llvm::DenseSet<Operation *> &redirected)
      : index(index), script(script), options(options), data(data),
        redirected(redirected), reader(index.file()) {}

  llvm::Error diffGraph(const GraphIndex &graph, Block &block);
  llvm::Error diffFunction(const FunctionIndex &function, Block &block);

private:
  /// New constants of a block, equal ones, and those of them that are not
  /// written because their readers read another one.
  struct NewConstants {
    SmallVector<OnnxConstantOp> all;
    EqualConstants equal;
    llvm::DenseSet<Operation *> dropped;
  };
  struct Present {
    llvm::BitVector nodes;          // by ordinal
    llvm::StringSet<> initializers; // names of constants that are no nodes
  };
  static Present collect(Block &block, size_t numNodes,
                         const NewConstants &fresh);
  llvm::Error eraseNodes(const std::deque<MessageSpan> &nodes,
                         const Present &present);
  void eraseInitializers(const GraphIndex &graph, const Present &present);
  llvm::Error eraseAnnotations(const GraphIndex &graph);
  /// Else nodes: before IR version 4 an initializer would have to be a graph
  /// input, and functions have none.
  bool becomeInitializers(const GraphIndex *graph) const {
    return graph && index.irVersion.value_or(0) >= 4;
  }
  NewConstants findNew(Block &block, const GraphIndex *graph);
  bool redirectReaders(OnnxConstantOp constant, Operation *to);
  std::vector<Content> encode(StringRef name, OnnxConstantOp constant,
                              const Elements &elements,
                              const ConstantNode *node,
                              const EqualConstants &equal);
  llvm::Error insertConstants(const NewConstants &fresh,
                              const std::deque<MessageSpan> &nodes,
                              uint32_t nodeField, const GraphIndex *graph);
  llvm::Error renameValues(Block &block, const std::deque<MessageSpan> &nodes);
  void renameOutputs(Operation *op, const MessageSpan &span,
                     const NodeFields &node);
  llvm::Error diffSubgraphs(Block &block, const std::deque<MessageSpan> &nodes);

  const ModelIndex &index;
  EditScript &script;
  const ExportOptions &options;
  DataFile *data;
  llvm::DenseSet<Operation *> &redirected;
  WireReader reader;
  llvm::DenseMap<Operation *, uint64_t> offsets; // of constants in `data`
  llvm::StringSet<> removedNames;                // in the block at hand
};

} // namespace

void onnxfold::setProvenance(Operation *op, StringRef text) {
  op->setLoc(FusedLoc::get({op->getLoc()},
                           StringAttr::get(op->getContext(), text),
                           op->getContext()));
}

StringRef onnxfold::provenanceOf(Operation *op) {
  auto location = dyn_cast<FusedLocWith<StringAttr>>(op->getLoc());
  return location ? location.getMetadata().getValue() : StringRef();
}

/// The ordinal of the node that an operation came from.
static std::optional<int64_t> nodeOf(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op))
    return constant.getNode() ? std::optional<int64_t>(*constant.getNode())
                              : std::nullopt;
  if (Operator onnxOp = Operator::from(op))
    return onnxOp.node();
  return std::nullopt;
}

BlockDiff::Present BlockDiff::collect(Block &block, size_t numNodes,
                                      const NewConstants &fresh) {
  Present present;
  present.nodes.resize(numNodes);
  for (Operation &op : block) {
    if (std::optional<int64_t> node = nodeOf(&op))
      present.nodes.set(*node);
    else if (auto constant = dyn_cast<OnnxConstantOp>(op);
             constant && !fresh.dropped.contains(&op))
      present.initializers.insert(constant.getOutput().value_or(""));
  }
  return present;
}

llvm::Error BlockDiff::eraseNodes(const std::deque<MessageSpan> &nodes,
                                  const Present &present) {
  NodeFields node;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (present.nodes.test(i))
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[i], node))
      return error;
    for (const NameField &output : node.outputs)
      if (!present.initializers.contains(output.name))
        removedNames.insert(output.name);
    script.erase(nodes[i]);
  }
  return llvm::Error::success();
}

/// Takes those out of `gone` that are scales or zero points of what is left.
static void keepParameters(const GraphIndex &graph,
                           const llvm::StringSet<> &removedNames,
                           llvm::StringSet<> &gone) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const QuantizationAnnotation &annotation : graph.annotations)
      if (!removedNames.contains(annotation.tensorName) &&
          !gone.contains(annotation.tensorName))
        for (const TextEntry &parameter : annotation.parameters)
          changed |= gone.erase(parameter.value);
  }
}

/// Initializers that were constants and are gone.
void BlockDiff::eraseInitializers(const GraphIndex &graph,
                                  const Present &present) {
  bool isMain = &graph == &index.mainGraph();
  llvm::StringSet<> inputs;
  for (const NamedSpan &input : graph.inputs)
    inputs.insert(input.name);
  llvm::StringSet<> gone;
  for (const TensorIndex &tensor : graph.initializers)
    if (!present.initializers.contains(tensor.name) &&
        !inputs.contains(tensor.name) && !tensor.tolerable &&
        !(isMain && index.isTrainingState(tensor.name)))
      gone.insert(tensor.name);
  keepParameters(graph, removedNames, gone);
  for (const TensorIndex &tensor : graph.initializers)
    if (gone.contains(tensor.name)) {
      script.erase(tensor.span);
      removedNames.insert(tensor.name);
    }
}

/// What the file says about values that are no more.
llvm::Error BlockDiff::eraseAnnotations(const GraphIndex &graph) {
  if (removedNames.empty())
    return llvm::Error::success();
  llvm::BumpPtrAllocator arena;
  for (const MessageSpan &valueInfo : graph.valueInfos) {
    WireCursor cursor(reader, valueInfo.contents(), {"value info"});
    WireField field;
    StringRef name;
    while (cursor.next(field))
      if (field.isMessage(1))
        name = reader.text(field.body(), arena);
    if (removedNames.contains(name))
      script.erase(valueInfo);
  }
  for (const QuantizationAnnotation &annotation : graph.annotations)
    if (removedNames.contains(annotation.tensorName))
      script.erase(annotation.span);
  return reader.takeError();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Results that got the name of a graph output.
void BlockDiff::renameOutputs(Operation *op, const MessageSpan &span,
                              const NodeFields &node) {
  for (auto [output, result] : llvm::zip(node.outputs, op->getResults())) {
    StringRef name = valueName(result);
    if (name.empty() || name == output.name)
      continue;
    script.replace(span, output.field,
                   Content::literal(encodeTextField(nodeOutput, name)));
    removedNames.insert(output.name);
    removedNames.erase(name); // of the node that is gone
  }
}

/// Nodes that read other values than the file says get their names, and results
/// theirs.
llvm::Error BlockDiff::renameValues(Block &block,
                                    const std::deque<MessageSpan> &nodes) {
  NodeFields node;
  for (Operation &op : block) {
    std::optional<int64_t> ordinal = nodeOf(&op);
    bool isRewired = redirected.contains(&op) ||
                     (options.isRewired && options.isRewired(&op));
    if (!ordinal || !isRewired)
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[*ordinal], node))
      return error;
    renameOutputs(&op, nodes[*ordinal], node);
    for (auto [input, operand] : llvm::zip(node.inputs, op.getOperands())) {
      StringRef name = valueName(operand);
      if (isAbsent(operand) || name == input.name)
        continue;
      if (name.empty())
        return makeError(index.file()->name() + ": node " + Twine(*ordinal) +
                         " reads a value that has no name");
      script.replace(nodes[*ordinal], input.field,
                     Content::literal(encodeTextField(nodeInput, name)));
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// New constants
//===----------------------------------------------------------------------===//

/// Constants that are in the block but not in the file.
BlockDiff::NewConstants BlockDiff::findNew(Block &block,
                                           const GraphIndex *graph) {
  llvm::StringSet<> known, annotated;
  if (graph) {
    for (const TensorIndex &tensor : graph->initializers)
      known.insert(tensor.name);
    for (const QuantizationAnnotation &annotation : graph->annotations) {
      annotated.insert(annotation.tensorName);
      for (const TextEntry &parameter : annotation.parameters)
        annotated.insert(parameter.value);
    }
  }
  NewConstants fresh;
  for (Operation &op : block)
    if (auto constant = dyn_cast<OnnxConstantOp>(op))
      if (!constant.getNode() &&
          !known.contains(constant.getOutput().value_or("")))
        fresh.all.push_back(constant);
  // In a data file equal values share their bytes, whoever reads them.
  if (options.mergesEqual || data)
    fresh.equal = EqualConstants(fresh.all);
  if (!options.mergesEqual || !becomeInitializers(graph))
    return fresh;
  for (OnnxConstantOp constant : fresh.all) {
    Operation *first = fresh.equal.firstOf(constant);
    if (first != constant &&
        !annotated.contains(constant.getOutput().value_or("")) &&
        redirectReaders(constant, first))
      fresh.dropped.insert(constant);
  }
  return fresh;
}

/// Lets all readers of a constant read an equal one; false if some reader needs
/// the name: outputs of graphs do. Bodies may have values of the same name of
/// their own, so what they read stays too.
bool BlockDiff::redirectReaders(OnnxConstantOp constant, Operation *to) {
  for (Operation *reader : constant->getUsers())
    if (reader->getBlock() != constant->getBlock() || !nodeOf(reader))
      return false;
  redirected.insert(constant->user_begin(), constant->user_end());
  constant->replaceAllUsesWith(to);
  return true;
}

/// The bytes of a constant as an initializer, or as a Constant node if `node`.
std::vector<Content> BlockDiff::encode(StringRef name, OnnxConstantOp constant,
                                       const Elements &elements,
                                       const ConstantNode *node,
                                       const EqualConstants &equal) {
  std::vector<Content> contents;
  TensorHeader header{name, int32_t(elements.type()), elements.shape(),
                      provenanceOf(constant)};
  if (elements.type() == DataType::String) {
    std::vector<StringRef> strings = elements.values<StringRef>();
    contents.push_back(
        Content::literal(node ? encodeStringConstantNode(*node, header, strings)
                              : encodeStringInitializer(header, strings)));
    return contents;
  }
  uint64_t bytes = payloadBytes(elements);
  if (data && bytes >= smallestExternalTensor) {
    auto [place, isNew] = offsets.try_emplace(equal.firstOf(constant), 0);
    if (isNew)
      place->second = data->add(Content::payload(payloadOf(elements)));
    StringRef file = data->location();
    contents.push_back(Content::literal(
        node ? encodeExternalConstantNode(*node, header, file, place->second,
                                          bytes)
             : encodeExternalInitializer(header, file, place->second, bytes)));
    return contents;
  }
  FramedBytes frame = node ? encodeConstantNode(*node, header, bytes)
                           : encodeInitializer(header, bytes);
  contents.push_back(Content::literal(std::move(frame.before)));
  contents.push_back(Content::payload(payloadOf(elements)));
  if (!frame.after.empty())
    contents.push_back(Content::literal(std::move(frame.after)));
  return contents;
}

/// New constants: initializers at the end of `graph`, or, if it is null, nodes
/// before the next node that is left.
llvm::Error BlockDiff::insertConstants(const NewConstants &fresh,
                                       const std::deque<MessageSpan> &nodes,
                                       uint32_t nodeField,
                                       const GraphIndex *graph) {
  bool asInitializer = becomeInitializers(graph);
  // The constants are in the order of the block, and many stand in a row: the
  // node after one is that after the next one too.
  Operation *next = nullptr, *lookedFrom = nullptr;
  for (OnnxConstantOp constant : fresh.all) {
    if (fresh.dropped.contains(constant))
      continue;
    StringRef name = constant.getOutput().value_or("");
    Elements elements = fresh.equal.movedValue(constant);
    if (!elements)
      elements = fromAttribute(constant.getValue());
    if (!elements || name.empty())
      return makeError(index.file()->name() +
                       ": a new constant has no value or no name");
    ConstantNode node{name, "", nodeField};
    std::vector<Content> contents =
        encode(asInitializer ? name : "", constant, elements,
               asInitializer ? nullptr : &node, fresh.equal);
    if (!lookedFrom || (next && !constant->isBeforeInBlock(next)))
      for (next = lookedFrom = constant; next && !nodeOf(next);)
        next = next->getNextNode();
    for (Content &content : contents) {
      if (asInitializer)
        script.append(*graph->parts.back(), std::move(content));
      else if (next)
        script.insertBefore(nodes[*nodeOf(next)], std::move(content));
      else
        script.insertAfter(nodes.back(), std::move(content));
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

llvm::Error BlockDiff::diffSubgraphs(Block &block,
                                     const std::deque<MessageSpan> &nodes) {
  NodeFields node;
  for (Operation &op : block) {
    std::optional<int64_t> ordinal = nodeOf(&op);
    if (!ordinal || op.getNumRegions() == 0)
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[*ordinal], node))
      return error;
    unsigned next = 0;
    SmallVector<const GraphIndex *> inner;
    for (const AttributeFields &attribute : node.attributes)
      inner.append(attribute.graphs.begin(), attribute.graphs.end());
    for (const GraphIndex *graph : inner) {
      Block &body = op.getRegion(next++).front();
      if (llvm::Error error = diffGraph(*graph, body))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error BlockDiff::diffGraph(const GraphIndex &graph, Block &block) {
  NewConstants fresh = findNew(block, &graph);
  Present present = collect(block, graph.nodes.size(), fresh);
  removedNames.clear();
  if (llvm::Error error = eraseNodes(graph.nodes, present))
    return error;
  if (llvm::Error error = renameValues(block, graph.nodes))
    return error;
  eraseInitializers(graph, present);
  if (llvm::Error error = eraseAnnotations(graph))
    return error;
  if (llvm::Error error =
          insertConstants(fresh, graph.nodes, graphNode, &graph))
    return error;
  return diffSubgraphs(block, graph.nodes);
}

llvm::Error BlockDiff::diffFunction(const FunctionIndex &function,
                                    Block &block) {
  NewConstants fresh = findNew(block, nullptr);
  Present present = collect(block, function.nodes.size(), fresh);
  removedNames.clear();
  if (llvm::Error error = eraseNodes(function.nodes, present))
    return error;
  if (llvm::Error error =
          insertConstants(fresh, function.nodes, functionNode, nullptr))
    return error;
  if (llvm::Error error = renameValues(block, function.nodes))
    return error;
  return diffSubgraphs(block, function.nodes);
}

//===----------------------------------------------------------------------===//
// Exporter
//===----------------------------------------------------------------------===//

static void setMetadata(EditScript &script, const ModelIndex &index,
                        StringRef key, StringRef value) {
  Content entry = Content::literal(encodeEntryField(modelMetadata, key, value));
  for (const MetadataEntry &existing : index.metadata)
    if (existing.key == key) {
      script.insertBefore(existing.span, std::move(entry));
      script.erase(existing.span);
      return;
    }
  script.append(index.root(), std::move(entry));
}

llvm::Error ModelExporter::diffModule() {
  const ModelIndex &index = *model->index;
  BlockDiff diff(index, *script, options, data.get(), redirected);
  // The importer makes the main graph first, then functions in their order.
  auto functions = model->module.get().getOps<func::FuncOp>().begin();
  if (llvm::Error error =
          diff.diffGraph(index.mainGraph(), (*functions).front()))
    return error;
  for (const FunctionIndex &function : index.functions)
    if (llvm::Error error = diff.diffFunction(function, (*++functions).front()))
      return error;
  for (const auto &[key, value] : options.metadata)
    setMetadata(*script, index, key, value);
  return llvm::Error::success();
}

/// Moves the tensors that the model has already, if that is asked for, and
/// notes which data files it still needs.
llvm::Error ModelExporter::placeTensors() {
  bool moves = options.placement != DataPlacement::Keep;
  TensorMover mover(*model, *script, data.get());
  auto skip = [&](const MessageSpan &span) { return script->isErased(span); };
  auto visit = [&](const TensorIndex &tensor, TensorPlace place,
                   StringRef subject) -> llvm::Error {
    bool moved = false;
    if (moves) {
      llvm::Expected<bool> done = mover.move(tensor, place, subject);
      if (!done)
        return done.takeError();
      moved = *done;
    }
    if (!moved && tensor.external)
      needed.insert(tensor.external->location);
    return llvm::Error::success();
  };
  TensorWalk walk(*model->index, skip, visit);
  if (llvm::Error error = walk.initializers())
    return error;
  // Tensors in attributes are opened when the model is read.
  if (!moves && model->external->files().empty())
    return llvm::Error::success();
  return walk.attributes();
}

llvm::Error ModelExporter::build(bool newTensorsOut) {
  script = std::make_unique<EditScript>(model->index->file());
  needed.clear();
  data.reset();
  if (newTensorsOut)
    data = std::make_unique<DataFile>(options.dataFile);
  if (llvm::Error error = diffModule())
    return error;
  changed = !script->empty();
  if (llvm::Error error = placeTensors())
    return error;
  layout = script->layout();
  return llvm::Error::success();
}

llvm::Expected<ModelExporter> ModelExporter::create(const ImportedModel &model,
                                                    ExportOptions options) {
  if (options.dataFile.empty())
    options.dataFile = "model.onnx.data";
  ModelExporter exporter(model, std::move(options));
  DataPlacement placement = exporter.options.placement;
  if (llvm::Error error = exporter.build(placement == DataPlacement::External))
    return error;
  if (placement == DataPlacement::Keep && exporter.layout.size > largestMessage)
    if (llvm::Error error = exporter.build(/*newTensorsOut=*/true))
      return error;
  return exporter;
}
