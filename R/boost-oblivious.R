# Oblivious trees of gbrt(): how deep they are, and what they have no use for.

oblivious_depth <- 6

# Earlier versions had no other trees than those that grow leaf by leaf.
is_oblivious <- function(spec) identical(spec$growth, "oblivious")

complete_oblivious <- function(spec, call) {
  if (!is.null(spec$leaves)) {
    stop_input("argument", "`leaves` is of trees that grow leaf by leaf, these are oblivious.",
               remedy = "Set `depth`: an oblivious tree has up to 2^depth leaves.", call = call)
  }
  if (is.null(spec$depth)) spec$depth <- oblivious_depth
  check_count(spec$depth, "depth", max = 10, call = call)
  spec
}
