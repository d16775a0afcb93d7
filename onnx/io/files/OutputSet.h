//===- OutputSet.h - Files that appear together or not at all -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A model and its data files belong together: a model with the weights of
// another run is worse than none. commitTogether() gives all of them their
// names so that after an error all files are unchanged, and after a kill or a
// power cut at any moment there is
//
//   * the old model with the old data files, or
//   * the new model with the new data files, or
//   * no model under its name, and the old model (and the old data file that
//     was to be replaced) aside as `.NAME.onnxfold-*.old` in the same folder.
//
// The steps have this order: all files are synced if any replaces another; the
// old model and the old data files are renamed aside; data files get their
// names; the model gets its name; folders are synced; the files that were
// renamed aside are deleted. Files that a killed run left aside are deleted by
// the next successful run on the target, not before: until then they may be the
// only copy.
//
// A model without companions replaces the old one in a single rename.
//
// Other files (a report) and streams belong to the same run: after an error all
// of them are unchanged, too, but for the bytes that a stream has got. Other
// files get their names first, and streams their bytes last.
//
// Thread safety: none. Errors: as OutputFile.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_OUTPUTSET_H
#define ONNXFOLD_ONNX_IO_FILES_OUTPUTSET_H

#include "onnxfold/onnx/io/files/OutputFile.h"

namespace onnxfold {

/// The files of a run. REQUIRES: none is a stream.
struct OutputSet {
  llvm::SmallVector<OutputFile *> companions; ///< of the models
  llvm::SmallVector<OutputFile *, 2> models;  ///< the last one is named last
  llvm::SmallVector<OutputFile *, 1> others;
  /// Write the bytes of streams.
  llvm::SmallVector<std::function<llvm::Error()>, 1> streams;
};

/// Commits all of the set or nothing; no file may be written afterwards. Two
/// files with one name are an error.
llvm::Error commitTogether(const OutputSet &set);

/// The same for one model, which may be a stream if it has no companions.
llvm::Error commitTogether(llvm::ArrayRef<OutputFile *> companions,
                           OutputFile &model);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_OUTPUTSET_H
