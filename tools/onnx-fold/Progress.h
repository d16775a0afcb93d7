//===- Progress.h - A line that says how far a run is -----------*- C++ -*-===//
//
// On a terminal, once the work takes longer than a second (or at once with
// --progress), a line on standard error counts the nodes that were looked at.
// It is wiped when the object dies.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H

#include "Options.h"
#include <chrono>

namespace onnxfold {

class Progress {
public:
  explicit Progress(const Options &options);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// One node more.
  void step();

private:
  using Clock = std::chrono::steady_clock;
  bool enabled;
  Clock::time_point next; // when to print
  uint64_t nodes = 0;
  bool printed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_PROGRESS_H
