//===- NodeTexts.h - The texts of nodes that became one ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A node that stands for several nodes of the file has the doc_string and the
// entries of metadata_props that all of these have: an entry is kept if each
// has the key with the same value. This header is private to onnx/io.
//
//   auto texts = readNodeTexts(reader, span);   // of the first
//   texts->keepCommon(*others);                 // of each other one
//   for (const std::string &field : texts->fields()) ...
//
// Thread safety: plain values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_NODETEXTS_H
#define ONNXFOLD_ONNX_IO_WRITE_NODETEXTS_H

#include "onnxfold/onnx/io/wire/WireCursor.h"

namespace onnxfold {

struct NodeTexts {
  std::optional<std::string> doc;
  /// Keys with values, in the order of the file; of a key that is there twice
  /// the last value.
  std::vector<std::pair<std::string, std::string>> metadata;

  /// Keeps what both have. Returns the first field that is lost, "" if none is:
  /// `doc_string`, or `metadata_props['key']`.
  std::string keepCommon(const NodeTexts &other);
  /// Adds what is not said yet; an empty doc_string says nothing. Of a key that
  /// both have, the value here stays: a node that stands for a Constant node has
  /// the value of that rather than that of its tensor.
  void complete(const NodeTexts &other);
  /// What to append to a message with the texts `own` for it to have these, too.
  /// Of a key that both have, the value of `own` stays; a doc_string, of which
  /// the last one counts, is this one and then that of `own`.
  NodeTexts missingIn(const NodeTexts &own) const;
  bool hasKey(llvm::StringRef key) const;
  bool has(llvm::StringRef key, llvm::StringRef value) const;
  bool operator==(const NodeTexts &other) const {
    return doc == other.doc && metadata == other.metadata;
  }
  /// The texts as fields of a node, and of another message.
  std::string fields() const;
  std::string fieldsOf(uint32_t docNumber, uint32_t metadataNumber) const;
};

llvm::Expected<NodeTexts> readNodeTexts(WireReader &reader,
                                        const MessageSpan &node);
llvm::Expected<NodeTexts> readTensorTexts(WireReader &reader,
                                          const MessageSpan &tensor);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_NODETEXTS_H
