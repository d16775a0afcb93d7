//===- FieldEncoding.h - New fields of messages ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Encodes fields as protobuf's own library does it: with shortest varints.
//
//   std::string name = encodeTextField(3, "weight"); // field 3 of a message
//
// Thread safety: functions without state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_FIELDENCODING_H
#define ONNXFOLD_ONNX_IO_WIRE_FIELDENCODING_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace onnxfold {

/// A length-delimited field: text, or a message from its contents.
std::string encodeTextField(uint32_t number, llvm::StringRef text);
/// The tag and the length of a length-delimited field of `size` bytes.
std::string encodeFieldHead(uint32_t number, uint64_t size);

/// The tag of a length-delimited field alone.
std::string encodeFieldTag(uint32_t number);
std::string encodeVarintField(uint32_t number, uint64_t value);

/// A StringStringEntryProto as field `number`: an entry of metadata_props.
std::string encodeEntryField(uint32_t number, llvm::StringRef key,
                             llvm::StringRef value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_FIELDENCODING_H
