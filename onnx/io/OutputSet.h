//===- OutputSet.h - Files that appear together or not at all -------------===//
//
// A model and its data files are one thing in several files: a model with the
// weights of another run is worse than none. commitTogether() gives all of them
// their names so that after an error everything is as it was, and after a kill
// or a power cut at any moment there is
//
//   * what was there before, or
//   * everything new, or
//   * no model under its name, and the old model (and the old data file that
//     was to be replaced) aside as `.NAME.onnxfold-*.old` in the same folder.
//
// In this order: all files are synced if any replaces another; the old model
// and the old data files are renamed aside; data files get their names; the
// model gets its name; folders are synced; what is aside is deleted. What a
// killed run left aside is deleted by the next run on the target that succeeds,
// not before: until then it may be the only copy.
//
// A model without companions replaces the old one in a single rename.
// Thread safety: none. Errors: as OutputFile.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_OUTPUTSET_H
#define ONNXFOLD_ONNX_IO_OUTPUTSET_H

#include "onnxfold/onnx/io/OutputFile.h"

namespace onnxfold {

/// Commits `companions` and then `model`, which refers to them; no file may be
/// written afterwards. REQUIRES: with companions, none is a stream, and all
/// have different targets.
llvm::Error commitTogether(llvm::ArrayRef<OutputFile *> companions,
                           OutputFile &model);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_OUTPUTSET_H
