//===- Progress.h - A line that says how far a run is -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// On a terminal, once the work takes longer than a second (or at once with
// --progress), a line on standard error counts the visited nodes, then the
// written bytes. The destructor erases the line. As JSON, each count is a line
// of its own, and is printed only with --progress.
// Thread safety: wrote() may be called by several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H

#include "Options.h"
#include <chrono>
#include <mutex>

namespace onnxfold {

class Progress {
public:
  /// Both arguments must outlive the object.
  Progress(const Options &options, const Messages &messages);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// False if no progress will ever be shown.
  bool isEnabled() const { return enabled; }

  /// Counts one more node.
  void step();

  /// Counts more bytes of the `total` of the output.
  void wrote(uint64_t bytes, uint64_t total);

private:
  bool isDue();

  using Clock = std::chrono::steady_clock;
  const Messages &messages;
  bool enabled;
  Clock::time_point next; // when to print
  uint64_t nodes = 0, written = 0;
  bool printed = false;
  std::mutex mutex; // of wrote()
};

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H
