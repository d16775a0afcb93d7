//===- CompiledModel.cpp - Compiled models for programs in C --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/CompiledModel.h"
#include "onnxfold/onnx/programs/ProgramStrings.h"
#include "onnxfold/sequence/runtime/Runtime.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csetjmp>
#include <string>

int64_t onnxfold_program_number_of_text(const char *text, int64_t bytes) {
  return onnxfold::numberOfText(llvm::StringRef(text, bytes));
}

const char *onnxfold_program_text(int64_t number, int64_t *bytes) {
  auto text = onnxfold::textOfNumber(number);
  *bytes = text ? int64_t(text->size()) : 0;
  return text ? text->data() : nullptr;
}

static thread_local std::jmp_buf *inCall = nullptr;
static thread_local std::string lastMessage;
static std::atomic<void (*)(const char *)> otherwise{nullptr};

static void stop(const char *message) {
  if (inCall) {
    lastMessage = message;
    std::longjmp(*inCall, 1);
  }
  if (auto *handler = otherwise.load())
    handler(message);
  else
    llvm::errs() << message << "\n";
}

/// A function that is left by longjmp has no objects of its own.
static bool runs(void (*run)(int64_t *), int64_t *words) {
  std::jmp_buf place;
  std::jmp_buf *outer = inCall;
  if (setjmp(place)) {
    inCall = outer;
    return false;
  }
  inCall = &place;
  run(words);
  inCall = outer;
  return true;
}

const char *onnxfold_program_call(void (*run)(int64_t *), int64_t *words) {
  onnxfold::sequence::setSequenceErrorHandler(&stop);
  return runs(run, words) ? nullptr : lastMessage.c_str();
}

void onnxfold_program_on_error(void (*handler)(const char *message)) {
  otherwise = handler;
  onnxfold::sequence::setSequenceErrorHandler(&stop);
}
