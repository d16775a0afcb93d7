//===- NewFolders.cpp - Folders that are made for an output ---------------===//
#include "onnxfold/onnx/io/internal/NewFolders.h"

#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

/// What a signal has to remove, in the order in which it was made. A handler
/// may neither lock nor allocate, hence the fixed number; a signal leaves what
/// is beyond it.
static std::array<std::atomic<char *>, 64> foldersToRemove;
static constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction earlier[std::size(endingSignals)];

/// LLVM's handlers remove files, not folders.
static void removeFolders(int number) {
  int saved = errno;
  sys::RunInterruptHandlers(); // files in the folders first
  for (std::atomic<char *> &slot : reverse(foldersToRemove))
    if (char *folder = slot.exchange(nullptr))
      ::rmdir(folder);
  for (auto [signal, action] : zip(endingSignals, earlier))
    if (signal == number)
      ::sigaction(number, &action, nullptr);
  errno = saved;
  ::raise(number); // for whoever came before
}

static void watchSignals() {
  static bool done = [] {
    for (auto [number, action] : zip(endingSignals, earlier)) {
      ::sigaction(number, nullptr, &action);
      struct sigaction own = {};
      own.sa_handler = removeFolders;
      ::sigfillset(&own.sa_mask);
      if (action.sa_handler != SIG_IGN)
        ::sigaction(number, &own, nullptr);
    }
    return true;
  }();
  (void)done;
}

NewFolders::Slot *NewFolders::removeOnSignal(StringRef folder) {
  watchSignals();
  char *copy = ::strdup(folder.str().c_str());
  for (Slot &slot : foldersToRemove) {
    char *free = nullptr;
    if (slot.compare_exchange_strong(free, copy))
      return &slot;
  }
  std::free(copy);
  return nullptr;
}

/// Whoever takes a name out owns it; a handler never frees.
void NewFolders::keepOnSignal(Slot *slot) {
  if (slot)
    std::free(slot->exchange(nullptr));
}

//===----------------------------------------------------------------------===//
// NewFolders
//===----------------------------------------------------------------------===//

NewFolders::~NewFolders() {
  for (const Made &folder : reverse(made)) {
    ::rmdir(folder.path.c_str()); // fails where somebody put something
    keepOnSignal(folder.slot);
  }
}

Error NewFolders::make(StringRef folder) {
  if (folder.empty() || sys::fs::exists(folder))
    return Error::success();
  if (Error error = make(sys::path::parent_path(folder)))
    return error;
  // First, so that no moment is left for a signal.
  Slot *slot = removeOnSignal(folder);
  if (std::error_code code =
          sys::fs::create_directory(folder, /*IgnoreExisting=*/false)) {
    keepOnSignal(slot);
    if (code == std::errc::file_exists) // somebody else was faster
      return Error::success();
    return makeSystemError(folder, "cannot be made", code.value());
  }
  made.push_back({folder.str(), slot});
  return Error::success();
}

Error syncFolder(StringRef folder) {
  int directory =
      ::open(folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool synced = directory >= 0 && systemCalls().fsync(directory) == 0;
  int failure = errno;
  if (directory >= 0)
    ::close(directory);
  if (!synced && failure != EINVAL)
    return makeSystemError(folder, "cannot be synced", failure);
  return Error::success();
}

Error NewFolders::sync() const {
  llvm::SetVector<StringRef> parents;
  for (const Made &folder : made) {
    StringRef parent = sys::path::parent_path(folder.path);
    parents.insert(parent.empty() ? "." : parent);
  }
  for (StringRef parent : parents)
    if (Error error = syncFolder(parent))
      return error;
  return Error::success();
}

void NewFolders::keep() {
  for (const Made &folder : made)
    keepOnSignal(folder.slot);
  made.clear();
}

} // namespace onnxfold
