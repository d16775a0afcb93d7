//===- MessageBytes.h - A message that is partly in the file ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the contents of a new protobuf message in pieces: new bytes, and
// unchanged ranges of the input, which are not read if they are long. Messages
// may be fields of others. This header is private to onnx/io.
//
//   MessageBytes attribute, node;
//   attribute.addText(1, "axis");
//   attribute.keep(reader, field.whole());
//   node.addMessage(5, std::move(attribute));
//   for (Content &content : node.take()) ...
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_MESSAGEBYTES_H
#define ONNXFOLD_ONNX_IO_WIRE_MESSAGEBYTES_H

#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"

namespace onnxfold {

class MessageBytes {
public:
  /// Appends whole fields.
  void add(llvm::StringRef fields);
  /// Append a length-delimited field: a text, or a message from its contents.
  void addText(uint32_t number, llvm::StringRef text);
  void addMessage(uint32_t number, MessageBytes message);
  /// Appends whole fields of the file. An error is recorded in the reader.
  void keep(WireReader &reader, ByteRange fields);

  uint64_t size() const { return total; }
  /// Returns all pieces in order, and leaves the message empty.
  std::vector<Content> take();

private:
  void flush();

  std::vector<Content> pieces;
  std::string last; ///< bytes after the pieces
  uint64_t total = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_MESSAGEBYTES_H
