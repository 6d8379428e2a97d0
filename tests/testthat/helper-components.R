component_exported <- function(family, name) {
  rankmix:::component_name(family, name) %in% getNamespaceExports("rankmix")
}
