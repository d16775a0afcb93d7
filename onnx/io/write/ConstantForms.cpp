//===- ConstantForms.cpp - Constant nodes and initializers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of BlockDiff that makes one of the other. The message of the tensor
// is moved, with the edits inside of it: its data may be moved to a data file in
// the same run.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/io/write/ConstantForms.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/io/write/internal/FieldStripper.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/TypeUtilities.h"

using namespace onnxfold;
using namespace mlir;
using llvm::Twine;

/// The version of the format that brought sparse initializers.
static constexpr int64_t sparseSince = 6;
/// The opset in which Constant got `sparse_value`.
static constexpr int64_t sparseConstantSince = 11;

int64_t
onnxfold::holdConstantNodes(ModuleOp module,
                            llvm::function_ref<bool(OnnxConstantOp)> isWanted) {
  if (irVersion(module).value_or(0) < 4)
    return 0;
  int64_t count = 0;
  Builder builder(module.getContext());
  mainGraph(module).walk([&](Block *block) {
    Operation *top = &block->front();
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      auto constant = dyn_cast<OnnxConstantOp>(op);
      if (!constant || !constant.getNode() ||
          constant.getOutput().get().empty() ||
          (isWanted && !isWanted(constant)))
        continue;
      op.setAttr(heldNodeAttrName,
                 builder.getI64IntegerAttr(*constant.getNode()));
      constant.setNode(std::nullopt);
      if (&op == top) // initializers stand before all that reads them
        top = op.getNextNode();
      else
        op.moveBefore(top);
      ++count;
    }
  });
  return count;
}

void BlockDiff::leave(StringRef name, const Twine &reason) {
  record.left.push_back({name.str(), reason.str()});
}

/// Lists nodes that --constants=initializers has to leave.
void BlockDiff::leaveNodes(Block &block, StringRef reason) {
  if (options.cleaning.constants != ConstantForm::Initializers)
    return;
  for (auto constant : block.getOps<OnnxConstantOp>())
    if (constant.getNode())
      leave(constant.getOutput().get(), reason);
}

//===----------------------------------------------------------------------===//
// Constant nodes
//===----------------------------------------------------------------------===//

/// Whether the constant was a node of this graph, which is read. (Passes may
/// have moved it here from a body.)
llvm::Expected<bool> BlockDiff::isNodeOf(OnnxConstantOp constant,
                                         const Nodes &nodes, NodeFields &node) {
  auto held = constant->getAttrOfType<IntegerAttr>(heldNodeAttrName);
  if (!held || isMoved(constant) || size_t(held.getInt()) >= nodes.size())
    return false;
  if (llvm::Error error = readNode(reader, index, nodes[held.getInt()], node))
    return error;
  StringRef before = nameInFile(constant);
  StringRef name = before.empty() ? constant.getOutput().get() : before;
  return node.opType == "Constant" && node.outputs.size() == 1 &&
         node.outputs[0].name == name;
}

static bool isStateable(OnnxConstantOp constant) {
  return constantHolds(importedOpset(constant, "").value_or(latestOpset("")),
                       getElementTypeOrSelf(constant.getType()));
}

/// Each exporter of a module finds what the one before it did.
llvm::Error BlockDiff::findHeld(Block &block, const Nodes &nodes) {
  held.clear();
  promoted.clear();
  if (options.cleaning.constants == ConstantForm::Initializers &&
      index.irVersion.value_or(0) < 4)
    leaveNodes(block, "before IR version 4 an initializer is an input; "
                      "expected " +
                          setting("ir-version", "4") + " or later");
  if (options.cleaning.constants != ConstantForm::Nodes)
    return llvm::Error::success();
  NodeFields node;
  for (auto constant : block.getOps<OnnxConstantOp>()) {
    llvm::Expected<bool> isNode = isNodeOf(constant, nodes, node);
    if (!isNode)
      return isNode.takeError();
    if (!*isNode || !isStateable(constant))
      continue;
    constant.setNode(std::nullopt);
    held.insert(constant);
  }
  return llvm::Error::success();
}

/// Integers are no Constant nodes below opset 9.
bool BlockDiff::becomesInitializer(const GraphIndex *graph,
                                   OnnxConstantOp constant) const {
  return becomeInitializers(graph) || (isFree(graph) && !isStateable(constant));
}

/// Nodes stay what they were with --constants=nodes.
void BlockDiff::restoreNodes(const NewConstants &fresh) {
  for (Operation *constant : held) {
    if (fresh.dropped.contains(constant))
      continue;
    cast<OnnxConstantOp>(constant).setNode(
        constant->getAttrOfType<IntegerAttr>(heldNodeAttrName).getInt());
    ++record.constantNodes;
  }
}

/// The place of Constant nodes that all nodes of the graph may read.
std::pair<const MessageSpan *, uint64_t>
BlockDiff::frontOf(const GraphIndex &graph) const {
  if (graph.nodes.empty())
    return {graph.parts.back(), graph.parts.back()->end};
  return {graph.nodes.front().parent, graph.nodes.front().begin};
}

/// Moves a tensor to the end of the graph. `named`: the tensor that has the
/// name, of a sparse one its values.
llvm::Error BlockDiff::moveTensor(const MessageSpan &tensor,
                                  const MessageSpan &named, StringRef name,
                                  uint32_t field, const GraphIndex &graph) {
  ByteRange last{named.end, named.end};
  llvm::BumpPtrAllocator arena;
  StringRef before;
  WireCursor cursor(reader, named.contents(), {"tensor"});
  WireField one;
  while (cursor.next(one))
    if (one.isMessage(tensorName)) {
      last = one.whole();
      before = reader.text(one.body(), arena);
    }
  if (llvm::Error error = reader.takeError())
    return error;
  if (before != name)
    script.replace(named, last,
                   Content::literal(encodeTextField(tensorName, name)));
  const MessageSpan &end = *graph.parts.back();
  script.move(tensor, end, end.end, encodeFieldTag(field));
  return llvm::Error::success();
}

/// The tensors that a Constant node holds, of sparse ones the values. (Their
/// parents are not set.)
static SmallVector<MessageSpan, 1> tensorsOf(WireReader &reader,
                                             const NodeFields &node) {
  SmallVector<MessageSpan, 1> found;
  for (const AttributeFields &attribute : node.attributes) {
    for (const TensorIndex &tensor : attribute.tensors)
      found.push_back(tensor.span);
    if (attribute.kind != AttributeKind::SparseTensor)
      continue;
    for (ByteRange sparse : attribute.ranges)
      if (auto values = onlyField(reader, sparse, sparseTensorValues))
        found.push_back(values->span(/*parent=*/nullptr));
  }
  return found;
}

/// The texts of all of the tensors.
static llvm::Expected<NodeTexts> textsOfTensors(WireReader &reader,
                                                ArrayRef<MessageSpan> tensors) {
  NodeTexts texts;
  for (const MessageSpan &tensor : tensors) {
    llvm::Expected<NodeTexts> own = readTensorTexts(reader, tensor);
    if (!own)
      return own;
    texts.complete(*own);
  }
  return texts;
}

/// The tensor in the attribute of a Constant becomes an initializer; false if it
/// does not stand there as one message.
llvm::Expected<bool> BlockDiff::moveValue(const MessageSpan &attribute,
                                          StringRef name,
                                          const NodeTexts &texts,
                                          const GraphIndex &graph) {
  auto move = [&](const MessageSpan &tensor, const MessageSpan &named,
                  uint32_t field) -> llvm::Expected<bool> {
    llvm::Expected<NodeTexts> own = readTensorTexts(reader, named);
    if (!own)
      return own.takeError();
    NodeTexts added = texts.missingIn(*own);
    if (std::string fields = added.fieldsOf(tensorDoc, tensorMetadata);
        !fields.empty())
      script.append(named, Content::literal(std::move(fields)));
    if (llvm::Error error = moveTensor(tensor, named, name, field, graph))
      return error;
    return true;
  };
  ByteRange contents = attribute.contents();
  if (auto field = onlyField(reader, contents, attributeTensor)) {
    MessageSpan tensor = field->span(&attribute);
    return move(tensor, tensor, graphInitializer);
  }
  auto field = onlyField(reader, contents, attributeSparse);
  if (!field || index.irVersion.value_or(0) < sparseSince)
    return false;
  MessageSpan sparse = field->span(&attribute);
  auto values = onlyField(reader, sparse.contents(), sparseTensorValues);
  return values ? move(sparse, values->span(&sparse), graphSparse)
                : llvm::Expected<bool>(false);
}

/// A held Constant node becomes an initializer of the graph; false if it is to
/// be written as a new constant is.
llvm::Expected<bool> BlockDiff::moveToInitializer(OnnxConstantOp constant,
                                                  const Nodes &nodes,
                                                  const GraphIndex &graph) {
  NodeFields node;
  llvm::Expected<bool> isNode = isNodeOf(constant, nodes, node);
  if (!isNode || !*isNode)
    return isNode;
  record.note("Constant node as an initializer", node.span->field().size(),
              valueName(constant));
  if (hasNewValue(constant))
    if (llvm::Error error =
            rewriteNode(node, constant, fromAttribute(constant.getValue())))
      return error;
  llvm::Expected<NodeTexts> texts = readNodeTexts(reader, *node.span);
  if (!texts)
    return texts.takeError();
  FieldStripper stripper(reader, options.cleaning.strip);
  stripper.strip(*texts);
  for (const AttributeFields &attribute : node.attributes) {
    if (attribute.name != "value" && attribute.name != "sparse_value")
      continue;
    llvm::Expected<bool> moved =
        moveValue(*attribute.span, constant.getOutput().get(), *texts, graph);
    if (moved && *moved)
      converted.insert(node.span->body);
    if (!moved || *moved)
      return moved;
  }
  llvm::Expected<NodeTexts> own =
      textsOfTensors(reader, tensorsOf(reader, node));
  if (!own)
    return own.takeError();
  stripper.strip(*own);
  NodeTexts written = texts->missingIn(*own);
  if (written.doc) // it has both
    own->doc.reset();
  written.complete(*own);
  heldTexts[constant] = written.fieldsOf(tensorDoc, tensorMetadata);
  return false;
}

//===----------------------------------------------------------------------===//
// Nodes that compute what was a constant
//===----------------------------------------------------------------------===//

/// Null if the constant was none of the graph.
const TensorIndex *BlockDiff::initializerOf(Operation *constant,
                                            const GraphIndex *graph) {
  if (!graph || isMoved(constant))
    return nullptr;
  if (std::exchange(graphOfInitializers, graph) != graph) {
    initializers.clear();
    for (const TensorIndex &tensor : graph->initializers)
      initializers.try_emplace(tensor.name, &tensor);
  }
  StringRef name = nameInFile(constant);
  return initializers.lookup(
      name.empty() ? cast<OnnxConstantOp>(constant).getOutput().get() : name);
}

/// The texts of its tensor and, before them, those of its Constant node.
llvm::Expected<std::string>
BlockDiff::textsOfConstant(Operation *constant, const Nodes &nodes,
                           const GraphIndex *graph) {
  NodeFields node;
  bool isNode = nodeOf(constant).has_value();
  if (isNode) {
    auto span = spanOf(constant, nodes);
    if (!span)
      return span.takeError();
    if (llvm::Error error = readNode(reader, index, **span, node))
      return error;
  } else if (llvm::Error error =
                 isNodeOf(cast<OnnxConstantOp>(constant), nodes, node)
                     .moveInto(isNode)) {
    return error;
  }
  NodeTexts texts;
  SmallVector<MessageSpan, 1> tensors;
  if (isNode) {
    if (llvm::Error error = readNodeTexts(reader, *node.span).moveInto(texts))
      return error;
    tensors = tensorsOf(reader, node);
  } else if (const TensorIndex *tensor = initializerOf(constant, graph)) {
    tensors.push_back(tensor->span);
  }
  llvm::Expected<NodeTexts> own = textsOfTensors(reader, tensors);
  if (!own)
    return own.takeError();
  texts.complete(*own);
  FieldStripper(reader, options.cleaning.strip).strip(texts);
  return texts.fields();
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

/// Why it stays an initializer; empty if it becomes a node.
std::string BlockDiff::whyInitializer(const GraphIndex &graph,
                                      const llvm::StringSet<> &inputs,
                                      const TensorIndex &tensor) const {
  bool isMain = &graph == &index.mainGraph();
  if (tensor.problem)
    return tensor.problem->fault().text();
  if (isMain && index.isTrainingState(tensor.name))
    return "training changes it";
  bool isFixed = isMain && (!initializersMayBeOverridden(index) ||
                            options.bound.contains(tensor.name) ||
                            boundInputs.contains(tensor.name));
  if (inputs.contains(tensor.name) && !isFixed)
    return isMain ? "it is an input too, so that a caller may give another "
                    "value; expected " +
                        setting("inputs-without-initializers")
                  : "it is an input of the body too";
  int64_t opset = opsetVersions(index.opsetImports).lookup("");
  Type type = elementTypeOf(tensor.dataType, context);
  if (!type || !constantHolds(opset, type))
    return ("Constant of opset " + Twine(opset) + " has no " +
            tensorText(tensor.dataType, {}))
        .str();
  return "";
}

/// The node of a tensor that is moved, before all others of the graph.
void BlockDiff::makeNode(const GraphIndex &graph, const MessageSpan &tensor,
                         StringRef name, bool isSparse) {
  record.note("initializer as a Constant node", tensor.field().size(), name);
  ++record.constantNodes;
  constexpr uint32_t opType = 4;
  AttributeKind kind =
      isSparse ? AttributeKind::SparseTensor : AttributeKind::Tensor;
  Frame node{encodeFieldTag(graphNode),
             encodeTextField(nodeOutput, name) +
                 encodeTextField(opType, "Constant"),
             ""};
  Frame attribute{
      encodeFieldTag(nodeAttribute),
      encodeTextField(attributeName, isSparse ? "sparse_value" : "value"),
      encodeVarintField(attributeType, uint64_t(kind))};
  auto [parent, place] = frontOf(graph);
  script.move(tensor, *parent, place,
              encodeFieldTag(isSparse ? attributeSparse : attributeTensor),
              {node, attribute});
}

/// Makes nodes of initializers with --constants=nodes.
llvm::Error BlockDiff::makeNodes(const GraphIndex &graph,
                                 const NewConstants &fresh) {
  if (options.cleaning.constants != ConstantForm::Nodes)
    return llvm::Error::success();
  llvm::StringSet<> inputs, made;
  for (const NamedSpan &input : graph.inputs)
    inputs.insert(input.name);
  auto convert = [&](const TensorIndex &tensor, const MessageSpan &span,
                     bool isSparse) {
    if (tensor.name.empty() || script.isErased(span))
      return;
    std::string why = whyInitializer(graph, inputs, tensor);
    if (isSparse && why.empty() &&
        opsetVersions(index.opsetImports).lookup("") < sparseConstantSince)
      why = "Constant has sparse values from opset 11 on";
    if (!why.empty())
      return leave(tensor.name, why);
    OnnxConstantOp renamed = fresh.renamed.lookup(tensor.name);
    makeNode(graph, span,
             renamed ? StringRef(renamed.getOutput().get()) : tensor.name,
             isSparse);
    made.insert(tensor.name);
  };
  for (const TensorIndex &tensor : graph.initializers)
    convert(tensor, tensor.span, /*isSparse=*/false);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    convert(tensor.values, tensor.span, /*isSparse=*/true);
  for (const NamedSpan &input : graph.inputs) // before IR version 4
    if (made.contains(input.name))
      script.erase(input.span);
  return llvm::Error::success();
}
