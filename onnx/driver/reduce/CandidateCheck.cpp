//===- CandidateCheck.cpp - Whether a candidate is a model ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Candidate.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnx/checker.h"
#include "onnx/shape_inference/implementation.h"

using namespace onnxfold;
namespace checker = onnx::checker;

/// Does what onnx.checker.check_model does, with our schemas.
static void runChecker(const onnx::ModelProto &model,
                       const std::string &folder) {
  checker::CheckerContext context;
  context.set_ir_version(int(model.ir_version()));
  std::unordered_map<std::string, int> opsets;
  for (const auto &import : model.opset_import())
    opsets[import.domain()] = int(import.version());
  if (opsets.count("ai.onnx"))
    opsets.emplace("", opsets["ai.onnx"]);
  context.set_opset_imports(std::move(opsets));
  context.set_model_dir(folder);
  context.set_schema_registry(&schemaRegistry());
  checker::LexicalScopeContext scope;
  checker::check_graph(model.graph(), context, scope);
  if (model.functions_size() != 0)
    checker::check_model_local_functions(model, context, scope);
}

static CandidateTypes typesIn(const onnx::GraphProto &graph) {
  CandidateTypes types;
  for (const auto &tensor : graph.initializer())
    types[tensor.name()] = typeOfTensor(tensor);
  auto add = [&](const onnx::ValueInfoProto &info) {
    types.try_emplace(info.name(), info.type());
  };
  for (const auto &info : graph.input())
    add(info);
  for (const auto &info : graph.value_info())
    add(info);
  for (const auto &info : graph.output())
    add(info);
  return types;
}

llvm::Expected<CandidateTypes>
onnxfold::checkModel(const onnx::ModelProto &model, const Validity &wanted,
                     const std::string &folder) {
  try {
    if (wanted.passesChecker)
      runChecker(model, folder);
    onnx::ModelProto copy = model;
    // Its propagation of data makes a message for each element of a list, of
    // which a candidate may state any number.
    onnx::ShapeInferenceOptions options(/*check_type_val=*/true,
                                        int(wanted.passesInference),
                                        /*data_prop_val=*/false);
    onnx::shape_inference::InferShapes(copy, &schemaRegistry(), options);
    return typesIn(copy.graph());
  } catch (const std::exception &exception) {
    return llvm::createStringError(
        llvm::StringRef(exception.what()).split('\n').first.rtrim());
  }
}
