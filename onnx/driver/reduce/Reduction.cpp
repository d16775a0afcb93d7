//===- Reduction.cpp - The driver of passes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Reduction.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace onnxfold;

std::shared_ptr<const Base> onnxfold::makeBase(Candidate candidate,
                                               const Base &from) {
  if (!candidate.types) {
    CandidateTypes types;
    if (auto found = checkModel(candidate.model, from.validity, from.folder))
      types = std::move(*found);
    else // of the original, which may be anything
      llvm::consumeError(found.takeError());
    candidate.types = std::make_shared<CandidateTypes>(std::move(types));
  }
  // Numbers that were drawn for other sizes may fit an input and no operator.
  InputValues drawn = candidate.changesTypes
                          ? InputValues()
                          : from.recorder->drawnFor(candidate);
  auto recorder =
      std::make_shared<Recorder>(from.recorder->isWanted(), std::move(drawn));
  return std::make_shared<Base>(Base{std::move(candidate), from.validity,
                                     from.options, from.folder, from.zeros,
                                     std::move(recorder)});
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
    most = std::min(most,
                    *options.maxRuns - std::min(*options.maxRuns, report.runs));
  return std::max<uint64_t>(most, 1);
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

Reduction::Trial Reduction::tryEdits(const Base &from, const Edits &edits) {
  Trial trial;
  trial.candidate = applyEdits(from, edits);
  if (trial.candidate)
    trial.answer.emplace(test.test(*trial.candidate));
  return trial;
}

std::vector<Reduction::Trial>
Reduction::tryAtOnce(const Base &from, const std::vector<Edits> &all) {
  std::vector<Trial> trials(all.size());
  llvm::ThreadPoolTaskGroup group(pool);
  for (size_t i = 0; i != all.size(); ++i)
    group.async([&, i] { trials[i] = tryEdits(from, all[i]); });
  group.wait();
  return trials;
}

ReduceReport::Pass &Reduction::countsOf(const ReducePass &pass) {
  auto counts = llvm::find_if(
      report.passes, [&](const auto &one) { return one.name == pass.name; });
  if (counts == report.passes.end())
    counts = report.passes.insert(counts, ReduceReport::Pass{pass.name});
  return *counts;
}

llvm::Error Reduction::count(Trial &trial, ReduceReport::Pass &counts) {
  ++counts.candidates;
  counts.invalid += !trial.candidate;
  if (!trial.answer)
    return llvm::Error::success();
  report.runs += trial.answer->runs;
  report.known += trial.answer->isKnown;
  report.resumed += trial.answer->isResumed;
  return trial.answer->takeError();
}

llvm::Error Reduction::take(std::shared_ptr<const Base> better) {
  base = std::move(better);
  report.nodesAfter = countNodes(base->candidate.model);
  return accepted ? accepted(*base) : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

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
      if (llvm::Error error = count(trial, counts))
        return error;
      if (isTaken)
        continue; // it was tested without what was taken
      if (trial.answer && trial.answer->isStopped)
        return hasAccepted;
      size_t end = std::min(at + chunk, open.size());
      isTaken = trial.isInteresting();
      (isTaken ? kept : left)
          .insert((isTaken ? kept : left).end(), open.begin() + at,
                  open.begin() + end);
      at = end;
      if (isTaken) {
        hasAccepted = true;
        ++counts.accepted;
        if (llvm::Error failed =
                take(makeBase(std::move(*trial.candidate), from)))
          return failed;
      }
    }
    if (callbacks.progress)
      callbacks.progress(passName, report);
  }
  open = std::move(left);
  return hasAccepted;
}

llvm::Expected<bool> Reduction::runHalves(const ReducePass &pass,
                                          size_t chunk) {
  std::shared_ptr<const Base> from = base;
  std::vector<Edit> edits = pass.propose(*from);
  Edits open, kept;
  for (const Edit &edit : edits)
    open.push_back(&edit);
  bool hasAccepted = false;
  for (chunk = std::min(chunk, open.size()); !open.empty();
       chunk = (chunk + 1) / 2) {
    llvm::Expected<bool> found =
        tryChunks(*from, chunk, open, kept, countsOf(pass));
    if (!found)
      return found;
    hasAccepted |= *found;
    if (chunk == 1 || !report.stopped.empty())
      break;
  }
  return hasAccepted;
}

//===----------------------------------------------------------------------===//
// Lists in an order
//===----------------------------------------------------------------------===//

/// Cuts whose candidates are no models have no answer.
std::vector<Reduction::Trial>
Reduction::tryCuts(const Base &from, llvm::ArrayRef<Edit> edits,
                   const Narrowing &narrowing,
                   llvm::ArrayRef<Narrowing::Question> questions,
                   std::vector<Narrowing::Answer> &answers) {
  std::vector<Trial> trials(questions.size());
  answers.assign(questions.size(), {});
  auto answer = [&](size_t number) {
    for (int cut : questions[number].cuts) {
      std::set<size_t> kept = narrowing.items(cut);
      Edits without;
      for (size_t i = 0; i != edits.size(); ++i)
        if (!kept.count(i))
          without.push_back(&edits[i]);
      trials[number] = tryEdits(from, without);
      if (!trials[number].candidate)
        continue;
      answers[number] = {cut, trials[number].isInteresting()};
      return;
    }
  };
  llvm::ThreadPoolTaskGroup group(pool);
  for (size_t i = 0; i != questions.size(); ++i)
    group.async([&, i] { answer(i); });
  group.wait();
  return trials;
}

llvm::Expected<bool> Reduction::runOrdered(const ReducePass &pass) {
  std::shared_ptr<const Base> from = base;
  std::vector<Edit> edits = pass.propose(*from);
  if (edits.empty())
    return false;
  Narrowing narrowing(edits.size(), pass.neighbours(*from), pass.groups(*from));
  bool hasAccepted = false;
  while (!narrowing.isDone() && mayGoOn()) {
    auto questions = narrowing.questions(mostAtOnce());
    std::vector<Narrowing::Answer> answers;
    std::vector<Trial> trials =
        tryCuts(*from, edits, narrowing, questions, answers);
    for (Trial &trial : trials)
      if (llvm::Error error = count(trial, countsOf(pass)))
        return error;
    for (size_t number : narrowing.hear(questions, answers)) {
      hasAccepted = true;
      ++countsOf(pass).accepted;
      if (llvm::Error failed =
              take(makeBase(std::move(*trials[number].candidate), *from)))
        return failed;
    }
    if (callbacks.progress)
      callbacks.progress(passName, report);
  }
  return hasAccepted;
}

//===----------------------------------------------------------------------===//
// Passes behind each other
//===----------------------------------------------------------------------===//

/// All of the edits, or as many as make a model together by the checker's word.
static std::optional<Candidate> applyMost(const Base &from,
                                          std::vector<const Edit *> open) {
  std::optional<Candidate> best = applyEdits(from, open);
  if (best)
    return best;
  constexpr unsigned mostTried = 64;
  unsigned tried = 0;
  std::vector<const Edit *> kept;
  for (size_t chunk = open.size(); chunk > 1;) {
    chunk = (chunk + 1) / 2;
    std::vector<const Edit *> left;
    for (size_t at = 0; at < open.size() && tried != mostTried; at += chunk) {
      llvm::ArrayRef<const Edit *> part =
          llvm::ArrayRef(open).slice(at).take_front(chunk);
      std::vector<const Edit *> with = kept;
      with.insert(with.end(), part.begin(), part.end());
      ++tried;
      if (std::optional<Candidate> candidate = applyEdits(from, with)) {
        kept = std::move(with);
        best = std::move(candidate);
      } else
        left.insert(left.end(), part.begin(), part.end());
    }
    open = std::move(left);
  }
  return best;
}

/// `others`: passes of which no edits make a model.
std::vector<Reduction::Link>
Reduction::linksOf(llvm::ArrayRef<const ReducePass *> passes,
                   Passes &others) const {
  std::vector<Link> links;
  std::shared_ptr<const Base> last = base;
  for (const ReducePass *pass : passes) {
    std::vector<Edit> edits = pass->propose(*last);
    if (edits.empty())
      continue;
    Edits all;
    for (const Edit &edit : edits)
      all.push_back(&edit);
    std::optional<Candidate> candidate = applyMost(*last, std::move(all));
    if (!candidate) {
      others.push_back(pass);
      continue;
    }
    last = makeBase(std::move(*candidate), *last);
    links.push_back({pass, last});
  }
  return links;
}

llvm::Expected<size_t> Reduction::longestChain(llvm::ArrayRef<Link> links) {
  size_t good = 0, bad = links.size() + 1;
  for (size_t next = links.size(); bad - good > 1 && mayGoOn();
       next = good + (bad - good) / 2) {
    const Link &link = links[next - 1];
    passName = link.pass->name;
    Trial trial;
    trial.candidate = link.base->candidate;
    trial.answer.emplace(test.test(*trial.candidate));
    if (llvm::Error error = count(trial, countsOf(*link.pass)))
      return error;
    if (trial.answer->isStopped)
      break;
    (trial.isInteresting() ? good : bad) = next;
    if (callbacks.progress)
      callbacks.progress(passName, report);
  }
  return good;
}

llvm::Expected<bool> Reduction::runTogether(Passes open) {
  Passes known, unknown;
  bool hasAccepted = false;
  while (!open.empty() && mayGoOn()) {
    std::vector<Link> links = linksOf(open, unknown);
    if (links.empty())
      break;
    llvm::Expected<size_t> good = longestChain(links);
    if (!good)
      return good.takeError();
    for (size_t i = 0; i != *good; ++i) {
      ++countsOf(*links[i].pass).accepted;
      noteEnd(*links[i].pass, true);
      hasAccepted = true;
    }
    if (*good != 0)
      if (llvm::Error error = take(links[*good - 1].base))
        return error;
    if (*good == links.size() || !report.stopped.empty())
      break;
    // It is the one that the test does not bear.
    known.push_back(links[*good].pass);
    open.erase(open.begin(), llvm::find(open, known.back()) + 1);
    llvm::erase_if(unknown, [&](const ReducePass *pass) {
      return llvm::is_contained(open, pass);
    });
  }
  for (const Passes *passes : {&known, &unknown})
    for (const ReducePass *pass : *passes) {
      if (!mayGoOn())
        return hasAccepted;
      passName = pass->name;
      llvm::Expected<bool> found = runHalves(*pass);
      if (!found)
        return found;
      noteEnd(*pass, *found);
      hasAccepted |= *found;
    }
  return hasAccepted;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

unsigned Reduction::changesFor(const ReducePass &pass) const {
  return pass.dependsOn == ReducePass::Part::Nodes ? changesOfNodes
                                                   : changesOfValues;
}

/// A pass that found something proposes anew.
void Reduction::noteEnd(const ReducePass &pass, bool hasFound) {
  if (pass.way == ReducePass::Way::Published && !hasFound)
    return; // a smaller model may do without a text that this one needs
  changesOfNodes += hasFound && pass.changes == ReducePass::Part::Nodes;
  changesOfValues += hasFound && pass.changes != ReducePass::Part::Texts;
  if (!hasFound || pass.changes == ReducePass::Part::Texts)
    seen[&pass] = changesFor(pass);
  else
    seen.erase(&pass);
}

bool Reduction::mayFind(const ReducePass &pass) const {
  auto before = seen.find(&pass);
  if (pass.way == ReducePass::Way::Published)
    // A second replacement would give other numbers and names.
    return options.anonymise && before == seen.end();
  return before == seen.end() || before->second != changesFor(pass);
}

llvm::Expected<bool> Reduction::runPass(const ReducePass &pass) {
  passName = pass.name;
  bool isOrdered = pass.way == ReducePass::Way::Ordered;
  bool finds = true, hasFound = false;
  while (finds && mayGoOn()) {
    // What is left was needed together with others, so each mostly goes alone or
    // not at all; two that only go together stay.
    llvm::Expected<bool> found =
        isOrdered ? hasFound ? runHalves(pass, 1) : runOrdered(pass)
                  : runHalves(pass);
    if (!found)
      return found;
    hasFound |= *found;
    finds = *found && isOrdered;
    noteEnd(pass, *found);
  }
  return hasFound;
}

llvm::Expected<bool> Reduction::runRound() {
  Passes together;
  bool finds = false;
  auto add = [&](llvm::Expected<bool> found) -> llvm::Error {
    if (!found)
      return found.takeError();
    finds |= *found;
    return llvm::Error::success();
  };
  for (const ReducePass &pass : reducePasses()) {
    if (pass.way == ReducePass::Way::Published && !together.empty())
      if (llvm::Error error = add(runTogether(std::exchange(together, {}))))
        return error;
    if (!mayGoOn())
      return finds;
    if (!mayFind(pass))
      continue;
    if (pass.way == ReducePass::Way::Together)
      together.push_back(&pass);
    else if (llvm::Error error = add(runPass(pass))) {
      return error;
    }
  }
  if (llvm::Error error = add(runTogether(std::move(together))))
    return error;
  return finds;
}

llvm::Error Reduction::run(std::shared_ptr<const Base> original) {
  base = std::move(original);
  constexpr unsigned mostRounds = 32;
  bool finds = true;
  for (unsigned round = 0; finds && round != mostRounds && mayGoOn(); ++round)
    if (llvm::Error error = runRound().moveInto(finds))
      return error;
  (void)mayGoOn();
  return llvm::Error::success();
}
