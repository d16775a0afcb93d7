//===- LoopInvariants.h - What holds in every iteration ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds which facts about loop-carried values of the first iteration are
// loop-invariant: type, rank, each dimension, each element of a small integer
// tensor, a value as a whole.
//
// It first assumes that all facts are invariant, and the body is walked. The
// values that the body yields for the next iteration either confirm this, or
// show which facts are not invariant. Then the body is walked again without
// those. So the remaining facts are proved by induction. Dimensions (and
// integers) that are equal in the first iteration, and change in the same way,
// are one unknown: the lengths of two caches that grow together.
//
//   LoopInvariants invariants;
//   do {
//     invariants.begin(loop, declared, exprs);
//     ... walk the body with invariants.argument(i) for its arguments ...
//   } while (!invariants.check(given));        // operands of the terminator
//   ValueState result = invariants.after(k, given);   // after the loop
//
// The solver may begin again when less is known around the loop than before (a
// nested loop, while the outer one is walked again). It remembers which facts
// change, so all walks of a nest of loops together are few.
//
// Declared types of the body's arguments are trusted unless they contradict
// what is known: exporters write the sizes of the first iteration. So does a
// number where a value has a named dimension, which may be any number. Thread
// safety: none. DimExprs of one walk are not valid in the next.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_LOOPINVARIANTS_H
#define ONNXFOLD_CONSTPROP_INTERNAL_LOOPINVARIANTS_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace onnxfold {

class LoopInvariants {
public:
  /// To be called before a walk. `declared` has the declared state of each
  /// argument of the body. REQUIRES: `loop` and `exprs` live until the last use
  /// of the walk.
  void begin(const BodyLoop &loop, std::vector<ValueState> declared,
             DimExprs &exprs);

  /// The assumed state of an argument.
  const ValueState &argument(unsigned i) const { return assumed[i]; }

  /// To be called after a walk. Returns whether the assumptions hold; wrong
  /// assumptions are not made again. `given` has the states of the operands of
  /// the body's terminator.
  bool check(llvm::ArrayRef<const ValueState *> given);

  /// The state of operand number `k` of the terminator after the last
  /// iteration; without iterations, that of the loop-carried value. REQUIRES:
  /// the assumptions hold.
  ValueState after(unsigned k, llvm::ArrayRef<const ValueState *> given);

  /// True if the declared type of the argument is wrong.
  bool isDeclaredWrong(unsigned i) const {
    return changes[i].declaredRank || !changes[i].declaredSizes.empty();
  }
  /// True if a fact of the first iteration does not hold in all iterations.
  /// REQUIRES: begin() was called for this loop.
  bool isOpen(const BodyLoop &loop) const;
  /// True if `given` has sizes that are unknown outside, or that are new in
  /// this walk (and not valid in the next).
  bool hasNew(llvm::ArrayRef<const ValueState *> given) const;

  /// True if the symbol means one number in all iterations and around the loop.
  bool isOutside(DimExpr symbol) const;

  unsigned walks = 0;
  /// For the owner: whether the assumptions were checked, whether the loop
  /// surely runs, and what is known after its last iteration.
  bool isSettled = false, runs = false;
  llvm::SmallVector<ValueState, 4> last;

private:
  /// The assumptions that were wrong.
  struct Changes {
    bool type = false, shape = false, value = false;
    /// Whether the declared rank is assumed, and the dimensions whose declared
    /// sizes are.
    bool declaredRank = false;
    llvm::SmallDenseSet<unsigned, 2> declaredSizes;
    /// For each dimension and each element: 0 if it is invariant; otherwise a
    /// number shared by those that change together.
    llvm::SmallVector<unsigned, 4> sizes, elements;
  };
  /// One loop-carried integer.
  struct Integer {
    unsigned argument, index;
    bool isSize;
    DimExpr first, assumed;
  };

  void makeIntegers(unsigned i);
  void splitByFirst();
  void dropElementsThatAreNoSizes();
  void assume(unsigned i);
  void assumeValue(unsigned i);
  bool checkWhole(unsigned i, const ValueState &given);
  bool checkIntegers(llvm::ArrayRef<const ValueState *> given);
  void giveUp();
  void refuteDeclared(unsigned i, const ValueState &known);
  std::optional<DimExpr> declaredSize(unsigned i, unsigned axis) const;
  llvm::ArrayRef<Integer> integersIn(unsigned i) const;
  unsigned &groupOf(const Integer &integer);
  std::optional<DimExpr> now(const Integer &integer,
                             llvm::ArrayRef<const ValueState *> given) const;
  ValueState outside(const ValueState &given) const;
  DimExpr integerAfter(const Integer &integer,
                       llvm::ArrayRef<const ValueState *> given);
  void valueAfter(unsigned i, llvm::ArrayRef<const ValueState *> given,
                  ValueState &state);

  const BodyLoop *loop = nullptr;
  std::vector<ValueState> declared;
  DimExprs *exprs = nullptr;
  DimExpr mark; // symbols before this one do not change in the loop
  std::vector<Changes> changes;
  unsigned groups = 0, failures = 0;
  std::vector<Integer> integers; // in the order of their arguments
  std::vector<size_t> offsets;   // of those of each argument
  llvm::DenseMap<unsigned, unsigned> argumentOf; // by number of what is given
  std::vector<ValueState> assumed;
  std::map<unsigned, DimExpr> groupAfter;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_LOOPINVARIANTS_H
