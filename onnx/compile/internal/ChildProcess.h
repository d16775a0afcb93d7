//===- ChildProcess.h - Work that may end its process -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a function in a copy of this process, which a crash, an abort or a lack
// of memory ends instead of this one.
//
//   llvm::Expected<std::string> bytes = runInChild([&](StepNote &note) {
//     note.set("canonicalize");
//     return work();
//   });
//
// The copy is a fork: it has the calling thread only, and leaves by _exit().
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_INTERNAL_CHILDPROCESS_H
#define ONNXFOLD_ONNX_COMPILE_INTERNAL_CHILDPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace onnxfold {

/// The step that a child is at, in memory that its parent sees.
class StepNote {
public:
  StepNote();
  ~StepNote();
  StepNote(const StepNote &) = delete;
  StepNote &operator=(const StepNote &) = delete;

  void set(llvm::StringRef step);
  llvm::StringRef get() const { return text ? text : ""; }

private:
  static constexpr size_t capacity = 256;
  char *text; // null if there is no memory
};

/// Returns what `work` returns in the child. An error says how the child ended,
/// at which step, and what it wrote to standard error. When `isCancelled`,
/// which may be empty, returns true, the child is killed.
llvm::Expected<std::string>
runInChild(llvm::function_ref<std::string(StepNote &)> work,
           const std::function<bool()> &isCancelled = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_INTERNAL_CHILDPROCESS_H
