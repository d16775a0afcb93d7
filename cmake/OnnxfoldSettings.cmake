# SPDX-License-Identifier: Apache-2.0
# Compiler settings that hold for every target, the ONNX library included.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()
# -O2 and not CMake's -O3: only folders whose loops gain from it ask for OPTIMIZE.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Every object can go into an archive and into a shared library: the target check-shared links
# both from the same objects.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Sources are compiled in batches: most of the time is spent on the headers of MLIR, which each batch reads once. Names of
# static functions are unique within a folder; a file with flags of its own is not in a batch.
option(CMAKE_UNITY_BUILD "Compile sources in batches" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24 CACHE STRING "Most files in a batch")
set(ONNXFOLD_ALONE "" CACHE STRING
    "Names of sources that are compiled alone, for who edits them again and again: Abs.cpp;Sqrt.cpp")
# tools/check_headers.py takes the compile commands from it.
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
include(GNUInstallDirs)
# Debian's libMLIR.so is in a folder that the loader does not search.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
if(BUILD_SHARED_LIBS)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# No fused multiply-add that the source does not spell out: results are the same on every machine.
add_compile_options(-ffp-contract=off -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Position independent code that still inlines as if it were not.
  add_compile_options(-fno-semantic-interposition)
endif()
if(ONNXFOLD_SANITIZE STREQUAL "thread")
  # Debian's archives of MLIR are not instrumented: their own synchronisation would look like none.
  # Of a shared library ThreadSanitizer can be told to ignore what it does.
  if(NOT BUILD_SHARED_LIBS)
    message(FATAL_ERROR "ONNXFOLD_SANITIZE=thread needs BUILD_SHARED_LIBS=ON")
  endif()
  # -Wno-maybe-uninitialized, here and below: g++ takes instrumented code for more than it is.
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=thread)
elseif(ONNXFOLD_SANITIZE STREQUAL "fuzzer")
  # libFuzzer (tests/fuzz) needs clang. We are built without RTTI, which these two checks would need.
  set(onnxfold_fuzzer -fsanitize=address,undefined -fno-sanitize=vptr,function)
  add_compile_options(${onnxfold_fuzzer} -fsanitize=fuzzer-no-link
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(${onnxfold_fuzzer})
elseif(ONNXFOLD_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()

# Headers are included as "onnxfold/<folder>/X.h", in the tree as when installed: a link with that
# name leads to the sources, and generated headers stand under the same name beside it.
set(ONNXFOLD_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
set(ONNXFOLD_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated/include)
file(MAKE_DIRECTORY ${ONNXFOLD_INCLUDE_DIR} ${ONNXFOLD_GENERATED_DIR}/onnxfold)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${ONNXFOLD_INCLUDE_DIR}/onnxfold SYMBOLIC)
