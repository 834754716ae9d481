# Debian packages: cmake --preset deb && cmake --build --preset deb && cpack --preset deb. A build with the prefix /usr, one package for
# each component.
find_program(LIMBIC_GZIP gzip)
file(STRINGS CHANGELOG.md released REGEX "^## ${PROJECT_VERSION} ")
string(REGEX REPLACE ".*\\((.*)\\)$" "\\1" released "${released}")
if(NOT released)
    message(FATAL_ERROR "Limbic: CHANGELOG.md has no version ${PROJECT_VERSION}")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME limbic)
set(CPACK_PACKAGE_CONTACT "Limbic's maintainers <maintainers@limbic.example>" CACHE STRING "The packages' maintainer")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each has its own
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_check.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/package_files.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}) # liblimbic.so, for the tool
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_COMPONENTS_ALL library development)
set(about "prime-field arithmetic for SM2, P-256, P-384, P-521 and RSA")
set(more "ECDSA, ECDH, SM2 and RSA in portable C and, where the processor has more\nto offer, in assembly that is chosen at run time.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblimbic${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}\n${more}")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblimbic-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about} (headers)\n${more}\n.\nThe headers, the static library, manual pages and examples.")

if(LIMBIC_TOOL)
    list(APPEND CPACK_COMPONENTS_ALL tool)
    set(CPACK_DEBIAN_TOOL_PACKAGE_NAME limbic)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
    set(CPACK_COMPONENT_TOOL_DEPENDS library)
    set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS python3) # limbic-report
    set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS gnuplot-nox)
    set(CPACK_COMPONENT_TOOL_DESCRIPTION "${about} (command)\n${more}\n.\nKeys, signatures and encryption; what runs on this machine, and how fast.")
endif()
if(TARGET limbic_provider)
    list(APPEND CPACK_COMPONENTS_ALL provider)
    set(CPACK_DEBIAN_PROVIDER_PACKAGE_NAME limbic-provider)
    set(CPACK_DEBIAN_PROVIDER_PACKAGE_SECTION libs)
    set(CPACK_COMPONENT_PROVIDER_DESCRIPTION
        "${about} (OpenSSL provider)\n${more}\n.\nA provider of OpenSSL 3, with which unchanged programs use it.")
endif()

# What a package has besides what is installed.
set(packages)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    list(APPEND packages ${component}=${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/package_files.cmake.in package_files.cmake @ONLY)
include(CPack)
