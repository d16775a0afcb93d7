//===- CodeGeneration.cpp - From LLVM's IR to an object -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/internal/CodeGeneration.h"
#include "onnxfold/dealloc/optimizer/Optimizer.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace onnxfold;

static std::unique_ptr<llvm::TargetMachine> hostMachine(unsigned level) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    llvm::consumeError(builder.takeError());
    return nullptr;
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel(std::min(level, 2u)));
  builder->setRelocationModel(llvm::Reloc::PIC_);
  auto machine = builder->createTargetMachine();
  if (machine)
    return std::move(*machine);
  llvm::consumeError(machine.takeError());
  return nullptr;
}

static llvm::Error noCode() {
  return makeRunError("no code can be generated for this machine");
}

static llvm::Error writeModule(llvm::Module &module,
                               llvm::TargetMachine &machine, CodeForm form,
                               llvm::SmallVectorImpl<char> &code) {
  llvm::raw_svector_ostream out(code);
  if (form == CodeForm::LLVM) {
    module.print(out, nullptr);
    return llvm::Error::success();
  }
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return noCode();
  passes.run(module);
  return llvm::Error::success();
}

llvm::Error
onnxfold::generateCode(llvm::Module &module, const CompileOptions &options,
                       llvm::function_ref<void(llvm::StringRef)> step,
                       llvm::SmallVectorImpl<char> &code) {
  auto machine = hostMachine(options.level);
  if (!machine)
    return noCode();
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  step("LLVM's optimiser");
  optimize(module, options.level, machine.get());
  step("LLVM's code generator");
  return writeModule(module, *machine, options.form, code);
}

static llvm::GlobalVariable *addText(llvm::Module &module, llvm::StringRef text,
                                     llvm::StringRef name,
                                     llvm::GlobalValue::LinkageTypes linkage) {
  llvm::Constant *bytes =
      llvm::ConstantDataArray::getString(module.getContext(), text);
  return new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                  linkage, bytes, name);
}

static std::unique_ptr<llvm::Module>
moduleOfKernels(llvm::LLVMContext &context, llvm::StringRef model,
                llvm::StringRef signature) {
  auto module = std::make_unique<llvm::Module>("LLVMDialectModule", context);
  addText(*module, signature, "onnxfold_signature",
          llvm::GlobalValue::ExternalLinkage);
  llvm::Value *text =
      addText(*module, model, "model", llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(context);
  llvm::PointerType *pointer = builder.getPtrTy();
  auto *slot =
      new llvm::GlobalVariable(*module, pointer, /*isConstant=*/false,
                               llvm::GlobalValue::InternalLinkage,
                               llvm::ConstantPointerNull::get(pointer), "slot");
  llvm::FunctionCallee callee = module->getOrInsertFunction(
      "onnxfoldModelCall", builder.getVoidTy(), pointer, pointer,
      builder.getInt64Ty(), pointer);
  auto *run = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false),
      llvm::GlobalValue::ExternalLinkage, "onnxfold_run", *module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", run));
  builder.CreateCall(
      callee, {slot, text, builder.getInt64(model.size()), run->getArg(0)});
  builder.CreateRetVoid();
  return module;
}

llvm::Error onnxfold::generateCallOfKernels(llvm::StringRef model,
                                            llvm::StringRef signature,
                                            CodeForm form,
                                            llvm::SmallVectorImpl<char> &code) {
  auto machine = hostMachine(/*level=*/0);
  if (!machine)
    return noCode();
  llvm::LLVMContext context;
  auto module = moduleOfKernels(context, model, signature);
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  return writeModule(*module, *machine, form, code);
}
