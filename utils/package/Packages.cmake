# An archive of the sources: `cpack --config build/release/CPackSourceConfig.cmake -B FOLDER`.
# Debian packages: `cpack -G DEB --config build/release/CPackConfig.cmake -B FOLDER`. There is one package per kind of user and, of the runtime, one per
# architecture. dpkg-shlibdeps finds the dependencies of programs.
set(CAMEO_PACKAGE_CONTACT "Cameo maintainers <maintainers@cameo.invalid>" CACHE STRING "Name and address in the packages")

set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME cameo-${PROJECT_VERSION})
# Patterns are written unchanged, so a backslash stays one in the files that CPack reads.
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_SOURCE_IGNORE_FILES "^${PROJECT_SOURCE_DIR}/build/" "/\\.git/" "/__pycache__/")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${CAMEO_PACKAGE_CONTACT})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The Debian revision: how often this version was packaged.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# The licence in Debian's format: one blank before each line, and a full stop for an empty one.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license_text)
string(STRIP "${license_text}" license_text)
string(REGEX REPLACE "[ \t]*\n" "\n " license_text " ${license_text}")
# Replaced twice, because two matches cannot share the line break between two empty lines.
string(REGEX REPLACE "\n \n" "\n .\n" license_text "${license_text}")
string(REGEX REPLACE "\n \n" "\n .\n" license_text "${license_text}")
configure_file(copyright.in copyright @ONLY)

# cameo_add_deb(COMPONENT NAME SUMMARY DESCRIPTION): the package NAME of an install component, with its copyright file.
macro(cameo_add_deb component name summary description)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright DESTINATION share/doc/${name} COMPONENT ${component})
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
endmacro()

cameo_add_deb(cameo cameo "compiles ONNX models into standalone object files"
  "Plain C functions with the weights inside, that run in the caller's memory, for x86-64 and AArch64. With the CMake package whose cameo_add_model compiles models in a build.")
# Stated explicitly, because dpkg-shlibdeps does not always find it: a link to the library belongs to llvm-22-dev.
set(llvm libllvm${LLVM_VERSION_MAJOR})
# Folders of libraries that belong to no installed package, or that are in no system folder.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LLVM_LIBRARY_DIR} ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_CAMEO_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CAMEO_PACKAGE_DEPENDS "libcameo${PROJECT_VERSION_MAJOR} (= ${version}), libcameo-rt-dev (= ${version}), ${llvm}")
set(CPACK_DEBIAN_CAMEO_PACKAGE_SUGGESTS "cmake, pkg-config, gcc | c-compiler")

if(TARGET cameo-farm)
  cameo_add_deb(farm cameo-farm "lets other machines measure for cameo tune"
    "Agents that take candidates from a NATS server and run them in a sandbox, if somebody whom they trust has signed them, and what tuners need to get there.")
  set(CPACK_DEBIAN_FARM_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_FARM_PACKAGE_RECOMMENDS cameo)
  set(CPACK_DEBIAN_FARM_PACKAGE_SUGGESTS nats-server)
endif()

cameo_add_deb(emulator libcameo-gpu-emulator "stands in for the driver of NVIDIA's GPUs, to test models that cameo compiled"
  "Runs the kernels of objects of --gpu-code=host on the processor, and looks for races and wrong accesses: CAMEO_CUDA_DRIVER names it.")
set(CPACK_DEBIAN_EMULATOR_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_EMULATOR_PACKAGE_SHLIBDEPS ON)

cameo_add_deb(library libcameo${PROJECT_VERSION_MAJOR} "compiler of ONNX models as a library"
  "What cameo does for programs that embed it, and for plugins.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ${llvm})

cameo_add_deb(development libcameo-dev "headers of the compiler of ONNX models"
  "The C interface for programs that compile models themselves, and the dialects and passes for those who extend the compiler.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libcameo${PROJECT_VERSION_MAJOR} (= ${version}), libcameo-rt-dev (= ${version})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libmlir-${LLVM_VERSION_MAJOR}-dev, llvm-${LLVM_VERSION_MAJOR}-dev")

cameo_add_deb(runtime libcameo-rt-dev "runtime of models that cameo compiled"
  "C headers and a static library, which programs with such a model link: status messages, threads, external weights and profiles.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS libc6-dev)

# Debian's names of architectures, and of their packages for cross compilers.
set(debian_aarch64-linux-gnu arm64)
set(debian_x86_64-linux-gnu amd64)
foreach(triple ${CAMEO_RUNTIME_TRIPLES})
  if(triple STREQUAL "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
    continue()
  endif()
  set(architecture ${debian_${triple}})
  string(REPLACE _ - gcc_name ${triple})
  cameo_add_deb(runtime-${triple} libcameo-rt-dev-${architecture}-cross "runtime of models that cameo compiled (for cross-compiling to ${architecture})"
    "The static library for ${triple}.")
  string(TOUPPER runtime-${triple} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "libcameo-rt-dev (>= ${version})")
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS gcc-${gcc_name})
endforeach()

# CPack prepends every summary except its default to those of the packages.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
include(CPack)
