//===- Nodes.cpp - Outputs and nodes of the main graph --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::NodeProto;

static bool dropOutput(Draft &draft, const std::string &name) {
  auto &outputs = *draft.model.mutable_graph()->mutable_output();
  auto found = llvm::find_if(
      outputs, [&](const auto &output) { return output.name() == name; });
  if (found == outputs.end() || outputs.size() == 1)
    return false;
  outputs.erase(found);
  return true;
}

std::vector<Edit> onnxfold::proposeOutputs(const Base &base) {
  std::vector<Edit> edits;
  // The last output goes first: the one that is left needs least.
  for (const auto &output :
       llvm::reverse(base.candidate.model.graph().output()))
    edits.push_back([name = output.name()](Draft &draft) {
      return dropOutput(draft, name);
    });
  return edits;
}

/// Any part of the nodes stays: what it needs of the others becomes inputs. So
/// halves of the list are halves of the graph.
std::vector<Edit> onnxfold::proposeSeparation(const Base &base) {
  std::vector<Edit> edits;
  Draft draft(base);
  llvm::SmallPtrSet<const NodeProto *, 16> main;
  for (const NodeProto &node : draft.model.graph().node())
    main.insert(&node);
  if (main.size() == 1)
    return edits;
  for (int i = 0; i != int(draft.nodes.size()); ++i)
    if (main.contains(draft.nodes[i]))
      edits.push_back(
          [i](Draft &draft) { return draft.separated.insert(i).second; });
  return edits;
}
