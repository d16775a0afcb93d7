//===- Cleaning.h - The form of the output, apart from what it says -------===//
// SPDX-License-Identifier: Apache-2.0
//
// What the exporter does to a model whose values do not change: texts that are
// left out, the form of constants, the order of nodes. And the record of what
// it did, for the report.
//
// Thread safety: plain values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_CLEANING_H
#define ONNXFOLD_ONNX_IO_WRITE_CLEANING_H

#include "onnxfold/onnx/io/write/DataPlacement.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace onnxfold {

/// Fields that are written in no message (--strip). Entries of metadata_props
/// whose keys begin with "onnx-fold." stay: the record of growth, without which
/// the next run would begin anew, and, if `keepsProvenance`, where new constants
/// come from.
struct StrippedFields {
  bool metadata = false;    ///< metadata_props
  bool docs = false;        ///< doc_string
  bool names = false;       ///< NodeProto.name
  bool types = false;       ///< value_info
  bool stackTraces = false; ///< entries of metadata_props for stack traces
  bool keepsProvenance = false;

  bool any() const { return metadata || docs || names || types || stackTraces; }
};

struct Cleaning {
  StrippedFields strip;
  ConstantForm constants = ConstantForm::Keep;
  /// Nodes of a graph that is not sorted stand in the order of the module.
  bool sort = false;
};

/// Counts what was done, and names what had to be left.
struct CleaningRecord {
  struct Count {
    int64_t count = 0;
    int64_t bytes = 0;
    std::vector<std::string> names; ///< of what has one
  };
  struct Left {
    std::string name, reason;
  };
  std::map<std::string, Count> done; ///< "doc_string"
  std::vector<Left> left;
  /// How many Constant nodes graphs have with ConstantForm::Nodes: those of the
  /// file, initializers that became nodes, and new ones.
  int64_t constantNodes = 0;

  void note(const char *what, uint64_t bytes, llvm::StringRef name = {}) {
    Count &one = done[what];
    ++one.count;
    one.bytes += int64_t(bytes);
    if (!name.empty())
      one.names.push_back(name.str());
  }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_CLEANING_H
