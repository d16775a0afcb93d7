//===- Annotations.h - What a file says of a node's values ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device configurations of a node (NodeProto.device_configurations), and
// the quantization annotations of its results
// (GraphProto.quantization_annotation). The file names the values that they are
// about. In the IR these are numbers of operands and results: so a copy of an
// operation has them too, they follow what is rewired or renamed, and operators
// are different if their annotations are (Operator::annotations):
//
//   {devices = [{message = "...", values = array<i64: 0, -1>}],
//    quantization = [{message = "...", result = 0 : i64}],
//    fixed_bodies}
//
// `message` is a NodeDeviceConfigurationProto or TensorAnnotation without the
// names of these values. `values` has a number for each sharding_spec: that of
// an operand, -1 - i for result #i, or `noValue`: the message has the name.
// `fixed_bodies` says that annotations in a body of the operator name values of
// that body or are about values that no node makes, so that the body can
// neither be copied nor inlined.
//
// Thread safety: the functions have no state. Nothing throws.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_ANNOTATIONS_H
#define ONNXFOLD_ONNX_IR_ANNOTATIONS_H

#include "onnxfold/onnx/ir/Operator.h"
#include <limits>
#include <string>
#include <vector>

namespace onnxfold {

inline constexpr int64_t noValue = std::numeric_limits<int64_t>::min();

//===----------------------------------------------------------------------===//
// Device configurations

/// One device configuration of an operator.
struct DeviceConfiguration {
  /// How one value is sharded.
  struct Spec {
    mlir::Value value;   ///< null: the message has the name of another value
    std::string message; ///< ShardingSpecProto
    bool operator==(const Spec &other) const {
      return value == other.value && message == other.message;
    }
  };
  std::string head; ///< the message without sharding specs
  llvm::SmallVector<Spec, 2> specs;

  /// configuration_id.
  std::string id() const;
};
using DeviceConfigurations = llvm::SmallVector<DeviceConfiguration, 1>;

bool hasDeviceConfigurations(const Operator &op);
DeviceConfigurations deviceConfigurationsOf(const Operator &op);
/// Whether a configuration of `op` says how `value` is sharded.
bool shards(const Operator &op, mlir::Value value);
/// Specs of values that `op` neither reads nor makes are left out.
void setDeviceConfigurations(
    Operator op, llvm::ArrayRef<DeviceConfiguration> configurations);

/// Sets those of a new operator, whose inputs and outputs have these names in
/// the file, from the messages of the file. Returns the first name in them that
/// is none of these, or "".
std::string readDeviceConfigurations(Operator op,
                                     llvm::ArrayRef<std::string> messages,
                                     llvm::ArrayRef<llvm::StringRef> inputs,
                                     llvm::ArrayRef<llvm::StringRef> outputs);
/// The messages, with the names that the values have now.
std::vector<std::string> encodeDeviceConfigurations(const Operator &op);
/// A message of the file, as encodeDeviceConfigurations would write it, with
/// the name `after` in place of `before` ("": none is replaced).
std::string renameInDeviceConfiguration(llvm::StringRef message,
                                        llvm::StringRef before,
                                        llvm::StringRef after);
/// A symbolic dimension is this size now.
void fixDimension(Operator op, llvm::StringRef dimension, int64_t size);

//===----------------------------------------------------------------------===//
// Quantization annotations

/// The annotation of a result or of an argument of a function, as a
/// TensorAnnotation without the name of the value; "" if there is none.
llvm::StringRef quantizationOf(mlir::Value value);
/// Whether the value can have one here: an Operator makes it, or it is an
/// argument of the main graph (whose attribute it is then).
bool mayHaveQuantization(mlir::Value value);
/// REQUIRES: mayHaveQuantization(value).
void setQuantization(mlir::Value value, llvm::StringRef message);
/// A TensorAnnotation without tensor_name, and with it.
std::string withoutTensorName(llvm::StringRef message);
std::string withTensorName(llvm::StringRef message, llvm::StringRef name);

bool hasFixedBodies(const Operator &op);
void setFixedBodies(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_ANNOTATIONS_H
