//===- InPlace.cpp - What --in-place would spoil --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/InPlace.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::checkInPlace(const ModelSource &source,
                                   const ImportedModel &model,
                                   const OutputTarget &target) {
  const std::string &name = source.name();
  auto refuse = [&](const llvm::Twine &text) {
    return llvm::Error(ModelFault().file(name).says(text).expected(
        "another output than " + setting("in-place")));
  };
  if (source.isMemory() || source.isStream() || !target.isFile() ||
      !llvm::sys::fs::equivalent(name, target.path()))
    return refuse("is not a file that can be replaced");
  if (llvm::sys::fs::is_symlink_file(name))
    return refuse("is a link to a file that others may use");
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(name, status) && status.getLinkCount() > 1)
    return refuse("has " + llvm::Twine(status.getLinkCount()) +
                  " hard links, of which the others would keep the old model");
  if (model.textFile)
    return refuse("is text, and the output is binary");
  return llvm::Error::success();
}

/// {"location": ...} as protobuf writes it, for names below 128 bytes.
static std::string referenceTo(StringRef location) {
  return ("\n\x08location\x12" + llvm::Twine(char(location.size())) + location)
      .str();
}

/// Another model of the folder that refers to the data file.
static std::optional<std::string> otherReader(StringRef folder, StringRef model,
                                              StringRef location) {
  std::string reference = referenceTo(location);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(folder, code), end;
       !code && entry != end; entry.increment(code)) {
    if (!StringRef(entry->path()).ends_with(".onnx") ||
        llvm::sys::fs::equivalent(entry->path(), model))
      continue;
    // Volatile: read and not mapped, so that nobody can cut it under us.
    auto bytes = llvm::MemoryBuffer::getFile(entry->path(), /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false,
                                             /*IsVolatile=*/true);
    if (bytes && (*bytes)->getBuffer().contains(reference))
      return llvm::sys::path::filename(entry->path()).str();
  }
  return std::nullopt;
}

llvm::Error onnxfold::checkSharedData(const PreparedModel &model,
                                      const OutputTarget &target,
                                      StringRef dataFile,
                                      const ModelExporter &exporter) {
  std::vector<std::string> replaced = exporter.dataFiles();
  if (replaced.empty())
    return llvm::Error::success();
  const ExternalData &external = *model.imported.external;
  for (const auto &[location, data] : external.files())
    if (StringRef(location).starts_with((dataFile + "_").str()))
      replaced.push_back(location);
  std::string folder(external.modelFolder());
  for (const std::string &location : replaced) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, location);
    if (!llvm::sys::fs::exists(path))
      continue;
    if (std::optional<std::string> other =
            otherReader(folder, target.path(), location))
      return ModelFault()
          .file(model.name)
          .says("its data file '" + printableName(location) + "'")
          .is("that of " + printableName(*other) + " too")
          .expected("a name for another (" + setting("external-data", "FILE") +
                    ")");
  }
  return llvm::Error::success();
}

void onnxfold::warnOfUnusedData(const PreparedModel &model,
                                const OutputTarget &target,
                                const ModelExporter &exporter, RunScope &run) {
  std::vector<std::string> made = exporter.dataFiles();
  llvm::append_range(made, target.written()->removedData());
  const ExternalData &external = *model.imported.external;
  for (const auto &[location, data] : external.files()) {
    llvm::SmallString<128> path(external.modelFolder());
    llvm::sys::path::append(path, location);
    if (!exporter.isNeeded(location) && !llvm::is_contained(made, location) &&
        llvm::sys::fs::exists(path))
      run.warn(model.name + ": does not refer to its data file '" +
               printableName(location) + "' any more");
  }
}
