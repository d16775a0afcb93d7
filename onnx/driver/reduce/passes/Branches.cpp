//===- Branches.cpp - If, Loop and their bodies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An If becomes one of its branches, a Loop one iteration of its body, or a
// loop of one iteration.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

namespace {

/// Nodes in the place of one that has bodies.
struct Replacement {
  GraphProto body; ///< its nodes and initializers, with the names around it
  bool isPossible = true;
};

using MakeReplacement = std::function<Replacement(Draft &, const NodeProto &)>;

} // namespace

/// Renames a value of the body, wherever it is made and read.
static void rename(GraphProto &body, const std::string &from,
                   const std::string &to) {
  replaceUses(body, from, to);
  for (NodeProto &node : *body.mutable_node())
    for (std::string &name : *node.mutable_output())
      if (name == from)
        name = to;
  for (TensorProto &tensor : *body.mutable_initializer())
    if (tensor.name() == from)
      tensor.set_name(to);
}

static bool isMadeIn(const GraphProto &body, const std::string &name) {
  return llvm::any_of(body.node(),
                      [&](const NodeProto &node) {
                        return llvm::is_contained(node.output(), name);
                      }) ||
         llvm::any_of(body.initializer(), [&](const TensorProto &tensor) {
           return tensor.name() == name;
         });
}

static void addIdentity(GraphProto &body, const std::string &from,
                        const std::string &to) {
  NodeProto &node = *body.add_node();
  node.set_op_type("Identity");
  node.add_input(from);
  node.add_output(to);
}

/// The output of the body has the name of a result of the node.
static void giveOut(GraphProto &body, int output, const std::string &result) {
  if (result.empty())
    return;
  std::string name = body.output(output).name();
  bool isTaken = false;
  for (int i = 0; i != output; ++i)
    isTaken |= body.output(i).name() == result;
  if (isTaken || !isMadeIn(body, name))
    addIdentity(body, name, result);
  else
    rename(body, name, result);
}

/// Puts the replacement where the node with this result is.
static bool replaceNode(Draft &draft, const std::string &result,
                        const MakeReplacement &make) {
  GraphProto *place = nullptr;
  int number = 0;
  walkGraphs(*draft.model.mutable_graph(), [&](GraphProto &graph) {
    for (int i = 0; i != graph.node_size() && !place; ++i)
      if (graph.node(i).output_size() != 0 && graph.node(i).output(0) == result)
        place = &graph, number = i;
  });
  if (!place)
    return false;
  Replacement made = make(draft, place->node(number));
  if (!made.isPossible)
    return false;
  Nodes nodes;
  for (int i = 0; i != place->node_size(); ++i)
    if (i == number)
      nodes.MergeFrom(made.body.node());
    else
      *nodes.Add() = place->node(i);
  place->mutable_node()->Swap(&nodes);
  place->mutable_initializer()->MergeFrom(made.body.initializer());
  draft.changesTypes = true;
  return true;
}

static Edit replacing(const std::string &result, const MakeReplacement &make) {
  return [=](Draft &draft) {
    draft.last.push_back(
        [=](Draft &draft) { return replaceNode(draft, result, make); });
    return true;
  };
}

static Replacement branchOf(const NodeProto &node, const char *attribute) {
  const onnx::AttributeProto *found = findAttribute(node, attribute);
  if (!found || !found->has_g())
    return {{}, false};
  Replacement made{found->g()};
  for (int i = 0; i != node.output_size() && i != made.body.output_size(); ++i)
    giveOut(made.body, i, node.output(i));
  return made;
}

static void addConstant(GraphProto &graph, const std::string &name,
                        int32_t type, int64_t value,
                        llvm::ArrayRef<int64_t> shape = {}) {
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (int64_t size : shape)
    tensor.add_dims(size);
  if (type == TensorProto::INT64)
    tensor.add_int64_data(value);
  else
    tensor.add_int32_data(int32_t(value));
}

/// The first iteration: carried values are the operands, and what is collected
/// gets a dimension.
static Replacement iterationOf(Draft &draft, const NodeProto &node) {
  const onnx::AttributeProto *found = findAttribute(node, "body");
  if (!found || !found->has_g() || found->g().input_size() < 2)
    return {{}, false};
  Replacement made{found->g()};
  GraphProto &body = made.body;
  int carried = body.input_size() - 2;
  auto bind = [&](int input, const std::string &name) {
    rename(body, std::string(body.input(input).name()), name);
  };
  std::string number = draft.freshName("iteration"),
              condition = draft.freshName("condition");
  bind(0, number);
  bind(1, condition);
  for (int i = 0; i != carried; ++i) {
    if (i + 2 >= node.input_size() || node.input(i + 2).empty())
      return {{}, false};
    bind(i + 2, node.input(i + 2));
  }
  addConstant(body, number, TensorProto::INT64, 0);
  addConstant(body, condition, TensorProto::BOOL, 1);
  for (int i = 0; i != node.output_size(); ++i) {
    if (i + 1 >= body.output_size() || node.output(i).empty())
      continue;
    if (i < carried) {
      giveOut(body, i + 1, node.output(i));
      continue;
    }
    std::string axes = draft.freshName("axes");
    addConstant(body, axes, TensorProto::INT64, 0, {1});
    NodeProto &unsqueeze = *body.add_node();
    unsqueeze.set_op_type("Unsqueeze");
    unsqueeze.add_input(body.output(i + 1).name());
    unsqueeze.add_input(axes);
    unsqueeze.add_output(node.output(i));
  }
  return made;
}

static std::vector<const NodeProto *> nodesOfType(const Base &base,
                                                  llvm::StringRef type) {
  std::vector<const NodeProto *> found;
  walkGraphs(const_cast<GraphProto &>(base.candidate.model.graph()),
             [&](GraphProto &graph) {
               for (const NodeProto &node : graph.node())
                 if (node.op_type() == type && node.domain().empty() &&
                     node.output_size() != 0)
                   found.push_back(&node);
             });
  return found;
}

std::vector<Edit> onnxfold::proposeBranches(const Base &base) {
  std::vector<Edit> edits;
  for (const char *branch : {"then_branch", "else_branch"})
    for (const NodeProto *node : nodesOfType(base, "If"))
      edits.push_back(
          replacing(node->output(0), [branch](Draft &, const NodeProto &node) {
            return branchOf(node, branch);
          }));
  if (opsetOf(base.candidate.model, "") >= 13)
    for (const NodeProto *node : nodesOfType(base, "Loop"))
      edits.push_back(replacing(node->output(0), iterationOf));
  return edits;
}

static bool limitTrips(Draft &draft, const std::string &result, int64_t count) {
  for (NodeProto *node : draft.nodes) {
    if (node->op_type() != "Loop" || node->output_size() == 0 ||
        node->output(0) != result)
      continue;
    std::string name = draft.freshName("trips" + std::to_string(count));
    addConstant(*draft.model.mutable_graph(), name, TensorProto::INT64, count);
    *node->mutable_input(0) = name;
    return true;
  }
  return false;
}

std::vector<Edit> onnxfold::proposeTripCounts(const Base &base) {
  std::vector<Edit> edits;
  const GraphProto &graph = base.candidate.model.graph();
  for (const NodeProto *node : nodesOfType(base, "Loop")) {
    bool isLimited = llvm::any_of(graph.initializer(), [&](const auto &tensor) {
      return tensor.name() == node->input(0) &&
             llvm::StringRef(tensor.name()).starts_with("trips");
    });
    if (!isLimited)
      for (int64_t count : {1, 2})
        edits.push_back([name = node->output(0), count](Draft &draft) {
          return limitTrips(draft, name, count);
        });
  }
  return edits;
}
