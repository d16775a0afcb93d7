//===- LoopInvariants.h - What holds in every iteration ---------*- C++ -*-===//
//
// Finds out which of the things that are known of the values that a loop
// carries round, in its first iteration, hold in all of them: type, rank, each
// dimension, each element of a small integer tensor, a value as a whole.
//
// It begins with the assumption that all of them do, under which the body is
// walked; what the body gives for the next iteration either is the same, or
// shows what does not hold, and the body is walked again without that. So what
// is left at the end is proved by induction. Dimensions (and integers) that are
// equal in the first iteration, and change, but in the same way, are one
// unknown: the lengths of two caches that grow together.
//
//   LoopInvariants invariants;
//   do {
//     invariants.begin(loop, declared, exprs);
//     ... walk the body with invariants.argument(i) for its arguments ...
//   } while (!invariants.check(given));        // what the body's end gives
//   ValueState result = invariants.after(k, given);   // when the loop has
//   ended
//
// It may begin again when less is known than before of what is around the loop
// (a loop in the body of another one whose walks go on), and remembers what
// changes: all walks of a nest of loops together are few.
//
// What the body declares of its arguments is taken for true unless something
// else is known: exporters write down the sizes of the first iteration.
// Thread safety: none. DimExprs of one walk mean nothing in the next.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_LOOPINVARIANTS_H
#define ONNXFOLD_CONSTPROP_LOOPINVARIANTS_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace onnxfold {

class LoopInvariants {
public:
  /// Before a walk. `declared`: what the body's arguments say, all of them.
  /// REQUIRES: `loop` and `symbols` live until the last use of the walk.
  void begin(const BodyLoop &loop, std::vector<ValueState> declared,
             DimExprs &exprs);

  /// What holds of an argument if the assumptions do.
  const ValueState &argument(unsigned i) const { return assumed[i]; }

  /// After a walk: whether the assumptions hold. Those that do not are not made
  /// again. `given` is what is known of what the body's end gives.
  bool check(llvm::ArrayRef<const ValueState *> given);

  /// What holds of number `k` of what the end gave in the last iteration; where
  /// none is made, of that which was carried round. REQUIRES: the assumptions
  /// hold.
  ValueState after(unsigned k, llvm::ArrayRef<const ValueState *> given);

  /// What the body declares of the argument is not so.
  bool isDeclaredWrong(unsigned i) const {
    return changes[i].declaredRank || !changes[i].declaredSizes.empty();
  }
  /// Something that is known in the first iteration does not hold in all.
  /// REQUIRES: begin() was called for this loop.
  bool isOpen(const BodyLoop &loop) const;
  /// `given` has sizes that nobody knows outside, or that were new in this walk
  /// (and are not in the next).
  bool hasNew(llvm::ArrayRef<const ValueState *> given) const;

  /// The symbol means one number in all iterations, and around the loop.
  bool isOutside(DimExpr symbol) const;

  unsigned walks = 0;
  /// For the owner: all has been checked, and what is known after the loop.
  bool isSettled = false, runs = false;
  llvm::SmallVector<ValueState, 4> last;

private:
  /// Which assumptions were wrong.
  struct Changes {
    bool type = false, shape = false, value = false;
    /// Of what is declared: the rank, and the sizes with these numbers.
    bool declaredRank = false;
    llvm::SmallDenseSet<unsigned, 2> declaredSizes;
    /// Of each dimension, and each element: 0 if it stays what it is at first;
    /// else a number that those have in common which change together.
    llvm::SmallVector<unsigned, 4> sizes, elements;
  };
  /// One integer that is carried round.
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
  DimExpr mark; // symbols before it do not change in the loop
  std::vector<Changes> changes;
  unsigned groups = 0, failures = 0;
  std::vector<Integer> integers; // in the order of their arguments
  std::vector<size_t> offsets;   // of those of each argument
  llvm::DenseMap<unsigned, unsigned> argumentOf; // by number of what is given
  std::vector<ValueState> assumed;
  std::map<unsigned, DimExpr> groupAfter;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_LOOPINVARIANTS_H
