//===- IoError.h - Errors of files and of the bytes in them ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes the llvm::Error values of this folder. The text names the file first,
// then what is wrong, in lower case and without a full stop (`model.onnx:
// cannot be read: permission denied`). All errors are ModelErrors.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_IOERROR_H
#define ONNXFOLD_ONNX_IO_FILES_IOERROR_H

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// The subject of a message (initializer 'w'): words, or a fault, or a function
/// that makes the fault if there is a message, because it costs as much as
/// reading a node. A Subject refers to what it is made of and does not own it:
/// pass it by value, do not store it.
class Subject {
public:
  Subject(llvm::StringRef words) : words(words) {}
  Subject(const std::string &words) : words(words) {}
  Subject(const char *words) : words(words) {}
  Subject(const ModelFault &known) : known(&known) {}
  Subject(llvm::function_ref<ModelFault()> make) : make(make) {}

  ModelFault fault() const {
    return make ? make() : known ? *known : ModelFault(words);
  }

private:
  llvm::StringRef words;
  const ModelFault *known = nullptr;
  llvm::function_ref<ModelFault()> make;
};

/// A fault of a part of a file that is noted and not an error yet, as it lies
/// in an arena. The pieces follow the name of the part.
struct StoredFault {
  llvm::StringRef words; ///< "has"
  llvm::StringRef found; ///< "23 bytes of raw_data"
  llvm::StringRef expected;

  ModelFault fault() const;
  std::string text() const { return fault().text(); }
};
const StoredFault *store(const StoredFault &fault,
                         llvm::BumpPtrAllocator &arena);

/// The text of an errno value.
std::string systemReason(int errnoValue);

/// `<file>: <what>: <text of the errno value>`.
llvm::Error makeSystemError(llvm::StringRef file, llvm::StringRef what,
                            int errnoValue);

/// The first of two errors, or success. Where threads work together each of them
/// sees the same full disk, which is one thing to say.
llvm::Error firstError(llvm::Error first, llvm::Error second);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_IOERROR_H
