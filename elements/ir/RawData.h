//===- RawData.h - The bytes of DenseElementsAttr ---------------*- C++ -*-===//
//
// The raw buffer of a DenseElementsAttr is ours except for the types narrower
// than a byte: i1 is packed eight to a byte, the first element in the lowest
// bit; the others take a byte each as ours do, but integers are zero extended
// where ours are sign extended. Here is the way from one form to the other, and
// buffers over memory that MLIR owns.
//
// Most users want AttributeConversion.h. Stateless, thread
// safe, no errors.
//
//   Elements x = fromRawData(type, shape, foreignBuffer(attr.getRawData()),
//                            attr.isSplat());
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_RAWDATA_H
#define ONNXFOLD_ELEMENTS_IR_RAWDATA_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// Whether elements have the same bytes in both forms, whatever their values.
constexpr bool hasRawForm(DataType type) {
  return type != DataType::Bool && !isSubByte(type);
}

/// Bytes of the raw buffer of `count` elements that is not a splat's.
constexpr uint64_t rawDataBytes(DataType type, uint64_t count) {
  return type == DataType::Bool ? (count + 7) / 8 : count * byteWidth(type);
}

/// The tensor whose raw buffer this is; of a splat the buffer has one element.
/// Copies only types without raw form. REQUIRES: the buffer has
/// rawDataBytes(type, splat ? 1 : number of elements) bytes.
Elements fromRawData(DataType type, ShapeRef shape, BufferRef buffer,
                     bool splat);

/// The tensor whose elements take a byte or more each, in their low bits;
/// copies only where bits above must be made right. REQUIRES: enough bytes.
Elements fromBytes(DataType type, ShapeRef shape, BufferRef buffer);

/// Elements [first, first + count), as read by a Reader to `elements`, in raw
/// form to `out`. For i1 REQUIRES: first is a multiple of 8.
void toRawData(DataType type, const char *elements, int64_t count, char *out);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_RAWDATA_H
