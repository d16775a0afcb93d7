//===- Export.h - The changed model as a file -------------------*- C++ -*-===//
//
// Writes a module that importModel made and passes changed, as edits of the
// original bytes (EditScript): what is still in the module as it was imported
// keeps its bytes.
//   * An operator that is gone takes its node along; a Constant that is gone
//     its node or initializer (which nothing else in the file names).
//   * A constant that is new becomes an initializer under the name of its
//     `output` in the graph where it stands; with IR < 4 and in functions a
//     Constant node in the place of the node that it replaces.
//   * value_info of names that are no longer values goes.
//
//   auto exporter = ModelExporter::create(model, {});
//   if (exporter->changesAnything()) error = exporter->write("out.onnx", pool);
//
// Large constants are computed while they are written, by several threads.
// The result depends on the module alone.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_EXPORT_H
#define ONNXFOLD_ONNX_IO_EXPORT_H

#include "onnxfold/onnx/io/EditScript.h"
#include "onnxfold/onnx/io/Import.h"
#include <functional>

namespace onnxfold {

struct ExportOptions {
  /// Sets (or replaces) entries of the model's metadata_props.
  std::vector<std::pair<std::string, std::string>> metadata;
};

class ModelExporter {
public:
  /// Compares the module with the file. The model must outlive the exporter.
  static llvm::Expected<ModelExporter> create(const ImportedModel &model,
                                              const ExportOptions &options);

  /// False: the output would be the input, byte for byte.
  bool changesAnything() const { return !script->empty(); }

  /// Bytes of the model file that write() makes.
  uint64_t outputBytes() const;

  /// Writes `path` ("-": standard output), whole or not at all. External data
  /// files that the model refers to are copied beside an output in another
  /// folder, unless they are there with the same content; other content is an
  /// error. Refuses a path that is one of the model's files.
  /// `progress` as OutputFile::onProgress; may be empty.
  llvm::Error write(llvm::StringRef path, llvm::ThreadPoolInterface *pool,
                    std::function<void(uint64_t)> progress = {});

private:
  explicit ModelExporter(const ImportedModel &model)
      : model(&model),
        script(std::make_unique<EditScript>(model.index->file())) {}

  const ImportedModel *model;
  std::unique_ptr<EditScript> script;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_EXPORT_H
