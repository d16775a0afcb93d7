//===- OwnMalloc.h - The program's own malloc -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One source of a program includes this header, after it has defined three
// functions that are called at each allocation and each free. All libraries in
// the program call this malloc, which forwards to that of glibc:
//
//   static bool mayAllocate();          // false: this one fails
//   static void noteNew(void *block);   // null: nothing
//   static void noteFreed(void *block);  // null: nothing
//   #include "onnxfold/tests/lib/OwnMalloc.h"
//
// Sanitizers have their own malloc, so the functions are not called there.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_LIB_OWNMALLOC_H
#define ONNXFOLD_TESTS_LIB_OWNMALLOC_H

#include <cerrno>
#include <cstdlib>
#include <features.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
}

namespace onnxfold {
inline void *noted(void *memory) {
  ::noteNew(memory);
  return memory;
}
} // namespace onnxfold

extern "C" {
void *malloc(size_t size) {
  return mayAllocate() ? onnxfold::noted(__libc_malloc(size)) : nullptr;
}
void *calloc(size_t count, size_t size) {
  return mayAllocate() ? onnxfold::noted(__libc_calloc(count, size)) : nullptr;
}
void *realloc(void *memory, size_t size) {
  if (!mayAllocate())
    return nullptr;
  noteFreed(memory);
  void *moved = __libc_realloc(memory, size);
  noteNew(moved || size == 0 ? moved : memory);
  return moved;
}
void *memalign(size_t alignment, size_t size) {
  return mayAllocate() ? onnxfold::noted(__libc_memalign(alignment, size))
                       : nullptr;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) {
  noteFreed(memory);
  __libc_free(memory);
}
}
#endif

#endif // ONNXFOLD_TESTS_LIB_OWNMALLOC_H
