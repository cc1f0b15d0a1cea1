# cameo_add_library(NAME SOURCES... [LLVM ...] [APART ...] [ONNX] [DEPENDS ...] [LINK ...]): a static library of the compiler (C++, MLIR). LLVM: its sources
# that use the namespace llvm, where others use mlir. APART: those that are always compiled one by one. ONNX: most of its sources name operations of the onnx dialect.
# cameo_use_precompiled_header(TARGET [HEADER]): compiles a program as these libraries are.
# cameo_unite(TARGET GROUP SOURCES...): compiles sources of a program with each other.
# cameo_tablegen(TD OUTPUT FLAGS...): one file from a .td; cameo_add_passes(NAME): the declarations of a pass group.

# Libraries share a precompiled header of MLIR. Libraries for the onnx dialect use one that also contains its operations, because parsing these takes
# longer than the rest of most files. It continues the first, so that these are all that it parses. A change of an operation rebuilds this header, but nearly
# all of its users would be rebuilt anyway.
foreach(header Precompiled PrecompiledOnnx)
  add_library(Cameo${header} OBJECT ${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp)
  target_precompile_headers(Cameo${header} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${header}.h)
  target_compile_options(Cameo${header} PRIVATE -fno-rtti)
  target_link_libraries(Cameo${header} PRIVATE CameoWarnings)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(Cameo${header} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
  # ccache treats headers that differ only in comments as equal, but clang does not, because their sizes differ.
  set_target_properties(Cameo${header} PROPERTIES CXX_COMPILER_LAUNCHER "")
endforeach()
add_dependencies(CameoPrecompiledOnnx CameoOnnxIncGen)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(headers ${PROJECT_BINARY_DIR}/CMakeFiles)
  target_compile_options(CameoPrecompiledOnnx PRIVATE "SHELL:-Xclang -include-pch -Xclang ${headers}/CameoPrecompiled.dir/cmake_pch.hxx.pch")
  set_source_files_properties(${headers}/CameoPrecompiledOnnx.dir/cmake_pch.hxx.cxx PROPERTIES
    OBJECT_DEPENDS ${headers}/CameoPrecompiled.dir/cmake_pch.hxx.pch)
endif()

# Files of a library are small and instantiate many of the same templates of MLIR: compiling eight at a time takes half of the time. So file-local
# names must be unique within a library (lint-local-names), and a file that uses the namespace llvm cannot share a unit with one that uses mlir.
option(CAMEO_UNITY "Compile sources of a library eight at a time: quicker from nothing, slower after a change of one" OFF)

function(cameo_unite name group)
  if(NOT CAMEO_UNITY)
    return()
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(position 0)
  foreach(source ${sources})
    math(EXPR unit "${position} / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${unit})
    math(EXPR position "${position} + 1")
  endforeach()
endfunction()

function(cameo_use_precompiled_header name)
  set(header Precompiled ${ARGN})
  list(GET header -1 header)
  # Debian's LLVM is built without RTTI.
  target_compile_options(${name} PRIVATE -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
  target_precompile_headers(${name} REUSE_FROM Cameo${header})
endfunction()

function(cameo_add_library name)
  cmake_parse_arguments(ARG "ONNX" "" "LLVM;APART;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS} ${ARG_LLVM} ${ARG_APART})
  cameo_unite(${name} mlir ${ARG_UNPARSED_ARGUMENTS})
  cameo_unite(${name} llvm ${ARG_LLVM})
  set_target_properties(${name} PROPERTIES CAMEO_LLVM "${ARG_LLVM}" CAMEO_APART "${ARG_APART}")
  if(ARG_ONNX)
    cameo_use_precompiled_header(${name} PrecompiledOnnx)
  else()
    cameo_use_precompiled_header(${name})
  endif()
  target_link_libraries(${name} PUBLIC MLIR LLVM ${ARG_LINK} PRIVATE CameoWarnings)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # libcameo.so contains all libraries except those that depend on it.
  if(NOT libcameo IN_LIST ARG_LINK)
    set_property(GLOBAL APPEND PROPERTY CAMEO_LIBRARIES ${name})
  endif()
endfunction()

# cameo_unite(TARGET GROUP SOURCES...): compiles sources of a program with each other.
# cameo_tablegen(TD OUTPUT FLAGS...): generates OUTPUT from TD, for the next add_public_tablegen_target.
macro(cameo_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(MLIR ${output} ${ARGN} "-I${PROJECT_SOURCE_DIR}" "-I${MLIR_INCLUDE_DIRS}")
endmacro()

# Generates the declarations of a pass group: Passes.td beside the caller -> Passes.h.inc, target ${name}IncGen.
function(cameo_add_passes name)
  cameo_tablegen(Passes.td Passes.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(${name}IncGen)
endfunction()
