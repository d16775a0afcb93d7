//===- Progress.cpp - A line that says how far a run is -------------------===//

#include "Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace std::chrono_literals;

Progress::Progress(const Options &options)
    : enabled(!options.quiet && (options.progress ||
                                 llvm::sys::Process::StandardErrIsDisplayed())),
      next(Clock::now() + (options.progress ? 0s : 1s)) {}

void Progress::step() {
  ++nodes;
  // Looking at the clock costs more than looking at most nodes.
  if (!enabled || (printed && nodes % 64 != 0))
    return;
  Clock::time_point now = Clock::now();
  if (now < next)
    return;
  next = now + 100ms;
  printed = true;
  llvm::errs() << "\r" << nodes << " nodes evaluated";
}

Progress::~Progress() {
  if (printed)
    llvm::errs() << "\r\033[K";
}
