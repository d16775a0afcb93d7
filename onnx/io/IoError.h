//===- IoError.h - Errors of files and of the bytes in them ---------------===//
//
// Makes the llvm::Error values of this folder. The text names the file first,
// then what is wrong, in lower case and without a full stop (`model.onnx:
// cannot be read: permission denied`). All errors are llvm::StringError;
// callers only print them. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_IOERROR_H
#define ONNXFOLD_ONNX_IO_IOERROR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// The subject of a message ("initializer 'w'"): a text, or a function that
/// makes the text if there is a message, because formatting a name costs as
/// much as reading a node. A Subject refers to the text or the function and
/// does not own it: pass it by value, do not store it.
class Subject {
public:
  Subject(llvm::StringRef text) : text(text) {}
  Subject(const std::string &text) : text(text) {}
  Subject(const char *text) : text(text) {}
  Subject(llvm::function_ref<std::string()> make) : make(make) {}

  std::string str() const { return make ? make() : text.str(); }

private:
  llvm::StringRef text;
  llvm::function_ref<std::string()> make;
};

/// An error with exactly this text.
llvm::Error makeError(const llvm::Twine &text);

/// `<file>: <what>: <text of the errno value>`.
llvm::Error makeSystemError(llvm::StringRef file, llvm::StringRef what,
                            int errnoValue);

/// The first of two errors, or success. Where threads work together each of them
/// sees the same full disk, which is one thing to say.
llvm::Error firstError(llvm::Error first, llvm::Error second);

/// `text` for a terminal: control characters, new lines included, and bytes
/// that are not UTF-8 are escaped.
std::string printableText(llvm::StringRef text);

/// `name` as messages show it: control characters and bytes that are not UTF-8
/// are escaped, and the text is cut after 200 bytes, since names come from
/// models that may be hostile.
std::string printableName(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_IOERROR_H
