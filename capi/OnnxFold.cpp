//===- OnnxFold.cpp - onnx-fold for C -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/capi/onnx_fold.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/NamedOptions.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/options/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <new>

using namespace onnxfold;

struct onnx_fold_options {
  FoldOptions fold;
  std::vector<std::string> arguments; ///< the same as a command line
  std::string error;
  int (*isCancelled)(void *) = nullptr;
  void *data = nullptr;
};

struct onnx_fold_result {
  onnx_fold_status status = ONNX_FOLD_OK;
  std::string error, report, model;
  bool isChanged = false, hasModel = false;
};

/// LLVM's own allocations would end the process.
static void throwWithoutMemory() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); });
  });
}

/// No exception leaves the library.
template <typename Function>
static onnx_fold_status noThrow(std::string &error, Function &&function) {
  try {
    throwWithoutMemory();
    llvm::Error failed = function();
    if (!failed)
      return ONNX_FOLD_OK;
    onnx_fold_status status = ONNX_FOLD_FAILED;
    llvm::handleAllErrors(std::move(failed), [&](llvm::ErrorInfoBase &info) {
      error = info.message();
      if (info.isA<FoldError>())
        status = onnx_fold_status(static_cast<FoldError &>(info).code());
    });
    return status;
  } catch (const std::bad_alloc &) {
    error.clear(); // "out of memory" fits without an allocation
    error = "out of memory";
    return ONNX_FOLD_NO_MEMORY;
  } catch (const std::exception &exception) {
    error = exception.what();
  } catch (...) {
    error = "unknown error";
  }
  return ONNX_FOLD_FAILED;
}

template <typename T> static T *create() { return new (std::nothrow) T; }

static const FoldOptions &optionsOf(const onnx_fold_options *options) {
  static const FoldOptions defaults;
  return options ? options->fold : defaults;
}

static FoldCallbacks callbacksOf(const onnx_fold_options *options) {
  FoldCallbacks callbacks;
  if (options && options->isCancelled)
    callbacks.isCancelled = [ask = options->isCancelled, data = options->data] {
      return ask(data) != 0;
    };
  return callbacks;
}

/// An option as the program takes it; empty: one that its report does not name.
static std::string argumentOf(llvm::StringRef name, llvm::StringRef value) {
  if (name == "report")
    return "";
  if (name == "level")
    return ("-O" + value).str();
  return ("--" + name + (value.empty() ? "" : "=" + value)).str();
}

/// Which options go together is in the table of the program's.
static llvm::Error checkTogether(llvm::ArrayRef<std::string> arguments) {
  if (arguments.size() < 2)
    return llvm::Error::success();
  std::vector<const char *> words = {"onnx-fold"};
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  return CommandLine(ProgramId::OnnxFold, int(words.size()), words.data())
      .checkRules();
}

/// `output`: "-" for memory, NULL for none.
static std::vector<std::string> commandLine(const onnx_fold_options *options,
                                            llvm::StringRef input,
                                            const char *output) {
  std::vector<std::string> line;
  if (options)
    line = options->arguments;
  if (!output)
    line.push_back(CommandLine::spelling(OPT_check_only));
  else if (!optionsOf(options).inPlace)
    line.insert(line.end(), {"-o", output});
  line.push_back(input.str());
  return line;
}

/// `arguments`: for the report.
static void run(onnx_fold_result &result, const onnx_fold_options *options,
                const ModelInput &input, const ModelOutput &output,
                std::vector<std::string> arguments) {
  result.status = noThrow(result.error, [&]() -> llvm::Error {
    if (options)
      if (llvm::Error wrong = checkTogether(options->arguments))
        return wrong;
    FoldReport report;
    report.arguments = std::move(arguments);
    FoldCallbacks callbacks = callbacksOf(options);
    // Before the output gets its name: memory may not suffice for it.
    auto print = [&] {
      llvm::raw_string_ostream text(result.report);
      printReport(text, report, ReportFormat::Json);
      result.isChanged = report.isChanged;
      return llvm::Error::success();
    };
    callbacks.complete = print;
    llvm::Error failed =
        foldModel(input, output, optionsOf(options), report, callbacks);
    if (result.report.empty())
      cantFail(print());
    result.isChanged &= !failed;
    return failed;
  });
}

const char *onnx_fold_version(void) { return ONNXFOLD_VERSION; }

onnx_fold_options *onnx_fold_options_create(void) {
  return create<onnx_fold_options>();
}

void onnx_fold_options_destroy(onnx_fold_options *options) { delete options; }

onnx_fold_status onnx_fold_options_set(onnx_fold_options *options,
                                       const char *name, const char *value) {
  if (!options || !name)
    return ONNX_FOLD_FAILED;
  options->error.clear();
  return noThrow(options->error, [&]() -> llvm::Error {
    FoldOptions changed = options->fold;
    if (llvm::Error failed = setOption(changed, name, value ? value : ""))
      return failed;
    std::string argument = argumentOf(name, value ? value : "");
    if (!argument.empty())
      options->arguments.push_back(std::move(argument));
    options->fold = std::move(changed);
    return llvm::Error::success();
  });
}

const char *onnx_fold_options_error(const onnx_fold_options *options) {
  return options ? options->error.c_str() : "";
}

void onnx_fold_options_set_cancel(onnx_fold_options *options,
                                  int (*isCancelled)(void *data), void *data) {
  if (!options)
    return;
  options->isCancelled = isCancelled;
  options->data = data;
}

static onnx_fold_result *runToFile(const onnx_fold_options *options,
                                   const ModelInput &input,
                                   llvm::StringRef name, const char *output) {
  auto *result = create<onnx_fold_result>();
  if (!result)
    return nullptr;
  if (output && !*output) { // a file without a name would be none
    result->status = noThrow(result->error, [] {
      return llvm::createStringError(
          "the output is '', expected a file, or NULL for none");
    });
    return result;
  }
  run(*result, options, input,
      output ? ModelOutput::file(output) : ModelOutput::none(),
      commandLine(options, name, output));
  return result;
}

onnx_fold_result *onnx_fold_file(const onnx_fold_options *options,
                                 const char *input, const char *output) {
  return input ? runToFile(options, ModelInput::file(input), input, output)
               : nullptr;
}

static ModelInput inMemory(const void *model, size_t size, const char *folder) {
  return ModelInput::bytes({static_cast<const char *>(model), size},
                           folder ? folder : "");
}

onnx_fold_result *onnx_fold_memory_to_file(const onnx_fold_options *options,
                                           const void *model, size_t size,
                                           const char *folder,
                                           const char *output) {
  return model ? runToFile(options, inMemory(model, size, folder), "-", output)
               : nullptr;
}

onnx_fold_result *onnx_fold_memory(const onnx_fold_options *options,
                                   const void *model, size_t size,
                                   const char *folder) {
  onnx_fold_result *result = model ? create<onnx_fold_result>() : nullptr;
  if (!result)
    return nullptr;
  run(*result, options, inMemory(model, size, folder),
      ModelOutput::bytes(result->model), commandLine(options, "-", "-"));
  result->hasModel = result->status == ONNX_FOLD_OK;
  return result;
}

void onnx_fold_result_destroy(onnx_fold_result *result) { delete result; }

onnx_fold_status onnx_fold_result_status(const onnx_fold_result *result) {
  return result ? result->status : ONNX_FOLD_NO_MEMORY;
}

const char *onnx_fold_result_error(const onnx_fold_result *result) {
  return result ? result->error.c_str() : "out of memory";
}

const char *onnx_fold_result_report(const onnx_fold_result *result) {
  return result ? result->report.c_str() : "";
}

int onnx_fold_result_changed(const onnx_fold_result *result) {
  return result && result->isChanged;
}

const void *onnx_fold_result_model(const onnx_fold_result *result,
                                   size_t *size) {
  bool hasModel = result && result->hasModel;
  *size = hasModel ? result->model.size() : 0;
  return hasModel ? result->model.data() : nullptr;
}
