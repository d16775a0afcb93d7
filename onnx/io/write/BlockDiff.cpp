//===- BlockDiff.cpp - What changed in a graph, as edits ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/ValueInfoDiff.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"

using namespace onnxfold;
using namespace mlir;

/// Field numbers of FunctionProto.
static constexpr uint32_t functionInput = 4, functionNode = 7;

/// An operator that passes made. (The importer's own have no nodes either: they
/// stand for what the file says otherwise.)
Operator BlockDiff::newNode(Operation *op) {
  Operator node = Operator::from(op);
  return node && !node.node() && node.domain() != "onnx-fold" ? node
                                                              : Operator();
}

/// The ordinal of the node that an operation came from.
std::optional<int64_t> BlockDiff::nodeOf(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op))
    return constant.getNode();
  if (Operator onnxOp = Operator::from(op))
    return onnxOp.node();
  return std::nullopt;
}

/// The ordinal of the node, if it stands in the graph at hand.
std::optional<int64_t> BlockDiff::placeOf(Operation *op) const {
  return isMoved(op) ? std::nullopt : nodeOf(op);
}

/// The node of an operation in the graph of `nodes`, also if it was moved there
/// from a body. REQUIRES: it has one.
llvm::Expected<const MessageSpan *> BlockDiff::spanOf(Operation *op,
                                                      const Nodes &nodes) {
  return findNode(reader, index, nodes,
                  isMoved(op) ? options.origin(op) : ArrayRef<BodyStep>(),
                  *nodeOf(op));
}

BlockDiff::Present BlockDiff::collect(Block &block, size_t numNodes,
                                      const NewConstants &fresh) const {
  Present present;
  present.nodes.resize(numNodes);
  for (Operation &op : block) {
    if (std::optional<int64_t> node = placeOf(&op))
      present.nodes.set(*node);
    else if (auto constant = dyn_cast<OnnxConstantOp>(op);
             constant && !fresh.dropped.contains(&op))
      present.values.insert(constant.getOutput().get());
    else if (newNode(&op) || isMoved(&op) || isOpaqueInitializer(&op))
      for (Value result : op.getResults()) {
        present.values.insert(valueName(result));
        if (!isOpaqueInitializer(&op))
          present.made.insert(valueName(result));
      }
  }
  return present;
}

llvm::Error BlockDiff::eraseNodes(const Nodes &nodes, const Present &present) {
  NodeFields node;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (present.nodes.test(i))
      continue;
    script.erase(nodes[i]);
    if (!isDescribed) // nobody asks for its names
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[i], node))
      return error;
    for (const NameField &output : node.outputs)
      if (!output.name.empty() && !present.values.contains(output.name))
        removedNames.insert(output.name);
  }
  return llvm::Error::success();
}

/// Renames an initializer: the last of several name fields holds.
void BlockDiff::renameInitializer(const TensorIndex &tensor, StringRef name) {
  WireCursor cursor(reader, tensor.span.contents(), {"initializer"});
  ByteRange last{0, 0};
  WireField field;
  while (cursor.next(field))
    if (field.isMessage(tensorName))
      last = field.whole();
  script.replace(tensor.span, last,
                 Content::literal(encodeTextField(tensorName, name)));
  removedNames.insert(tensor.name);
}

/// Names of initializers that were constants, and of which none is left. Where
/// no caller may feed an initializer, it does not stay for its input.
llvm::StringSet<>
BlockDiff::findErasedInitializers(const GraphIndex &graph, Block &block,
                                  const Present &present) const {
  bool isMain = &graph == &index.mainGraph();
  bool isOld = !initializersMayBeOverridden(index);
  llvm::StringSet<> inputs, erased;
  for (const NamedSpan &input : graph.inputs)
    if (!isMain || !options.bound.contains(input.name))
      inputs.insert(input.name);
  SmallVector<StringRef> ofNoInput;
  auto note = [&](const TensorIndex &tensor) {
    StringRef name = tensor.name;
    bool isInput = inputs.contains(name);
    if (name.empty() ||
        (present.values.contains(name) && !present.made.contains(name)) ||
        (isInput && !(isMain && isOld)))
      return;
    erased.insert(name);
    if (isOld && !isInput)
      ofNoInput.push_back(name);
  };
  for (const TensorIndex &tensor : graph.initializers)
    note(tensor);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    note(tensor.values);
  keepParameters(graph, block, erased);
  // Runtimes refuse old files with one that neither a node nor a caller needs.
  for (StringRef name : ofNoInput)
    if (erased.insert(name).second && options.noteLostParameter)
      options.noteLostParameter(name);
  return erased;
}

/// Initializers that are erased, with their inputs, or renamed.
void BlockDiff::eraseInitializers(const GraphIndex &graph, Block &block,
                                  const Present &present,
                                  const NewConstants &fresh) {
  llvm::StringSet<> erased = findErasedInitializers(graph, block, present);
  auto erase = [&](const TensorIndex &tensor, const MessageSpan &span) {
    bool isUnread = erased.contains(tensor.name);
    if (isUnread || boundInputs.contains(tensor.name))
      script.erase(span);
    if (isUnread && isDescribed && !present.values.contains(tensor.name))
      removedNames.insert(tensor.name);
  };
  for (const TensorIndex &tensor : graph.initializers)
    if (OnnxConstantOp constant = fresh.renamed.lookup(tensor.name))
      renameInitializer(tensor, constant.getOutput().get());
    else
      erase(tensor, tensor.span);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    erase(tensor.values, tensor.span);
  for (const NamedSpan &input : graph.inputs)
    if (erased.contains(input.name))
      script.erase(input.span);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void BlockDiff::rename(const MessageSpan &message, uint32_t number,
                       ArrayRef<NameField> fields, ArrayRef<StringRef> names) {
  auto encode = [&](StringRef name) {
    return Content::literal(encodeTextField(number, name));
  };
  for (auto [i, field] : llvm::enumerate(fields))
    if (i >= names.size())
      script.erase(message, field.field);
    else if (names[i] != field.name)
      script.replace(message, field.field, encode(names[i]));
  uint64_t end =
      fields.empty() ? message.contents().begin : fields.back().field.end;
  for (StringRef name : names.drop_front(std::min(fields.size(), names.size())))
    script.insert(message, end, encode(name));
}

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
    removedNames.erase(name); // of the erased node
  }
}

/// Nodes that read other values than the file says get their names, and results
/// theirs.
llvm::Error BlockDiff::renameValues(Block &block, const Nodes &nodes) {
  NodeFields node;
  for (Operation &op : block) {
    if (!nodeOf(&op) || !isChanged(&op))
      continue;
    auto span = spanOf(&op, nodes);
    if (!span)
      return span.takeError();
    if (llvm::Error error = readNode(reader, index, **span, node))
      return error;
    renameOutputs(&op, **span, node);
    SmallVector<StringRef> names;
    for (Value operand : op.getOperands()) {
      names.push_back(valueName(operand));
      if (names.back().empty() && !isAbsent(operand))
        return ModelFault()
            .file(index.file()->name())
            .says("node " + Twine(*nodeOf(&op)) +
                  " reads a value that has no name");
    }
    rename(**span, nodeInput, node.inputs, names);
    diffConfigurations(&op, **span, node);
    if (llvm::Error error = diffTexts(&op, **span))
      return error;
  }
  return llvm::Error::success();
}

/// Arguments that passes gave a function, or took away.
void BlockDiff::diffInputs(const FunctionIndex &function, Block &block) {
  SmallVector<NameField> fields;
  for (auto [name, range] :
       llvm::zip_equal(function.inputs, function.inputFields))
    fields.push_back({name, range});
  SmallVector<StringRef> names;
  for (Value argument : block.getArguments())
    names.push_back(valueName(argument));
  for (StringRef name : function.inputs)
    if (!llvm::is_contained(names, name))
      removedNames.insert(name);
  for (StringRef name : names) // of an erased node
    removedNames.erase(name);
  rename(*function.span, functionInput, fields, names);
}

//===----------------------------------------------------------------------===//
// New nodes
//===----------------------------------------------------------------------===//

/// A node that is new in this graph; none for others.
llvm::Expected<std::vector<BlockDiff::Insertion>>
BlockDiff::makeNode(Operation *op, const Nodes &nodes, uint32_t nodeField,
                    const GraphIndex *graph) {
  std::vector<Insertion> result;
  if ((isMoved(op) && nodeOf(op)) || isDisplaced(op)) {
    auto span = spanOf(op, nodes);
    if (!span)
      return span.takeError();
    result.push_back({Content(), *span});
  } else if (Operator node = newNode(op)) {
    std::string texts;
    if (Operation *constant =
            options.computedConstant ? options.computedConstant(op) : nullptr)
      if (llvm::Error error =
              textsOfConstant(constant, nodes, graph).moveInto(texts))
        return error;
    auto contents = writer.encode(node, nodeField, texts);
    if (!contents)
      return contents.takeError();
    for (Content &content : *contents)
      result.push_back({std::move(content)});
  }
  return result;
}

void BlockDiff::insert(std::vector<Insertion> &waiting,
                       const MessageSpan &there, EditScript::Side side,
                       uint32_t nodeField) {
  for (Insertion &insertion : waiting)
    if (insertion.moved)
      script.move(*insertion.moved, there, side, nodeField);
    else if (side == EditScript::Side::Before)
      script.insertBefore(there, std::move(insertion.content));
    else
      script.insertAfter(there, std::move(insertion.content));
  waiting.clear();
}

/// New constants as initializers at the end of `graph`, or, if it is null, as
/// nodes; these and other new nodes before the next node that is left.
llvm::Error BlockDiff::insertNew(Block &block, const NewConstants &fresh,
                                 const Nodes &nodes, uint32_t nodeField,
                                 const GraphIndex *graph) {
  std::vector<Insertion> waiting;
  auto nextConstant = fresh.all.begin(); // they are in the order of the block
  for (Operation &op : block) {
    if (nextConstant != fresh.all.end() && *nextConstant == &op) {
      OnnxConstantOp constant = *nextConstant++;
      if (fresh.dropped.contains(constant))
        continue;
      bool asInitializer = becomesInitializer(graph, constant);
      bool atFront = isFree(graph) && !asInitializer; // may have been merged
      if (asInitializer) {
        auto moved = moveToInitializer(constant, nodes, *graph);
        if (!moved)
          return moved.takeError();
        if (*moved)
          continue;
      }
      auto contents = encode(constant, fresh, nodeField, asInitializer);
      if (!contents)
        return contents.takeError();
      for (Content &content : *contents)
        if (asInitializer)
          script.append(*graph->parts.back(), std::move(content));
        else if (atFront)
          script.insert(*frontOf(*graph).first, frontOf(*graph).second,
                        std::move(content));
        else
          waiting.push_back({std::move(content)});
      if (atFront)
        ++record.constantNodes;
      continue;
    }
    if (promoted.contains(&op)) {
      script.move(nodes[*placeOf(&op)], *frontOf(*graph).first,
                  frontOf(*graph).second, encodeFieldTag(nodeField));
      continue;
    }
    if (held.contains(&op) && !isDisplaced(&op))
      continue; // it stands first in the module, and elsewhere in the file
    if (std::optional<int64_t> place = placeOf(&op);
        place && !isDisplaced(&op)) {
      insert(waiting, nodes[*place], EditScript::Side::Before, nodeField);
      continue;
    }
    auto made = makeNode(&op, nodes, nodeField, graph);
    if (!made)
      return made.takeError();
    llvm::move(*made, std::back_inserter(waiting));
  }
  // New nodes stand for nodes that were there.
  if (!waiting.empty())
    insert(waiting, nodes.back(), EditScript::Side::After, nodeField);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

llvm::Error BlockDiff::diffSubgraphs(Block &block, const Nodes &nodes) {
  if (index.graphs.size() == 1) // the main graph
    return llvm::Error::success();
  NodeFields node;
  for (Operation &op : block) {
    if (op.getNumRegions() == 0 || !nodeOf(&op))
      continue;
    auto span = spanOf(&op, nodes);
    if (!span)
      return span.takeError();
    if (llvm::Error error = readNode(reader, index, **span, node))
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

/// Inputs that a constant stands for now.
void BlockDiff::eraseBoundInputs(const GraphIndex &graph, Block &block) {
  boundInputs.clear();
  if (&graph != &index.mainGraph())
    return;
  boundInputs = findBoundInputs(index, block);
  for (const NamedSpan &input : graph.inputs)
    if (boundInputs.contains(input.name) || options.bound.contains(input.name))
      script.erase(input.span);
  for (StringRef name : options.bound.keys())
    boundInputs.erase(name);
}

llvm::Error BlockDiff::diffGraph(const GraphIndex &graph, Block &block) {
  eraseBoundInputs(graph, block);
  if (options.changesInterface && &graph == &index.mainGraph())
    if (llvm::Error error = diffInterface(index, script, options, block))
      return error;
  if (llvm::Error error = findHeld(block, graph.nodes))
    return error;
  NewConstants fresh = findNew(block, &graph);
  restoreNodes(fresh);
  findDisplaced(block);
  Present present = collect(block, graph.nodes.size(), fresh);
  removedNames.clear();
  isDescribed = !graph.valueInfos.empty() || !graph.annotations.empty();
  if (llvm::Error error = eraseNodes(graph.nodes, present))
    return error;
  if (llvm::Error error = renameValues(block, graph.nodes))
    return error;
  eraseInitializers(graph, block, present, fresh);
  if (llvm::Error error = eraseAnnotations(graph))
    return error;
  addAnnotations(graph, block);
  if (options.editType)
    if (llvm::Error error =
            diffValueInfos(index, script, options, graph, block))
      return error;
  if (llvm::Error error = rewriteValues(block, fresh, graph.nodes, &graph))
    return error;
  if (llvm::Error error = makeNodes(graph, fresh))
    return error;
  if (&graph != &index.mainGraph())
    if (llvm::Error error =
            typeNewConstants(index, script, options, graph, block))
      return error;
  if (llvm::Error error =
          insertNew(block, fresh, graph.nodes, graphNode, &graph))
    return error;
  return diffSubgraphs(block, graph.nodes);
}

llvm::Error BlockDiff::diffFunction(const FunctionIndex &function,
                                    Block &block) {
  held.clear();
  findDisplaced(block);
  leaveNodes(block, "functions have no initializers");
  NewConstants fresh = findNew(block, nullptr);
  Present present = collect(block, function.nodes.size(), fresh);
  removedNames.clear();
  isDescribed = !function.valueInfos.empty();
  if (llvm::Error error = eraseNodes(function.nodes, present))
    return error;
  diffInputs(function, block);
  if (llvm::Error error =
          insertNew(block, fresh, function.nodes, functionNode, nullptr))
    return error;
  if (llvm::Error error = renameValues(block, function.nodes))
    return error;
  if (llvm::Error error = rewriteValues(block, fresh, function.nodes, nullptr))
    return error;
  if (llvm::Error error = eraseAnnotations(function.valueInfos))
    return error;
  if (options.editType)
    if (llvm::Error error =
            diffValueInfos(index, script, options, function, block))
      return error;
  return diffSubgraphs(block, function.nodes);
}
