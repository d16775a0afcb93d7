//===- RemoveOnSignal.cpp - What a signal removes that ends a run ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/internal/RemoveOnSignal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

/// The folders in the order in which they were made. A handler may neither lock
/// nor allocate, hence the fixed number.
static std::array<FolderSlot, 64> foldersToRemove;
static constexpr int endingSignals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction earlier[std::size(endingSignals)];

static void removeAll(int number) {
  static std::atomic_flag isRemoving = ATOMIC_FLAG_INIT;
  if (isRemoving.test_and_set())
    return; // the first signal ends the process
  int saved = errno;
  sys::RunInterruptHandlers(); // files in the folders first
  for (FolderSlot &slot : reverse(foldersToRemove))
    if (char *folder = slot.exchange(nullptr))
      ::rmdir(folder);
  for (auto [signal, action] : zip(endingSignals, earlier))
    if (signal == number)
      ::sigaction(number, &action, nullptr);
  errno = saved;
  isRemoving.clear();
  ::raise(number); // for whoever came before
}

/// LLVM installs its handlers with its first file, over ignored signals too.
/// Ours come after them, so that they are called first.
static void watchSignals() {
  static bool done = [] {
    struct sigaction own = {};
    own.sa_handler = removeAll;
    ::sigfillset(&own.sa_mask);
    struct sigaction before[std::size(endingSignals)];
    for (auto [number, action] : zip(endingSignals, before))
      ::sigaction(number, nullptr, &action);
    sys::RemoveFileOnSignal("");
    for (auto [number, action, llvms] : zip(endingSignals, before, earlier)) {
      bool isIgnored = action.sa_handler == SIG_IGN;
      ::sigaction(number, isIgnored ? &action : &own, &llvms);
    }
    return true;
  }();
  (void)done;
}

void removeFileOnSignal(StringRef file) {
  watchSignals();
  sys::RemoveFileOnSignal(file);
}

void keepFileOnSignal(StringRef file) { sys::DontRemoveFileOnSignal(file); }

FolderSlot *removeFolderOnSignal(StringRef folder) {
  watchSignals();
  char *copy = ::strdup(folder.str().c_str());
  for (FolderSlot &slot : foldersToRemove) {
    char *free = nullptr;
    if (slot.compare_exchange_strong(free, copy))
      return &slot;
  }
  std::free(copy);
  return nullptr;
}

/// Whoever takes a name out owns it; a handler never frees.
void keepFolderOnSignal(FolderSlot *slot) {
  if (slot)
    std::free(slot->exchange(nullptr));
}

} // namespace onnxfold
