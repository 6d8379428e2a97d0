# Writes the generated files: the Rcpp glue, NAMESPACE and man/. `make docs`.

Rcpp::compileAttributes(".")
roxygen2::roxygenise(".", load_code = "installed")
