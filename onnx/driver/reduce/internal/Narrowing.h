//===- Narrowing.h - The items of a list that a fault needs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A list of items is interesting. Finds a part of it that is, with about log2(n)
// questions for each item of that part: the shortest beginning of the list that
// is interesting ends with an item that is needed. Then those before it are
// sorted by their distance from it, and the shortest beginning of these that is
// interesting together with it ends with the next needed item, and so on. Before
// each search the needed items are asked for alone.
//
// A cut is how many of the open items stay. The first search asks for the groups
// that its user names, and halves one that is interesting. Else the items are in
// their own order, and small cuts are asked for first, since layers repeat, and
// what belongs together is close together.
//
// Thread safety: none. What is found depends on the answers alone, not on how
// many questions are asked at once.
//
// Example:
//   Narrowing narrowing(nodes.size(), neighbours);
//   while (!narrowing.isDone()) {
//     auto questions = narrowing.questions(threads);
//     narrowing.hear(questions, answersTo(questions));
//   }
//   narrowing.needed()
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_NARROWING_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_NARROWING_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <set>
#include <vector>

namespace onnxfold {

/// For each item the items beside it.
using Neighbours = std::vector<std::vector<size_t>>;
/// Items that are likely to be enough, with those of the groups before.
using Groups = std::vector<std::vector<size_t>>;

class Narrowing {
public:
  /// REQUIRES: neighbours.size() == count.
  Narrowing(size_t count, Neighbours neighbours, const Groups &groups = {});

  bool isDone() const { return open.empty(); }
  /// In their order; interesting when isDone().
  const std::set<size_t> &needed() const { return must; }

  /// Whether the items of a cut are interesting, where the longest cut that is
  /// not is `lo` and the shortest that is `hi`.
  struct Question {
    int lo = 0, hi = 0;
    std::vector<int> cuts; ///< by preference: the next ones if it is no model
  };
  struct Answer {
    std::optional<int> cut; ///< of the question; nothing: none is a model
    bool isInteresting = false;
  };

  /// The next question, and those that may follow it, at most `most`.
  std::vector<Question> questions(size_t most) const;
  std::set<size_t> items(int cut) const;
  /// The numbers of the answers that made the list smaller, in their order.
  /// Those to questions that did not follow are left out.
  std::vector<size_t> hear(llvm::ArrayRef<Question> questions,
                           llvm::ArrayRef<Answer> answers);

private:
  void begin();
  void finish();
  void sortOpen();
  void forgetGroups();
  std::optional<int> endBetween(int lo, int hi) const;
  Question ask(int lo, int hi) const;
  int middle(int lo, int hi) const;

  std::set<size_t> must;
  Neighbours neighbours;
  std::vector<size_t> open; ///< that may be needed
  std::vector<int> ends;    ///< of the groups in `open`, in the first search
  int lo = 0, hi = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_NARROWING_H
