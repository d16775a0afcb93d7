//===- VerifyResult.cpp - What a comparison found -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/Verify.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

bool VerifyResult::isEqual() const {
  return llvm::all_of(compared,
                      [](const ComparedValue &value) { return value.isEqual; });
}

bool VerifyResult::isComplete() const {
  return llvm::none_of(notRun,
                       [](const NotRun &entry) { return entry.isOutput; });
}

static void printDifference(llvm::raw_ostream &out,
                            const ComparedValue &value) {
  out << value.name << " differs " << (value.isEqual ? "within the bound " : "")
      << "in trial " << value.trial << ", " << value.difference;
  if (value.apart && value.moved)
    out << llvm::format(
        "; they are %.2g apart, and the model itself moves by "
        "%.2g if its inputs and sums of products move by one unit in "
        "the last place",
        *value.apart, *value.moved);
  out << "\n";
}

std::string NotRun::textOfOutput() const {
  bool isVerb = llvm::StringRef(reason.text).starts_with("depends ");
  return name + " was not compared: " + (isVerb ? "it " : "") + reason.text;
}

void VerifyResult::print(llvm::raw_ostream &out, bool all) const {
  unsigned numEqual = 0;
  for (const ComparedValue &value : compared) {
    numEqual += value.isEqual;
    if (!value.isEqual)
      printDifference(out, value);
  }
  for (const NotRun &entry : notRun)
    if (entry.isOutput)
      out << entry.textOfOutput() << "\n";
  if (!all)
    return;
  for (const ComparedValue &value : compared)
    if (value.isEqual && !value.difference.empty())
      printDifference(out, value);
  for (const NotRun &entry : notRun)
    if (!entry.isOutput)
      out << entry.name << " was not run: " << entry.reason.text << "\n";
  if (compared.empty()) {
    out << "nothing was compared\n";
    return;
  }
  out << numEqual << " of " << compared.size() << " values agree in " << trials
      << (trials == 1 ? " trial" : " trials");
  if (trialsLeftOut != 0)
    out << " of " << trials + trialsLeftOut << ": more would take long";
  out << "\n";
}
