# cameo_add_library(NAME SOURCES... [ONNX] [SEPARATE] [APART ...] [DEPENDS ...] [LINK ...]): a static library of the compiler (C++, MLIR). ONNX: most of its
# sources name operations of the onnx dialect. SEPARATE: its sources are always compiled one by one; APART: these of them.
# cameo_use_precompiled_header(TARGET [HEADER]): compiles a program as these libraries are.
# cameo_tablegen(TD OUTPUT FLAGS...): one file from a .td; cameo_add_passes(NAME): the declarations of a pass group.

# Libraries share a precompiled header of MLIR, and those written for the onnx dialect one that holds its operations, too: parsing these takes longer than
# the rest of most files. A change of an operation compiles the second again, and with it what nearly all of its users would have compiled anyway.
foreach(header Precompiled PrecompiledOnnx)
  add_library(Cameo${header} OBJECT ${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp)
  target_precompile_headers(Cameo${header} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${header}.h)
  target_compile_options(Cameo${header} PRIVATE -fno-rtti)
  target_link_libraries(Cameo${header} PRIVATE CameoWarnings)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(Cameo${header} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
  # ccache takes a header for the same in which comments alone changed; clang does not, since its size is another.
  set_target_properties(Cameo${header} PROPERTIES CXX_COMPILER_LAUNCHER "")
endforeach()
add_dependencies(CameoPrecompiledOnnx CameoOnnxIncGen)

# Files of a library are small, and what they instantiate of MLIR's templates is much the same: eight at a time take half of the time. So names in anonymous
# namespaces, and static ones, are of a library rather than of a file (lint-local-names); what looks up names of llvm and of mlir cannot share a file.
option(CAMEO_UNITY "Compile sources of a library eight at a time: quicker from nothing, slower after a change of one" OFF)

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
  cmake_parse_arguments(ARG "ONNX;SEPARATE" "" "APART;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS} ${ARG_APART})
  if(CAMEO_UNITY AND NOT ARG_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_target_properties(${name} PROPERTIES CAMEO_APART "${ARG_APART}")
  if(ARG_ONNX)
    cameo_use_precompiled_header(${name} PrecompiledOnnx)
  else()
    cameo_use_precompiled_header(${name})
  endif()
  target_link_libraries(${name} PUBLIC MLIR LLVM ${ARG_LINK} PRIVATE CameoWarnings)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # libcameo.so is made of all but those over it.
  if(NOT libcameo IN_LIST ARG_LINK)
    set_property(GLOBAL APPEND PROPERTY CAMEO_LIBRARIES ${name})
  endif()
endfunction()

# cameo_tablegen(TD OUTPUT FLAGS...): OUTPUT from TD, for the next add_public_tablegen_target.
macro(cameo_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(MLIR ${output} ${ARGN} "-I${PROJECT_SOURCE_DIR}" "-I${MLIR_INCLUDE_DIRS}")
endmacro()

# Declarations of a pass group: Passes.td beside the caller -> Passes.h.inc, target ${name}IncGen.
function(cameo_add_passes name)
  cameo_tablegen(Passes.td Passes.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(${name}IncGen)
endfunction()
