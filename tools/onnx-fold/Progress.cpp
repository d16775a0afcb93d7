//===- Progress.cpp - A line that says how far a run is -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace std::chrono_literals;

Progress::Progress(const Options &options, const Messages &messages)
    : messages(messages),
      enabled(
          !options.quiet &&
          (options.progress ||
           (!messages.isJson && llvm::sys::Process::StandardErrIsDisplayed()))),
      next(Clock::now() + (options.progress ? 0s : 1s)) {}

/// Time for another line.
bool Progress::isDue() {
  Clock::time_point now = Clock::now();
  if (!enabled || now < next)
    return false;
  next = now + 100ms;
  printed = true;
  return true;
}

void Progress::step() {
  ++nodes;
  if (!enabled)
    return;
  // Looking at the clock costs more than looking at most nodes.
  if ((printed && nodes % 64 != 0) || !isDue())
    return;
  if (messages.isJson)
    return messages.progress(llvm::json::Object{{"nodes", int64_t(nodes)}});
  llvm::errs() << "\r" << nodes << " nodes evaluated";
}

void Progress::wrote(uint64_t bytes, uint64_t total) {
  std::lock_guard<std::mutex> lock(mutex);
  written += bytes;
  if (!isDue())
    return;
  if (messages.isJson)
    messages.progress(llvm::json::Object{{"bytes", int64_t(written)},
                                         {"total", int64_t(total)}});
  else
    llvm::errs() << llvm::formatv("\r{0,5:f1} of {1:f1} MB written ({2}%)",
                                  written / 1e6, total / 1e6,
                                  total ? written * 100 / total : 100);
}

Progress::~Progress() {
  if (printed && !messages.isJson)
    llvm::errs() << "\r\033[K";
}
