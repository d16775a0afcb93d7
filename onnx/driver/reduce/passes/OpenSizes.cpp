//===- OpenSizes.cpp - Open dimensions of inputs are fixed ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To the sizes of the values that the inputs have, else to 1 or 2.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using Dimension = onnx::TensorShapeProto::Dimension;

/// Calls for each open dimension of an input.
static void eachOpen(
    onnx::ModelProto &model,
    llvm::function_ref<void(const std::string &input, int axis, Dimension &)>
        visit) {
  for (onnx::ValueInfoProto &input : *model.mutable_graph()->mutable_input()) {
    if (!input.type().has_tensor_type() ||
        !input.type().tensor_type().has_shape())
      continue;
    auto *shape = input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (int i = 0; i != shape->dim_size(); ++i)
      if (!shape->dim(i).has_dim_value())
        visit(input.name(), i, *shape->mutable_dim(i));
  }
}

static bool fixEach(Draft &draft, const std::string &symbol,
                    const std::string &place, int64_t size) {
  bool isFixed = false;
  eachOpen(draft.model, [&](const std::string &input, int axis,
                            Dimension &dim) {
    bool isMeant = symbol.empty() ? input + ":" + std::to_string(axis) == place
                                  : dim.dim_param() == symbol;
    if (!isMeant)
      return;
    dim.set_dim_value(size);
    isFixed = true;
  });
  draft.changesTypes |= isFixed;
  return isFixed;
}

std::vector<Edit> onnxfold::proposeOpenSizes(const Base &base) {
  std::vector<Edit> edits, others;
  llvm::StringSet<> seen;
  auto model = base.candidate.model;
  eachOpen(model, [&](const std::string &input, int axis, Dimension &dim) {
    std::string place = input + ":" + std::to_string(axis),
                symbol = dim.dim_param();
    if (!symbol.empty() && !seen.insert(symbol).second)
      return;
    auto add = [&](std::vector<Edit> &to, int64_t size) {
      to.push_back(
          [=](Draft &draft) { return fixEach(draft, symbol, place, size); });
    };
    auto value = base.candidate.inputs.find(input);
    if (value != base.candidate.inputs.end() && axis < value->second.rank()) {
      add(edits, value->second.dim(axis));
      return;
    }
    add(edits, 1);
    add(others, 2);
  });
  edits.insert(edits.end(), others.begin(), others.end());
  return edits;
}
