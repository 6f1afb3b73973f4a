# Installs what tells Jupyter of the kernel. `here` is the folder of this file, `made` one for files that are made. The
# program is named by its path; in an archive, which may go anywhere, by its name alone.
set(program "${CMAKE_INSTALL_PREFIX}/bin/perigee")
if(CMAKE_INSTALL_PREFIX MATCHES "/_CPack_Packages/.*/usr$")
  set(program "/usr/bin/perigee")
elseif(CMAKE_INSTALL_PREFIX MATCHES "/_CPack_Packages/")
  set(program "perigee")
endif()
configure_file("${here}/kernel.json.in" "${made}/kernel.json" @ONLY)
file(INSTALL "${made}/kernel.json" DESTINATION "${CMAKE_INSTALL_PREFIX}/share/jupyter/kernels/perigee")
