# SPDX-License-Identifier: Apache-2.0
# Flags with which a new build folder starts. They may be changed in its cache.

# g++ looks for garbage whenever its heap has doubled, from an eighth of the machine's memory on, but 128 MB at most:
# with MLIR's headers again and again, which is 7 to 12 % of its time. From 1 GB on a batch takes a quarter more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT heap QUERY TOTAL_PHYSICAL_MEMORY) # MB
  math(EXPR heap "${heap} * 1024 / 8")
  if(heap GREATER 1048576)
    set(heap 1048576)
  endif()
  string(APPEND CMAKE_CXX_FLAGS_INIT " --param=ggc-min-heapsize=${heap}")
endif()
