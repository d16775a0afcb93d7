//===- ExportedFiles.h - The files of one export ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_IO_WRITE_INTERNAL_EXPORTEDFILES_H
#define ONNXFOLD_ONNX_IO_WRITE_INTERNAL_EXPORTEDFILES_H

#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/OutputSet.h"
#include "onnxfold/onnx/io/files/TargetLock.h"
#include "onnxfold/onnx/io/files/internal/NewFolders.h"
#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

/// The files of one export until they get their names.
class ExportedFiles {
public:
  ExportedFiles(const ImportedModel &model, llvm::StringRef path,
                const ExportOptions &options)
      : path(path), folder(options.streamFolder.empty() ? folderOfModel(path)
                                                        : options.streamFolder),
        inputs(model.inputFiles()), own(model.index->file()->identity()),
        replacesInput(options.replacesInput), sync(options.sync),
        roots(model.external->extraRoots()) {}

  /// `holdsBack`: bytes for a stream are held back until commit().
  llvm::Error openModel(bool holdsBack);
  llvm::Error openInMemory();
  /// `needed`: of the input.
  llvm::Error openData(llvm::StringRef location, const ExternalData &external,
                       const DataUse &needed);
  /// Parts of the data of the model that is replaced which have no successor.
  void findStaleParts(llvm::StringRef location, const DataUse &needed);
  /// Opens a copy of a data file under its own name, if there has to be one.
  llvm::Error openCopy(llvm::StringRef location, InputFileRef source);
  void tell(WriteProgress progress, uint64_t total);
  llvm::Error writeCopies();
  llvm::Expected<std::unique_ptr<ExternalData>> readData() const;
  void addTo(OutputSet &set);
  /// After all of the set have their names.
  llvm::Error finish();
  bool isStream() const { return stream || model->isStream(); }

  std::string path;
  std::string folder;
  llvm::SmallVector<FileIdentity> inputs;
  FileIdentity own; ///< of the input's model file
  bool replacesInput, sync;
  NewFolders folders; // before the files: they are removed first
  std::unique_ptr<OutputFile> model;
  struct Part {
    std::string location;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<Part> parts;            ///< of new data
  std::unique_ptr<OutputFile> stream; ///< `model` is copied to it in the end
  struct Copy {
    std::unique_ptr<OutputFile> file;
    InputFileRef source;
  };
  std::vector<Copy> copies;
  std::vector<std::string> stale; ///< locations of data that finish() removes

private:
  llvm::Error sendHeldBack();

  llvm::ArrayRef<std::string> roots; ///< of the input's external data
  llvm::StringMap<TargetLock> locks; ///< of copies, by their real names
  llvm::StringMap<size_t> copied;    ///< by their real names
  llvm::StringMap<size_t> copiesAt;  ///< by location
  llvm::Error lock(llvm::StringRef target);
  llvm::Expected<std::unique_ptr<OutputFile>>
  open(llvm::StringRef location, llvm::ArrayRef<FileIdentity> untouched);
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_INTERNAL_EXPORTEDFILES_H
