# find_package(Cameo): the program Cameo::cameo, cameo_add_model, cameo_add_plugin, and where its header is installed Cameo::compiler. Serves an
# installation, which may have been moved, and a build tree: all is found from the place of this file.
include("${CMAKE_CURRENT_LIST_DIR}/CameoAddModel.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CameoAddPlugin.cmake")
if(NOT TARGET Cameo::cameo)
  get_property(prefix GLOBAL PROPERTY CAMEO_PREFIX)
  add_executable(Cameo::cameo IMPORTED GLOBAL)
  set_target_properties(Cameo::cameo PROPERTIES IMPORTED_LOCATION "${prefix}/bin/cameo")
  unset(prefix)
endif()
_cameo_compiler_library()
