//===- FieldStripper.h - Fields that no message keeps -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows what --strip leaves out: by a table of the fields of
// onnx.proto, in all messages, however deep. strip() erases them from what is
// kept of the file; copy() and the functions for texts leave them out of what
// is written anew, so that a second run finds nothing. This header is private to
// onnx/io.
//
//   FieldStripper stripper(reader, options.cleaning.strip);
//   error = stripper.strip(script, index.root(), record);
//   stripper.copy(wire::Node, field, bytes); // a field of a copied node
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_INTERNAL_FIELDSTRIPPER_H
#define ONNXFOLD_ONNX_IO_WRITE_INTERNAL_FIELDSTRIPPER_H

#include "onnxfold/onnx/io/wire/MessageBytes.h"
#include "onnxfold/onnx/io/wire/internal/MessageTable.h"
#include "onnxfold/onnx/io/write/Cleaning.h"
#include "onnxfold/onnx/io/write/NodeTexts.h"

namespace onnx {
class ValueInfoProto;
} // namespace onnx

namespace onnxfold {

class FieldStripper {
public:
  FieldStripper(WireReader &reader, const StrippedFields &fields)
      : reader(reader), fields(fields) {}

  /// Erases the fields in the model, apart from what is erased anyway, and
  /// counts them.
  llvm::Error strip(EditScript &script, const MessageSpan &model,
                    CleaningRecord &record);

  /// Appends a field of a message of that kind without what is stripped. An
  /// error is recorded in the reader.
  void copy(wire::Holds message, const WireField &field, MessageBytes &to);
  /// The same for a whole message, as field `number`.
  void copyMessage(wire::Holds kind, uint32_t number,
                   const MessageSpan &message, MessageBytes &to);

  /// Takes what is stripped out of texts that are written anew.
  void strip(NodeTexts &texts) const;
  void strip(onnx::ValueInfoProto &info) const;

  const StrippedFields &stripped() const { return fields; }

private:
  /// The name in reports of a field that is stripped, otherwise null.
  const char *stripped(wire::Holds message, const WireField &field);
  bool strips(llvm::StringRef key) const;
  void copyFields(wire::Holds message, ByteRange contents, MessageBytes &to);
  void walk(EditScript &script, const MessageSpan &message, wire::Holds kind,
            CleaningRecord &record);

  WireReader &reader;
  const StrippedFields &fields;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_INTERNAL_FIELDSTRIPPER_H
