# SPDX-License-Identifier: Apache-2.0
# Finds what the libraries need. onnxfoldConfig.cmake includes it too, so that users of the package
# find the same things in the same way.
#
#   ONNXFOLD_SHARED        our libraries are shared ones, on libMLIR.so
#   ONNXFOLD_STATIC_LLVM   programs on our archives hold LLVM's support code instead of libLLVM.so

# onnxfold_find_dependency(<name> <result>): <name> is one of those below. <result> becomes empty, or
# says what is missing. A macro, because packages set variables for whoever looks for them.
macro(onnxfold_find_dependency name result)
  set(${result} "")
  if("${name}" STREQUAL "LLVM")
    # Debian's LLVM stands in a folder that CMake does not search by itself.
    find_package(LLVM 22.1 QUIET CONFIG PATHS /usr/lib/llvm-22)
    if(NOT LLVM_FOUND)
      set(${result} "LLVM 22.1 (set LLVM_DIR)")
    endif()
  elseif("${name}" STREQUAL "MLIR")
    find_package(MLIR 22.1 QUIET CONFIG PATHS /usr/lib/llvm-22)
    if(NOT MLIR_FOUND)
      set(${result} "MLIR 22.1 (set MLIR_DIR)")
    endif()
  elseif("${name}" STREQUAL "Protobuf")
    if(NOT ONNXFOLD_SHARED)
      set(Protobuf_USE_STATIC_LIBS ON)
    endif()
    find_package(Protobuf QUIET)
    if(NOT Protobuf_FOUND)
      set(${result} "Protobuf")
    endif()
  elseif("${name}" STREQUAL "sleef")
    find_path(SLEEF_INCLUDE_DIR sleef.h)
    find_library(SLEEF_LIBRARY sleef)
    if(NOT SLEEF_INCLUDE_DIR OR NOT SLEEF_LIBRARY)
      set(${result} "SLEEF (set SLEEF_INCLUDE_DIR and SLEEF_LIBRARY)")
    elseif(NOT TARGET onnxfold::sleef)
      add_library(onnxfold::sleef INTERFACE IMPORTED)
      set_target_properties(onnxfold::sleef PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${SLEEF_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES ${SLEEF_LIBRARY})
    endif()
  elseif("${name}" STREQUAL "protozero")
    find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp)
    if(NOT PROTOZERO_INCLUDE_DIR)
      set(${result} "protozero (set PROTOZERO_INCLUDE_DIR)")
    elseif(NOT TARGET onnxfold::protozero)
      add_library(onnxfold::protozero INTERFACE IMPORTED)
      set_target_properties(onnxfold::protozero PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${PROTOZERO_INCLUDE_DIR})
    endif()
  elseif("${name}" STREQUAL "ffi")
    find_path(FFI_INCLUDE_DIR ffi.h)
    find_library(FFI_LIBRARY ffi)
    if(NOT FFI_INCLUDE_DIR OR NOT FFI_LIBRARY)
      set(${result} "libffi (set FFI_INCLUDE_DIR and FFI_LIBRARY)")
    elseif(NOT TARGET onnxfold::ffi)
      add_library(onnxfold::ffi INTERFACE IMPORTED)
      set_target_properties(onnxfold::ffi PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${FFI_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES ${FFI_LIBRARY})
    endif()
  elseif("${name}" STREQUAL "xxhash")
    find_path(XXHASH_INCLUDE_DIR xxhash.h)
    if(NOT XXHASH_INCLUDE_DIR)
      set(${result} "xxHash (set XXHASH_INCLUDE_DIR)")
    elseif(NOT TARGET onnxfold::xxhash)
      add_library(onnxfold::xxhash INTERFACE IMPORTED)
      set_target_properties(onnxfold::xxhash PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${XXHASH_INCLUDE_DIR})
    endif()
  elseif("${name}" STREQUAL "zlib")
    find_path(ZLIB_INCLUDE_DIR zlib.h)
    find_library(ZLIB_LIBRARY z)
    find_library(ZLIB_ARCHIVE libz.a)
    if(NOT ZLIB_INCLUDE_DIR OR NOT ZLIB_LIBRARY)
      set(${result} "zlib (set ZLIB_INCLUDE_DIR and ZLIB_LIBRARY)")
    elseif(NOT TARGET onnxfold::zlib)
      add_library(onnxfold::zlib INTERFACE IMPORTED)
      set(library ${ZLIB_LIBRARY})
      if(ZLIB_ARCHIVE AND NOT ONNXFOLD_SHARED)
        set(library "$<IF:$<BOOL:$<TARGET_PROPERTY:ONNXFOLD_STATIC>>,${ZLIB_ARCHIVE},${ZLIB_LIBRARY}>")
      endif()
      set_target_properties(onnxfold::zlib PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${ZLIB_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES "${library}")
    endif()
  elseif("${name}" STREQUAL "re2")
    find_path(RE2_INCLUDE_DIR re2/re2.h)
    find_library(RE2_LIBRARY re2)
    find_library(RE2_ARCHIVE libre2.a)
    if(NOT RE2_INCLUDE_DIR OR NOT RE2_LIBRARY)
      set(${result} "RE2 (set RE2_INCLUDE_DIR and RE2_LIBRARY)")
    elseif(NOT TARGET onnxfold::re2)
      # It is C++: programs that hold libstdc++ must hold it too.
      add_library(onnxfold::re2 INTERFACE IMPORTED)
      if(RE2_ARCHIVE AND NOT ONNXFOLD_SHARED)
        # libonnxfold.so (capi) takes shared libraries where Debian's archives are not position independent.
        set_target_properties(onnxfold::re2 PROPERTIES INTERFACE_LINK_LIBRARIES
          "$<IF:$<BOOL:$<TARGET_PROPERTY:ONNXFOLD_SHARED_DEPENDENCIES>>,${RE2_LIBRARY},${RE2_ARCHIVE}>")
      else()
        set_target_properties(onnxfold::re2 PROPERTIES INTERFACE_LINK_LIBRARIES ${RE2_LIBRARY})
      endif()
      set_property(TARGET onnxfold::re2 PROPERTY INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
    endif()
  else()
    set(${result} "'${name}', which cmake/OnnxfoldDependencies.cmake does not know")
  endif()
endmacro()

# onnxfold_shared_dependencies(<variable> <libraries>): the libraries as a shared build links them:
# any part of MLIR or LLVM is the shared library. (Archives and shared library in one process would
# be two sets of type ids.)
function(onnxfold_shared_dependencies result)
  list(TRANSFORM ARGN REPLACE "^MLIR.*$" "MLIR;LLVM")
  list(TRANSFORM ARGN REPLACE "^LLVM.*$" "LLVM")
  if(NOT ONNXFOLD_SHARED) # where it is something else
    list(TRANSFORM ARGN REPLACE "^onnxfold::llvm$" "LLVM")
    # Debian's archive of it is not position independent.
    list(TRANSFORM ARGN REPLACE "^onnxfold::re2$" "${RE2_LIBRARY}")
  endif()
  list(REMOVE_DUPLICATES ARGN)
  set(${result} ${ARGN} PARENT_SCOPE)
endfunction()

# onnxfold_link_mlir(<target> <MLIR libraries>): links parts of MLIR in the form that our libraries
# use: archives, or libMLIR.so.
function(onnxfold_link_mlir target)
  if(ONNXFOLD_SHARED)
    onnxfold_shared_dependencies(ARGN ${ARGN})
  endif()
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# Each of Debian's MLIR archives names the LLVM shared library. Linking the archive of LLVM's support
# code instead makes a tool that starts in 1 to 2 ms instead of 8 to 20. It holds for all that link
# MLIR's archives in this project, and is wrong for those that need more of LLVM.
function(onnxfold_use_static_llvm)
  get_property(mlir_libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(library IN LISTS mlir_libraries)
    if(NOT TARGET ${library})
      continue()
    endif()
    get_target_property(kind ${library} TYPE)
    get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
    if(kind STREQUAL "STATIC_LIBRARY" AND needed)
      list(TRANSFORM needed REPLACE "^LLVM$" "LLVMSupport")
      set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${needed}")
    endif()
  endforeach()
  if(TARGET MLIRRemarkStreamer)
    # mlir-opt's driver writes remarks with more of LLVM than its support code.
    get_target_property(needed MLIRRemarkStreamer INTERFACE_LINK_LIBRARIES)
    if(NOT "LLVMRemarks" IN_LIST needed)
      set_property(TARGET MLIRRemarkStreamer APPEND PROPERTY INTERFACE_LINK_LIBRARIES LLVMRemarks)
    endif()
  endif()
  if(TARGET MLIRLLVMDialect)
    # It parses and prints LLVM's own types and attributes with LLVM's own code.
    set_property(TARGET MLIRLLVMDialect APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      LLVMAsmParser LLVMBitReader LLVMBitWriter LLVMCore)
  endif()
  # z3, zlib and zstd are left out: nothing that we call reaches them.
  find_package(Threads REQUIRED)
  set_target_properties(LLVMSupport PROPERTIES
    INTERFACE_LINK_LIBRARIES "LLVMDemangle;Threads::Threads;m;dl;rt")
endfunction()

# onnxfold_make_llvm_target(): onnxfold::llvm, what of LLVM every library of ours needs. Whoever
# links MLIR's archives must get LLVM from where they get it: LLVM twice in a process is fatal.
function(onnxfold_make_llvm_target)
  if(NOT TARGET onnxfold::llvm)
    add_library(onnxfold::llvm INTERFACE IMPORTED)
  endif()
  if(NOT ONNXFOLD_SHARED AND ONNXFOLD_STATIC_LLVM)
    onnxfold_use_static_llvm()
  endif()
  if(ONNXFOLD_SHARED OR (LLVM_LINK_LLVM_DYLIB AND NOT ONNXFOLD_STATIC_LLVM))
    set(library LLVM)
  else()
    set(library LLVMOption LLVMSupport)
  endif()
  set_target_properties(onnxfold::llvm PROPERTIES INTERFACE_LINK_LIBRARIES "${library}")
endfunction()
