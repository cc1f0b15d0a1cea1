# find_package(Cameo) defines the program Cameo::cameo, cameo_add_model, cameo_add_plugin and, if its header is installed, Cameo::compiler. Works for
# an installation, which may have been moved, and for a build tree, because all files are found relative to this one.
include("${CMAKE_CURRENT_LIST_DIR}/CameoAddModel.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CameoAddPlugin.cmake")
if(NOT TARGET Cameo::cameo)
  get_property(prefix GLOBAL PROPERTY CAMEO_PREFIX)
  add_executable(Cameo::cameo IMPORTED GLOBAL)
  set_target_properties(Cameo::cameo PROPERTIES IMPORTED_LOCATION "${prefix}/bin/cameo")
  unset(prefix)
endif()
_cameo_compiler_library()
