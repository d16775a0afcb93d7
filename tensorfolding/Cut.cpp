//===- Cut.cpp - What moves out of an entry -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Cut.h"
#include "onnxfold/tensorfolding/internal/FoldEnds.h"
#include "onnxfold/tensorfolding/internal/TensorSize.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>

namespace onnxfold {

using namespace mlir;

namespace {

/// Sets of literals and arguments, by number. Most operations have the set of
/// one of their operands, which is then not copied.
class RootSets {
public:
  static constexpr unsigned empty = 0;
  static constexpr size_t mostRoots = 16;

  RootSets() : sets(1) {}

  unsigned single(TensorSize size) {
    sets.push_back({{unsigned(sizes.size())}, size});
    sizes.push_back(size);
    return sets.size() - 1;
  }

  unsigned unionOf(unsigned left, unsigned right) {
    if (left == right || right == empty)
      return left;
    if (left == empty)
      return right;
    if (!sets[left].isExact() || !sets[right].isExact())
      return add({{}, sets[left].size + sets[right].size});
    Set joined;
    std::set_union(sets[left].roots.begin(), sets[left].roots.end(),
                   sets[right].roots.begin(), sets[right].roots.end(),
                   std::back_inserter(joined.roots));
    if (joined.roots.size() == sets[left].roots.size())
      return left;
    if (joined.roots.size() == sets[right].roots.size())
      return right;
    for (unsigned root : joined.roots)
      joined.size = joined.size + sizes[root];
    if (joined.roots.size() > mostRoots)
      joined.roots.clear();
    return add(std::move(joined));
  }

  TensorSize sizeOfSet(unsigned set) const { return sets[set].size; }

private:
  struct Set {
    SmallVector<unsigned, 2> roots; // sorted; none if there are too many
    TensorSize size;                // of all of them

    bool isExact() const { return !roots.empty(); }
  };

  unsigned add(Set set) {
    sets.push_back(std::move(set));
    return sets.size() - 1;
  }

  std::vector<TensorSize> sizes; // of the roots
  std::vector<Set> sets;         // the first one is empty
};

class Cutter {
public:
  Cutter(const ConstantAnalysis &analysis, const CutOptions &options)
      : analysis(analysis), options(options) {}

  SmallVector<Value> run() {
    for (const ConstantAnalysis::Classified &classified : analysis.operations())
      if (classified.tier != ConstantTier::Variable)
        measure(classified.operation);
    SmallVector<Value> ends;
    for (const ConstantAnalysis::Classified &classified :
         llvm::reverse(analysis.operations()))
      decide(classified, ends);
    return {ends.rbegin(), ends.rend()};
  }

private:
  /// The roots of a constant value, and whether all that makes it is small.
  struct Making {
    unsigned roots = RootSets::empty;
    bool isSmall = true; // and all that it is computed from
  };

  bool isSmall(Type type) const {
    TensorSize size = sizeOf(type);
    return size.dynamicDims == 0 && int64_t(size.bytes) < options.minBytes;
  }

  Making makingOf(Value value) {
    auto found = makings.find(value);
    if (found != makings.end())
      return found->second;
    // Arguments alone are first measured when they are used. Numbers are no
    // data that a fold would save.
    bool isData = isa<ShapedType>(value.getType());
    Making root{isData ? rootSets.single(sizeOf(value.getType()))
                       : RootSets::empty,
                isSmall(value.getType())};
    makings[value] = root;
    return root;
  }

  void measure(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(op)) {
      makingOf(op->getResult(0));
      return;
    }
    Making all;
    for (Value used : ConstantAnalysis::usesOf(op)) {
      Making making = makingOf(used);
      all.roots = rootSets.unionOf(all.roots, making.roots);
      all.isSmall = all.isSmall && making.isSmall;
    }
    for (Value result : op->getResults())
      makings[result] = {all.roots, all.isSmall && isSmall(result.getType())};
  }

  bool hasGrownTooMuch(Value value, bool isPacking) {
    TensorSize size = sizeOf(value.getType());
    TensorSize roots = rootSets.sizeOfSet(makings.lookup(value).roots);
    if (size.dynamicDims != roots.dynamicDims)
      return size.dynamicDims > roots.dynamicDims;
    if (isPacking && size.dynamicDims != 0)
      return false; // tiles times fewer of them
    if (double(size.bytes) > options.maxGrowthRatio * double(roots.bytes))
      return true;
    return !isPacking && size.dynamicDims == 0 && options.maxGrowth >= 0 &&
           size.bytes >
               llvm::SaturatingAdd(roots.bytes, uint64_t(options.maxGrowth));
  }

  bool mayEndAt(Value value, FoldEnd end) {
    return end != FoldEnd::Never && canBeKept(value.getType()) &&
           !makings.lookup(value).isSmall &&
           !hasGrownTooMuch(value, end == FoldEnd::Packing);
  }

  /// Users come before producers.
  void decide(const ConstantAnalysis::Classified &classified,
              SmallVector<Value> &ends) {
    Operation *op = classified.operation;
    if (classified.tier == ConstantTier::Variable) {
      for (Value operand : op->getOperands())
        needed.insert(operand);
      return;
    }
    SmallVector<Value> results(
        llvm::make_filter_range(op->getResults(), [&](Value result) {
          return needed.contains(result);
        }));
    if (results.empty())
      return;
    FoldEnd end = foldEndOf(op);
    if (classified.tier <= options.weakestTier &&
        llvm::all_of(results,
                     [&](Value result) { return mayEndAt(result, end); })) {
      ends.append(results.rbegin(), results.rend());
      return;
    }
    for (Value used : ConstantAnalysis::usesOf(op))
      needed.insert(used);
  }

  const ConstantAnalysis &analysis;
  const CutOptions &options;
  RootSets rootSets;
  llvm::DenseMap<Value, Making> makings;
  llvm::DenseSet<Value> needed; // in the entry
};

} // namespace

SmallVector<Value> cutConstants(const ConstantAnalysis &analysis,
                                const CutOptions &options) {
  return Cutter(analysis, options).run();
}

} // namespace onnxfold
