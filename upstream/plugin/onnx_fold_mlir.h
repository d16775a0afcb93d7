/*===- onnx_fold_mlir.h - onnx-fold for users of MLIR's C API -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0
 *
 * libonnxfold_passes.so from a compiler that uses MLIR by its C API (mlir-c/),
 * and so from every language that calls C. The library links the libMLIR.so of
 * the MLIR version that it was built for, and exports MLIR's own C API of IR,
 * passes and builtin attributes too, which Debian has in archives alone.
 *
 *   MlirDialectRegistry registry = mlirDialectRegistryCreate();
 *   onnxFoldRegisterDialects(registry);
 *   mlirContextAppendDialectRegistry(context, registry);
 *   onnxFoldRegisterPasses();
 *
 *   MlirAttribute weights =
 *       onnxFoldElementsAttrGet(type, bytes, size, &unmap, mapping);
 *   mlirOperationSetAttributeByName(constant, value, weights);
 *
 *   OnnxFoldRoot root = onnxFoldRootCreate(moduleOperation);
 *   onnxFoldAddCollector(passManager);      // frees between passes
 *   mlirPassManagerRunOnOp(passManager, moduleOperation);
 *   onnxFoldCollect(context);               // frees now
 *   onnxFoldRootDestroy(root);              // before the module
 *
 * Ownership: as in mlir-c, what a Create function returns has a Destroy
 * function. Errors: null, or as the comments say; nothing is thrown. Thread
 * safety: that of MLIRContext.
 *===----------------------------------------------------------------------===*/
#ifndef ONNXFOLD_UPSTREAM_PLUGIN_ONNX_FOLD_MLIR_H
#define ONNXFOLD_UPSTREAM_PLUGIN_ONNX_FOLD_MLIR_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ONNXFOLD_MLIR_EXPORT __attribute__((visibility("default")))

/** Registers the dialects elements, dealloc and sequence, the dialects of MLIR
 * that have kernels, and those kernels. Of a context, before they are loaded. */
ONNXFOLD_MLIR_EXPORT void
onnxFoldRegisterDialects(MlirDialectRegistry registry);

/** Registers the passes of docs/passes.md, and MLIR's canonicalize, cse and
 * symbol-dce, under their names. May be called again. */
ONNXFOLD_MLIR_EXPORT void onnxFoldRegisterPasses(void);

/** Succeeds if MLIR's parsers can be given the text. They end the process on
 * some, such as `array<index: 1>` (docs/upstream-bugs.md): those are an error
 * of the context here. Before mlirModuleCreateParse, mlirAttributeParseGet and
 * mlirTypeParseGet, for text that others wrote. */
ONNXFOLD_MLIR_EXPORT MlirLogicalResult onnxFoldCheckText(MlirContext context,
                                                         MlirStringRef text);

/** A new `#elements.dense` of `type` over the caller's bytes, which are not
 * copied: row-major, of whole bytes for each element (one for i1 and for types
 * narrower than a byte). They stay readable and unchanged until `release` is
 * called with `userData`, once, in the thread that drops the last reference.
 * A null `release` says that they outlive the context. Null, and `release` is
 * not called, if the type is no static shape of an element type that the library
 * has, or its size is not `size`. */
ONNXFOLD_MLIR_EXPORT MlirAttribute
onnxFoldElementsAttrGet(MlirType type, const void *bytes, size_t size,
                        void (*release)(void *userData), void *userData);

/** Whether it is a `#elements.dense` that is neither elided nor freed. */
ONNXFOLD_MLIR_EXPORT bool onnxFoldAttributeIsElements(MlirAttribute attribute);

/** The bytes of the value of any elements attribute (`#elements.dense`, dense,
 * dense_resource), in the form above; -1 if the library does not have its type.
 * */
ONNXFOLD_MLIR_EXPORT int64_t onnxFoldElementsSize(MlirAttribute attribute);

/** Writes them to `bytes`, which is aligned as an array of its elements.
 * Fails, and writes nothing, if there are not `size`. */
ONNXFOLD_MLIR_EXPORT MlirLogicalResult
onnxFoldElementsRead(MlirAttribute attribute, void *bytes, size_t size);

/** A module whose attributes are alive. Those that were made before belong to
 * it from then on, if it refers to them. */
typedef struct OnnxFoldRoot {
  void *ptr;
} OnnxFoldRoot;
ONNXFOLD_MLIR_EXPORT OnnxFoldRoot onnxFoldRootCreate(MlirOperation module);
ONNXFOLD_MLIR_EXPORT void onnxFoldRootDestroy(OnnxFoldRoot root);

/** Keeps an attribute alive that no module refers to. */
typedef struct OnnxFoldPin {
  void *ptr;
} OnnxFoldPin;
ONNXFOLD_MLIR_EXPORT OnnxFoldPin onnxFoldPinCreate(MlirAttribute attribute);
ONNXFOLD_MLIR_EXPORT void onnxFoldPinDestroy(OnnxFoldPin pin);

/** Frees what passes leave unused on a root, between them. */
ONNXFOLD_MLIR_EXPORT void onnxFoldAddCollector(MlirPassManager passManager);

/** Frees the values that neither a root nor a pin refers to, but for those that
 * were made while there was no root and that none has adopted. Returns their
 * number. Not inside of a pass. */
ONNXFOLD_MLIR_EXPORT size_t onnxFoldCollect(MlirContext context);

typedef struct OnnxFoldStatistics {
  uint64_t created, freed, liveBytes, peakBytes, freedBytes, collections;
} OnnxFoldStatistics;
ONNXFOLD_MLIR_EXPORT OnnxFoldStatistics
onnxFoldGetStatistics(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif /* ONNXFOLD_UPSTREAM_PLUGIN_ONNX_FOLD_MLIR_H */
