//===- Nodes.cpp - Outputs and nodes of the main graph --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// Without an output that nothing else needs its node goes too, which is tried
/// with the nodes.
std::vector<Edit> onnxfold::proposeOutputs(const Base &base) {
  const GraphProto &graph = base.candidate.model.graph();
  llvm::StringMap<unsigned> uses;
  llvm::StringMap<const NodeProto *> makers;
  for (const NodeProto &node : graph.node()) {
    for (const std::string &read : namesReadBy(node))
      ++uses[read];
    for (const std::string &made : node.output())
      makers.try_emplace(made, &node);
  }
  for (const auto &output : graph.output())
    ++uses[output.name()];
  auto hasOtherUse = [&](const std::string &name) {
    const NodeProto *maker = makers.lookup(name);
    return !maker || llvm::any_of(maker->output(), [&](const auto &made) {
      return uses.lookup(made) > unsigned(made == name);
    });
  };
  std::vector<Edit> edits;
  // The last output goes first: the one that is left needs least.
  for (const auto &output : llvm::reverse(graph.output()))
    if (hasOtherUse(output.name()))
      edits.push_back([name = output.name()](Draft &draft) {
        return dropOutput(draft, name);
      });
  return edits;
}

/// Numbers of the nodes of the main graph, as a draft has them. Constant nodes
/// come last: where they go, their values stay.
static std::vector<int> mainNodes(const Draft &draft) {
  llvm::SmallPtrSet<const NodeProto *, 16> main;
  for (const NodeProto &node : draft.model.graph().node())
    main.insert(&node);
  std::vector<int> numbers;
  for (bool isConstant : {false, true})
    for (int i = 0; i != int(draft.nodes.size()); ++i)
      if (main.contains(draft.nodes[i]) &&
          isConstantNode(*draft.nodes[i]) == isConstant)
        numbers.push_back(i);
  return numbers;
}

/// Any part of the nodes stays: what it needs of the others becomes inputs.
std::vector<Edit> onnxfold::proposeSeparation(const Base &base) {
  std::vector<Edit> edits;
  Draft draft(base);
  std::vector<int> numbers = mainNodes(draft);
  if (numbers.size() == 1)
    return edits;
  for (int number : numbers)
    edits.push_back([number](Draft &draft) {
      return draft.separated.insert(number).second;
    });
  return edits;
}

/// For each of these nodes those that make what it reads, as places in the list.
static std::vector<std::vector<size_t>> makersOf(const Draft &draft,
                                                 llvm::ArrayRef<int> numbers) {
  llvm::StringMap<size_t> places;
  for (auto [i, number] : llvm::enumerate(numbers))
    for (const std::string &name : draft.nodes[number]->output())
      places[name] = i;
  std::vector<std::vector<size_t>> makers(numbers.size());
  for (auto [i, number] : llvm::enumerate(numbers))
    for (const std::string &name : namesReadBy(*draft.nodes[number]))
      if (auto maker = places.find(name); maker != places.end())
        makers[i].push_back(maker->second);
  return makers;
}

Neighbours onnxfold::neighboursOfNodes(const Base &base) {
  Draft draft(base);
  Neighbours neighbours = makersOf(draft, mainNodes(draft));
  std::vector<std::vector<size_t>> makers = neighbours;
  for (auto [i, all] : llvm::enumerate(makers))
    for (size_t maker : all)
      neighbours[maker].push_back(i);
  return neighbours;
}

/// Layers repeat, so the first node of each operator stands for the others, and
/// with what makes its operands for a pattern.
Groups onnxfold::groupsOfNodes(const Base &base) {
  Draft draft(base);
  std::vector<int> numbers = mainNodes(draft);
  std::vector<std::vector<size_t>> makers = makersOf(draft, numbers);
  auto nodeAt = [&](size_t i) -> const NodeProto & {
    return *draft.nodes[numbers[i]];
  };
  std::set<size_t> operators, patterns;
  llvm::StringSet<> seen;
  for (size_t i = 0; i != numbers.size() && !isConstantNode(nodeAt(i)); ++i) {
    std::string kind = nodeAt(i).domain() + "." + nodeAt(i).op_type();
    if (seen.insert(kind).second)
      operators.insert(i);
    for (size_t maker : makers[i])
      kind += "\n" + nodeAt(maker).domain() + "." + nodeAt(maker).op_type();
    if (makers[i].empty() || !seen.insert(kind).second)
      continue;
    patterns.insert(i);
    for (size_t maker : makers[i])
      if (!isConstantNode(nodeAt(maker)))
        patterns.insert(maker);
  }
  return {{operators.begin(), operators.end()},
          {patterns.begin(), patterns.end()}};
}
