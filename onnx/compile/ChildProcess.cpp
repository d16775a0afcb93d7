//===- ChildProcess.cpp - Work that may end its process -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/internal/ChildProcess.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;

StepNote::StepNote() {
  void *shared = mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  text = shared == MAP_FAILED ? nullptr : static_cast<char *>(shared);
}

StepNote::~StepNote() {
  if (text)
    munmap(text, capacity);
}

void StepNote::set(llvm::StringRef step) {
  if (!text)
    return;
  size_t length = std::min(step.size(), capacity - 1);
  std::memcpy(text, step.data(), length);
  text[length] = 0;
}

static bool writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(written);
  }
  return true;
}

static std::string readAll(int file) {
  std::string bytes;
  char block[1 << 16];
  lseek(file, 0, SEEK_SET);
  for (ssize_t count; (count = read(file, block, sizeof(block))) != 0;) {
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      break;
    bytes.append(block, count);
  }
  return bytes;
}

/// The child's work; it writes nothing if it fails.
[[noreturn]] static void
runAsChild(int result, int messages, StepNote &note,
           llvm::function_ref<std::string(StepNote &)> work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(messages, STDERR_FILENO);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, SIG_DFL);
  bool isWritten = writeAll(result, work(note));
  _exit(isWritten ? 0 : 1);
}

static llvm::Error ended(int status, const StepNote &note, int messages) {
  std::string text = "the compiler ";
  if (WIFSIGNALED(status))
    text += "died of signal " + std::to_string(WTERMSIG(status)) + " (" +
            strsignal(WTERMSIG(status)) + ")";
  else
    text += "ended with status " + std::to_string(WEXITSTATUS(status));
  if (!note.get().empty())
    text += (" in " + note.get()).str();
  std::string said = readAll(messages);
  if (llvm::StringRef line = llvm::StringRef(said).split('\n').first.trim();
      !line.empty())
    text += (": " + line).str();
  return llvm::createStringError(text);
}

static llvm::Error noChild(const char *what) {
  return llvm::createStringError(
      llvm::Twine("there is no process for the compiler: ") + what + ": " +
      std::strerror(errno));
}

/// Asks every 50 ms until the child has ended.
static void killIfCancelled(pid_t child,
                            const std::function<bool()> &isCancelled) {
  int ends = int(syscall(SYS_pidfd_open, child, 0));
  if (ends < 0)
    return;
  pollfd asked = {ends, POLLIN, 0};
  while (poll(&asked, 1, /*timeout=*/50) <= 0)
    if (isCancelled())
      kill(child, SIGKILL);
  close(ends);
}

llvm::Expected<std::string>
onnxfold::runInChild(llvm::function_ref<std::string(StepNote &)> work,
                     const std::function<bool()> &isCancelled) {
  int result = memfd_create("onnx-compile", MFD_CLOEXEC);
  int messages = memfd_create("onnx-compile-messages", MFD_CLOEXEC);
  llvm::scope_exit close([&] {
    ::close(result);
    ::close(messages);
  });
  if (result < 0 || messages < 0)
    return noChild("memfd_create");
  StepNote note;
  pid_t child = fork();
  if (child < 0)
    return noChild("fork");
  if (child == 0)
    runAsChild(result, messages, note, work);
  if (isCancelled)
    killIfCancelled(child, isCancelled);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return noChild("waitpid");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return ended(status, note, messages);
  return readAll(result);
}
