# Oblivious trees of gbrt(): their depth, and the arguments that they do not support.

oblivious_depth <- 6

is_oblivious <- function(spec) spec$growth == "oblivious"

complete_oblivious <- function(spec, call) {
  if (!is.null(spec$num_leaves)) {
    stop_input("argument", "Oblivious trees have no `num_leaves`.",
               remedy = "Set `max_depth`: an oblivious tree has up to 2^depth leaves.", call = call)
  }
  for (setting in c("monotone_constraints", "interaction_constraints", "feature_cost")) {
    if (!is.null(.subset2(spec, setting))) {
      stop_input("argument", sprintf("Oblivious trees do not support `%s`.", setting),
                 remedy = sprintf("Leave out `growth = \"oblivious\"`, or `%s`.", setting), call = call)
    }
  }
  if (is.null(spec$max_depth)) spec$max_depth <- oblivious_depth
  check_count(spec$max_depth, "max_depth", max = 10, call = call)
  spec
}
