//===- Operands.cpp - Optional operands, results and attributes -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The checker knows which of them an operator needs.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::NodeProto;

using Texts = google::protobuf::RepeatedPtrField<std::string>;

/// An absent one at the end is not written.
static void trim(Texts &names) {
  while (!names.empty() && names.Get(names.size() - 1).empty())
    names.RemoveLast();
}

static bool clear(Texts &names, int i) {
  if (i >= names.size() || names.Get(i).empty())
    return false;
  names.Mutable(i)->clear();
  return true;
}

/// Operands of which any number is allowed leave no gap.
static bool isVariadic(const NodeProto &node) {
  static constexpr llvm::StringLiteral types[] = {
      "Concat", "Sum", "Max", "Min", "Mean", "Einsum", "SequenceConstruct"};
  return node.domain().empty() && llvm::is_contained(types, node.op_type());
}

static bool dropOperand(Draft &draft, int number, const std::string &name,
                        int i) {
  NodeProto &node = *draft.nodes[number];
  if (!isVariadic(node)) {
    if (!clear(*node.mutable_input(), i))
      return false;
    draft.last.push_back([number](Draft &draft) {
      trim(*draft.nodes[number]->mutable_input());
      return true;
    });
    return true;
  }
  auto &inputs = *node.mutable_input();
  auto found = llvm::find(inputs, name);
  if (found == inputs.end() || inputs.size() == 1)
    return false;
  inputs.erase(found);
  draft.changesTypes = true;
  return true;
}

std::vector<Edit> onnxfold::proposeOptionalOperands(const Base &base) {
  std::vector<Edit> edits;
  Draft draft(base);
  for (int i = 0; i != int(draft.nodes.size()); ++i) {
    const NodeProto &node = *draft.nodes[i];
    for (int j = node.input_size(); j-- > int(!isVariadic(node));)
      if (!node.input(j).empty())
        edits.push_back([i, j, name = node.input(j)](Draft &draft) {
          return dropOperand(draft, i, name, j);
        });
    for (int j = node.output_size(); j-- > 1;)
      if (!node.output(j).empty())
        edits.push_back([i, j](Draft &draft) {
          if (!clear(*draft.nodes[i]->mutable_output(), j))
            return false;
          draft.last.push_back([i](Draft &draft) {
            trim(*draft.nodes[i]->mutable_output());
            return true;
          });
          return true;
        });
  }
  return edits;
}

static bool dropAttribute(Draft &draft, int number, const std::string &name) {
  auto &attributes = *draft.nodes[number]->mutable_attribute();
  auto found = llvm::find_if(
      attributes, [&](const auto &one) { return one.name() == name; });
  if (found == attributes.end())
    return false;
  attributes.erase(found);
  draft.changesTypes = true;
  return true;
}

/// Without it the attribute has its default value.
std::vector<Edit> onnxfold::proposeAttributes(const Base &base) {
  std::vector<Edit> edits;
  Draft draft(base);
  for (int i = 0; i != int(draft.nodes.size()); ++i)
    for (const auto &attribute : draft.nodes[i]->attribute())
      if (!attribute.has_g() && attribute.graphs_size() == 0)
        edits.push_back([i, name = attribute.name()](Draft &draft) {
          return dropAttribute(draft, i, name);
        });
  return edits;
}
