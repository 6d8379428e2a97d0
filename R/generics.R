#' @importFrom generics fit
#' @export
generics::fit

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance
