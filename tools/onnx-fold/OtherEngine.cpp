//===- OtherEngine.cpp - Verification by ONNX Runtime ---------------------===//

#include "OtherEngine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

using namespace onnxfold;

/// Modules in the current folder are not ours.
static constexpr const char *program = R"(
import sys
sys.path[:] = filter(None, sys.path)
try:
    import numpy, onnxruntime
    from onnx_fold._onnxruntime import main
except ImportError as error:
    sys.exit(f"onnx-fold: error: --verify-with=onnxruntime: {error} in {sys.executable}, "
             "expected the packages onnx-fold and onnxruntime")
sys.exit(main(sys.argv[1:]))
)";

static std::string pythonFor(llvm::StringRef tool) {
  if (const char *given = std::getenv("ONNX_FOLD_PYTHON"))
    return given;
  llvm::SmallString<256> beside(llvm::sys::path::parent_path(tool));
  llvm::sys::path::append(beside, "python3");
  return llvm::sys::fs::can_execute(beside) ? std::string(beside) : "python3";
}

llvm::Error onnxfold::verifyWithOnnxRuntime(const Options &options) {
  llvm::SmallString<256> self;
  if (std::error_code code = llvm::sys::fs::real_path("/proc/self/exe", self))
    return llvm::createStringError("/proc/self/exe: " + code.message());
  std::vector<std::string> words{pythonFor(self),
                                 "-c",
                                 program,
                                 std::string(self),
                                 options.input,
                                 options.output,
                                 std::to_string(options.fold.verifyTrials)};
  words.insert(words.end(), options.forOtherEngine->begin(),
               options.forOtherEngine->end());
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return llvm::createStringError(
      "--verify-with=onnxruntime: " + words[0] + " cannot be run: " +
      std::generic_category().message(errno) + ", expected Python 3");
}
