//===- NodeOrder.cpp - Nodes that stand before what they read -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of BlockDiff that sorts. The order of the module is topological, and
// as far as possible that of the file (the importer's sort is stable), so nodes
// of a graph that is not sorted get the places that they have there. Of these a
// longest list that has the order already stays, and the others are moved.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// A node of the file in its block, and its number in the graph.
struct PlacedNode {
  Operation *op;
  int64_t place;
};

} // namespace

/// Whether each node of the file stands behind those whose results it reads,
/// also through new nodes, which have no places yet.
static bool isSorted(Block &block, ArrayRef<PlacedNode> nodes) {
  llvm::DenseMap<Operation *, int64_t> places, bounds;
  for (auto [op, place] : nodes)
    places[op] = place;
  for (Operation &op : block) {
    int64_t bound = -1;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto known = bounds.find(operand.getDefiningOp());
            known != bounds.end())
          bound = std::max(bound, known->second);
    });
    auto place = places.find(&op);
    if (place != places.end() && place->second < bound)
      return false;
    bounds[&op] = place == places.end() ? bound : place->second;
  }
  return true;
}

/// The node's name, or that of its first output.
static StringRef labelOf(Operation *op) {
  if (Operator node = Operator::from(op))
    return nodeLabel(node);
  return op->getNumResults() == 0 ? "" : valueName(op->getResult(0));
}

/// The places of a longest list in which they grow.
static llvm::DenseSet<int64_t> longestGrowing(ArrayRef<PlacedNode> nodes) {
  SmallVector<size_t> ends; // of the best list of each length
  SmallVector<ptrdiff_t> before(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    auto *end = llvm::lower_bound(ends, nodes[i].place,
                                  [&](size_t other, int64_t place) {
                                    return nodes[other].place < place;
                                  });
    if (end != ends.begin())
      before[i] = ptrdiff_t(end[-1]);
    if (end == ends.end())
      ends.push_back(i);
    else
      *end = i;
  }
  llvm::DenseSet<int64_t> list;
  for (ptrdiff_t i = ends.empty() ? -1 : ptrdiff_t(ends.back()); i >= 0;
       i = before[i])
    list.insert(nodes[i].place);
  return list;
}

void BlockDiff::findDisplaced(Block &block) {
  displaced.clear();
  if (!options.cleaning.sort)
    return;
  SmallVector<PlacedNode> nodes;
  for (Operation &op : block)
    if (std::optional<int64_t> place = placeOf(&op))
      nodes.push_back({&op, *place});
  bool isInOrder =
      llvm::is_sorted(nodes, [](auto a, auto b) { return a.place < b.place; });
  if (isInOrder || isSorted(block, nodes))
    return;
  llvm::DenseSet<int64_t> kept = longestGrowing(nodes);
  for (auto [op, place] : nodes)
    if (!kept.contains(place)) {
      displaced.insert(place);
      record.note("moved node", 0, labelOf(op));
    }
}

bool BlockDiff::isDisplaced(Operation *op) const {
  if (displaced.empty())
    return false;
  std::optional<int64_t> place = placeOf(op);
  return place && displaced.contains(*place);
}
