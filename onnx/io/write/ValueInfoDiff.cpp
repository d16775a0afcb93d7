//===- ValueInfoDiff.cpp - What became known of types, as edits -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/ValueInfoDiff.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/WireCheck.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/internal/FieldStripper.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;

/// The first version of the file format in which functions have types.
static constexpr int64_t functionsHaveTypes = 10;

namespace {

/// One graph or function.
class ValueInfoDiff {
public:
  ValueInfoDiff(const ModelIndex &index, EditScript &script,
                const ExportOptions &options, Block &block)
      : index(index), script(script), options(options), block(block),
        reader(index.file()), stripper(reader, options.cleaning.strip) {
    for (Value argument : block.getArguments())
      values.try_emplace(valueName(argument), argument);
  }

  llvm::Error edit(const MessageSpan &span, uint32_t field, TypePlace place,
                   Value known = nullptr);
  llvm::Error addNew(const MessageSpan &parent, uint32_t field);
  void leaveOut(StringRef name) {
    if (options.writesNewTypes)
      seen.insert(name);
  }

private:
  Value valueOf(StringRef name);
  Value inputOf(StringRef name);
  Content encode(uint32_t field, onnx::ValueInfoProto &info) const {
    stripper.strip(info);
    return Content::literal(encodeTextField(field, info.SerializeAsString()));
  }
  static bool mayHoldTypes(const MessageSpan *parent);

  const ModelIndex &index;
  EditScript &script;
  const ExportOptions &options;
  Block &block;
  WireReader reader;
  FieldStripper stripper;
  /// Names are those of the IR. Results are noted when one is asked for.
  llvm::DenseMap<StringRef, Value> values;
  bool hasResults = false;
  llvm::StringSet<> seen;
};

} // namespace

/// Whether protobuf would read a type inside of the message, or of what is
/// around it: it refuses messages that are nested too deeply.
bool ValueInfoDiff::mayHoldTypes(const MessageSpan *parent) {
  unsigned depth = 0;
  for (; parent; parent = parent->parent)
    ++depth;
  return depth + deepestType <= WireCursor::maxDepth;
}

Value ValueInfoDiff::valueOf(StringRef name) {
  if (Value known = values.lookup(name); known || hasResults)
    return known;
  hasResults = true;
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (StringRef own = valueName(result); !own.empty())
        values.try_emplace(own, result);
  return values.lookup(name);
}

/// Before IR version 4 an input may be a constant, which may have a new value.
Value ValueInfoDiff::inputOf(StringRef name) {
  if (Value known = values.lookup(name))
    return known;
  Value constant = options.hasNewValue ? valueOf(name) : Value();
  return constant && constant.getDefiningOp<OnnxConstantOp>() &&
                 options.hasNewValue(constant.getDefiningOp())
             ? constant
             : Value();
}

/// `known`: the value that it is about; by default that of its name.
llvm::Error ValueInfoDiff::edit(const MessageSpan &span, uint32_t field,
                                TypePlace place, Value known) {
  // Longer ones are no types anybody meant (GraphImporter::readType).
  constexpr uint64_t mostBytes = 1 << 20;
  ByteRange range = span.contents();
  if (script.isErased(span) || range.size() > mostBytes)
    return llvm::Error::success();
  std::string bytes(range.size(), '\0');
  reader.read(range, bytes);
  if (llvm::Error error = reader.takeError())
    return error;
  onnx::ValueInfoProto info;
  if (!info.ParseFromString(bytes))
    return llvm::Error::success();
  leaveOut(info.name());
  if (!known)
    known = place == TypePlace::Input || place == TypePlace::BodyInput
                ? inputOf(info.name())
                : valueOf(info.name());
  if (!known)
    return llvm::Error::success();
  switch (options.editType(known, place, info)) {
  case TypeEdit::Keep:
    break;
  case TypeEdit::Write:
    if (mayHoldTypes(span.parent))
      script.insertBefore(span, encode(field, info));
    [[fallthrough]];
  case TypeEdit::Remove:
    script.erase(span);
    break;
  }
  return llvm::Error::success();
}

/// Values of which the file says nothing.
llvm::Error ValueInfoDiff::addNew(const MessageSpan &parent, uint32_t field) {
  if (!mayHoldTypes(&parent))
    return llvm::Error::success();
  for (Operation &op : block) {
    if (!Operator::from(&op))
      continue;
    for (Value result : op.getResults()) {
      StringRef name = valueName(result);
      if (name.empty() || seen.contains(name))
        continue;
      onnx::ValueInfoProto info;
      info.set_name(name.str());
      if (options.editType(result, TypePlace::New, info) == TypeEdit::Write)
        script.append(parent, encode(field, info));
    }
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::typeNewConstants(const ModelIndex &index,
                                       EditScript &script,
                                       const ExportOptions &options,
                                       const GraphIndex &graph, Block &block) {
  WireReader reader(index.file());
  FieldStripper stripper(reader, options.cleaning.strip);
  auto isInFile = [&](StringRef name) {
    return llvm::any_of(graph.initializers, [&](const TensorIndex &tensor) {
      return tensor.name == name;
    });
  };
  for (auto [output, value] :
       llvm::zip(graph.outputs, block.back().getOperands())) {
    auto constant = value.getDefiningOp<OnnxConstantOp>();
    if (!constant || constant.getNode() || script.isErased(output.span) ||
        isInFile(output.name))
      continue;
    std::string bytes(output.span.contents().size(), '\0');
    reader.read(output.span.contents(), bytes);
    onnx::ValueInfoProto info;
    if (!info.ParseFromString(bytes) ||
        info.type().value_case() != onnx::TypeProto::VALUE_NOT_SET)
      continue;
    onnx::TypeProto type;
    if (!toTypeProto(value.getType(), type))
      continue;
    info.mutable_type()->MergeFrom(type); // it may have a denotation
    stripper.strip(info);
    script.insertBefore(output.span,
                        Content::literal(encodeTextField(
                            graphOutput, info.SerializeAsString())));
    script.erase(output.span);
  }
  return reader.takeError();
}

llvm::Error onnxfold::diffValueInfos(const ModelIndex &index,
                                     EditScript &script,
                                     const ExportOptions &options,
                                     const GraphIndex &graph, Block &block) {
  ValueInfoDiff diff(index, script, options, block);
  bool isMain = &graph == &index.mainGraph();
  auto results = block.back().getOperands();
  for (const NamedSpan &input : graph.inputs)
    if (isMain || options.editsBodyInputs)
      if (llvm::Error error =
              diff.edit(input.span, graphInput,
                        isMain ? TypePlace::Input : TypePlace::BodyInput))
        return error;
  bool isOther = isMain && options.changesInterface;
  for (Value result : results)
    if (isOther)
      diff.leaveOut(valueName(result));
  for (auto [i, output] : llvm::enumerate(graph.outputs)) {
    diff.leaveOut(output.name);
    Value value = i < results.size() && !isOther ? results[i] : Value();
    if (value || isOther)
      if (llvm::Error error = diff.edit(
              output.span, graphOutput,
              isMain ? TypePlace::Output : TypePlace::BodyOutput, value))
        return error;
  }
  if (options.cleaning.strip.types)
    return llvm::Error::success();
  for (const MessageSpan &span : graph.valueInfos)
    if (llvm::Error error =
            diff.edit(span, graphValueInfo, TypePlace::ValueInfo))
      return error;
  return options.writesNewTypes
             ? diff.addNew(*graph.parts.back(), graphValueInfo)
             : llvm::Error::success();
}

llvm::Error onnxfold::diffValueInfos(const ModelIndex &index,
                                     EditScript &script,
                                     const ExportOptions &options,
                                     const FunctionIndex &function,
                                     Block &block) {
  if (options.cleaning.strip.types)
    return llvm::Error::success();
  ValueInfoDiff diff(index, script, options, block);
  for (const MessageSpan &span : function.valueInfos)
    if (llvm::Error error =
            diff.edit(span, functionValueInfo, TypePlace::ValueInfo))
      return error;
  return options.writesNewTypes &&
                 index.irVersion.value_or(0) >= functionsHaveTypes
             ? diff.addNew(*function.span, functionValueInfo)
             : llvm::Error::success();
}

llvm::StringSet<> onnxfold::findBoundInputs(const ModelIndex &index,
                                            Block &block) {
  llvm::StringSet<> names;
  for (const NamedSpan &input : index.mainGraph().inputs)
    names.insert(input.name);
  for (Value argument : block.getArguments())
    names.erase(valueName(argument));
  if (initializersMayBeOverridden(index))
    return names;
  // An input with an initializer is no argument then.
  for (const TensorIndex &tensor : index.mainGraph().initializers)
    names.erase(tensor.name);
  for (const SparseTensorIndex &tensor : index.mainGraph().sparseInitializers)
    names.erase(tensor.values.name);
  return names;
}

//===----------------------------------------------------------------------===//
// The interface of the main graph
//===----------------------------------------------------------------------===//

namespace {

/// Its inputs, then its outputs.
class InterfaceDiff {
public:
  InterfaceDiff(const ModelIndex &index, EditScript &script,
                const ExportOptions &options)
      : index(index), script(script), options(options), reader(index.file()),
        stripper(reader, options.cleaning.strip) {}

  llvm::Error diff(const std::deque<NamedSpan> &before, ValueRange after,
                   uint32_t field, TypePlace place);

private:
  llvm::Expected<onnx::ValueInfoProto> read(const MessageSpan &span);
  llvm::Error findDescriptions();
  llvm::Error add(Value value, uint32_t field);
  llvm::Error move(const MessageSpan &span, Value value, uint32_t field,
                   TypePlace place);
  void append(uint32_t field, onnx::ValueInfoProto &info) {
    stripper.strip(info);
    script.append(
        *index.mainGraph().parts.back(),
        Content::literal(encodeTextField(field, info.SerializeAsString())));
  }

  const ModelIndex &index;
  EditScript &script;
  const ExportOptions &options;
  WireReader reader;
  FieldStripper stripper;
  /// value_info by name; made when it is asked for.
  std::optional<llvm::StringMap<const MessageSpan *>> descriptions;
};

} // namespace

llvm::Expected<onnx::ValueInfoProto>
InterfaceDiff::read(const MessageSpan &span) {
  std::string bytes(span.contents().size(), '\0');
  reader.read(span.contents(), bytes);
  if (llvm::Error error = reader.takeError())
    return error;
  onnx::ValueInfoProto info;
  if (!info.ParseFromString(bytes)) // a hint less
    info.Clear();
  return info;
}

llvm::Error InterfaceDiff::findDescriptions() {
  descriptions.emplace();
  for (const MessageSpan &span : index.mainGraph().valueInfos) {
    llvm::Expected<onnx::ValueInfoProto> info = read(span);
    if (!info)
      return info.takeError();
    descriptions->try_emplace(info->name(), &span);
  }
  // An output that is an input now.
  for (const NamedSpan &output : index.mainGraph().outputs)
    descriptions->try_emplace(output.name, &output.span);
  return llvm::Error::success();
}

/// One that the file does not have.
llvm::Error InterfaceDiff::add(Value value, uint32_t field) {
  if (!descriptions)
    if (llvm::Error error = findDescriptions())
      return error;
  onnx::ValueInfoProto info;
  if (const MessageSpan *span = descriptions->lookup(valueName(value))) {
    llvm::Expected<onnx::ValueInfoProto> known = read(*span);
    if (!known)
      return known.takeError();
    info = std::move(*known);
    if (llvm::none_of(index.mainGraph().outputs, [&](const NamedSpan &output) {
          return &output.span == span;
        }))
      script.erase(*span);
  }
  info.set_name(valueName(value).str());
  if (options.editType(value, TypePlace::NewInterface, info) == TypeEdit::Write)
    append(field, info);
  return llvm::Error::success();
}

/// One that stands elsewhere in the order now.
llvm::Error InterfaceDiff::move(const MessageSpan &span, Value value,
                                uint32_t field, TypePlace place) {
  std::string bytes(span.contents().size(), '\0');
  reader.read(span.contents(), bytes);
  if (llvm::Error error = reader.takeError())
    return error;
  onnx::ValueInfoProto info;
  bool isRead = info.ParseFromString(bytes);
  bool isEdited =
      isRead && options.editType(value, place, info) == TypeEdit::Write;
  script.erase(span);
  if (isEdited || (isRead && stripper.stripped().any()))
    append(field, info);
  else
    script.append(*index.mainGraph().parts.back(),
                  Content::literal(encodeTextField(field, bytes)));
  return llvm::Error::success();
}

llvm::Error InterfaceDiff::diff(const std::deque<NamedSpan> &before,
                                ValueRange after, uint32_t field,
                                TypePlace place) {
  llvm::StringMap<const MessageSpan *> there;
  llvm::StringMap<Value> wanted;
  for (Value value : after)
    wanted.try_emplace(valueName(value), value);
  SmallVector<StringRef> order;
  for (const NamedSpan &one : before) {
    if (wanted.contains(one.name) &&
        there.try_emplace(one.name, &one.span).second)
      order.push_back(one.name);
    else if (place == TypePlace::Output)
      script.erase(one.span);
  }
  SmallVector<StringRef> names;
  for (Value value : after)
    names.push_back(valueName(value));
  bool inOrder = ArrayRef(names).take_front(order.size()) == ArrayRef(order);
  for (Value value : after) {
    const MessageSpan *span = there.lookup(valueName(value));
    if (span && inOrder)
      continue;
    if (llvm::Error error =
            span ? move(*span, value, field, place) : add(value, field))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::diffInterface(const ModelIndex &index, EditScript &script,
                                    const ExportOptions &options,
                                    Block &block) {
  InterfaceDiff diff(index, script, options);
  const GraphIndex &graph = index.mainGraph();
  if (llvm::Error error = diff.diff(graph.inputs, block.getArguments(),
                                    graphInput, TypePlace::Input))
    return error;
  return diff.diff(graph.outputs, block.back().getOperands(), graphOutput,
                   TypePlace::Output);
}
