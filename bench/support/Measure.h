//===- Measure.h - How the rows of a table are measured ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Baseline and subject are called in turn, so that what disturbs the machine
// disturbs both, and medians are compared. Each row runs in a child process:
// nothing that one row leaves behind (recycled memory, resident pages) is there
// for the next. Counters are those of Main.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_BENCH_SUPPORT_MEASURE_H
#define ONNXFOLD_BENCH_SUPPORT_MEASURE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <benchmark/benchmark.h>
#include <cstdint>
#include <map>
#include <string>

namespace onnxfold::bench {

using Body = llvm::function_ref<void()>;

/// Of one call.
double secondsOf(Body body);

struct Medians {
  double baseline, subject;
};
/// Calls both in turn after one call of each to warm up: at least `samples`
/// times, and until `seconds` have passed. What takes less than the clock can
/// tell is called many times for one sample.
Medians measureInTurn(Body baseline, Body subject, int samples = 7,
                      double seconds = 0.3);
/// The median of samples of one body, in the same way.
double medianSeconds(Body body, int samples = 15, double seconds = 0);

/// Peak resident memory of this process since the meter was made, beyond what
/// was resident then.
class PeakMeter {
public:
  PeakMeter();
  int64_t bytes() const;

private:
  int64_t before;
};

/// Name -> value; "seconds" is the time of the subject, the others are counters
/// of Main.cpp.
using Values = std::map<std::string, double>;

/// What `measure` gives in a child process. Throws std::runtime_error if it
/// crashes.
Values inChild(llvm::function_ref<Values()> measure);

/// Runs a benchmark function's body in a child, once.
void report(benchmark::State &state, llvm::function_ref<Values()> measure);

} // namespace onnxfold::bench

#endif // ONNXFOLD_BENCH_SUPPORT_MEASURE_H
