//===- Arguments.cpp - The command line without some flags ----------------===//

#include "Arguments.h"
#include "llvm/ADT/StringRef.h"

using namespace onnxfold;
using llvm::StringRef;

std::vector<std::string>
onnxfold::withoutReporting(llvm::ArrayRef<char *> arguments) {
  std::vector<std::string> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef name = arguments[i];
    if (!name.consume_front("--") && !name.consume_front("-")) {
      result.push_back(arguments[i]);
      continue;
    }
    StringRef flag = name.split('=').first;
    if (flag == "messages" && flag == name)
      ++i; // its value
    else if (flag != "report" && flag != "messages" && flag != "quiet" &&
             flag != "progress")
      result.push_back(arguments[i]);
  }
  return result;
}

std::vector<std::string>
onnxfold::withoutVerification(llvm::ArrayRef<char *> arguments) {
  std::vector<std::string> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef name = arguments[i];
    bool isFlag = name.consume_front("-");
    name.consume_front("-");
    auto [flag, value] = name.split('=');
    bool takesNext = (flag == "o" || flag == "verify-with") && flag == name;
    if (!isFlag || (flag != "o" && flag != "verify-with" && flag != "verify"))
      result.push_back(arguments[i]);
    else if (takesNext)
      ++i;
  }
  return result;
}
