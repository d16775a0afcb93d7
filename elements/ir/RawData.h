//===- RawData.h - The bytes of DenseElementsAttr ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The raw buffer of a DenseElementsAttr has the form of an Elements buffer
// except for types narrower than a byte. i1 is packed eight to a byte, with the
// first element in the lowest bit. The other types take a byte each, as in
// Elements, but signed integers are zero extended, and sign extended in
// Elements. The functions here convert between the two forms.
//
// Most users want AttributeConversion.h. The functions are stateless and thread
// safe, and have no errors.
//
//   Elements x = fromRawData(type, shape, foreignBuffer(attr.getRawData()),
//                            attr.isSplat());
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_RAWDATA_H
#define ONNXFOLD_ELEMENTS_IR_RAWDATA_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// Whether all elements of the type have the same bytes in both forms.
constexpr bool hasRawForm(DataType type) {
  return type != DataType::Bool && !isSubByte(type);
}

/// The size in bytes of the raw buffer of `count` elements (not of a splat,
/// whose buffer has one element).
constexpr uint64_t rawDataBytes(DataType type, uint64_t count) {
  return type == DataType::Bool ? (count + 7) / 8 : count * byteWidth(type);
}

/// The tensor that has this raw buffer; the buffer of a splat has one element.
/// The bytes are copied only if hasRawForm(type) is false. REQUIRES: the buffer
/// has rawDataBytes(type, splat ? 1 : number of elements) bytes.
Elements fromRawData(DataType type, ShapeRef shape, BufferRef buffer,
                     bool splat);

/// The tensor of a buffer in which each element takes a byte or more, and has
/// its value in the low bits. The bytes are copied only if the bits above must
/// be corrected. REQUIRES: the buffer has as many bytes as the tensor.
Elements fromBytes(DataType type, ShapeRef shape, BufferRef buffer);

/// Writes `count` elements, as a Reader writes them to `elements`, in raw form
/// to `out`. REQUIRES: for i1 the first one is at a byte of the raw buffer, so
/// its number is a multiple of 8.
void toRawData(DataType type, const char *elements, int64_t count, char *out);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_RAWDATA_H
