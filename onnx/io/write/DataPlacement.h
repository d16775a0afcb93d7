//===- DataPlacement.h - Where values are stored ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the model file or in data files beside it. Plain data.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_DATAPLACEMENT_H
#define ONNXFOLD_ONNX_IO_WRITE_DATAPLACEMENT_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace onnxfold {

enum class DataPlacement {
  Keep,     ///< where it is in the input
  External, ///< all but small tensors in new data files
  Inline    ///< all in the model file
};

/// The form of constants in the file (--constants).
enum class ConstantForm {
  Keep,         ///< what they are in the input; new ones: initializers
  Initializers, ///< initializers, where the format has them
  Nodes         ///< Constant nodes
};

/// A mapping may begin at multiples of this number of bytes on every system
/// (Windows has the largest granularity).
constexpr uint64_t mappingAlignment = 64 * 1024;

/// The choices of --external-data. By default the threshold is that of the onnx
/// package, all data is in one file, and tensors are aligned so that every
/// system can map them.
struct DataLayout {
  uint64_t threshold = 1024; ///< smaller tensors are in the model file
  /// The alignment of the offset of each tensor, in bytes.
  uint64_t alignment = mappingAlignment;
  /// Tensors below 4 MB are aligned less, so that the space between tensors is
  /// at most a 64th of their bytes.
  bool isDense = false;
  std::optional<uint64_t> shard; ///< the largest size of a file, in bytes

  /// The alignment of a tensor of this size.
  uint64_t alignmentOf(uint64_t bytes) const {
    uint64_t dense = std::bit_floor(std::max<uint64_t>(bytes / 64, 1));
    return isDense ? std::min(alignment, dense) : alignment;
  }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_DATAPLACEMENT_H
