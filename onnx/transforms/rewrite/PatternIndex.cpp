//===- PatternIndex.cpp - Patterns by the name of their operator ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

using namespace onnxfold;
using namespace mlir;

void PatternIndex::add(const CleanUpPattern &pattern) {
  known.clear();
  if (pattern.roots.empty()) {
    others.push_back(&pattern);
    for (auto &entry : byRoot)
      entry.second.push_back(&pattern);
    return;
  }
  llvm::SmallVector<StringRef> roots;
  pattern.roots.split(roots, ' ');
  for (StringRef root : roots)
    byRoot.try_emplace(root, others).first->second.push_back(&pattern);
}

const PatternIndex::List &PatternIndex::find(Operator op) const {
  if (op.isCustom()) // all have the name onnx.Custom
    return others;
  const List *&list = known[op->getName().getAsOpaquePointer()];
  if (!list) {
    auto entry = op.domain().empty() ? byRoot.find(op.opType()) : byRoot.end();
    list = entry == byRoot.end() ? &others : &entry->second;
  }
  return *list;
}
