//===- IoError.h - Errors of files and of the bytes in them ---------------===//
//
// How this folder makes its llvm::Error values: the file first, then what is
// wrong, lower case, no full stop (`model.onnx: cannot be read: permission
// denied`). All errors are llvm::StringError; callers only print them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_IOERROR_H
#define ONNXFOLD_ONNX_IO_IOERROR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// What a message would be about ("initializer 'w'"): a text, or what makes one
/// if there is a message. To write names out costs as much as reading a node.
/// Refers to either; pass by value, do not keep.
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

/// A text for a terminal: control characters, new lines too, and what is not
/// UTF-8 escaped.
std::string printableText(llvm::StringRef text);

/// `name` as it is shown in a message: control characters and what is not UTF-8
/// escaped, and cut after 200 bytes, since names come from models that may be
/// hostile.
std::string printableName(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_IOERROR_H
