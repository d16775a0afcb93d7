//===- Functions.cpp - Functions of the model -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls are replaced by the bodies of their functions, so that the other passes
// see all nodes; of functions that stay, outputs that no call reads go.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "onnx/inliner/inliner.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::FunctionProto;
using onnx::NodeProto;

static bool inlineFunction(Draft &draft, const std::string &domain,
                           const std::string &name) {
  try {
    auto chosen = onnx::inliner::FunctionIdSet::Create({{domain, name}});
    onnx::inliner::InlineSelectedLocalFunctions(draft.model, *chosen);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

std::vector<Edit> onnxfold::proposeInlining(const Base &base) {
  std::vector<Edit> edits;
  for (const FunctionProto &function : base.candidate.model.functions())
    edits.push_back(
        [domain = function.domain(), name = function.name()](Draft &draft) {
          draft.last.push_back([=](Draft &draft) {
            return inlineFunction(draft, domain, name);
          });
          return true;
        });
  return edits;
}

static FunctionProto *findFunction(Draft &draft, const std::string &domain,
                                   const std::string &name) {
  for (FunctionProto &function : *draft.model.mutable_functions())
    if (function.domain() == domain && function.name() == name)
      return &function;
  return nullptr;
}

/// Takes the last output of a function, and of its calls.
static bool dropLastOutput(Draft &draft, const std::string &domain,
                           const std::string &name, int number) {
  FunctionProto *function = findFunction(draft, domain, name);
  if (!function || function->output_size() != number + 1 || number == 0)
    return false;
  function->mutable_output()->RemoveLast();
  for (NodeProto *node : draft.nodes)
    if (node->domain() == domain && node->op_type() == name &&
        node->output_size() == number + 1)
      node->mutable_output()->RemoveLast();
  return true;
}

std::vector<Edit> onnxfold::proposeFunctionOutputs(const Base &base) {
  std::vector<Edit> edits;
  for (const FunctionProto &function : base.candidate.model.functions())
    for (int i = function.output_size(); i-- > 1;)
      edits.push_back(
          [domain = function.domain(), name = function.name(),
           i](Draft &draft) { return dropLastOutput(draft, domain, name, i); });
  return edits;
}
