# Constructors that are another one with some settings made by themselves: lambdamart(), ranknet(),
# listnet().

# What `code` gives. Its errors name the function that the user called, which `call` is the frame of,
# and not the constructor behind it.
in_the_name_of <- function(call, code) {
  rlang::try_fetch(code, rankmix_error = function(e) {
    e$call <- rlang::error_call(call)
    rlang::cnd_signal(e)
  })
}

# `others`, the `...` of the constructor `variant`, are settings of `constructor`, but for `own`:
# that setting `variant` makes itself. `remedy(value)` says what to write in its place.
check_variant_settings <- function(others, variant, constructor, own, remedy, call) {
  if (own %in% names(others)) {
    stop_input("argument", sprintf("There is no argument `%s`.", own), remedy = remedy(others[[own]]),
               call = call)
  }
  known <- setdiff(c(names(formals(variant)), names(formals(constructor))), c(own, "..."))
  unknown <- others[!rlang::names2(others) %in% known]
  do.call(check_no_others, c(unknown, list(known = unique(known), call = call)), quote = TRUE)
}
