//===- ParameterStats.cpp - What the weights of a model are ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/driver/stats/internal/StatsParts.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "mlir/IR/SymbolTable.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace onnxfold;
using namespace mlir;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

namespace {
/// Finds what reads a constant, through operators that move or convert it.
class Owners {
public:
  explicit Owners(ModuleOp module) : functions(module) {}

  std::string of(Value value) const { return find(value, /*depth=*/0); }

private:
  std::string find(Value value, unsigned depth) const;
  SymbolTable functions;
};
} // namespace

static bool passesOn(Operator op, unsigned operand) {
  return operand == 0 &&
         (op.isAny({"Cast", "DequantizeLinear", "Expand", "Flatten", "Identity",
                    "QuantizeLinear", "Reshape", "Squeeze", "Transpose",
                    "Unsqueeze"}) ||
          (op.domain() == "com.microsoft" &&
           op.opType() == "DequantizeLinear"));
}

/// "Conv.W": the name of an operand in the definition of its operator.
static std::string roleOf(Operator op, unsigned operand) {
  std::string type = (op.domain() + (op.domain().empty() ? "" : ".") +
                      printableName(op.opType()))
                         .str();
  const onnx::OpSchema *schema = op.schema();
  if (!schema || schema->inputs().empty())
    return type + " #" + std::to_string(operand);
  size_t last = schema->inputs().size() - 1;
  return type + "." +
         schema->inputs()[std::min<size_t>(operand, last)].GetName();
}

std::string Owners::find(Value value, unsigned depth) const {
  constexpr unsigned deepest = 8;
  if (value.use_empty())
    return "nothing";
  OpOperand *first = nullptr; // uses are listed from the last one on
  for (OpOperand &use : value.getUses())
    first = &use;
  Operator reader = Operator::from(first->getOwner());
  if (!reader || reader.domain() == "onnx-fold")
    return "an output";
  unsigned operand = first->getOperandNumber();
  if (depth == deepest)
    return roleOf(reader, operand);
  if (passesOn(reader, operand) && !reader->getResult(0).use_empty())
    return find(reader->getResult(0), depth + 1);
  if (!reader.isCustom())
    return roleOf(reader, operand);
  auto callee = functions.lookup<FunctionOpInterface>(
      functionSymbol(reader.domain(), reader.opType(), reader.overload()));
  if (!callee || callee->getRegion(0).empty() ||
      operand >= callee->getRegion(0).getNumArguments())
    return roleOf(reader, operand);
  return find(callee->getRegion(0).getArgument(operand), depth + 1);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
class ParameterCount {
public:
  ParameterCount(const ImportedModel &model, ModelStats &stats)
      : model(model), stats(stats), owners(*model.module) {}

  void run();

private:
  void findValues();
  bool isOfTraining(const GraphIndex &graph) const;
  void addInitializer(const TensorIndex &tensor);
  void addSparse(const SparseTensorIndex &tensor);
  void addConstant(OnnxConstantOp constant);
  void add(const ModelStats::Tensor &tensor, StringRef type, StringRef storage,
           int64_t elements);
  std::string ownerOf(StringRef name) const;

  const ImportedModel &model;
  ModelStats &stats;
  Owners owners;
  llvm::StringMap<Value> values; ///< of initializers
  llvm::StringMap<ModelStats::Group> types, storages, roles;
  std::set<std::pair<std::string, uint64_t>> external; ///< places in data files
  int64_t numShared = 0;
};
} // namespace

void ParameterCount::findValues() {
  for (Value argument : mainGraph(*model.module).getArguments())
    values.try_emplace(valueName(argument), argument);
  model.module.get()->walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    if (constant ? !constant.getNode() : isOpaqueInitializer(op))
      values.try_emplace(valueName(op->getResult(0)), op->getResult(0));
  });
}

std::string ParameterCount::ownerOf(StringRef name) const {
  auto it = values.find(name);
  return it == values.end() ? "nothing" : owners.of(it->second);
}

static void addTo(ModelStats::Group &group, int64_t elements, int64_t bytes) {
  ++group.tensors;
  group.elements += elements;
  group.bytes += bytes;
}

void ParameterCount::add(const ModelStats::Tensor &tensor, StringRef type,
                         StringRef storage, int64_t elements) {
  addTo(stats.parameters, elements, tensor.bytes);
  addTo(types[type], elements, tensor.bytes);
  addTo(storages[storage], elements, tensor.bytes);
  addTo(roles[tensor.owner], elements, tensor.bytes);
  stats.largest.push_back(tensor);
  // The largest ones are kept, in places for twice as many.
  constexpr size_t most = 10;
  auto isLarger = [](const auto &a, const auto &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  };
  if (stats.largest.size() < 2 * most)
    return;
  llvm::sort(stats.largest, isLarger);
  stats.largest.resize(most);
}

static StringRef storageOf(const TensorIndex &tensor) {
  switch (tensor.data) {
  case TensorIndex::Data::None:
    return "no data";
  case TensorIndex::Data::Raw:
    return "raw_data";
  case TensorIndex::Data::Typed:
    return "typed fields";
  case TensorIndex::Data::Strings:
    return "strings";
  case TensorIndex::Data::External:
    return "data files";
  }
  return "";
}

static std::string textOf(StringRef type, llvm::ArrayRef<int64_t> dims) {
  std::string text = type.str() + "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(dims, out);
  return text + "]";
}

static int64_t bytesOfRanges(const TensorIndex &tensor) {
  uint64_t bytes = 0;
  for (ByteRange range : tensor.ranges)
    bytes += range.size();
  return int64_t(bytes);
}

void ParameterCount::addInitializer(const TensorIndex &tensor) {
  const onnxfold::TensorType *type = lookupTensorType(tensor.dataType);
  std::optional<uint64_t> bytes, elements = elementCount(tensor.dims);
  if (type)
    bytes = rawDataSize(*type, tensor.dims);
  if (tensor.external &&
      !external
           .insert({tensor.external->location.str(), tensor.external->offset})
           .second) {
    ++numShared;
    return;
  }
  StringRef typeName = type ? type->name : "?";
  add({printableName(tensor.name), textOf(typeName, tensor.dims),
       ownerOf(tensor.name), bytes ? int64_t(*bytes) : bytesOfRanges(tensor)},
      typeName, storageOf(tensor), int64_t(elements.value_or(0)));
}

void ParameterCount::addSparse(const SparseTensorIndex &tensor) {
  const onnxfold::TensorType *type = lookupTensorType(tensor.values.dataType),
                             *ofIndices =
                                 lookupTensorType(tensor.indices.dataType);
  uint64_t bytes = 0;
  if (type)
    bytes += rawDataSize(*type, tensor.values.dims).value_or(0);
  if (ofIndices)
    bytes += rawDataSize(*ofIndices, tensor.indices.dims).value_or(0);
  StringRef typeName = type ? type->name : "?";
  add({printableName(tensor.values.name), textOf(typeName, tensor.dims),
       ownerOf(tensor.values.name), int64_t(bytes)},
      typeName, "sparse",
      int64_t(elementCount(tensor.values.dims).value_or(0)));
}

void ParameterCount::addConstant(OnnxConstantOp constant) {
  Elements value = elementsOf(constant.getValue());
  if (!value)
    return;
  add({printableName(valueName(constant)),
       textOf(name(value.type()), value.shape()), owners.of(constant),
       int64_t(packedBytes(value.type(), value.size()))},
      name(value.type()), "Constant nodes", value.size());
}

bool ParameterCount::isOfTraining(const GraphIndex &graph) const {
  const GraphIndex *root = &graph;
  while (root->parentGraph)
    root = root->parentGraph;
  return llvm::any_of(model.index->trainingInfos, [&](const auto &info) {
    return root == info.initialization || root == info.algorithm;
  });
}

static std::vector<ModelStats::Group>
listOf(const llvm::StringMap<ModelStats::Group> &groups) {
  std::vector<ModelStats::Group> list;
  for (const auto &entry : groups) {
    list.push_back(entry.second);
    list.back().name = entry.first().str();
  }
  llvm::sort(list, [](const auto &a, const auto &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  return list;
}

void ParameterCount::run() {
  findValues();
  for (const GraphIndex &graph : model.index->graphs) {
    if (isOfTraining(graph))
      continue;
    for (const TensorIndex &tensor : graph.initializers)
      addInitializer(tensor);
    for (const SparseTensorIndex &tensor : graph.sparseInitializers)
      addSparse(tensor);
  }
  model.module.get()->walk([&](OnnxConstantOp constant) {
    if (constant.getNode())
      addConstant(constant);
  });
  if (numShared)
    stats.notes.push_back(std::to_string(numShared) +
                          " initializers have the data of other ones, and are "
                          "not counted again");
  llvm::sort(stats.largest, [](const auto &a, const auto &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  constexpr size_t most = 10;
  if (stats.largest.size() > most)
    stats.largest.resize(most);
  stats.byType = listOf(types);
  stats.byStorage = listOf(storages);
  stats.byOwner = listOf(roles);
}

void onnxfold::countParameters(const ImportedModel &model, ModelStats &stats) {
  ParameterCount(model, stats).run();
}
