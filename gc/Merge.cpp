//===- Merge.cpp - Equal constants become one attribute -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Merge.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/gc/internal/AttributeWalk.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <optional>

namespace onnxfold {
#define GEN_PASS_DEF_MERGECONSTANTSPASS
#include "onnxfold/gc/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;
using namespace onnxfold::ops;

/// As many elements tell values of one type apart, nearly always.
static constexpr int64_t sampleElements = 1024;

namespace {

using Group = llvm::SmallVector<mlir::ElementsAttr, 2>;

class Merger {
public:
  explicit Merger(mlir::Operation *root) : root(root) {}

  MergeResult run() {
    for (Group &group : groupsByType())
      for (Group &similar : split(group, sampleHash))
        for (Group &equal : split(similar, fullHash))
          merge(equal);
    replaceAttributes(root, replacements);
    return result;
  }

private:
  std::vector<Group> groupsByType();
  static ContentHash sampleHash(mlir::ElementsAttr attr);
  static ContentHash fullHash(mlir::ElementsAttr attr);
  static std::vector<Group>
  split(const Group &group,
        llvm::function_ref<ContentHash(mlir::ElementsAttr)> hash);
  void merge(const Group &group);

  mlir::Operation *root;
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> replacements;
  MergeResult result;
};

} // namespace

/// Whether there is anything to merge in a group: the uniquer has merged
/// ordinary attributes already.
static bool isWorthwhile(const Group &group) {
  return group.size() > 1 && !llvm::all_of(group, [](mlir::ElementsAttr attr) {
           return mlir::isa<mlir::DenseElementsAttr>(attr);
         });
}

/// All that can be read, in the order of the module.
std::vector<Group> Merger::groupsByType() {
  llvm::MapVector<mlir::Type, Group> groups;
  AttributeFinder finder([&](mlir::ElementsAttr attr) {
    if (mlir::isa<mlir::DenseElementsAttr, mlir::DenseResourceElementsAttr,
                  DisposableElementsAttr>(attr))
      groups[attr.getShapedType()].push_back(attr);
  });
  root->walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) { finder.visit(op); });
  std::vector<Group> result;
  for (auto &[type, group] : groups) {
    if (!isWorthwhile(group))
      continue;
    llvm::erase_if(
        group, [](mlir::ElementsAttr attr) { return !fromAttribute(attr); });
    result.push_back(std::move(group));
  }
  return result;
}

ContentHash Merger::fullHash(mlir::ElementsAttr attr) {
  return contentHash(fromAttribute(attr));
}

ContentHash Merger::sampleHash(mlir::ElementsAttr attr) {
  Elements elements = fromAttribute(attr);
  int64_t count = std::min(elements.size(), sampleElements);
  auto buffer =
      llvm::makeIntrusiveRefCnt<HeapBuffer>(count * byteWidth(elements.type()));
  Elements::Reader reader(elements);
  reader.read(0, count, buffer->data());
  return contentHash(Elements::fromBuffer(elements.type(), {count}, buffer));
}

/// The parts of a group that have one hash each; without those where nothing
/// can be merged.
std::vector<Group>
Merger::split(const Group &group,
              llvm::function_ref<ContentHash(mlir::ElementsAttr)> hash) {
  llvm::MapVector<ContentHash, Group, std::map<ContentHash, unsigned>> parts;
  if (isWorthwhile(group))
    for (mlir::ElementsAttr attr : group)
      parts[hash(attr)].push_back(attr);
  std::vector<Group> result;
  for (auto &[ignored, part] : parts)
    if (isWorthwhile(part))
      result.push_back(std::move(part));
  return result;
}

template <class AttrT> static mlir::ElementsAttr firstOf(const Group &group) {
  auto it = llvm::find_if(
      group, [](mlir::ElementsAttr attr) { return mlir::isa<AttrT>(attr); });
  return it == group.end() ? mlir::ElementsAttr() : *it;
}

/// Members of the group become its first DenseElementsAttr, or else its first
/// resource, or else its first disposable attribute; what is ordinary becomes
/// nothing of another kind, for operations may ask for just that.
void Merger::merge(const Group &group) {
  mlir::ElementsAttr dense = firstOf<mlir::DenseElementsAttr>(group);
  mlir::ElementsAttr resource = firstOf<mlir::DenseResourceElementsAttr>(group);
  for (mlir::ElementsAttr attr : group) {
    mlir::ElementsAttr to;
    if (mlir::isa<mlir::DenseResourceElementsAttr>(attr))
      to = resource;
    else if (mlir::isa<DisposableElementsAttr>(attr))
      to = dense ? dense : resource ? resource : group.front();
    if (!to || to == attr)
      continue;
    Elements elements = fromAttribute(attr);
    if (!elements.identicalTo(fromAttribute(to)))
      continue; // a collision of hashes
    replacements[attr] = to;
    ++result.merged;
    result.bytes += elements.bytes();
  }
}

MergeResult onnxfold::mergeEqual(mlir::Operation *op) {
  mlir::MLIRContext *context = op->getContext();
  NoCollection guard(DisposablePool::get(context));
  std::optional<ParallelScope> parallel;
  if (context->isMultithreadingEnabled())
    parallel.emplace(context->getThreadPool());
  return Merger(op).run();
}

namespace {

struct MergeConstantsPass
    : onnxfold::impl::MergeConstantsPassBase<MergeConstantsPass> {
  using Base::Base;

  void runOnOperation() override {
    MergeResult result = mergeEqual(getOperation());
    merged += result.merged;
    bytes += result.bytes;
  }
};

} // namespace
