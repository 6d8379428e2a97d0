#' @importFrom generics fit
#' @export
generics::fit

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

# Who gives the data first means fit(spec, data).
#' @export
fit.ranking_data <- function(object, ...) {
  stop_input("argument", "`fit()` takes what is to be trained first, then the data.",
             remedy = "Write `fit(spec, data)`, such as `fit(gbrt(), data)`.")
}
