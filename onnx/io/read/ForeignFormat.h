//===- ForeignFormat.h - Files that are no binary ONNX model --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Examines a file that cannot be read as an ONNX model. Models in one of the
// text forms that the ONNX packages write are turned into the binary form:
//   * protobuf text (`ir_version: 10 graph { ...`, .textproto)
//   * protobuf JSON (`{"irVersion": ...`, .json)
//   * ONNX text (`<ir_version: 10, ...> g (...) => ...`, .onnxtxt)
// A byte order mark of UTF-8 and comments (from `#` or `//` to the end of the
// line, not in strings) are skipped, wherever they are, in each of these.
// For files of other well-known kinds (archives, pictures, web pages, models of
// other tools) the error says what they are.
//
// A binary model is never examined: a file that protobuf can read is not text.
// Memory: several copies of the text are held; a text of more than 256 MiB is
// refused.
// Thread safety: any thread may call; nothing is cached.
//
// Example:
//   Expected<std::optional<TextModel>> text = readTextModel(*file);
//   // model.onnx: is a gzip archive, expected an ONNX model; unpack it first
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_FOREIGNFORMAT_H
#define ONNXFOLD_ONNX_IO_READ_FOREIGNFORMAT_H

#include "onnxfold/onnx/io/files/InputFile.h"

#include <optional>

namespace onnxfold {

/// A model that was text.
struct TextModel {
  InputFileRef binary;    ///< unlinked, with the name of the text file
  llvm::StringRef format; ///< "protobuf text", ...
};

/// Longer texts are refused.
constexpr uint64_t maxTextModelSize = uint64_t(256) << 20;

/// The model in the text; none if the kind of the file is not known here. An
/// error says what the file is, or what is wrong with its text.
llvm::Expected<std::optional<TextModel>> readTextModel(const InputFile &file);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_FOREIGNFORMAT_H
