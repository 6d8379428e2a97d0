# Constructors that call another constructor with some settings fixed: lambdamart(), ranknet(),
# listnet().

# The value of `code`. Errors show `call`, the frame of the function that the user called, instead
# of the inner constructor.
in_the_name_of <- function(call, code) {
  rlang::try_fetch(code, rankmix_error = function(e) {
    e$call <- rlang::error_call(call)
    rlang::cnd_signal(e)
  })
}

# Checks `others`, the `...` of the constructor `variant`: settings of `constructor`, except for
# `own`, which `variant` sets itself. `remedy(value)` is the remedy if the user gave `own`.
check_variant_settings <- function(others, variant, constructor, own, remedy, call) {
  if (own %in% names(others)) {
    stop_input("argument", sprintf("There is no argument `%s`.", own), remedy = remedy(others[[own]]),
               call = call)
  }
  known <- setdiff(c(names(formals(variant)), names(formals(constructor))), c(own, "..."))
  unknown <- others[!rlang::names2(others) %in% known]
  do.call(check_no_others, c(unknown, list(known = unique(known), call = call)), quote = TRUE)
}
