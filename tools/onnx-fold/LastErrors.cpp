//===- LastErrors.cpp - Errors that no function can return ----------------===//

#include "LastErrors.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <new>
#include <unistd.h>

using namespace onnxfold;

static std::atomic<bool> isJson = false;

static void print(llvm::StringRef text) {
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] static void end(llvm::StringRef text) {
  static std::atomic_flag isEnding = ATOMIC_FLAG_INIT;
  while (isEnding.test_and_set())
    ::pause(); // until the other thread has ended the process
  llvm::sys::RunInterruptHandlers();
  print(isJson ? R"({"code":"failed","kind":"error","text":")"
               : "onnx-fold: error: ");
  // Texts of LLVM, in which nothing has to be escaped.
  print(text.take_until([](char c) { return c < ' ' || c == '"'; }));
  print(isJson ? "\"}\n{\"changed\":false,\"kind\":\"end\",\"status\":1}\n"
               : "\n");
  ::_exit(1);
}

static void fatal(void *, const char *reason, bool) { end(reason); }

static void noMemory(void *, const char *, bool) { end("out of memory"); }

void onnxfold::installLastErrors() {
  llvm::install_fatal_error_handler(fatal);
  llvm::install_bad_alloc_error_handler(noMemory);
  std::set_new_handler([] { end("out of memory"); });
}

void onnxfold::writeLastErrorsAsJson() { isJson = true; }
