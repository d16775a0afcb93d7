//===- RunProcess.cpp - A command of the shell ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace onnxfold;
using Clock = std::chrono::steady_clock;

/// The process, or -1.
static pid_t spawn(const std::string &command) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t all, none;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                              POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  std::string shell = "sh", flag = "-c", text = command;
  char *arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
  pid_t process = -1;
  if (::posix_spawn(&process, "/bin/sh", &files, &attributes, arguments,
                    environ) != 0)
    process = -1;
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return process;
}

/// Waits a tenth of a second at most.
static bool hasEnded(pid_t process, int descriptor, int &status) {
  pollfd watched{descriptor, POLLIN, 0};
  constexpr int milliseconds = 100;
  if (descriptor >= 0)
    ::poll(&watched, 1, milliseconds);
  pid_t ended = ::waitpid(process, &status, descriptor >= 0 ? WNOHANG : 0);
  return ended == process || (ended < 0 && errno != EINTR);
}

ProcessEnd onnxfold::runProcess(const std::string &command, double seconds,
                                const std::function<bool()> &isStopped) {
  ProcessEnd end;
  Clock::time_point start = Clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  pid_t process = spawn(command);
  if (process < 0)
    return end;
  // Older kernels have no such descriptors: the command is waited for then.
  int descriptor = int(::syscall(SYS_pidfd_open, process, 0));
  int status = 0;
  bool isKilled = false;
  while (!hasEnded(process, descriptor, status)) {
    end.isStopped |= isStopped && isStopped();
    end.isLate |= elapsed() > seconds;
    if (!isKilled && (end.isStopped || end.isLate)) {
      ::kill(-process, SIGKILL);
      isKilled = true;
    }
  }
  ::kill(-process, SIGKILL); // what it left in the background
  if (descriptor >= 0)
    ::close(descriptor);
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.seconds = elapsed();
  return end;
}
