//===- Arena.h - Memory of the parts of a program ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An arena is one range of addresses in which the parts of a program have
// adjacent places. A place takes no memory until a part is folded into it. The
// memory of an evicted part is returned to the system, and the part may be
// folded into its place again.
//
//   std::shared_ptr<Arena> arena = Arena::reserve(24 << 20);
//   if (void *memory = arena->take(0, 8 << 20))
//     ...
//   arena->giveBack(0, 8 << 20);
//
// The system allocates whole pages: a page that two parts share is kept as long
// as one of them.
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
  /// Reserves a range of addresses; null if the system has none.
  static std::shared_ptr<Arena> reserve(uint64_t bytes);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// The memory from `offset` on; null if a part of it is taken.
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

/// The memory of a part's values: an arena's, or without one its own.
struct Place {
  std::shared_ptr<Arena> arena;
  uint64_t offset = 0;
};

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_ARENA_H
