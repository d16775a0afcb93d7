//===- RemoveOnSignal.cpp - What a signal removes that ends a run ---------===//
#include "onnxfold/onnx/io/internal/RemoveOnSignal.h"

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

/// In the order in which they were made. A handler may neither lock nor
/// allocate, hence the fixed number.
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

static void watchSignals() {
  static bool done = [] {
    // LLVM's handlers are installed with its first file: ours come later, so
    // they are called first.
    sys::RemoveFileOnSignal("");
    for (auto [number, action] : zip(endingSignals, earlier)) {
      ::sigaction(number, nullptr, &action);
      struct sigaction own = {};
      own.sa_handler = removeAll;
      ::sigfillset(&own.sa_mask);
      if (action.sa_handler != SIG_IGN)
        ::sigaction(number, &own, nullptr);
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
