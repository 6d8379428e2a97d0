# Components are values that appear inside another call, such as metrics and losses. Each has a name,
# such as "ndcg", and a constructor, whose name begins with the prefix of its family: metric_ndcg().

component_name <- function(family, name) paste(family, name, sep = "_")

component_constructor <- function(family, name) {
  get(component_name(family, name), envir = environment(component_constructor), mode = "function")
}
