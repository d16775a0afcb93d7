//===- DataUseReport.cpp - What is left of data files ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/DataUseReport.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/ir/PrintableText.h"

using namespace onnxfold;

namespace {

struct DataUseSection : ReportSection {
  static constexpr llvm::StringLiteral key = "data_files";
  struct File {
    std::string location;
    uint64_t bytes, referred;
  };
  std::vector<File> files;

  void printJson(llvm::json::OStream &json) const override {
    json.array([&] {
      for (const File &file : files)
        json.object([&] {
          json.attribute("location", jsonText(file.location));
          json.attribute("bytes", file.bytes);
          json.attribute("bytes_referred", file.referred);
        });
    });
  }

  /// A file of which all is needed is not worth a line.
  void printSummary(llvm::raw_ostream &out) const override {
    for (const File &file : files)
      if (file.referred < file.bytes)
        out << "of the data file " << printableName(file.location) << " "
            << file.referred << " of " << file.bytes
            << " bytes are still referred to\n";
  }
};

} // namespace

void onnxfold::noteDataUse(const ImportedModel &model,
                           const ModelExporter &exporter, FoldReport &report) {
  llvm::StringMap<uint64_t> sizes;
  for (const auto &[location, file] : model.external->files())
    sizes[location] = file->size();
  std::vector<DataUseSection::File> files;
  for (const auto &[location, referred] : exporter.dataUse())
    if (auto size = sizes.find(location); size != sizes.end())
      files.push_back({location, size->second, referred});
  if (!files.empty())
    report.section<DataUseSection>().files = std::move(files);
}
