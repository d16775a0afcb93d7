//===- Tracer.cpp - System calls, of which one fails (ptrace) -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All threads of a run are stopped at each system call, which are counted in
// the order in which they come. Calls of which no program could survive an
// error, and which the kernel does not fail (futex, the end of a thread), are
// neither counted nor failed. brk fails as the kernel does it: it moves
// nothing.
//
//===----------------------------------------------------------------------===//
#include "Faults.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace onnxfold;

namespace {

/// Kills a process that runs for more than a minute: a run takes a tenth of a
/// second, but machines are loaded. One at a time. The signal's handler does it,
/// since who looks again and again takes the time that the run needs.
class Watchdog {
public:
  explicit Watchdog(pid_t child) {
    watched = child;
    isHung = false;
    struct sigaction action = {};
    action.sa_handler = [](int) {
      isHung = true;
      ::kill(watched, SIGKILL);
    };
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGALRM, &action, nullptr);
    ::alarm(60);
  }
  Watchdog(const Watchdog &) = delete;
  ~Watchdog() { ::alarm(0); }

  static bool hasKilled() { return isHung; }

private:
  static volatile pid_t watched;
  static volatile bool isHung;
};

volatile pid_t Watchdog::watched = 0;
volatile bool Watchdog::isHung = false;

} // namespace

void onnxfold::waitFor(int child, RunEnd &end) {
  Watchdog watchdog(child);
  ::waitpid(child, &end.status, 0);
  end.isHung = watchdog.hasKilled();
}

#ifdef __x86_64__

namespace {

/// A call: its name, the errors that it may return, and whether it may do less
/// than it was asked for.
struct Call {
  const char *name;
  std::vector<int> errors;
  bool isPartial = false;
};

} // namespace

/// Nothing for calls that are left alone.
static const Call *callOf(long number) {
  static const std::map<long, Call> calls = {
      {SYS_read, {"read", {EIO, EINTR}, true}},
      {SYS_pread64, {"pread64", {EIO, EINTR}, true}},
      {SYS_readv, {"readv", {EIO, EINTR}}},
      {SYS_write, {"write", {ENOSPC, EINTR, EIO}, true}},
      {SYS_pwrite64, {"pwrite64", {ENOSPC, EINTR, EIO}, true}},
      {SYS_writev, {"writev", {ENOSPC, EINTR}}},
      {SYS_copy_file_range, {"copy_file_range", {EXDEV, ENOSPC, EIO}}},
      {SYS_sendfile, {"sendfile", {EINVAL, EIO, EINTR}, true}},
      {SYS_open, {"open", {EACCES, EMFILE, EINTR}}},
      {SYS_openat, {"openat", {EACCES, EMFILE, EINTR}}},
      {SYS_close, {"close", {EIO, EINTR}}},
      {SYS_stat, {"stat", {EIO, ENOMEM}}},
      {SYS_lstat, {"lstat", {EIO, ENOMEM}}},
      {SYS_fstat, {"fstat", {EIO, ENOMEM}}},
      {SYS_newfstatat, {"newfstatat", {EIO, ENOMEM}}},
      {SYS_statx, {"statx", {EIO, ENOSYS}}},
      {SYS_lseek, {"lseek", {EIO, ESPIPE}}},
      {SYS_ftruncate, {"ftruncate", {ENOSPC, EIO, EINTR}}},
      {SYS_fallocate, {"fallocate", {ENOSPC, EOPNOTSUPP, EINTR}}},
      {SYS_fsync, {"fsync", {EIO, EINTR, ENOSPC}}},
      {SYS_fdatasync, {"fdatasync", {EIO, EINTR}}},
      {SYS_flock, {"flock", {ENOLCK, EINTR}}},
      {SYS_fcntl, {"fcntl", {EINVAL}}},
      {SYS_ioctl, {"ioctl", {ENOTTY}}},
      {SYS_link, {"link", {EIO, ENOSPC}}},
      {SYS_linkat, {"linkat", {EIO, ENOSPC}}},
      {SYS_rename, {"rename", {EIO, ENOSPC}}},
      {SYS_renameat2, {"renameat2", {EIO, ENOSPC}}},
      {SYS_unlink, {"unlink", {EACCES, EIO}}},
      {SYS_readlink, {"readlink", {EACCES, EIO}}},
      {SYS_access, {"access", {EACCES, EIO}}},
      {SYS_faccessat, {"faccessat", {EACCES, EIO}}},
      {SYS_faccessat2, {"faccessat2", {EACCES, ENOSYS}}},
      {SYS_mkdir, {"mkdir", {EACCES, ENOSPC}}},
      {SYS_rmdir, {"rmdir", {EACCES}}},
      {SYS_getcwd, {"getcwd", {ENOENT, ENOMEM}}},
      {SYS_getdents64, {"getdents64", {EIO, ENOMEM}}},
      {SYS_fchmod, {"fchmod", {EPERM, EIO}}},
      {SYS_fchown, {"fchown", {EPERM, EIO}}},
      {SYS_chmod, {"chmod", {EPERM}}},
      {SYS_statfs, {"statfs", {EIO}}},
      {SYS_fstatfs, {"fstatfs", {EIO}}},
      {SYS_memfd_create, {"memfd_create", {EMFILE, ENOSYS}}},
      {SYS_mmap, {"mmap", {ENOMEM}}},
      {SYS_mremap, {"mremap", {ENOMEM}}},
      {SYS_mprotect, {"mprotect", {ENOMEM}}},
      {SYS_madvise, {"madvise", {EINVAL}}},
      {SYS_brk, {"brk", {ENOMEM}}},
      {SYS_clone, {"clone", {EAGAIN}}},
      {SYS_clone3, {"clone3", {EAGAIN, ENOSYS}}},
      {SYS_sched_getaffinity, {"sched_getaffinity", {EINVAL}}},
      {SYS_prlimit64, {"prlimit64", {EPERM}}},
      {SYS_getrandom, {"getrandom", {ENOSYS}}},
      {SYS_sigaltstack, {"sigaltstack", {ENOMEM}}},
      {SYS_rt_sigaction, {"rt_sigaction", {EINVAL}}},
  };
  auto found = calls.find(number);
  return found == calls.end() ? nullptr : &found->second;
}

namespace {

/// One traced run.
class Tracer {
public:
  Tracer(const Fault &fault, pid_t child) : fault(fault), child(child) {}

  RunEnd run() {
    Watchdog watchdog(child);
    follow();
    end.isHung = watchdog.hasKilled();
    return end;
  }

private:
  /// To the end of the run.
  void follow() {
    int status;
    ::waitpid(child, &status, __WALL); // it stopped itself
    ::ptrace(PTRACE_SETOPTIONS, child, 0,
             PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    ::ptrace(PTRACE_SYSCALL, child, 0, 0);
    for (;;) {
      pid_t thread = ::waitpid(-1, &status, __WALL);
      if (thread < 0)
        return;
      if (WIFSTOPPED(status)) {
        stopped(thread, status);
      } else if (thread == child) {
        end.status = status;
        // The threads of a process that was killed end before it does.
        return;
      }
    }
  }

  void stopped(pid_t thread, int status) {
    int signal = WSTOPSIG(status), passed = 0;
    if (signal == (SIGTRAP | 0x80))
      inCall[thread] ? leave(thread) : enter(thread);
    else if (status >> 16 == 0 && signal != SIGSTOP)
      passed = signal; // the run's own
    // Behind the fault nothing is counted.
    bool counts = !end.isHit || inCall[thread];
    ::ptrace(counts ? PTRACE_SYSCALL : PTRACE_CONT, thread, 0, passed);
  }

  void enter(pid_t thread) {
    inCall[thread] = true;
    user_regs_struct registers;
    ::ptrace(PTRACE_GETREGS, thread, 0, &registers);
    const Call *call = callOf(long(registers.orig_rax));
    bool may =
        call && (fault.kind != FaultKind::Short || call->isPartial) &&
        (fault.kind != FaultKind::Error || fault.variant < call->errors.size());
    if (!may || ++end.events != fault.event || end.isHit)
      return;
    end.isHit = true;
    changed = thread;
    asked = registers;
    end.event = std::string(call->name) + " #" + std::to_string(fault.event);
    if (fault.kind == FaultKind::Kill) {
      ::kill(child, SIGKILL);
    } else if (fault.kind == FaultKind::Cut) {
      fault.act();
    } else if (fault.kind == FaultKind::Short) {
      end.event += ": short";
      registers.rdx = (registers.rdx + 1) / 2;
      if (registers.orig_rax == SYS_sendfile)
        registers.r10 = (registers.r10 + 1) / 2;
      ::ptrace(PTRACE_SETREGS, thread, 0, &registers);
    } else {
      fail(thread, registers, call->errors[fault.variant]);
    }
  }

  void fail(pid_t thread, user_regs_struct &registers, int error) {
    end.event += std::string(": ") + ::strerrorname_np(error);
    if (registers.orig_rax == SYS_brk) {
      registers.rdi = 0;
    } else {
      registers.orig_rax = ~0ull; // no call
      failure = error;
    }
    ::ptrace(PTRACE_SETREGS, thread, 0, &registers);
  }

  void leave(pid_t thread) {
    inCall[thread] = false;
    if (thread != changed)
      return;
    changed = 0;
    user_regs_struct registers;
    ::ptrace(PTRACE_GETREGS, thread, 0, &registers);
    if (failure)
      registers.rax = static_cast<unsigned long long>(-failure);
    // A call leaves its arguments as they were.
    registers.rdi = asked.rdi;
    registers.rdx = asked.rdx;
    registers.r10 = asked.r10;
    ::ptrace(PTRACE_SETREGS, thread, 0, &registers);
  }

  const Fault &fault;
  pid_t child, changed = 0; ///< the thread in a call that is not as it was
  user_regs_struct asked = {};
  int failure = 0;
  std::map<pid_t, bool> inCall;
  RunEnd end;
};

} // namespace

RunEnd onnxfold::runTraced(const Fault &fault,
                           const std::function<int()> &body) {
  pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
      ::_exit(99);
    ::raise(SIGSTOP);
    std::exit(body());
  }
  return Tracer(fault, child).run();
}

bool onnxfold::canTrace() {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(::ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

#else

RunEnd onnxfold::runTraced(const Fault &, const std::function<int()> &) {
  return {};
}
bool onnxfold::canTrace() { return false; }

#endif
