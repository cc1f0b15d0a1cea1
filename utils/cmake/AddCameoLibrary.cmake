# cameo_add_library(NAME SOURCES... [DEPENDS ...] [LINK ...]): a static library of the compiler (C++, MLIR).
# cameo_use_precompiled_header(TARGET): compiles a program as these libraries are.
# cameo_tablegen(TD OUTPUT FLAGS...): one file from a .td; cameo_add_passes(NAME): the declarations of a pass group.
# All libraries share one precompiled header of MLIR: it cuts the build of a clean clone to a fraction.

add_library(CameoPrecompiled OBJECT ${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp)
target_precompile_headers(CameoPrecompiled PRIVATE ${CMAKE_CURRENT_LIST_DIR}/Precompiled.h)
target_compile_options(CameoPrecompiled PRIVATE -fno-rtti)
target_link_libraries(CameoPrecompiled PRIVATE CameoWarnings)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(CameoPrecompiled PRIVATE -Xclang -fno-pch-timestamp)
endif()

function(cameo_use_precompiled_header name)
  # Debian's LLVM is built without RTTI.
  target_compile_options(${name} PRIVATE -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
  target_precompile_headers(${name} REUSE_FROM CameoPrecompiled)
endfunction()

function(cameo_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  cameo_use_precompiled_header(${name})
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
