//===- CutModel.cpp - --inputs and --outputs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/internal/CutModel.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

/// Types depend on shapes, sizes and other small values.
static constexpr uint64_t mostBytes = 1 << 20, mostWork = 100'000'000;

namespace {

/// A module in which the types of values are inferred. Calls have the types of
/// what is in their functions, so in a model with functions it is a copy with
/// all calls inlined.
class TypeModule {
public:
  TypeModule(ModuleOp module, ArrayRef<Value> values) : module(module) {
    if (llvm::hasSingleElement(module.getOps<FunctionOpInterface>())) {
      asked.assign(values.begin(), values.end());
      return;
    }
    IRMapping mapping;
    copy = cast<ModuleOp>(module->clone(mapping));
    this->module = *copy;
    // An operand follows its value through inlining.
    Operation *end = mainBlock(*copy).getTerminator();
    unsigned first = end->getNumOperands();
    for (Value value : values)
      end->insertOperands(end->getNumOperands(), mapping.lookup(value));
    inlineCalls(*copy, {mainGraph(*copy)});
    end = mainBlock(*copy).getTerminator();
    asked.assign(end->operand_begin() + first, end->operand_end());
  }

  ModuleOp module;
  SmallVector<Value> asked; ///< the values

private:
  OwningOpRef<ModuleOp> copy;
};

} // namespace

static llvm::Error takeType(CutValue &value, StringRef flag,
                            const KnownTypes &types, Value asked) {
  if (!value.isNew)
    return llvm::Error::success();
  onnx::TypeProto proto;
  if (!types.fill(asked, proto))
    return ModelFault()
        .option(flag)
        .is("'" + value.name + "', a value whose type cannot be inferred")
        .expected("one of a known type (value_info in the model may state it)");
  value.type = fromTypeProto(proto, value.value.getContext());
  for (StringRef name : dimensionNames(proto))
    value.dimensions.push_back(name.str());
  return llvm::Error::success();
}

static llvm::Error inferCutTypes(GraphCut &cut, ModuleOp module,
                                 const FoldLimits &limits) {
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits = limits;
  options.limits.maxResultBytes = std::min(limits.maxResultBytes, mostBytes);
  options.limits.maxWork = std::min(limits.maxWork, mostWork);
  SmallVector<Value> values;
  for (auto *border : {&cut.inputs, &cut.outputs})
    for (CutValue &value : *border)
      values.push_back(value.value);
  TypeModule typed(module, values);
  Evaluation evaluation(typed.module, options);
  evaluation.run();
  KnownTypes types;
  for (Value value : typed.asked)
    types.collectValue(value, evaluation);
  auto next = typed.asked.begin();
  for (CutValue &value : cut.inputs)
    if (llvm::Error error = takeType(value, setting("inputs"), types, *next++))
      return error;
  for (CutValue &value : cut.outputs)
    if (llvm::Error error = takeType(value, setting("outputs"), types, *next++))
      return error;
  return llvm::Error::success();
}

static void takeTypes(std::vector<CutValue> &values,
                      const std::vector<CutValue> &known) {
  for (auto [value, other] : llvm::zip_equal(values, known)) {
    value.type = other.type;
    value.dimensions = other.dimensions;
  }
}

llvm::Expected<GraphCut> onnxfold::cutModel(ImportedModel &model,
                                            const CutNames &names,
                                            const FoldLimits &limits,
                                            const GraphCut *known) {
  if (!model.index->trainingInfos.empty())
    return ModelFault().has("training information, with which " +
                            setting("inputs") + " and " + setting("outputs") +
                            " cannot be "
                            "used");
  llvm::Expected<GraphCut> cut = GraphCut::find(*model.module, names);
  if (!cut)
    return cut.takeError();
  if (known) {
    takeTypes(cut->inputs, known->inputs);
    takeTypes(cut->outputs, known->outputs);
  } else if (cut->hasNew()) {
    if (llvm::Error error = inferCutTypes(*cut, *model.module, limits))
      return error;
  }
  llvm::StringSet<> initializers = initializerNames(model.index->mainGraph());
  if (llvm::Error error = cut->apply(
          [&](StringRef name) { return initializers.contains(name); }))
    return error;
  return cut;
}

std::vector<std::string> onnxfold::rankProblems(const GraphCut &cut,
                                                ModuleOp module) {
  std::vector<std::string> problems;
  auto look = [&](StringRef what, StringRef name, Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    if (tensor && !tensor.hasRank())
      problems.push_back(("the rank of the new " + what + " '" + name +
                          "' is not known, so its type has no shape")
                             .str());
  };
  FunctionOpInterface function = mainGraph(module);
  for (const CutValue &input : cut.inputs)
    for (Value argument : function.getArguments())
      if (input.isNew && valueName(argument) == input.name)
        look("input", input.name, argument.getType());
  for (const CutValue &output : cut.outputs)
    if (output.isNew)
      look("output", output.name, output.type);
  return problems;
}
