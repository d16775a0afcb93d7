//===- Error.h - Errors of programs at run time -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The result of a function that may fail; it is true if the function failed.
// Thread safety: a plain value.
//
//   if (Error error = program->setWeight(1, value))
//     std::cerr << error.message() << "\n";
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_ERROR_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_ERROR_H

#include <string>
#include <utility>

namespace onnxfold::tensorfolding {

/// The numbers are those of the C interface.
enum class ErrorCode {
  None = 0,
  BadMetadata = 1,      // not metadata, damaged, or of a later version
  FunctionNotFound = 2, // the program lacks a function, or it cannot be called
  BadArgument = 3,      // not the number of an argument, or one of another role
  BadTensor = 4,        // element type, shape, strides or null data
  WeightMissing = 5,    // a call before all weights were given
  OutOfMemory = 6,
  /// A fold function threw, or its result contradicts its metadata.
  FoldFailed = 7,
  BadState = 8, // a weight set twice, a swap without an update
};

class [[nodiscard]] Error {
public:
  Error() = default;
  Error(ErrorCode code, std::string message)
      : errorCode(code), text(std::move(message)) {}

  explicit operator bool() const { return errorCode != ErrorCode::None; }
  ErrorCode code() const { return errorCode; }
  /// The text names the object, what it has, and what was expected, in lower
  /// case and one line.
  const std::string &message() const { return text; }

private:
  ErrorCode errorCode = ErrorCode::None;
  std::string text;
};

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_ERROR_H
