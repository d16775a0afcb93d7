//===- ComputedOperands.cpp - Operands are computed first -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/internal/ComputedOperands.h"
#include "onnxfold/elements/memory/internal/KeptBytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace onnxfold;
using namespace onnxfold::detail;

ComputedOperands::ComputedOperands(DeferredBuffer &buffer) {
  if (buffer.depth() > 1)
    computeAll(operandsOf(buffer));
}

ComputedOperands::ComputedOperands(llvm::ArrayRef<Buffer *> buffers) {
  Refs roots;
  addPending(buffers, roots);
  // Alone it is computed where it is read, and perhaps written over there.
  if (roots.size() > 1)
    computeAll(std::move(roots));
}

/// Adds the buffers that must be computed, the deepest last: it is computed
/// first, so that fewer wait for the others.
void ComputedOperands::addPending(llvm::ArrayRef<Buffer *> buffers,
                                  Refs &refs) {
  for (Buffer *buffer : buffers)
    if (DeferredBuffer *deferred =
            buffer->depth() ? buffer->asDeferred() : nullptr)
      refs.push_back(deferred);
  llvm::stable_sort(
      refs, [](const Ref &a, const Ref &b) { return a->depth() < b->depth(); });
}

/// The operands that are computed before the buffer; none if its bytes are there.
ComputedOperands::Refs ComputedOperands::operandsOf(DeferredBuffer &buffer) {
  Refs result;
  std::lock_guard<std::mutex> lock(buffer.mutex);
  if (buffer.bytes || !buffer.operands)
    return result;
  llvm::SmallVector<Buffer *> operands;
  buffer.operands(operands);
  addPending(operands, result);
  return result;
}

/// Computes the bytes, which are kept until letGo(), in memory or spilled.
void ComputedOperands::hold(Node &node) {
  DeferredBuffer &buffer = *node.buffer;
  std::lock_guard<std::mutex> lock(buffer.mutex);
  bool again = buffer.computeAgain();
  buffer.bytes->keep();
  if (again)
    buffer.keep();
  ++buffer.holds;
  node.isHeld = true;
}

void ComputedOperands::letGo(Node &node) {
  if (std::exchange(node.isHeld, false)) {
    std::lock_guard<std::mutex> lock(node.buffer->mutex);
    --node.buffer->holds;
    node.buffer->dropUnused();
  }
  node.buffer = nullptr;
}

/// The buffers that have to be computed, each after its operands; the last one
/// stands for who reads the roots. Without recursion: chains may be long.
std::vector<ComputedOperands::Node> ComputedOperands::sort(Refs roots) {
  struct Frame {
    Node node;
    Refs open; // operands that were not looked at yet
  };
  std::vector<Node> sorted;
  llvm::DenseMap<DeferredBuffer *, size_t> numbers; // of those that are sorted
  std::vector<Frame> stack(1);
  stack.back().open = std::move(roots);
  while (true) {
    Frame &top = stack.back();
    if (!top.open.empty()) {
      Ref operand = top.open.back();
      if (auto it = numbers.find(operand.get()); it != numbers.end()) {
        top.node.operands.push_back(it->second);
        ++sorted[it->second].readers;
        top.open.pop_back();
        continue;
      }
      Refs open = operandsOf(*operand);
      stack.push_back({{std::move(operand), {}}, std::move(open)});
      continue;
    }
    if (stack.size() > 1)
      numbers[top.node.buffer.get()] = sorted.size();
    sorted.push_back(std::move(top.node));
    stack.pop_back();
    if (stack.empty())
      return sorted;
  }
}

void ComputedOperands::computeAll(Refs roots) {
  if (roots.empty())
    return;
  std::vector<Node> nodes = sort(std::move(roots));
  // The nodes are released also if there is no memory to compute one of them.
  llvm::scope_exit cleanUp([&] {
    for (Node &node : nodes)
      letGo(node);
  });
  for (Node &node : nodes) {
    // Before the last ones are released: what is next is not to be spilled.
    std::vector<BufferPin> next;
    for (size_t operand : node.operands)
      next.emplace_back(nodes[operand].buffer);
    pins = std::move(next);
    trimKeptBytes();
    if (node.buffer)
      hold(node);
    for (size_t operand : node.operands)
      if (--nodes[operand].readers == 0)
        letGo(nodes[operand]);
  }
}
