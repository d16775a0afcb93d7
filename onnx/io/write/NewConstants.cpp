//===- NewConstants.cpp - Constants that the file does not have -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of BlockDiff that finds constants which are new, or whose values are,
// and writes them. A tensor with a new value keeps its place, its name and its
// other fields.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/io/write/TensorMessages.h"
#include "onnxfold/onnx/io/write/TensorMover.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/MapVector.h"

using namespace onnxfold;
using namespace mlir;

/// Constants that are in the block but not in the file.
BlockDiff::NewConstants BlockDiff::findNew(Block &block,
                                           const GraphIndex *graph) {
  llvm::DenseSet<StringRef> known; // the index keeps the bytes
  llvm::StringSet<> annotated;
  if (graph) {
    known.reserve(graph->initializers.size());
    for (const TensorIndex &tensor : graph->initializers)
      // The default of an input may change, and no node can read a tensor
      // without a name.
      if (!tensor.name.empty() && !boundInputs.contains(tensor.name))
        known.insert(tensor.name);
    for (const QuantizationAnnotation &annotation : graph->annotations)
      annotated.insert(annotation.tensorName);
    for (const auto &entry : parameters)
      annotated.insert(entry.first());
  }
  NewConstants fresh;
  SmallVector<OnnxConstantOp> stored;
  for (Operation &op : block)
    if (auto constant = dyn_cast<OnnxConstantOp>(op);
        constant && !constant.getNode()) {
      StringRef before = nameInFile(&op);
      bool isRenamed = known.contains(before) && !annotated.contains(before);
      bool isStored =
          known.contains(constant.getOutput().get()) || held.contains(&op);
      if (!isStored && !isRenamed) {
        fresh.all.push_back(constant);
        continue;
      }
      if (options.mayMergeStored && options.mayMergeStored(&op))
        stored.push_back(constant);
      StringRef there = isStored ? constant.getOutput().get() : before;
      if (hasNewValue(&op))
        fresh.rewritten[there] = constant;
      if (!isStored)
        fresh.renamed[before] = constant;
    }
  bool merges = options.mergesEqual && isFree(graph);
  if (!merges)
    stored.clear();
  // Equal values of a data file share their bytes, whoever reads them.
  SmallVector<OnnxConstantOp> written =
      llvm::to_vector(llvm::make_second_range(fresh.rewritten));
  if (options.mergesEqual || data)
    fresh.equal = EqualConstants(llvm::to_vector(llvm::concat<OnnxConstantOp>(
                                     stored, written, fresh.all)),
                                 /*ofAnyShape=*/data != nullptr);
  if (merges)
    mergeEqual(stored, fresh, annotated);
  return fresh;
}

/// A name that the file has for a constant which has another one now.
StringRef BlockDiff::nameInFile(Operation *constant) const {
  return options.nameInFile && !isMoved(constant) ? options.nameInFile(constant)
                                                  : StringRef();
}

/// Some reader needs the name: outputs of graphs do. Bodies may have values of
/// the same name of their own, so the names that they read are kept too.
bool BlockDiff::isNameNeeded(OnnxConstantOp constant) {
  return llvm::any_of(constant->getUsers(), [&](Operation *reader) {
    return reader->getBlock() != constant->getBlock() ||
           (!nodeOf(reader) && !newNode(reader));
  });
}

/// Of equal constants all nodes read one: the first whose name is needed, since
/// that one is kept anyway, or else the first. Constants that annotations name
/// are not merged. Of two of the file one may have lost the reader that needed
/// its name; the next run would merge them.
void BlockDiff::mergeEqual(ArrayRef<OnnxConstantOp> stored, NewConstants &fresh,
                           const llvm::StringSet<> &annotated) {
  // Constants of several shapes may be equal in a data file.
  using Kind = std::pair<Operation *, Type>;
  llvm::MapVector<Kind, SmallVector<OnnxConstantOp, 2>> equal;
  llvm::DenseSet<Operation *> firsts; // most are like no other
  for (OnnxConstantOp constant :
       llvm::concat<const OnnxConstantOp>(stored, fresh.all))
    if (Operation *first = fresh.equal.firstOf(constant); first != constant)
      firsts.insert(first);
  for (OnnxConstantOp constant :
       llvm::concat<const OnnxConstantOp>(stored, fresh.all))
    if (Operation *first = fresh.equal.firstOf(constant);
        firsts.contains(first) &&
        !annotated.contains(constant.getOutput().get()))
      equal[{first, constant.getValue().getType()}].push_back(constant);
  for (auto &[kind, list] : equal) {
    if (list.empty())
      continue;
    auto *kept = llvm::find_if(list, isNameNeeded);
    OnnxConstantOp to = kept == list.end() ? list.front() : *kept;
    for (OnnxConstantOp constant : list) {
      if (constant == to || isNameNeeded(constant) ||
          !nameInFile(constant).empty())
        continue;
      redirected.insert(constant->user_begin(), constant->user_end());
      constant->replaceAllUsesWith(to);
      fresh.dropped.insert(constant);
      if (held.contains(to))
        promoted.insert(to);
    }
  }
}

/// The bytes of a constant as an initializer, or as a Constant node if `node`.
std::vector<Content> BlockDiff::encode(StringRef name, OnnxConstantOp constant,
                                       const Elements &elements,
                                       const ConstantNode *node,
                                       const EqualConstants &equal) {
  std::vector<Content> contents;
  TensorHeader header{name, int32_t(elements.type()), elements.shape(),
                      provenanceOf(constant)};
  std::string texts = heldTexts.lookup(constant);
  header.texts = texts;
  uint64_t bytes = payloadBytes(elements);
  if (auto place = placeOutside(equal.firstOf(constant), elements)) {
    auto [file, offset] = *place;
    contents.push_back(Content::literal(
        node ? encodeExternalConstantNode(*node, header, file, offset, bytes)
             : encodeExternalInitializer(header, file, offset, bytes)));
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

llvm::Expected<std::vector<Content>>
BlockDiff::encode(OnnxConstantOp constant, const NewConstants &fresh,
                  uint32_t nodeField, bool asInitializer) {
  StringRef name = constant.getOutput().get();
  Elements elements = valueOf(constant, fresh);
  if (!elements || name.empty())
    return ModelFault()
        .file(index.file()->name())
        .says("a new constant has no value or no name");
  ConstantNode node{name, "", nodeField};
  return encode(asInitializer ? name : "", constant, elements,
                asInitializer ? nullptr : &node, fresh.equal);
}

//===----------------------------------------------------------------------===//
// New values of tensors that are there
//===----------------------------------------------------------------------===//

/// The place of the value outside of the model file; nothing if it goes into
/// that. `first`: the first constant that is equal.
std::optional<DataParts::Place>
BlockDiff::placeOutside(Operation *first, const Elements &elements) {
  if (elements.type() == DataType::String)
    return std::nullopt;
  uint64_t bytes = payloadBytes(elements);
  bool isHeld = options.valuesInMemory && bytes >= leastInMemory;
  if (!isHeld && !(data && data->takes(bytes)))
    return std::nullopt;
  auto [known, isNew] = places.try_emplace(first);
  if (isNew && !isHeld) {
    known->second = data->add(Content::payload(payloadOf(elements)));
  } else if (isNew) {
    known->second = {ExternalData::memory, options.valuesInMemory->size()};
    options.valuesInMemory->push_back({elements, nullptr, {}});
  }
  return known->second;
}

/// The value that is to be written; null if the constant has none.
Elements BlockDiff::valueOf(OnnxConstantOp constant,
                            const NewConstants &fresh) const {
  Elements moved = fresh.equal.movedValue(constant);
  return moved ? moved : fromAttribute(constant.getValue());
}

/// Fields of a TensorProto that are its type and its value.
static bool saysValue(const WireField &field) {
  constexpr uint32_t dims = 1, dataType = 2, segment = 3, strings = 6;
  return isValueField(field) || field.number == dims ||
         field.isVarint(dataType) || field.isMessage(segment) ||
         field.isMessage(strings);
}

/// The fields of a tensor that are its type and its value, in front of others.
/// `place`: where the value stands outside of the file.
llvm::Error BlockDiff::rewriteTensor(const MessageSpan &tensor,
                                     const Elements &elements,
                                     std::optional<DataParts::Place> place) {
  WireCursor cursor(reader, tensor.contents(), {"tensor"});
  WireField field;
  while (cursor.next(field))
    if (saysValue(field))
      script.erase(tensor, field.whole());
  if (llvm::Error error = reader.takeError())
    return error;
  rewritten.insert(tensor.body);
  uint64_t begin = tensor.contents().begin;
  auto add = [&](Content content) {
    script.insert(tensor, begin, std::move(content));
  };
  uint64_t bytes = payloadBytes(elements);
  std::string type =
      encodeTensorType(int32_t(elements.type()), elements.shape());
  if (place) {
    add(Content::literal(
        type + encodeExternalFields(place->location, place->offset, bytes)));
    return llvm::Error::success();
  }
  bool isText = elements.type() == DataType::String;
  add(Content::literal(type + (isText ? "" : encodeRawDataHead(bytes))));
  add(Content::payload(payloadOf(elements)));
  return llvm::Error::success();
}

/// A sparse tensor in an attribute: the numbers at its indices. False if it does
/// not stand there as one message.
llvm::Expected<bool> BlockDiff::rewriteSparse(const MessageSpan &attribute,
                                              const Elements &elements) {
  auto sparse = onlyField(reader, attribute.contents(), attributeSparse);
  if (!sparse)
    return false;
  MessageSpan span = sparse->span(&attribute);
  auto values = onlyField(reader, span.contents(), sparseTensorValues);
  auto indices = onlyField(reader, span.contents(), sparseTensorIndices);
  if (!values || !indices)
    return false;
  llvm::BumpPtrAllocator arena;
  TensorIndex places =
      readTensor(reader, indices->span(&span), arena, {"indices"});
  if (llvm::Error error = reader.takeError())
    return error;
  llvm::Expected<Elements> rows =
      loadTensor(reader, places, external, Subject("indices"));
  if (!rows)
    return rows.takeError();
  bool isLinear = rows->rank() == 1;
  Elements from = isLinear ? elements.reshape({elements.size()}) : elements;
  Elements there = ops::gatherND(from, isLinear ? rows->unsqueeze({1}) : *rows);
  // Runtimes look for no external data here.
  if (llvm::Error error =
          rewriteTensor(values->span(&span), there, /*place=*/std::nullopt))
    return error;
  return true;
}

/// The attribute becomes `value`, and keeps its documentation.
llvm::Error BlockDiff::rewriteAttribute(const MessageSpan &attribute,
                                        OnnxConstantOp constant,
                                        const Elements &elements) {
  constexpr uint32_t firstValue = 2, lastValue = 11; // f to graphs
  constexpr uint32_t firstLate = 14, lastLate = 23;  // tp to sparse_tensors
  WireCursor cursor(reader, attribute.contents(), {"attribute"});
  WireField field;
  while (cursor.next(field)) {
    uint32_t number = field.number;
    if (number == attributeName ||
        (firstValue <= number && number <= lastValue) ||
        (firstLate <= number && number <= lastLate)) {
      script.erase(attribute, field.whole());
      rewritten.insert(field.bodyBegin);
    }
  }
  if (llvm::Error error = reader.takeError())
    return error;
  TensorHeader header{"", int32_t(elements.type()), elements.shape(), "", ""};
  uint64_t begin = attribute.contents().begin;
  auto add = [&](Content content) {
    script.insert(attribute, begin, std::move(content));
  };
  uint64_t bytes = payloadBytes(elements);
  if (auto place = placeOutside(constant, elements)) {
    add(Content::literal(
        encodeExternalValue(header, place->location, place->offset, bytes)));
    return llvm::Error::success();
  }
  FramedBytes frame = encodeValue(header, bytes);
  add(Content::literal(std::move(frame.before)));
  add(Content::payload(payloadOf(elements)));
  add(Content::literal(std::move(frame.after)));
  return llvm::Error::success();
}

/// A Constant node with another value.
llvm::Error BlockDiff::rewriteNode(const NodeFields &node,
                                   OnnxConstantOp constant,
                                   const Elements &elements) {
  for (const AttributeFields &attribute : node.attributes) {
    if (!attribute.name.starts_with("value") &&
        attribute.name != "sparse_value")
      continue;
    const MessageSpan &span = *attribute.span;
    if (attribute.name == "value")
      if (auto field = onlyField(reader, span.contents(), attributeTensor))
        return rewriteTensor(field->span(&span), elements,
                             placeOutside(constant, elements));
    if (attribute.name == "sparse_value") {
      llvm::Expected<bool> done = rewriteSparse(span, elements);
      if (!done || *done)
        return done.takeError();
    }
    return rewriteAttribute(span, constant, elements);
  }
  return llvm::Error::success();
}

/// Tensors of the block that have another value than in the file.
llvm::Error BlockDiff::rewriteValues(Block &block, const NewConstants &fresh,
                                     const Nodes &nodes,
                                     const GraphIndex *graph) {
  if (!options.hasNewValue)
    return llvm::Error::success();
  if (graph && !fresh.rewritten.empty())
    for (const TensorIndex &tensor : graph->initializers)
      if (OnnxConstantOp constant = fresh.rewritten.lookup(tensor.name);
          constant && !fresh.dropped.contains(constant)) {
        Elements value = valueOf(constant, fresh);
        if (llvm::Error error = rewriteTensor(
                tensor.span, value,
                placeOutside(fresh.equal.firstOf(constant), value)))
          return error;
      }
  NodeFields node;
  for (auto constant : block.getOps<OnnxConstantOp>()) {
    if (!constant.getNode() || !hasNewValue(constant))
      continue;
    auto span = spanOf(constant, nodes);
    if (!span)
      return span.takeError();
    if (llvm::Error error = readNode(reader, index, **span, node))
      return error;
    if (llvm::Error error =
            rewriteNode(node, constant, valueOf(constant, fresh)))
      return error;
  }
  return llvm::Error::success();
}
