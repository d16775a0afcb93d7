//===- Arena.h - Memory of the parts of a program ---------------*- C++ -*-===//
//
// One range of memory in which each part of a program has a place, next to each
// other's. A place is empty, takes no memory, until a part is folded into it;
// an evicted part gives its memory back to the system, and may be folded into
// its place again.
//
//   std::shared_ptr<Arena> arena = Arena::reserve(24 << 20);
//   if (void *memory = arena->take(0, 8 << 20))
//     ...
//   arena->giveBack(0, 8 << 20);
//
// The system gives and takes whole pages: a page that two parts share is kept
// as long as one of them.
//
// Any thread may call all functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_ARENA_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_ARENA_H

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace onnxfold::tensorfolding::internal {

class Arena {
public:
  /// Reserves addresses; null if the system has none.
  static std::shared_ptr<Arena> reserve(uint64_t bytes);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// The memory from `offset`; null if somebody has a part of it.
  void *take(uint64_t offset, uint64_t bytes);
  /// REQUIRES: the range was taken.
  void giveBack(uint64_t offset, uint64_t bytes);

private:
  Arena(char *memory, uint64_t size);

  char *const memory;
  const uint64_t size;
  std::mutex mutex;
  std::map<uint64_t, uint64_t> unused; // end by begin; none touches another
};

/// Where a part's values are stored; without an arena in memory of their own.
struct Place {
  std::shared_ptr<Arena> arena;
  uint64_t offset = 0;
};

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_ARENA_H
