# Oblivious trees of gbrt(): their depth, and the arguments that they do not support.

oblivious_depth <- 6

is_oblivious <- function(spec) spec$growth == "oblivious"

complete_oblivious <- function(spec, call) {
  if (!is.null(spec$num_leaves)) {
    stop_input("argument", "Oblivious trees have no `num_leaves`.",
               remedy = "Set `max_depth`: an oblivious tree has up to 2^depth leaves.", call = call)
  }
  if (!is.null(spec$monotone_constraints)) {
    stop_input("argument", "Oblivious trees do not support `monotone_constraints`.",
               remedy = "Leave out `growth = \"oblivious\"`, or `monotone_constraints`.", call = call)
  }
  if (is.null(spec$max_depth)) spec$max_depth <- oblivious_depth
  check_count(spec$max_depth, "max_depth", max = 10, call = call)
  spec
}
