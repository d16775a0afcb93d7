//===- Batch.cpp - Several models in one call -----------------------------===//

#include "Batch.h"
#include "BatchTable.h"
#include "LastErrors.h"
#include "MachineMemory.h"
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

/// What a run will take, roughly: how much it is in the end is watched.
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

/// The run of one model.
struct Run {
  size_t job;
  pid_t process;
  int output;         ///< the end of a pipe
  std::string unread; ///< the start of a line
  std::vector<std::string> lines;
  uint64_t memory; ///< that it takes, or is guessed to
  bool isStopped = false;
};

class Batch {
public:
  Batch(const Options &options, const Messages &messages,
        std::vector<BatchJob> jobs);
  int run();

private:
  void startRuns();
  bool mayStart(size_t job) const;
  void start(size_t job);
  [[noreturn]] void runChild(const BatchJob &job, unsigned part, int output);
  void makeFolder(StringRef file);
  void wait();
  bool read(Run &run);
  void finish(Run &run);
  void watchMemory();
  void stopAll();
  void showProgress();
  void hideProgress();
  int status() const;

  const Options &options;
  const Messages &messages;
  std::vector<BatchJob> jobs;
  std::vector<BatchOutcome> outcomes;
  std::vector<size_t> waiting; ///< the largest first
  std::vector<bool> isAlone;   ///< they took too much memory beside others
  std::vector<Run> running;    ///< in the order of their starts
  std::vector<std::string> newFolders;
  size_t numDone = 0;
  unsigned threads;
  uint64_t memory;
  bool showsProgress, isShown = false;
  sigset_t signals, before;
};

} // namespace

Batch::Batch(const Options &options, const Messages &messages,
             std::vector<BatchJob> given)
    : options(options), messages(messages), jobs(std::move(given)),
      outcomes(jobs.size()), isAlone(jobs.size()),
      threads(llvm::hardware_concurrency(options.fold.threads)
                  .compute_thread_count()),
      memory(options.memory ? *options.memory : freeMemory()),
      showsProgress(
          !options.quiet && !messages.isJson &&
          (options.progress || llvm::sys::Process::StandardErrIsDisplayed())) {
  for (size_t i = 0; i != jobs.size(); ++i)
    waiting.push_back(i);
  llvm::stable_sort(waiting, [&](size_t a, size_t b) {
    return jobs[a].bytes > jobs[b].bytes;
  });
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

/// The run itself says what is wrong with a folder.
void Batch::runChild(const BatchJob &job, unsigned part, int output) {
  for (int number : endingSignals)
    std::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::dup2(output, STDERR_FILENO);
  Messages own;
  own.isJson = true;
  own.isRelayed = !messages.isJson;
  own.files = messages.files;
  own.files.insert(own.files.end(), {job.input, job.output});
  writeLastErrorsAsJson();
  Options one = options;
  one.models.clear();
  one.input = job.input;
  one.output = job.output;
  one.fold.reportFile = job.report;
  one.fold.threads = part;
  one.progress = options.progress && messages.isJson;
  int status = runOne(one, own);
  llvm::outs().flush();
  ::_exit(status);
}

void Batch::start(size_t number) {
  const BatchJob &job = jobs[number];
  if (!options.check)
    makeFolder(job.output);
  makeFolder(job.report);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    messages.fail("failed", job.input + ": no run can be started", job.input);
    ++numDone;
    return;
  }
  unsigned active =
      std::min<size_t>(threads, running.size() + waiting.size() + 1);
  pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    // Who kills this process with SIGKILL ends the runs too.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent)
      ::_exit(1);
    ::close(ends[0]);
    runChild(job, std::max(1u, threads / active), ends[1]);
  }
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    messages.fail("failed", job.input + ": no run can be started", job.input);
    ++numDone;
    return;
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  running.push_back({number, process, ends[0], "", {}, guessedMemory(job)});
}

bool Batch::mayStart(size_t job) const {
  if (running.empty())
    return true;
  if (running.size() >= threads || isAlone[job] || isAlone[running[0].job])
    return false;
  uint64_t used = guessedMemory(jobs[job]);
  for (const Run &run : running)
    used += run.memory;
  return used <= memory;
}

void Batch::startRuns() {
  for (size_t i = 0; i < waiting.size();) {
    if (!mayStart(waiting[i])) {
      ++i;
      continue;
    }
    size_t job = waiting[i];
    waiting.erase(waiting.begin() + i);
    start(job);
  }
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
      else
        run.lines.push_back(std::move(run.unread));
      run.unread.clear();
    }
    run.unread += bytes;
  }
}

void Batch::finish(Run &run) {
  ::close(run.output);
  int how = 0;
  while (::waitpid(run.process, &how, 0) < 0 && errno == EINTR)
    continue;
  if (!run.unread.empty())
    run.lines.push_back(std::move(run.unread));
  if (endingSignal)
    return;
  bool isEnded = WIFSIGNALED(how) && run.isStopped;
  if (isEnded && !isAlone[run.job]) {
    isAlone[run.job] = true;
    waiting.insert(waiting.begin(), run.job);
    return;
  }
  std::string problem;
  if (isEnded)
    problem = "needs more than the " + std::to_string(memory) +
              " bytes of --memory, expected more, or --max-memory, which keeps "
              "what does not fit";
  hideProgress();
  outcomes[run.job] =
      readOutcome(jobs[run.job], run.lines, how, problem, options, messages);
  ++numDone;
  showProgress();
}

/// The runs together take too much: the last one begins again later. It ends
/// as at Ctrl-C, and leaves nothing.
void Batch::watchMemory() {
  uint64_t used = 0;
  for (Run &run : running) {
    run.memory = std::max(memoryOf(run.process), guessedMemory(jobs[run.job]));
    used += memoryOf(run.process);
  }
  if (used <= memory || running.back().isStopped ||
      (running.size() == 1 && !options.memory))
    return;
  running.back().isStopped = true;
  isAlone[running.back().job] = running.size() == 1;
  ::kill(running.back().process, SIGTERM);
}

void Batch::stopAll() {
  for (const Run &run : running)
    ::kill(run.process, SIGTERM);
  waiting.clear();
}

void Batch::wait() {
  llvm::SmallVector<pollfd> ends;
  for (const Run &run : running)
    ends.push_back({run.output, POLLIN, 0});
  constexpr timespec often{0, 50'000'000};
  if (::ppoll(ends.data(), ends.size(), &often, &before) < 0 && endingSignal)
    return stopAll();
  watchMemory();
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
  return has(1) ? 1 : has(3) ? 3 : has(2) ? 2 : 0;
}

int Batch::run() {
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  struct sigaction action = {};
  action.sa_handler = noteSignal;
  for (int number : endingSignals)
    ::sigaction(number, &action, nullptr);
  showProgress();
  while (!running.empty() || !waiting.empty()) {
    startRuns();
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
