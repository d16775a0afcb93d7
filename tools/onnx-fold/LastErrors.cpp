//===- LastErrors.cpp - Errors that no function can return ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LastErrors.h"
#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/TargetLock.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <unistd.h>
#include <utility>

using namespace onnxfold;

static std::atomic<bool> isInstalled = false, isJson = false,
                         isComplete = false, isChanged = false;
static std::string inputOfRun;
/// For the words of the last message.
static std::unique_ptr<char[]> putAside;

static void print(llvm::StringRef text) {
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] static void endProcess(llvm::StringRef text) {
  static std::atomic_flag isEnding = ATOMIC_FLAG_INIT;
  while (isEnding.test_and_set())
    ::pause(); // until the other thread has ended the process
  llvm::sys::RunInterruptHandlers();
  TargetLock::removeNew();
  // Texts of LLVM have nothing to escape; a name may be cut.
  text = text.take_until(
      [](char c) { return c < ' ' || (isJson && (c == '"' || c == '\\')); });
  if (isComplete && OutputFile::isAnyCommitted()) {
    print(isJson ? R"({"kind":"warning","text":")" : "onnx-fold: warning: ");
    print("the output was written, and then: ");
    print(text);
    print(isJson ? isChanged ? R"("}
{"changed":true,"kind":"end","status":0})"
                             : R"("}
{"changed":false,"kind":"end","status":0})"
                 : "");
    print("\n");
    ::_exit(0);
  }
  print(isJson ? R"({"code":"failed","kind":"error","text":")"
               : "onnx-fold: error: ");
  print(text);
  print(isJson ? "\"}\n{\"changed\":false,\"kind\":\"end\",\"status\":1}\n"
               : "\n");
  ::_exit(1);
}

/// LLVM's streams report what they could not write here.
static void fatal(void *, const char *reason, bool) {
  llvm::StringRef text = reason;
  if (text.consume_front("IO failure on output stream: "))
    endProcess(("<stdout>: cannot be written: " + text).str());
  endProcess(text);
}

[[noreturn]] static void endWithoutMemory() {
  static thread_local bool isDescribing = false;
  if (std::exchange(isDescribing, true)) // there is not even that much
    endProcess("out of memory");
  putAside.reset();
  std::string text = inputOfRun.empty() ? "" : inputOfRun + ": ";
  if (const RunBudget *run = RunBudget::ofTask())
    if (std::string node = run->runningOperation(); !node.empty())
      text += node + ": ";
  endProcess(text + "out of memory");
}

static void noMemory(void *, const char *, bool) { endWithoutMemory(); }

/// These take the place of malloc (--wrap): mlir::Operation::create, for one,
/// does not look at what it gets. (What is tried before a run begins may fail.)
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  void *memory = __real_malloc(size);
  if (!memory && size != 0 && isInstalled)
    endWithoutMemory();
  return memory;
}
// NOLINTEND(bugprone-reserved-identifier)
}

void onnxfold::installLastErrors() {
  llvm::install_fatal_error_handler(fatal);
  llvm::install_bad_alloc_error_handler(noMemory);
  std::set_new_handler(endWithoutMemory);
  isInstalled = true;
}

void onnxfold::noteRun(llvm::StringRef input) {
  constexpr size_t bytes = 64 << 10;
  inputOfRun = printableName(input);
  putAside = std::make_unique<char[]>(bytes);
  isComplete = false;
}

void onnxfold::noteComplete(bool changed) {
  isChanged = changed;
  isComplete = true;
}

void onnxfold::writeLastErrorsAsJson() { isJson = true; }
