# Finds what the libraries need. onnxfoldConfig.cmake includes it too, so that users of the package
# find the same things in the same way. ONNXFOLD_SHARED says which kind of libraries ours are.

# Debian's LLVM stands in a folder that CMake does not search by itself.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22)
if(NOT ONNXFOLD_SHARED)
  set(Protobuf_USE_STATIC_LIBS ON)
endif()
find_package(Protobuf REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

if(NOT TARGET onnxfold::sleef)
  find_path(SLEEF_INCLUDE_DIR sleef.h REQUIRED)
  find_library(SLEEF_LIBRARY sleef REQUIRED)
  add_library(onnxfold::sleef INTERFACE IMPORTED)
  set_target_properties(onnxfold::sleef PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${SLEEF_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES ${SLEEF_LIBRARY})
endif()
if(NOT TARGET onnxfold::protozero)
  find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
  add_library(onnxfold::protozero INTERFACE IMPORTED)
  set_target_properties(onnxfold::protozero PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${PROTOZERO_INCLUDE_DIR})
endif()

if(NOT ONNXFOLD_SHARED)
  # Each of Debian's MLIR archives names the LLVM shared library. Linking the archive of LLVM's
  # support code instead makes a tool that starts in 1 to 2 ms instead of 8 to 20.
  get_property(onnxfold_mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib IN LISTS onnxfold_mlir_libs)
    if(NOT TARGET ${lib})
      continue()
    endif()
    get_target_property(kind ${lib} TYPE)
    get_target_property(needed ${lib} INTERFACE_LINK_LIBRARIES)
    if(kind STREQUAL "STATIC_LIBRARY" AND needed)
      list(TRANSFORM needed REPLACE "^LLVM$" "LLVMSupport")
      set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${needed}")
    endif()
  endforeach()
  # mlir-opt's driver writes remarks with more of LLVM than its support code.
  set_property(TARGET MLIRRemarkStreamer APPEND PROPERTY INTERFACE_LINK_LIBRARIES LLVMRemarks)
  # z3, zlib and zstd are left out: nothing that we call reaches them.
  set_target_properties(LLVMSupport PROPERTIES
    INTERFACE_LINK_LIBRARIES "LLVMDemangle;Threads::Threads;m;dl;rt")
endif()
