//===- FoldRun.h - One run of foldModel -------------------------*- C++ -*-===//
//
// The steps of foldModel in their order, those of --run-once at the end, and
// the data that they share. Thread safety: none; one object for one run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_FOLDRUN_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_FOLDRUN_H

#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/cache/internal/CacheFolder.h"
#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/onnx/driver/fold/internal/GrowthRecord.h"
#include "onnxfold/onnx/io/OutputFile.h"
#include "onnxfold/onnx/io/TargetLock.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "onnxfold/onnx/transforms/runonce/RunOnce.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <set>

namespace onnxfold {

/// What a run hands to another one that takes its place (FoldRunMistakes.cpp).
struct EarlierRuns {
  unsigned count = 0;
  /// The first outputs of nodes that must stay, or all nodes must.
  llvm::StringSet<> kept;
  bool keepsAll = false;
  std::vector<std::string> mistakes; ///< because of which they must
  llvm::StringSet<> warnings;        ///< that the user has seen
  InputFileRef file;                 ///< a stream can be read once
};

class FoldRun {
public:
  FoldRun(const ModelInput &input, const ModelOutput &output,
          const FoldOptions &options, FoldReport &report,
          const FoldCallbacks &callbacks, EarlierRuns &earlier);

  llvm::Error execute();

  /// True if execute() has written nothing, because another run has to keep
  /// more.
  bool mustRunAgain() const { return isGivenUp; }

  /// The text of the error after a failed allocation. It names the file, and
  /// the node if one was being computed.
  ModelFault outOfMemory() const {
    return ModelFault()
        .file(inputName)
        .append(failedNode)
        .says(failedNode.empty() ? "out of memory" : ": out of memory");
  }

  /// True if the caller has cancelled the run. It never returns to false.
  bool isCancelled();

private:
  // Reading.
  llvm::Error openCache();
  llvm::Error readSchemas();
  llvm::Error readLibrary(const InputFileRef &library);
  llvm::Error read();
  llvm::Expected<InputFileRef> openInput() const;
  llvm::Expected<ImportedModel> import();
  void lockTarget();
  llvm::Error checkInPlace() const;
  llvm::Error openReport();
  llvm::Error cutGraph();
  llvm::Error fixInputs();
  void warnOfRanks();
  llvm::Error holdInitializers();
  llvm::Error warnOfPatterns();

  // Folding.
  llvm::Expected<ModuleFoldingOptions> foldingOptions();
  llvm::Error evaluate();
  llvm::Error lookForShownMistakes();
  Reason whyKept(mlir::Operation *op) const;
  void warnOfShownMistakes();
  void noteUnreadInitializers();
  void eraseUnreadInitializers();
  void apply(FoldPlan &plan);
  llvm::Error fold();
  llvm::Error foldConverted();
  llvm::Error readConverted();
  void restoreInitializers();
  void warnOfRefusals();
  llvm::Error checkDeclaredTypes();
  llvm::Error convertOpsets();

  // Writing.
  llvm::Error emit();
  llvm::Error emitMlir();
  std::string dataFile() const;
  std::string dataFileOf(llvm::StringRef path) const;
  DataPlacement placement() const;
  ExportOptions exportOptions() const;
  TypeEdit fillInterface(mlir::Value value, onnx::ValueInfoProto &info) const;
  bool editsTypes() const {
    return options.level >= 1 || options.shapes || !options.fixed.empty();
  }
  bool completes(mlir::Value value, onnx::TypeProto &type) const;
  TypeEdit editType(mlir::Value value, TypePlace place,
                    onnx::ValueInfoProto &info) const;
  bool isDone(const ModelExporter &exporter) const;
  llvm::Error checkSharedData(const ModelExporter &exporter) const;
  void noteUnusedData(const ModelExporter &exporter);
  bool holdsStream() const {
    return options.verifyTrials != 0 || reportFile || callbacks.complete;
  }
  llvm::Error checkReportFile(const ModelExporter &exporter) const;
  void warnOfLosses();
  llvm::Error writeModel(ModelExporter &exporter);
  llvm::Error verifyWritten(const WrittenModel &written);
  llvm::Error verifyResult(mlir::ModuleOp result);
  void noteCache();
  llvm::Error writeReport();
  llvm::Error commitReport();
  llvm::Error takeBytes();
  llvm::Error sendText();
  llvm::Error commit();

  // --run-once.
  llvm::Error findRunOnce();
  void noteLeftOut();
  llvm::Error emitSplit();
  llvm::Error writeSplit();
  llvm::Expected<WrittenModel> writeOnce(llvm::StringRef path);
  llvm::Error checkOncePath(llvm::StringRef path) const;

  bool isFile() const { return !output.path.empty(); }
  /// Nothing is read then, and without nodes ONNX Runtime loads no model.
  bool hasNoOutputs() const { return model.index->mainGraph().outputs.empty(); }
  bool writesNothing() const { return !isFile() && !output.result; }
  /// True if functions that nothing calls are not written.
  bool removesUnused() const;
  /// True if verification runs the module that the writer gets, not the written
  /// file.
  bool verifiesModule() const {
    return writesNothing() || options.format == OutputFormat::Mlir || runOnce;
  }
  /// True if the result was compared and must not be written.
  bool isRejected() const {
    return report.verification && (!report.verification->isEqual() ||
                                   !report.verification->isComplete());
  }
  WriteProgress progress();
  llvm::Error checkCancelled();
  void warn(const llvm::Twine &text);
  void endStep(llvm::StringRef name);

  const ModelInput &input;
  const ModelOutput &output;
  const FoldOptions &options;
  FoldReport &report;
  const FoldCallbacks &callbacks;
  EarlierRuns &earlier;
  bool isGivenUp = false;
  bool isDoubtful = false; ///< what inference says of some node
  std::atomic<bool> cancelled = false;
  std::string inputName; ///< for messages

  std::unique_ptr<CacheFolder> cache; ///< of --cache; outlives all values
  llvm::DefaultThreadPool pool;
  mlir::MLIRContext context;
  /// --schemas: the models whose functions compute operators.
  std::vector<ImportedModel> libraries;
  std::vector<std::unique_ptr<mlir::SymbolTable>> libraryFunctions;
  InputFileRef file;
  ImportedModel model;
  TargetLock targetLock;
  // What was written and has no name yet.
  std::unique_ptr<OutputFile> reportFile;
  std::optional<WrittenModel> written, writtenOnce;
  std::unique_ptr<OutputFile> writtenText; ///< of --emit=mlir
  std::unique_ptr<OutputFile> textStream;  ///< that gets `writtenText`
  std::optional<std::string> textInMemory;
  mlir::OwningOpRef<mlir::ModuleOp> replaced; ///< by --target-opset
  bool isConverted = false; ///< `model` is what --target-opset made
  GrowthRecord growth;
  ModelFault failedNode; ///< that RunBudget described last
  RunBudget budget;
  std::optional<ModuleFolding> folding;
  KnownTypes types;
  llvm::StringSet<> unreadInFile;       ///< initializers of old files
  std::optional<GraphCut> cut;          ///< of --inputs and --outputs
  std::optional<HeldInitializers> held; ///< of --keep-initializer
  std::optional<RunOnce> runOnce;
  TypeConflicts conflicts;
  /// Nodes that stand for several, whose texts differ; and the first of them
  /// with the field.
  mutable llvm::DenseSet<mlir::Operation *> lostTexts;
  mutable std::string firstLostText;
  mutable std::set<std::string> lostParameters;    ///< names of initializers
  mutable std::vector<TypeConflict> lateConflicts; ///< those of editType()
  llvm::StringSet<> saidConflicts; ///< texts, and values with their types
  size_t numConflicts = 0;         ///< that were said
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_FOLDRUN_H
