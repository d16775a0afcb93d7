//===- EqualInitializers.cpp - Two equal initializers are one -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/EqualInitializers.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/EqualValues.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::mayBeShared(OnnxConstantOp constant) {
  return llvm::none_of(constant->getUsers(), [](Operation *reader) {
    Operator node = Operator::from(reader);
    return node && node.is("DequantizeLinear");
  });
}

/// A body may have a value of the same name, so what it reads keeps its name, as
/// the writer of new constants has it (BlockDiff::mergeEqual).
bool EqualInitializers::isNameNeeded(OnnxConstantOp constant) const {
  return annotated.contains(valueName(constant)) ||
         llvm::any_of(constant->getUses(), [&](OpOperand &use) {
           return use.getOwner()->getBlock() != constant->getBlock() ||
                  !session.mayBeRewired(use, constant);
         });
}

void EqualInitializers::redirect(OnnxConstantOp from, OnnxConstantOp to) {
  for (Operation *reader : from->getUsers())
    session.noteRewired(reader);
  session.growth.merged += int64_t(fromAttribute(from.getValue()).bytes());
  from.getResult().replaceAllUsesWith(to.getResult());
  session.markReplaced(from, equalInitializer, /*isUnread=*/true);
}

void EqualInitializers::merge(Block &block) {
  // One attribute, as equal scalars have it, is one value that nobody reads.
  SmallVector<OnnxConstantOp> all;
  SmallVector<size_t> sameAttribute;
  llvm::DenseMap<Attribute, size_t> known;
  std::vector<Elements> values;
  for (auto constant : block.getOps<OnnxConstantOp>())
    if (!constant.getNode() && !constant.getOutput().get().empty() &&
        !constant->use_empty() && mayBeShared(constant)) {
      auto [first, isNew] = known.try_emplace(constant.getValue(), all.size());
      all.push_back(constant);
      sameAttribute.push_back(first->second);
      values.push_back(isNew ? fromAttribute(constant.getValue()) : Elements());
    }
  if (all.size() < 2)
    return;
  ops::EqualValues equal(values);
  llvm::MapVector<size_t, SmallVector<OnnxConstantOp, 2>> groups;
  for (size_t i = 0; i < all.size(); ++i)
    if (size_t first = equal.firstOf(sameAttribute[i]); first != i) {
      auto [group, isNew] = groups.try_emplace(first);
      if (isNew)
        group->second.push_back(all[first]);
      group->second.push_back(all[i]);
    }
  auto needed = [&](OnnxConstantOp constant) { return isNameNeeded(constant); };
  for (auto &[first, group] : groups) {
    auto *kept = llvm::find_if(group, needed);
    OnnxConstantOp to = kept == group.end() ? group.front() : *kept;
    for (OnnxConstantOp constant : group)
      if (constant != to && !isNameNeeded(constant))
        redirect(constant, to);
  }
}

void EqualInitializers::begin() {
  // Filters name nodes, and training reads initializers by their names. Before
  // IR version 4 initializers are inputs.
  Operation *root = session.evaluation().root();
  if (std::exchange(hasRun, true) || session.keepsConstants() ||
      irVersion(root).value_or(0) < 4)
    return;
  root->walk([&](Block *block) { merge(*block); });
}
