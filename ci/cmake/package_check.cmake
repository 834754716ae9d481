# Debian's packages have their files below /usr, and the folders of libraries depend on that when the build is configured.
if(NOT CPACK_PACKAGING_INSTALL_PREFIX STREQUAL "/usr")
    message(FATAL_ERROR "Limbic: packages are made of a build with the prefix /usr (cmake --preset deb), not ${CPACK_PACKAGING_INSTALL_PREFIX}")
endif()
