//===- MessageTable.h - Messages within messages of onnx.proto --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Which fields of onnx.proto are messages and packed lists, for walks that need
// no meaning: what protobuf can read (WireCheck.h), and what is erased wherever
// it stands (FieldStripper.h). WireCheckTest compares the table with the
// descriptors. This header is private to onnx/io.
//
//   if (const KnownField *known = knownField(Node, field); known->holds >= Model)
//     walk(field.body(), known->holds);
//
// Thread safety: constants.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_INTERNAL_MESSAGETABLE_H
#define ONNXFOLD_ONNX_IO_WIRE_INTERNAL_MESSAGETABLE_H

#include "onnxfold/onnx/io/wire/WireCursor.h"
#include <array>
#include <cstdint>
#include <iterator>

namespace onnxfold::wire {

/// The content of a length-delimited field. Strings, bytes and fields that ONNX
/// does not have are opaque.
enum Holds : uint8_t {
  Opaque,
  Varints, // packed
  Fixed32s,
  Fixed64s,
  Model, // from here on messages
  Graph,
  Node,
  Attribute,
  Tensor,
  SparseTensor,
  ValueInfo,
  Type,
  ShapedType,  // TypeProto.Tensor and .SparseTensor
  ElementType, // .Sequence and .Optional
  MapType,
  Shape,
  Function,
  Training,
  Annotation,
  NodeDevices,
  Sharding,
  DeviceGroup,
  ShardedDim,
  Plain, // messages without messages and lists of numbers
  NumKinds
};

enum Count : bool { One, Many };

struct KnownField {
  Holds message;
  uint8_t number;
  Holds holds;
  const char *name;
  Count count = One; // of messages
};

/// onnx.proto.
inline constexpr KnownField knownFields[] = {
    {Model, 7, Graph, "graph"},
    {Model, 8, Plain, "opset_import", Many},
    {Model, 14, Plain, "metadata_props", Many},
    {Model, 20, Training, "training_info", Many},
    {Model, 25, Function, "functions", Many},
    {Model, 26, Plain, "configuration", Many},
    {Graph, 1, Node, "node", Many},
    {Graph, 5, Tensor, "initializer", Many},
    {Graph, 11, ValueInfo, "input", Many},
    {Graph, 12, ValueInfo, "output", Many},
    {Graph, 13, ValueInfo, "value_info", Many},
    {Graph, 14, Annotation, "quantization_annotation", Many},
    {Graph, 15, SparseTensor, "sparse_initializer", Many},
    {Graph, 16, Plain, "metadata_props", Many},
    {Node, 5, Attribute, "attribute", Many},
    {Node, 9, Plain, "metadata_props", Many},
    {Node, 10, NodeDevices, "device_configurations", Many},
    {Attribute, 5, Tensor, "t"},
    {Attribute, 6, Graph, "g"},
    {Attribute, 7, Fixed32s, "floats"},
    {Attribute, 8, Varints, "ints"},
    {Attribute, 10, Tensor, "tensors", Many},
    {Attribute, 11, Graph, "graphs", Many},
    {Attribute, 14, Type, "tp"},
    {Attribute, 15, Type, "type_protos", Many},
    {Attribute, 22, SparseTensor, "sparse_tensor"},
    {Attribute, 23, SparseTensor, "sparse_tensors", Many},
    {Tensor, 1, Varints, "dims"},
    {Tensor, 3, Plain, "segment"},
    {Tensor, 4, Fixed32s, "float_data"},
    {Tensor, 5, Varints, "int32_data"},
    {Tensor, 7, Varints, "int64_data"},
    {Tensor, 10, Fixed64s, "double_data"},
    {Tensor, 11, Varints, "uint64_data"},
    {Tensor, 13, Plain, "external_data", Many},
    {Tensor, 16, Plain, "metadata_props", Many},
    {SparseTensor, 1, Tensor, "values"},
    {SparseTensor, 2, Tensor, "indices"},
    {SparseTensor, 3, Varints, "dims"},
    {ValueInfo, 2, Type, "type"},
    {ValueInfo, 4, Plain, "metadata_props", Many},
    {Type, 1, ShapedType, "tensor_type"},
    {Type, 4, ElementType, "sequence_type"},
    {Type, 5, MapType, "map_type"},
    {Type, 7, Plain, "opaque_type"},
    {Type, 8, ShapedType, "sparse_tensor_type"},
    {Type, 9, ElementType, "optional_type"},
    {ShapedType, 2, Shape, "shape"},
    {ElementType, 1, Type, "elem_type"},
    {MapType, 2, Type, "value_type"},
    {Shape, 1, Plain, "dim", Many},
    {Function, 7, Node, "node", Many},
    {Function, 9, Plain, "opset_import", Many},
    {Function, 11, Attribute, "attribute_proto", Many},
    {Function, 12, ValueInfo, "value_info", Many},
    {Function, 14, Plain, "metadata_props", Many},
    {Training, 1, Graph, "initialization"},
    {Training, 2, Graph, "algorithm"},
    {Training, 3, Plain, "initialization_binding", Many},
    {Training, 4, Plain, "update_binding", Many},
    {Annotation, 2, Plain, "quant_parameter_tensor_names", Many},
    {NodeDevices, 2, Sharding, "sharding_spec", Many},
    {Sharding, 2, Varints, "device"},
    {Sharding, 3, DeviceGroup, "index_to_device_group_map", Many},
    {Sharding, 4, ShardedDim, "sharded_dim", Many},
    {DeviceGroup, 2, Varints, "value"},
    {ShardedDim, 2, Plain, "simple_sharding", Many},
};
inline constexpr size_t numNumbers = 27; // the highest number is 26

/// Index in knownFields plus one; 0: opaque.
inline constexpr auto fieldsByNumber = [] {
  std::array<std::array<uint8_t, numNumbers>, NumKinds> table{};
  for (size_t i = 0; i < std::size(knownFields); ++i)
    table[knownFields[i].message][knownFields[i].number] = i + 1;
  return table;
}();

/// The entry of a length-delimited field of a message; null: it is
/// opaque.
inline const KnownField *knownField(Holds message, const WireField &field) {
  if (field.type != WireType::Length || field.number >= numNumbers)
    return nullptr;
  unsigned place = fieldsByNumber[message][field.number];
  return place == 0 ? nullptr : &knownFields[place - 1];
}

} // namespace onnxfold::wire

#endif // ONNXFOLD_ONNX_IO_WIRE_INTERNAL_MESSAGETABLE_H
