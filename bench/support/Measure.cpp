//===- Measure.cpp - How the rows of a table are measured -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/bench/support/Measure.h"
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace onnxfold;
using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double bench::secondsOf(Body body) {
  auto start = Clock::now();
  body();
  benchmark::ClobberMemory();
  return since(start);
}

static double medianOf(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How often to call the body for a sample that the clock can tell; calls it.
static int64_t callsPerSample(bench::Body body) {
  double once = bench::secondsOf(body);
  return std::max<int64_t>(1, int64_t(2e-5 / std::max(once, 1e-9)));
}

bench::Medians bench::measureInTurn(Body baseline, Body subject, int samples,
                                    double seconds) {
  std::vector<double> times[2];
  Body bodies[2] = {baseline, subject};
  int64_t calls[2] = {callsPerSample(baseline), callsPerSample(subject)};
  auto start = Clock::now();
  while (int(times[0].size()) < samples || since(start) < seconds)
    for (int i : {0, 1})
      times[i].push_back(secondsOf([&] {
                           for (int64_t n = 0; n < calls[i]; ++n)
                             bodies[i]();
                         }) /
                         double(calls[i]));
  return {medianOf(times[0]), medianOf(times[1])};
}

double bench::medianSeconds(Body body, int samples, double seconds) {
  return measureInTurn([] {}, body, samples, seconds).subject;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A line of /proc/self/status in bytes, 0 where there is none.
static int64_t statusBytes(const char *line) {
  std::ifstream status("/proc/self/status");
  std::string word;
  int64_t kilobytes = 0;
  while (status >> word)
    if (word == line && status >> kilobytes)
      return kilobytes * 1024;
  return 0;
}

bench::PeakMeter::PeakMeter() {
  std::ofstream("/proc/self/clear_refs") << "5"; // the peak is what is now
  before = statusBytes("VmRSS:");
}

int64_t bench::PeakMeter::bytes() const {
  return std::max<int64_t>(0, statusBytes("VmHWM:") - before);
}

//===----------------------------------------------------------------------===//
// Child processes
//===----------------------------------------------------------------------===//

/// Writes the result of `measure` to a pipe and ends the process: a process of
/// its own leaves the global state of the caller unchanged.
[[noreturn]] static void answer(llvm::function_ref<bench::Values()> measure,
                                int pipe) {
  std::ostringstream text;
  text.precision(17);
  try {
    for (auto &[name, value] : measure())
      text << name << " " << value << "\n";
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    _exit(1);
  }
  std::string all = text.str();
  bool written = write(pipe, all.data(), all.size()) == ssize_t(all.size());
  _exit(written ? 0 : 1);
}

bench::Values bench::inChild(llvm::function_ref<Values()> measure) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("no pipe");
  pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("no child process");
  if (child == 0)
    answer(measure, ends[1]);
  close(ends[1]);
  std::string all;
  char piece[4096];
  for (ssize_t n; (n = read(ends[0], piece, sizeof(piece))) > 0;)
    all.append(piece, n);
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  if (status != 0)
    throw std::runtime_error("the measuring process failed");
  Values values;
  std::istringstream text(all);
  std::string name;
  for (double value; text >> name >> value;)
    values[name] = value;
  return values;
}

void bench::report(benchmark::State &state,
                   llvm::function_ref<Values()> measure) {
  for (auto _ : state) {
    try {
      for (auto &[name, value] : inChild(measure))
        if (name == "seconds")
          state.SetIterationTime(value);
        else
          state.counters[name] = value;
    } catch (const std::exception &error) {
      state.SkipWithError(error.what());
      break;
    }
  }
}
