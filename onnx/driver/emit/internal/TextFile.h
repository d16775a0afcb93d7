//===- TextFile.h - A text file, whole or not at all ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A stream into an OutputFile, for reports. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TEXTFILE_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TEXTFILE_H

#include "onnxfold/onnx/io/files/OutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace onnxfold {

/// The text is written while it is printed: a report of a million nodes is
/// never in memory.
class TextFile : public llvm::raw_ostream {
public:
  explicit TextFile(OutputFile &file) : file(file) { SetBufferSize(1 << 16); }
  ~TextFile() override {
    flush();
    llvm::consumeError(std::move(error));
  }

  /// Nothing may be printed afterwards.
  llvm::Error finish() {
    flush();
    return error ? std::move(error) : file.finish();
  }

  llvm::Error commit() {
    flush();
    return error ? std::move(error) : file.commit();
  }

private:
  void write_impl(const char *bytes, size_t count) override {
    if (!error) // after an error nothing is written
      error = file.write(position, llvm::StringRef(bytes, count));
    position += count;
  }
  uint64_t current_pos() const override { return position; }

  OutputFile &file;
  uint64_t position = 0;
  llvm::Error error = llvm::Error::success();
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TEXTFILE_H
