# CMake package of libbristle, in lib/cmake/bristle of an installation: find_package(bristle) gives bristle::bristle.
get_filename_component(_bristle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET bristle::bristle)
  add_library(bristle::bristle SHARED IMPORTED)
  set_target_properties(bristle::bristle PROPERTIES
    IMPORTED_LOCATION "${_bristle_prefix}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}bristle${CMAKE_SHARED_LIBRARY_SUFFIX}"
    INTERFACE_INCLUDE_DIRECTORIES "${_bristle_prefix}/include")
endif()
unset(_bristle_prefix)
