# Writes NAMESPACE and man/ from the installed package. `make docs`.

roxygen2::roxygenise(".", load_code = "installed")
