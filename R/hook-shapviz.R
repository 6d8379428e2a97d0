#' @rdname hooks
#' @exportS3Method shapviz::shapviz
shapviz.rankmix_shap <- function(object, X = object$data, ...) { # nolint: their name
  if (length(object$base) != 1L) {
    stop_input("argument", "`shapviz()` takes one base for all documents.",
               "This explanation has one for each query.",
               "Explain with another `background` than \"query\".")
  }
  of_package("shapviz", "shapviz")(object$values, X = X, baseline = object$base, ...)
}
