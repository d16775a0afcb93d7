//===- ValueNames.cpp - Which names are visible where ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/ValueNames.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace mlir;

bool ValueNames::isVisible(StringRef name, Region *home, Operation *reader) {
  for (Region *region = reader->getParentRegion(); region != home;
       region = region->getParentRegion()) {
    auto [place, isNew] = namesOf.try_emplace(region);
    llvm::StringSet<> &names = place->second;
    if (isNew) {
      for (Value argument : region->getArguments())
        names.insert(valueName(argument));
      for (Operation &op : region->front())
        for (Value result : op.getResults())
          names.insert(valueName(result));
    }
    if (!name.empty() && names.contains(name))
      return false;
  }
  return true;
}

void ValueNames::noteMentions(ValueRange values, Mentions &valueOf) {
  for (Value value : values) {
    auto [entry, isFirst] = valueOf.try_emplace(valueName(value), value);
    if (isFirst || entry->second == value)
      continue;
    Operation *maker = entry->second ? entry->second.getDefiningOp() : nullptr;
    entry->second = maker && isReplaced(maker) ? value : Value();
  }
}

/// Notes what `below` and all in its bodies read and make.
void ValueNames::noteMentions(Operation *below, Mentions &valueOf) {
  below->walk([&](Operation *op) {
    if (isReplaced(op))
      return;
    noteMentions(op->getOperands(), valueOf);
    noteMentions(op->getResults(), valueOf);
    for (Region &body : op->getRegions())
      noteMentions(body.getArguments(), valueOf);
  });
}

/// Names of other graphs count, too: they may be hidden, or read before they
/// are made.
bool ValueNames::isUnique(StringRef name, Region *region) {
  auto [place, isNew] = mentions.try_emplace(region);
  Mentions &valueOf = place->second;
  if (isNew) {
    noteMentions(region->getArguments(), valueOf);
    for (Operation &op : region->front())
      noteMentions(&op, valueOf);
  }
  return name.empty() || valueOf.lookup(name);
}

/// To make the tables anew each time would be quadratic in the number of
/// branches that are taken.
void ValueNames::note(Operation *op) {
  auto names = namesOf.find(op->getParentRegion());
  if (names != namesOf.end())
    for (Value result : op->getResults())
      names->second.insert(valueName(result));
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    auto place = mentions.find(region);
    if (place != mentions.end())
      noteMentions(op, place->second);
  }
}

void ValueNames::clear() {
  namesOf.clear();
  mentions.clear();
}
