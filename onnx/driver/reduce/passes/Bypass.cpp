//===- Bypass.cpp - Operands in the place of results ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A node whose result has the type of one of its operands may be left out: its
// readers read the operand. In bodies and functions, whose types are not known,
// inference and the test have to say no.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::NodeProto;

/// The nodes around a node, and the graph if it is one.
namespace {
struct Surroundings {
  Nodes *nodes = nullptr;
  GraphProto *graph = nullptr;
  onnx::FunctionProto *function = nullptr;
};
} // namespace

static Surroundings surroundingsOf(onnx::ModelProto &model,
                                   const NodeProto &node) {
  Surroundings found;
  auto holds = [&](const Nodes &nodes) {
    return llvm::any_of(nodes,
                        [&](const NodeProto &one) { return &one == &node; });
  };
  walkGraphs(*model.mutable_graph(), [&](GraphProto &graph) {
    if (!found.nodes && holds(graph.node()))
      found = {graph.mutable_node(), &graph, nullptr};
  });
  for (onnx::FunctionProto &function : *model.mutable_functions())
    if (!found.nodes && holds(function.node()))
      found = {function.mutable_node(), nullptr, &function};
  return found;
}

static bool isMadeByNode(const Nodes &nodes, const std::string &name) {
  return llvm::any_of(nodes, [&](const NodeProto &node) {
    return !isErased(node) && llvm::is_contained(node.output(), name);
  });
}

/// What the graph gives out under the name becomes the operand, where a node
/// makes that, or nothing.
static bool replaceOutput(Surroundings &around, bool isMain,
                          const std::string &name, const std::string &by) {
  auto &outputs = *around.graph->mutable_output();
  auto hasName = [](const std::string &what) {
    return [&what](const auto &output) { return output.name() == what; };
  };
  auto found = llvm::find_if(outputs, hasName(name));
  if (found == outputs.end())
    return true;
  bool isFree = isMadeByNode(*around.nodes, by) &&
                llvm::find_if(outputs, hasName(by)) == outputs.end();
  if (isFree)
    found->set_name(by);
  else if (isMain && outputs.size() > 1)
    outputs.erase(found);
  else
    return false;
  return true;
}

/// Whether a node reads the value, apart from `except`.
static bool isRead(const Nodes &nodes, const std::string &name,
                   const NodeProto *except = nullptr) {
  return llvm::any_of(nodes, [&](const NodeProto &node) {
    return &node != except && !isErased(node) &&
           llvm::is_contained(namesReadBy(node), name);
  });
}

static bool bypass(Draft &draft, int number, int operand) {
  NodeProto &node = *draft.nodes[number];
  if (isErased(node) || operand >= node.input_size() || node.output_size() == 0)
    return false;
  Surroundings around = surroundingsOf(draft.model, node);
  std::string from = node.output(0), to = node.input(operand);
  bool isMain = around.graph == draft.model.mutable_graph();
  if (!around.nodes || to.empty())
    return false;
  if (around.function) {
    if (llvm::is_contained(around.function->output(), from))
      return false;
    for (NodeProto &reader : *around.nodes)
      for (std::string &name : *reader.mutable_input())
        if (name == from)
          name = to;
  } else if (isMain && !isRead(*around.nodes, from) &&
             !isRead(*around.nodes, to, &node)) {
    return false; // the pass for nodes makes the operand an output, too
  } else {
    if (!replaceOutput(around, isMain, from, to))
      return false;
    replaceUses(*around.graph, from, to);
  }
  erase(node);
  return true;
}

static bool haveSameType(const onnx::TypeProto &a, const onnx::TypeProto &b) {
  const auto *x = tensorType(a), *y = tensorType(b);
  if (!x || !y || x->elem_type() != y->elem_type())
    return false;
  if (!x->has_shape() || !y->has_shape())
    return x->has_shape() == y->has_shape();
  auto isSame = [](const auto &p, const auto &q) {
    if (p.has_dim_value() || q.has_dim_value())
      return p.has_dim_value() && q.has_dim_value() &&
             p.dim_value() == q.dim_value();
    return p.dim_param() == q.dim_param();
  };
  return x->shape().dim_size() == y->shape().dim_size() &&
         std::equal(x->shape().dim().begin(), x->shape().dim().end(),
                    y->shape().dim().begin(), isSame);
}

std::vector<Edit> onnxfold::proposeBypasses(const Base &base) {
  std::vector<Edit> edits;
  Draft draft(base);
  llvm::SmallPtrSet<const NodeProto *, 16> main;
  for (const NodeProto &node : draft.model.graph().node())
    main.insert(&node);
  for (int i = 0; i != int(draft.nodes.size()); ++i) {
    const NodeProto &node = *draft.nodes[i];
    for (int j = 0; j != node.input_size() && node.output_size() != 0; ++j) {
      const std::string &operand = node.input(j);
      if (operand.empty())
        continue;
      if (main.contains(&node)) {
        auto a = base.types().find(operand),
             b = base.types().find(node.output(0));
        if (a == base.types().end() || b == base.types().end() ||
            !haveSameType(a->second, b->second))
          continue;
      }
      edits.push_back([i, j](Draft &draft) { return bypass(draft, i, j); });
    }
  }
  return edits;
}
