//===- Batch.cpp - Several models in one call -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Batch.h"
#include "BatchTable.h"
#include "LastErrors.h"
#include "MachineMemory.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A run takes 64 MB and what it folds, which is rarely more than a quarter of
/// the model or 512 MB.
static uint64_t guessedMemory(const BatchJob &job) {
  constexpr uint64_t least = 64 << 20, most = 512 << 20;
  return least + std::min(job.bytes / 4, most);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static volatile std::sig_atomic_t endingSignal = 0;
static void noteSignal(int number) { endingSignal = number; }
static constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP};

namespace {

/// A process, which folds one model, or several small ones in turn.
struct Run {
  llvm::SmallVector<size_t, 1> waiting; ///< after `job`, in reverse order
  size_t job;
  pid_t process;
  int output;         ///< the end of a pipe
  int answers;        ///< that of another one (Messages::confirm)
  std::string unread; ///< the start of a line
  std::vector<std::string> lines;
};

class Batch {
public:
  Batch(const Options &options, const Messages &messages,
        std::vector<BatchJob> jobs);
  int run();

private:
  llvm::SmallVector<size_t, 1> takeJobs();
  void start();
  [[noreturn]] void runChild(llvm::ArrayRef<size_t> numbers, int output,
                             int answers);
  int runInChild(const BatchJob &job, const Messages &own);
  void makeFolder(StringRef file);
  void wait();
  bool read(Run &run);
  void answer(Run &run);
  void finishJob(Run &run, int how);
  void nextJob(Run &run, int status);
  void finish(Run &run);
  void stopAll();
  void showProgress();
  void hideProgress();
  int status() const;

  const Options &options;
  const Messages &messages;
  std::vector<BatchJob> jobs;
  std::vector<BatchOutcome> outcomes;
  std::vector<size_t> order; ///< the largest first
  size_t next = 0;           ///< in `order`
  std::vector<Run> running;
  std::vector<std::string> newFolders;
  size_t numDone = 0;
  unsigned threads, workers;
  uint64_t memory;
  bool showsProgress, isShown = false;
  sigset_t signals, before;
};

} // namespace

Batch::Batch(const Options &options, const Messages &messages,
             std::vector<BatchJob> given)
    : options(options), messages(messages), jobs(std::move(given)),
      outcomes(jobs.size()),
      threads(llvm::hardware_concurrency(options.fold.threads)
                  .compute_thread_count()),
      memory(options.memory.value_or(freeMemory())),
      showsProgress(
          !options.quiet && !messages.isJson &&
          (options.progress || llvm::sys::Process::StandardErrIsDisplayed())) {
  for (size_t i = 0; i != jobs.size(); ++i)
    order.push_back(i);
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return jobs[a].bytes > jobs[b].bytes; });
  uint64_t largest = 0;
  for (const BatchJob &job : jobs)
    largest = std::max(largest, guessedMemory(job));
  workers = std::max<uint64_t>(
      1, std::min<uint64_t>({threads, memory / largest, jobs.size()}));
  ::sigemptyset(&signals);
  for (int number : endingSignals)
    ::sigaddset(&signals, number);
}

/// Empty folders are removed at the end.
void Batch::makeFolder(StringRef file) {
  StringRef folder = llvm::sys::path::parent_path(file);
  if (folder.empty() || llvm::sys::fs::exists(folder))
    return;
  makeFolder(folder);
  if (::mkdir(folder.str().c_str(), 0777) == 0)
    newFolders.push_back(folder.str());
}

/// Waits for the parent process, which writes why it cannot print what was
/// said.
static llvm::Error waitForAnswer(int answers) {
  llvm::errs() << completeLine << "\n";
  std::string why;
  char byte;
  while (true) {
    ssize_t count = ::read(answers, &byte, 1);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) // it has ended
      return ModelFault()
          .file("<stderr>")
          .says("cannot be written: nobody reads it");
    if (byte == '\n')
      return why.empty() ? llvm::Error::success()
                         : llvm::Error(ModelFault(why));
    why += byte;
  }
}

/// The run itself says what is wrong with a folder.
void Batch::runChild(llvm::ArrayRef<size_t> numbers, int output, int answers) {
  for (int number : endingSignals)
    std::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::dup2(output, STDERR_FILENO);
  Messages own;
  own.isJson = true;
  own.isRelayed = !messages.isJson;
  own.confirm = [answers] { return waitForAnswer(answers); };
  writeLastErrorsAsJson();
  for (size_t number : numbers.drop_back()) {
    int status = runInChild(jobs[number], own);
    llvm::errs() << doneLine << status << "\n";
  }
  int status = runInChild(jobs[numbers.back()], own);
  llvm::outs().flush();
  ::_exit(status);
}

int Batch::runInChild(const BatchJob &job, const Messages &own) {
  Options one = options;
  one.models.clear();
  one.input = job.input;
  one.output = job.output;
  one.fold.reportFile = job.report;
  one.fold.threads = std::max(1u, threads / workers);
  one.memory = memory / workers;
  one.progress = options.progress && messages.isJson;
  return runOne(one, own);
}

/// The next model, or several small ones: to start a process takes longer than
/// to fold one of these. As many as leave each worker several turns.
llvm::SmallVector<size_t, 1> Batch::takeJobs() {
  constexpr uint64_t small = 64 << 10;
  constexpr size_t most = 64;
  size_t count =
      std::clamp<size_t>((order.size() - next) / (4 * workers), 1, most);
  llvm::SmallVector<size_t, 1> taken = {order[next++]};
  while (taken.size() < count && jobs[taken.front()].bytes <= small)
    taken.push_back(order[next++]);
  return taken;
}

void Batch::start() {
  llvm::SmallVector<size_t, 1> numbers = takeJobs();
  for (size_t number : numbers) {
    if (!options.check)
      makeFolder(jobs[number].output);
    makeFolder(jobs[number].report);
  }
  int ends[2], answers[2];
  auto fail = [&](std::initializer_list<int> open) {
    llvm::for_each(open, ::close);
    for (size_t number : numbers)
      messages.fail(
          "failed",
          ModelFault().file(jobs[number].input).says("no run can be started"),
          jobs[number].input);
    numDone += numbers.size();
  };
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail({});
  if (::pipe2(answers, O_CLOEXEC) != 0)
    return fail({ends[0], ends[1]});
  pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    // Who kills this process with SIGKILL ends the runs too.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent)
      ::_exit(1);
    ::close(ends[0]);
    ::close(answers[1]);
    for (const Run &other : running)
      ::close(other.answers); // or its run would wait for us too
    runChild(numbers, ends[1], answers[0]);
  }
  if (process < 0)
    return fail({ends[0], ends[1], answers[0], answers[1]});
  ::close(ends[1]);
  ::close(answers[0]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  std::reverse(numbers.begin(), numbers.end());
  size_t first = numbers.pop_back_val();
  running.push_back(
      {std::move(numbers), first, process, ends[0], answers[1], "", {}});
}

/// Prints what a run has said before it replaces files.
void Batch::answer(Run &run) {
  hideProgress();
  readLines(jobs[run.job], run.lines, options, messages, outcomes[run.job]);
  run.lines.clear();
  llvm::Error error = takeStreamErrors();
  std::string text;
  if (error && isReportOnStream(options, messages))
    llvm::replace(text = textOf(error), '\n', ' ');
  llvm::consumeError(std::move(error));
  text += '\n';
  (void)!::write(run.answers, text.data(), text.size());
  if (showsProgress)
    showProgress();
}

static bool isDoneLine(StringRef line, int &status) {
  return line.consume_front(doneLine) && !line.getAsInteger(10, status);
}

/// False at the end.
bool Batch::read(Run &run) {
  char buffer[64 << 10];
  while (true) {
    ssize_t count = ::read(run.output, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return true;
    if (count <= 0)
      return false;
    StringRef bytes(buffer, count);
    for (size_t end; (end = bytes.find('\n')) != StringRef::npos;
         bytes = bytes.drop_front(end + 1)) {
      run.unread += bytes.take_front(end);
      if (messages.isJson && isProgressLine(run.unread))
        passOn(jobs[run.job], run.unread);
      else if (run.unread == completeLine)
        answer(run);
      else if (int status;
               !run.waiting.empty() && isDoneLine(run.unread, status))
        nextJob(run, status);
      else
        run.lines.push_back(std::move(run.unread));
      run.unread.clear();
    }
    run.unread += bytes;
  }
}

/// `how`: of waitpid.
void Batch::finishJob(Run &run, int how) {
  hideProgress();
  readLines(jobs[run.job], run.lines, options, messages, outcomes[run.job]);
  readStatus(jobs[run.job], how, messages, outcomes[run.job]);
  run.lines.clear();
  ++numDone;
  showProgress();
}

void Batch::nextJob(Run &run, int status) {
  if (!endingSignal)
    finishJob(run, W_EXITCODE(status, 0));
  run.job = run.waiting.pop_back_val();
}

/// A process that ended before all of its models were folded did so because of
/// one; another process folds the rest.
void Batch::finish(Run &run) {
  ::close(run.output);
  ::close(run.answers);
  int how = 0;
  while (::waitpid(run.process, &how, 0) < 0 && errno == EINTR)
    continue;
  if (!run.unread.empty())
    run.lines.push_back(std::move(run.unread));
  if (endingSignal)
    return;
  finishJob(run, how);
  next -= run.waiting.size();
  llvm::copy(llvm::reverse(run.waiting), order.begin() + next);
}

void Batch::stopAll() {
  for (const Run &run : running)
    ::kill(run.process, SIGTERM);
  next = order.size();
}

void Batch::wait() {
  llvm::SmallVector<pollfd> ends;
  for (const Run &run : running)
    ends.push_back({run.output, POLLIN, 0});
  if (::ppoll(ends.data(), ends.size(), nullptr, &before) < 0 && endingSignal)
    return stopAll();
  std::vector<Run> left;
  std::vector<Run> now = std::move(running);
  running.clear();
  for (auto [end, run] : llvm::zip_equal(ends, now))
    if (end.revents == 0 || read(run))
      left.push_back(std::move(run));
    else
      finish(run);
  running = std::move(left);
}

void Batch::showProgress() {
  if (messages.isJson && options.progress)
    messages.progress(llvm::json::Object{{"models", int64_t(numDone)},
                                         {"total", int64_t(jobs.size())}});
  if (!showsProgress)
    return;
  llvm::errs() << numDone << " of " << jobs.size() << " models";
  isShown = true;
}

void Batch::hideProgress() {
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}

int Batch::status() const {
  auto has = [&](int status) {
    return llvm::any_of(outcomes, [&](const BatchOutcome &outcome) {
      return outcome.status == status;
    });
  };
  return has(1) ? 1 : has(3) ? 3 : has(4) ? 4 : has(2) ? 2 : 0;
}

int Batch::run() {
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  struct sigaction action = {};
  action.sa_handler = noteSignal;
  for (int number : endingSignals)
    ::sigaction(number, &action, nullptr);
  showProgress();
  while (!running.empty() || next != order.size()) {
    while (next != order.size() && running.size() < workers)
      start();
    if (!running.empty())
      wait();
  }
  hideProgress();
  for (const std::string &folder : llvm::reverse(newFolders))
    ::rmdir(folder.c_str()); // if it is empty
  if (int number = endingSignal) {
    std::signal(number, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::raise(number);
  }
  printTable(jobs, outcomes, options, messages);
  messages.end(status(), llvm::any_of(outcomes, [](const auto &outcome) {
                 return outcome.isChanged;
               }));
  llvm::consumeError(takeStreamErrors()); // the files are there
  return status();
}

llvm::Expected<int> onnxfold::runSeveral(const Options &options,
                                         const Messages &messages) {
  auto note = [&](const llvm::Twine &text) {
    if (!options.quiet)
      messages.warn(text.str());
  };
  llvm::Expected<std::vector<BatchJob>> jobs = listJobs(options, note);
  if (!jobs)
    return jobs.takeError();
  return Batch(options, messages, std::move(*jobs)).run();
}
