//===- Reduction.cpp - The driver of passes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Reduction.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace onnxfold;

std::shared_ptr<const Base> onnxfold::makeBase(Candidate candidate,
                                               const Base &from) {
  CandidateTypes types;
  if (auto found = checkModel(candidate.model, from.validity, from.folder))
    types = std::move(*found);
  else // of the original, which may be anything
    llvm::consumeError(found.takeError());
  return std::make_shared<Base>(
      Base{std::move(candidate), std::move(types), from.validity, from.options,
           from.folder, from.zeros,
           std::make_shared<Recorder>(from.recorder->isWanted())});
}

Reduction::Reduction(const ReduceOptions &options, InterestTest &test,
                     ReduceReport &report, const ReduceCallbacks &callbacks)
    : options(options), test(test), report(report), callbacks(callbacks),
      pool(llvm::hardware_concurrency(options.threads)) {}

bool Reduction::mayGoOn() {
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (callbacks.isStopped && *callbacks.isStopped)
    report.stopped = "interrupted";
  else if (options.maxRuns && report.runs >= *options.maxRuns)
    report.stopped =
        llvm::formatv("--max-runs={0} is reached", *options.maxRuns).str();
  else if (options.maxSeconds && report.seconds >= *options.maxSeconds)
    report.stopped =
        llvm::formatv("--max-time={0} is reached", *options.maxSeconds).str();
  return report.stopped.empty();
}

size_t Reduction::mostAtOnce() const {
  uint64_t most = pool.getMaxConcurrency();
  if (options.maxRuns)
    most = std::min(most, *options.maxRuns - report.runs);
  return std::max<uint64_t>(most, 1);
}

std::vector<Reduction::Trial>
Reduction::tryAtOnce(const Base &from, const std::vector<Edits> &all) {
  std::vector<Trial> trials(all.size());
  llvm::ThreadPoolTaskGroup group(pool);
  for (size_t i = 0; i != all.size(); ++i)
    group.async([&, i] {
      trials[i].candidate = applyEdits(from, all[i]);
      if (trials[i].candidate)
        trials[i].answer.emplace(test.test(*trials[i].candidate));
    });
  group.wait();
  return trials;
}

void Reduction::count(const Trial &trial, ReduceReport::Pass &counts) {
  ++counts.candidates;
  counts.invalid += !trial.candidate;
  if (trial.answer) {
    report.runs += trial.answer->runs;
    report.known += trial.answer->isKnown;
    report.resumed += trial.answer->isResumed;
  }
}

llvm::Error Reduction::take(Candidate candidate) {
  base = makeBase(std::move(candidate), *base);
  report.nodesAfter = countNodes(base->candidate.model);
  return accepted ? accepted(*base) : llvm::Error::success();
}

llvm::Expected<bool> Reduction::tryChunks(const Base &from, size_t chunk,
                                          Edits &open, Edits &kept,
                                          ReduceReport::Pass &counts) {
  Edits left;
  bool hasAccepted = false;
  for (size_t at = 0; at < open.size();) {
    if (!mayGoOn())
      return hasAccepted;
    std::vector<Edits> all;
    for (size_t i = at; i < open.size() && all.size() != mostAtOnce();
         i += chunk) {
      Edits edits = kept;
      edits.insert(edits.end(), open.begin() + i,
                   open.begin() + std::min(i + chunk, open.size()));
      all.push_back(std::move(edits));
    }
    std::vector<Trial> trials = tryAtOnce(from, all);
    bool isTaken = false;
    for (Trial &trial : trials) {
      count(trial, counts);
      llvm::Error error =
          trial.answer ? trial.answer->takeError() : llvm::Error::success();
      if (error)
        return error;
      if (isTaken)
        continue; // it was tested without what was taken
      if (trial.answer && trial.answer->isStopped)
        return hasAccepted;
      size_t end = std::min(at + chunk, open.size());
      isTaken = trial.answer && trial.answer->isInteresting;
      (isTaken ? kept : left)
          .insert((isTaken ? kept : left).end(), open.begin() + at,
                  open.begin() + end);
      at = end;
      if (isTaken) {
        hasAccepted = true;
        ++counts.accepted;
        if (llvm::Error failed = take(std::move(*trial.candidate)))
          return failed;
      }
    }
    if (callbacks.progress)
      callbacks.progress(passName, report);
  }
  open = std::move(left);
  return hasAccepted;
}

llvm::Expected<bool> Reduction::runPass(const ReducePass &pass) {
  std::shared_ptr<const Base> from = base;
  std::vector<Edit> edits = pass.propose(*from);
  passName = pass.name;
  auto counts = llvm::find_if(
      report.passes, [&](const auto &one) { return one.name == pass.name; });
  if (counts == report.passes.end())
    counts = report.passes.insert(counts, ReduceReport::Pass{pass.name});
  Edits open, kept;
  for (const Edit &edit : edits)
    open.push_back(&edit);
  bool hasAccepted = false;
  for (size_t chunk = open.size(); !open.empty(); chunk = (chunk + 1) / 2) {
    llvm::Expected<bool> found = tryChunks(*from, chunk, open, kept, *counts);
    if (!found || !report.stopped.empty())
      return found ? *found || hasAccepted : std::move(found);
    hasAccepted |= *found;
    if (chunk == 1)
      break;
  }
  return hasAccepted;
}

/// A second replacement would give other numbers and names.
bool Reduction::mayPublish(const ReducePass &pass) const {
  return options.anonymise &&
         llvm::none_of(report.passes, [&](const ReduceReport::Pass &one) {
           return one.name == pass.name && one.accepted != 0;
         });
}

llvm::Error Reduction::run(std::shared_ptr<const Base> original) {
  base = std::move(original);
  constexpr unsigned mostRounds = 32;
  bool finds = true;
  for (unsigned round = 0; finds && round != mostRounds; ++round) {
    finds = false;
    for (const ReducePass &pass : reducePasses()) {
      if (!mayGoOn())
        return llvm::Error::success();
      if (pass.isForPublication && !mayPublish(pass))
        continue;
      llvm::Expected<bool> found = runPass(pass);
      if (!found)
        return found.takeError();
      finds |= *found;
    }
  }
  (void)mayGoOn();
  return llvm::Error::success();
}
