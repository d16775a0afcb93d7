//===- DeallocTable.cpp - Allocations, peak and time of tensor programs ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints a table of ours and upstream's pipelines on the tensor programs, code
// compiled at -O2, the median of 15 runs in turn; and writes rows for
// ./run-bench where ONNXFOLD_BENCH_OUT names a file: ratio is our time over
// upstream's.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "onnxfold/tests/dealloc/reuse/TensorPrograms.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cstdlib>

using namespace onnxfold;

namespace {

struct Pipeline {
  const char *name, *passes, *lowering;
};

const Pipeline pipelines[] = {{"ours", tensorsOurs, ourLowering},
                              {"upstream", tensorsUpstream, upstreamLowering},
                              {"upstream, hoisting and early frees",
                               tensorsUpstreamHoisting, upstreamLowering}};

/// The counts of the last run, and the median time of all.
std::vector<Outcome> measure(const TensorProgram &program) {
  std::vector<Outcome> outcomes(std::size(pipelines));
  std::vector<std::vector<double>> times(std::size(pipelines));
  for (unsigned run = 0; run < 15; ++run)
    for (unsigned i = 0; i < std::size(pipelines); ++i) {
      outcomes[i] = runProgram(program.text, pipelines[i].passes,
                               pipelines[i].lowering, /*optimizationLevel=*/2);
      if (!outcomes[i].error.empty()) {
        llvm::errs() << program.name << ": " << outcomes[i].error << "\n";
        std::exit(1);
      }
      times[i].push_back(outcomes[i].seconds);
    }
  for (unsigned i = 0; i < std::size(pipelines); ++i) {
    std::nth_element(times[i].begin(), times[i].begin() + 7, times[i].end());
    outcomes[i].seconds = times[i][7];
  }
  return outcomes;
}

} // namespace

int main() {
  llvm::json::Array rows;
  llvm::outs() << "| program | passes | allocations | peak KB | ms |\n"
                  "|---|---|---|---|---|\n";
  for (const TensorProgram &program : tensorPrograms()) {
    std::vector<Outcome> outcomes = measure(program);
    for (unsigned i = 0; i < std::size(pipelines); ++i)
      llvm::outs() << "| " << program.name << " | " << pipelines[i].name
                   << " | " << outcomes[i].counts.allocations << " | "
                   << outcomes[i].counts.peakBytes / 1024 << " | "
                   << llvm::format("%.2f", outcomes[i].seconds * 1e3) << " |\n";
    const Outcome &ours = outcomes[0], &theirs = outcomes[1];
    rows.push_back(llvm::json::Object{
        {"name", program.name},
        {"ratio", ours.seconds / theirs.seconds},
        {"baseline", theirs.seconds},
        {"seconds", ours.seconds},
        {"peak_bytes", ours.counts.peakBytes},
        {"limit_bytes", theirs.counts.peakBytes},
        {"allocations", ours.counts.allocations},
        {"upstream_allocations", theirs.counts.allocations}});
  }
  if (const char *name = std::getenv("ONNXFOLD_BENCH_OUT")) {
    std::error_code error;
    llvm::raw_fd_ostream out(name, error);
    out << llvm::json::Value(std::move(rows)) << "\n";
  }
}
