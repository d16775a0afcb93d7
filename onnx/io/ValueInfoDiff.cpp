//===- ValueInfoDiff.cpp - What became known of types, as edits -----------===//

#include "onnxfold/onnx/io/ValueInfoDiff.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/io/internal/FieldNumbers.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
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
        reader(index.file()) {
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

  const ModelIndex &index;
  EditScript &script;
  const ExportOptions &options;
  Block &block;
  WireReader reader;
  /// Names are those of the IR. Results are noted when one is asked for.
  llvm::DenseMap<StringRef, Value> values;
  bool hasResults = false;
  llvm::StringSet<> seen;
};

} // namespace

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
    known = place == TypePlace::Input ? values.lookup(info.name())
                                      : valueOf(info.name());
  if (!known)
    return llvm::Error::success();
  switch (options.editType(known, place, info)) {
  case TypeEdit::Keep:
    break;
  case TypeEdit::Write:
    script.insertBefore(span, Content::literal(encodeTextField(
                                  field, info.SerializeAsString())));
    [[fallthrough]];
  case TypeEdit::Remove:
    script.erase(span);
    break;
  }
  return llvm::Error::success();
}

/// Values of which the file says nothing.
llvm::Error ValueInfoDiff::addNew(const MessageSpan &parent, uint32_t field) {
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
        script.append(parent, Content::literal(encodeTextField(
                                  field, info.SerializeAsString())));
    }
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::diffValueInfos(const ModelIndex &index,
                                     EditScript &script,
                                     const ExportOptions &options,
                                     const GraphIndex &graph, Block &block) {
  ValueInfoDiff diff(index, script, options, block);
  bool isMain = &graph == &index.mainGraph();
  auto results = block.back().getOperands();
  for (const NamedSpan &input : graph.inputs)
    if (isMain)
      if (llvm::Error error =
              diff.edit(input.span, graphInput, TypePlace::Input))
        return error;
  for (auto [i, output] : llvm::enumerate(graph.outputs)) {
    diff.leaveOut(output.name);
    if (isMain && i < results.size())
      if (llvm::Error error = diff.edit(output.span, graphOutput,
                                        TypePlace::Output, results[i]))
        return error;
  }
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
  if (!initializersMayBeOverridden(index))
    for (const TensorIndex &tensor : index.mainGraph().initializers)
      names.erase(tensor.name);
  return names;
}

/// Adds a ValueInfoProto to the main graph.
static void addInterface(const ModelIndex &index, EditScript &script,
                         const ExportOptions &options, Value value,
                         uint32_t field) {
  onnx::ValueInfoProto info;
  info.set_name(valueName(value).str());
  if (options.editType(value, TypePlace::NewInterface, info) == TypeEdit::Write)
    script.append(
        *index.mainGraph().parts.back(),
        Content::literal(encodeTextField(field, info.SerializeAsString())));
}

void onnxfold::diffInterface(const ModelIndex &index, EditScript &script,
                             const ExportOptions &options, Block &block) {
  llvm::StringSet<> inputs, outputs, results;
  for (const NamedSpan &input : index.mainGraph().inputs)
    inputs.insert(input.name);
  for (Value argument : block.getArguments())
    if (!inputs.contains(valueName(argument)))
      addInterface(index, script, options, argument, graphInput);
  for (Value result : block.back().getOperands())
    results.insert(valueName(result));
  for (const NamedSpan &output : index.mainGraph().outputs) {
    outputs.insert(output.name);
    if (!results.contains(output.name))
      script.erase(output.span);
  }
  for (Value result : block.back().getOperands())
    if (outputs.insert(valueName(result)).second)
      addInterface(index, script, options, result, graphOutput);
}
