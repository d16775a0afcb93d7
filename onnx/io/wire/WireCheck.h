//===- WireCheck.h - Whether protobuf can read a model ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks over the tags of all messages of a ModelProto, as protobuf's parser
// does, and fails where that parser would: messages and groups that are nested
// too deeply, fields that are cut off, packed numbers that end in the middle of
// one. The rest of onnx/io reads some messages only when it needs them, and
// copies others unread, so that it would not notice.
//
// Payloads are skipped, but for packed varints (int32_data of 16 bit floats),
// which protobuf decodes.
//
// Thread safety: that of the reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_WIRECHECK_H
#define ONNXFOLD_ONNX_IO_WIRE_WIRECHECK_H

#include "onnxfold/onnx/io/wire/WireCursor.h"

namespace onnxfold {

/// A type of ours is nested at most so many messages deep: value_info, sequences
/// of optional tensors, a dimension.
constexpr unsigned deepestType = 12;

/// The contents of the nodes of a model: a walk that looks for nothing else
/// leaves them out where there are none.
struct NodeContents {
  bool graphs = false; ///< some attribute is a graph
  bool texts = false;  ///< some node has documentation or metadata
};

/// Notes an error in the reader, with the path to the message that is wrong:
/// `graph.node[17].attribute[0] at byte 1234: ...`. REQUIRES: no error before.
NodeContents checkWire(WireReader &reader, ByteRange model);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_WIRECHECK_H
