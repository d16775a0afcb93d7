# SPDX-License-Identifier: Apache-2.0
# onnxfold_library, onnxfold_executable, onnxfold_tablegen: the functions that folders call.

# -Wrestrict: false alarms of g++ 12 in std::string (its bug 105651). -Wsubobject-linkage: takes a source in a batch for
# a header.
set(ONNXFOLD_WARNINGS -Wall -Wextra -Werror -Wno-restrict $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
if(ONNXFOLD_SANITIZE STREQUAL "fuzzer")
  # Old clangs warn of other things; the normal builds are held to the warnings of g++.
  set(ONNXFOLD_WARNINGS -w)
endif()

# What all our targets share: include directories, warnings.
function(onnxfold_common_settings target)
  target_include_directories(${target} SYSTEM PUBLIC
    "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  target_compile_options(${target} PRIVATE ${ONNXFOLD_WARNINGS})
endfunction()

# onnxfold_even_batches(<target> <most>): batches of about the same size, of at most so many sources. A last batch of two
# files would read all headers for them.
function(onnxfold_even_batches target most)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(count 0)
  foreach(source IN LISTS sources)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT alone)
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
  math(EXPR batches "(${count} + ${most} - 1) / ${most}")
  if(batches)
    math(EXPR most "(${count} + ${batches} - 1) / ${batches}")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${most})
endfunction()

# onnxfold_link_fast(<target>): for what is linked to be tested and is not installed. gold, which binutils brings, takes a
# third of the time of GNU ld. With sanitizers and for other processors the linker is that of the rest.
find_program(ONNXFOLD_GOLD ld.gold)
mark_as_advanced(ONNXFOLD_GOLD)
function(onnxfold_link_fast target)
  if(ONNXFOLD_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT ONNXFOLD_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
endfunction()

# onnxfold_library(<name> [DEPS <targets>] [FOLDERS <folders>] [OPTIMIZE | LIGHT])
#
# One target per folder: all .cpp and .h files of the folder and of its support/, as onnxfold_<name>
# with the alias onnxfold::<name>; slashes become `_`.
#   FOLDERS      further folders below it whose files belong to it.
#   OPTIMIZE     -O3, for folders whose loops were measured to gain from it.
#   LIGHT        -O1, for dialects and passes that take a small part of the time of what calls them: a quarter off the
#                compilation (docs/notebook/build-time.md).
# LLVM's support code is onnxfold::llvm. What only sources include is $<BUILD_INTERFACE:...>: users
# of the installed package need not have it. Each library is a component of that package, with those of
# its headers, tables and generated files that cmake/PublicHeaders.txt names.
# Also makes onnxfold_<name>_shared from the same objects, linked with -z,defs and only when
# check-shared is built: a call of a folder that is not among DEPS fails there.
function(onnxfold_library name)
  cmake_parse_arguments(ARG "OPTIMIZE;LIGHT" "" "DEPS;FOLDERS" ${ARGN})
  string(REPLACE "/" "_" id ${name})
  set(target onnxfold_${id})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(sources *.cpp)
  set(headers *.h *.def)
  foreach(room support ${ARG_FOLDERS})
    list(APPEND sources ${room}/*.cpp)
    list(APPEND headers ${room}/*.h)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${sources})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${headers})
  get_property(generated DIRECTORY PROPERTY ONNXFOLD_GENERATED)
  onnxfold_keep_public(headers ${ONNXFOLD_INCLUDE_DIR}/onnxfold ${headers})
  set(tables ${headers})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  list(FILTER tables EXCLUDE REGEX "\\.h$")
  list(TRANSFORM generated REPLACE "^${ONNXFOLD_GENERATED_DIR}/onnxfold/" "" OUTPUT_VARIABLE public)
  onnxfold_keep_public(public ${ONNXFOLD_GENERATED_DIR}/onnxfold ${public})

  if(BUILD_SHARED_LIBS)
    onnxfold_shared_dependencies(ARG_DEPS ${ARG_DEPS})
  endif()
  add_library(${target} ${sources} ${generated})
  onnxfold_even_batches(${target} ${CMAKE_UNITY_BUILD_BATCH_SIZE})
  onnxfold_compile_alone(${sources})
  add_library(onnxfold::${id} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${id} LINKER_LANGUAGE CXX)
  if(headers)
    target_sources(${target} PUBLIC FILE_SET HEADERS
      BASE_DIRS ${ONNXFOLD_INCLUDE_DIR} FILES ${headers})
  endif()
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${ONNXFOLD_INCLUDE_DIR}>)
  # Generated code is not held to our warnings.
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${ONNXFOLD_GENERATED_DIR}>)
  onnxfold_common_settings(${target})
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
  target_compile_features(${target} INTERFACE cxx_std_20)
  # Users compile the loops of map and zip themselves: they give the same results on every machine,
  # also with -march=native, which would fuse a * b + c. (OnnxfoldSettings.cmake says it for us.)
  target_compile_options(${target} INTERFACE
    $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>>)
  if(ARG_OPTIMIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
  elseif(ARG_LIGHT)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(BUILD_SHARED_LIBS)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  else()
    onnxfold_shared_twin(${target} ${ARG_DEPS})
  endif()
  set_property(GLOBAL APPEND PROPERTY ONNXFOLD_LIBRARIES onnxfold::${id})
  install(FILES ${public} ${tables} COMPONENT ${id}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/onnxfold/${folder})
  onnxfold_component(${id} ${target} ${ARG_DEPS})
  set_property(GLOBAL APPEND PROPERTY ONNXFOLD_COMPONENTS ${id})
endfunction()

# onnxfold_keep_public(<result> <folder> <files>): the paths of those files, below the folder, that cmake/PublicHeaders.txt
# names.
function(onnxfold_keep_public result folder)
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.txt public REGEX "^ *[A-Za-z]")
  list(TRANSFORM public STRIP)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.txt)
  set(kept)
  foreach(file IN LISTS ARGN)
    if(file IN_LIST public)
      list(APPEND kept ${folder}/${file})
    endif()
  endforeach()
  set(${result} ${kept} PARENT_SCOPE)
endfunction()

# Keeps the sources that ONNXFOLD_ALONE names out of the batches of their folder.
function(onnxfold_compile_alone)
  foreach(source IN LISTS ARGN)
    get_filename_component(name ${source} NAME)
    if(name IN_LIST ONNXFOLD_ALONE)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# onnxfold_component(<name> <target> <its dependencies>): installs a target so that
# find_package(onnxfold) can load it with what it needs and without the others.
function(onnxfold_component name target)
  set(needs)
  foreach(dependency IN LISTS ARGN)
    if(dependency MATCHES "^(onnxfold::llvm$|LLVM)")
      list(APPEND needs LLVM)
    elseif(dependency MATCHES "^MLIR")
      list(APPEND needs MLIR)
    elseif(dependency MATCHES "^protobuf::")
      list(APPEND needs Protobuf)
    elseif(dependency MATCHES "^onnxfold::(.*)$")
      list(APPEND needs ${CMAKE_MATCH_1}) # a component, sleef, protozero
    elseif(NOT dependency MATCHES "^\\$<BUILD_INTERFACE:")
      message(FATAL_ERROR "${target}: cmake/OnnxfoldDependencies.cmake does not find ${dependency}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES needs)
  string(REPLACE ";" " " needs "${needs}")
  set_property(GLOBAL APPEND_STRING PROPERTY ONNXFOLD_NEEDS "set(onnxfold_needs_${name} ${needs})\n")
  get_target_property(header_sets ${target} HEADER_SETS)
  if(header_sets)
    set(header_sets FILE_SET HEADERS COMPONENT ${name})
  else()
    set(header_sets)
  endif()
  install(TARGETS ${target} EXPORT onnxfold_${name}Targets COMPONENT ${name} ${header_sets})
  install(EXPORT onnxfold_${name}Targets NAMESPACE onnxfold:: COMPONENT ${name}
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/onnxfold)
endfunction()

# onnxfold_component_alias(<name> <component>): another name for a component, as a target and in find_package.
function(onnxfold_component_alias name component)
  add_library(onnxfold_${name} INTERFACE)
  add_library(onnxfold::${name} ALIAS onnxfold_${name})
  set_target_properties(onnxfold_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(onnxfold_${name} INTERFACE onnxfold::${component})
  onnxfold_component(${name} onnxfold_${name} onnxfold::${component})
  set_property(GLOBAL APPEND PROPERTY ONNXFOLD_COMPONENTS ${name})
endfunction()

# onnxfold_shared_twin(<static target> <its dependencies>): the same objects as a shared library,
# for the link check only.
function(onnxfold_shared_twin target)
  set(needed)
  foreach(dependency IN LISTS ARGN)
    if(TARGET ${dependency})
      get_target_property(real ${dependency} ALIASED_TARGET)
      if(real)
        set(dependency ${real})
      endif()
    elseif(dependency MATCHES "^onnxfold::(.*)$")
      set(dependency onnxfold_${CMAKE_MATCH_1}) # a folder that is added later
    endif()
    get_property(has_twin GLOBAL PROPERTY ONNXFOLD_TWIN_${dependency})
    if(has_twin OR dependency MATCHES "^onnxfold_")
      set(dependency ${dependency}_shared)
    endif()
    list(APPEND needed ${dependency})
  endforeach()
  onnxfold_shared_dependencies(needed ${needed})
  set_property(GLOBAL PROPERTY ONNXFOLD_TWIN_${target} ON)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(cpp|cc)$")
  if(NOT sources)
    add_library(${target}_shared INTERFACE)
    target_link_libraries(${target}_shared INTERFACE ${needed})
    return()
  endif()
  add_library(${target}_shared SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}>)
  set_target_properties(${target}_shared PROPERTIES
    LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/check-shared)
  target_link_options(${target}_shared PRIVATE -Wl,-z,defs)
  onnxfold_link_fast(${target}_shared)
  target_link_libraries(${target}_shared PUBLIC ${needed})
  add_dependencies(check-shared ${target}_shared)
endfunction()

# onnxfold_executable(<name> SOURCES <files> [DEPS <targets>] [SHARED_RUNTIME | STATIC]): a program in
# build/bin, linked from archives so that it holds what it uses and starts in a few milliseconds.
#   STATIC           without any shared library (ONNXFOLD_STATIC), for what users run.
#   SHARED_RUNTIME   links libstdc++.so, for programs that use other C++ shared libraries.
function(onnxfold_executable name)
  cmake_parse_arguments(ARG "SHARED_RUNTIME;STATIC" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  onnxfold_common_settings(${name})
  if(BUILD_SHARED_LIBS)
    onnxfold_shared_dependencies(ARG_DEPS ${ARG_DEPS})
  else()
    target_link_options(${name} PRIVATE -Wl,--gc-sections,--as-needed -no-pie)
    if(ARG_STATIC AND ONNXFOLD_STATIC)
      set_target_properties(${name} PROPERTIES ONNXFOLD_STATIC ON)
      target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/static-users.c
        ${PROJECT_SOURCE_DIR}/cmake/static-frames.c)
      target_link_options(${name} PRIVATE -static LINKER:--eh-frame-hdr LINKER:--wrap=__register_frame_info
        LINKER:--wrap=__deregister_frame_info)
    elseif(NOT ARG_SHARED_RUNTIME AND NOT ONNXFOLD_SANITIZE)
      target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
    endif()
  endif()
  target_include_directories(${name} PRIVATE ${ONNXFOLD_INCLUDE_DIR})
  target_include_directories(${name} SYSTEM PRIVATE ${ONNXFOLD_GENERATED_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
endfunction()

# onnxfold_link_archives(<target> <our libraries>): links the archives of our libraries and of what they need, which name
# no archive of MLIR that way, and libMLIR.so.
function(onnxfold_link_archives name)
  set(archives)
  set(others)
  set(waiting ${ARGN})
  while(waiting)
    list(POP_FRONT waiting dependency)
    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" dependency "${dependency}")
    if(TARGET ${dependency})
      get_target_property(real ${dependency} ALIASED_TARGET)
      if(real)
        set(dependency ${real})
      endif()
    endif()
    if(dependency MATCHES "^onnxfold_" AND NOT dependency IN_LIST archives)
      list(APPEND archives ${dependency})
      get_target_property(needed ${dependency} INTERFACE_LINK_LIBRARIES)
      if(needed)
        list(APPEND waiting ${needed})
      endif()
    elseif(NOT dependency MATCHES "^(onnxfold_|MLIR|LLVM|onnxfold::llvm$)")
      list(APPEND others ${dependency})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES others)
  set(files)
  foreach(archive IN LISTS archives)
    get_target_property(kind ${archive} TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
      list(APPEND files $<TARGET_FILE:${archive}>)
      add_dependencies(${name} ${archive})
      set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${archive}>)
    endif()
  endforeach()
  target_link_libraries(${name} PRIVATE -Wl,--start-group ${files} -Wl,--end-group ${others} MLIR LLVM)
endfunction()

# onnxfold_link_shared_mlir(<target> <our libraries>): for what takes MLIR and LLVM from their shared libraries, and of ours
# what it uses, from the archives.
function(onnxfold_link_shared_mlir name)
  onnxfold_common_settings(${name})
  target_include_directories(${name} PRIVATE ${ONNXFOLD_INCLUDE_DIR})
  target_include_directories(${name} SYSTEM PRIVATE ${ONNXFOLD_GENERATED_DIR})
  if(BUILD_SHARED_LIBS)
    target_link_libraries(${name} PRIVATE ${ARGN} MLIR LLVM)
    return()
  endif()
  target_link_options(${name} PRIVATE -Wl,--gc-sections,--as-needed)
  onnxfold_link_archives(${name} ${ARGN})
endfunction()

# onnxfold_compiler_executable(<name> SOURCES <files> [DEPS <our libraries>]): a program in build/bin that runs what it
# compiles. Its code generator is that of libLLVM.so, with libMLIR.so: linked from archives it would be 100 MB and take
# minutes to link. Of our libraries it holds what it uses, from the archives, which name no archive of MLIR that way.
function(onnxfold_compiler_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  onnxfold_link_shared_mlir(${name} ${ARG_DEPS})
endfunction()

# onnxfold_plugin(<name> SOURCES <files> EXPORTS <version script> [DEPS <our libraries>]): lib<name>.so, which a program that
# links libMLIR.so loads. From the same archives as the programs: nothing is compiled twice.
function(onnxfold_plugin name)
  cmake_parse_arguments(ARG "" "EXPORTS" "SOURCES;DEPS" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  get_filename_component(exports ${ARG_EXPORTS} ABSOLUTE)
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${exports} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_link_options(${name} PRIVATE -Wl,--version-script=${exports})
  onnxfold_link_shared_mlir(${name} ${ARG_DEPS})
endfunction()

# onnxfold_tablegen_dialect(<file.td> DIALECT <dialect> NAME <prefix>), called before onnxfold_library: makes
# "onnxfold/<folder>/<prefix>{Dialect,Types,Attributes,Ops}.{h,cpp}.inc" from a dialect's definition.
function(onnxfold_tablegen_dialect source)
  cmake_parse_arguments(ARG "" "DIALECT;NAME" "" ${ARGN})
  set(options_Dialect -gen-dialect-@ -dialect=${ARG_DIALECT})
  set(options_Types -gen-typedef-@ -typedefs-dialect=${ARG_DIALECT})
  set(options_Attributes -gen-attrdef-@ -attrdefs-dialect=${ARG_DIALECT})
  set(options_Ops -gen-op-@)
  foreach(part Dialect Types Attributes Ops)
    string(REPLACE "@" "decls" declare "${options_${part}}")
    string(REPLACE "@" "defs" define "${options_${part}}")
    onnxfold_tablegen(${ARG_NAME}${part}.h.inc ${source} ${declare})
    onnxfold_tablegen(${ARG_NAME}${part}.cpp.inc ${source} ${define})
  endforeach()
endfunction()

# onnxfold_tablegen_passes(<group>), called before onnxfold_library: makes "onnxfold/<folder>/Passes.h.inc" from the
# folder's Passes.td, with register<group>Passes(). tools/make_pass_docs.py makes docs/passes.md of all Passes.td.
function(onnxfold_tablegen_passes group)
  onnxfold_tablegen(Passes.h.inc Passes.td -gen-pass-decls -name=${group})
endfunction()

# onnxfold_tablegen(<output> <file.td> <mlir-tblgen arguments>), called before onnxfold_library: makes
# one generated header "onnxfold/<folder>/<output>".
function(onnxfold_tablegen output source)
  if(NOT CMAKE_CROSSCOMPILING) # those do not run here
    set(tools ${LLVM_TOOLS_BINARY_DIR})
  endif()
  find_program(ONNXFOLD_TABLEGEN mlir-tblgen HINTS ${tools} PATHS /usr/lib/llvm-22/bin REQUIRED)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(file ${ONNXFOLD_GENERATED_DIR}/onnxfold/${folder}/${output})
  get_filename_component(source ${source} ABSOLUTE)
  list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE includes)
  add_custom_command(OUTPUT ${file} VERBATIM
    COMMAND ${ONNXFOLD_TABLEGEN} ${ARGN} ${source} ${includes} -I${ONNXFOLD_INCLUDE_DIR}
            -o ${file} -d ${file}.d
    DEPENDS ${source} DEPFILE ${file}.d COMMENT "mlir-tblgen ${folder}/${output}")
  set_property(DIRECTORY APPEND PROPERTY ONNXFOLD_GENERATED ${file})
endfunction()

# Links the shared twins of all libraries: no folder calls one that it does not name.
add_custom_target(check-shared)
