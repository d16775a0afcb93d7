//===- LoopMemory.h - What loops in a loop came to before -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The body of a Loop is translated until its states hold in all iterations
// (LoopNodes.h), and each time the loops in it are. They begin with what they
// came to the last time, so that a loop is translated about as often as it is
// nested deep; from the start it would double with each loop around it.
//
//   LoopMemory::Within call(memory, &node);      // statements of a function
//   LoopMemory::Within round(memory, &loop, 3);  // of an unrolled iteration
//   LoopMemory::States &before = memory.of(loop);
//
// A loop that is called in two places, or in two unrolled iterations, is two.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_LOOPMEMORY_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_LOOPMEMORY_H

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace onnxfold::dml {

class LoopMemory {
  using Path = std::vector<std::pair<const void *, int64_t>>;

public:
  using States = llvm::StringMap<DmlValue>; ///< values by their variables

  /// While it lives, statements are those of a call or of an unrolled iteration.
  class Within {
  public:
    Within(LoopMemory &memory, const void *place, int64_t round = 0)
        : path(memory.path) {
      path.emplace_back(place, round);
    }
    ~Within() { path.pop_back(); }
    Within(const Within &) = delete;

  private:
    Path &path;
  };

  /// The states of a loop; none if it was not translated before.
  States &of(const void *loop) {
    Within here(*this, loop);
    return states[path];
  }
  void clear() { states.clear(); }

private:
  Path path; ///< from the script to the running statement
  std::map<Path, States> states;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_LOOPMEMORY_H
