//===- Main.cpp - main of every benchmark program -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the Google Benchmark functions of the program, shows them as usual, and
// writes one row per benchmark to the file that ONNXFOLD_BENCH_OUT names: a
// JSON list of {name, ratio, limit, baseline, seconds, peak_bytes}.
//
// A benchmark measures its subject in the timed loop and tells the rest by
// counters:
//   baseline    seconds that the physical limit took, measured in the same run
//               (memcpy of the same bytes, for example)
//   limit       the largest ratio that an issue or a RATIONALE.md allows
//   peak_bytes  where the process's peak resident memory is not what is meant
//   limit_bytes the largest peak_bytes allowed
//   fresh       the ratio where the result is in memory that was never used,
//               over the baseline into such memory; limit_fresh
//   speedup     that two threads give; speedup_possible: what the baseline
//               gains by them; limit_speedup: the least speedup /
//               speedup_possible allowed
// and whatever else it has: all counters are written. `ratio` is
// seconds / baseline. With repetitions the medians are written. Measure.h has
// functions that measure these.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

/// VmHWM of this process in bytes, or 0 where /proc does not tell.
int64_t peakResidentBytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  int64_t kilobytes = 0;
  while (status >> word)
    if (word == "VmHWM:" && status >> kilobytes)
      return kilobytes * 1024;
  return 0;
}

class RowReporter : public benchmark::ConsoleReporter {
public:
  RowReporter() : ConsoleReporter(isatty(1) ? OO_ColorTabular : OO_Tabular) {}

  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (isResult(run))
        rows.push_back(rowOf(run));
  }

  llvm::json::Array rows;
  bool failed = false;

private:
  /// One row per benchmark: its only run, or the median of its repetitions.
  bool isResult(const Run &run) {
    failed |= run.error_occurred;
    if (run.error_occurred)
      return false;
    if (run.run_type == Run::RT_Aggregate)
      return run.aggregate_name == "median";
    return run.repetitions <= 1;
  }

  static llvm::json::Value counter(const Run &run, const char *name) {
    auto it = run.counters.find(name);
    if (it == run.counters.end())
      return nullptr;
    return it->second.value;
  }

  static llvm::json::Object rowOf(const Run &run) {
    double seconds = run.GetAdjustedRealTime() /
                     benchmark::GetTimeUnitMultiplier(run.time_unit);
    llvm::json::Value baseline = counter(run, "baseline");
    llvm::json::Value ratio = counter(run, "ratio");
    if (std::optional<double> base = baseline.getAsNumber(); base && *base > 0)
      ratio = seconds / *base;
    llvm::json::Value peak = counter(run, "peak_bytes");
    if (!peak.getAsNumber())
      peak = peakResidentBytes();
    llvm::json::Object row;
    for (auto &[name, value] : run.counters)
      row[name] = value.value;
    row["name"] = run.run_name.function_name;
    row["ratio"] = ratio;
    row["limit"] = counter(run, "limit");
    row["baseline"] = baseline;
    row["seconds"] = seconds;
    row["peak_bytes"] = peak;
    return row;
  }
};

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  RowReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (const char *path = std::getenv("ONNXFOLD_BENCH_OUT")) {
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (error) {
      llvm::errs() << path << ": " << error.message() << "\n";
      return 1;
    }
    out << llvm::json::Value(std::move(reporter.rows)) << "\n";
  }
  return reporter.failed;
}
