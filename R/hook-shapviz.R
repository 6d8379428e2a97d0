#' @rdname hooks
#' @exportS3Method shapviz::shapviz
shapviz.rankmix_shap <- function(object, X = object$data, ...) { # nolint: their name
  of_package("shapviz", "shapviz")(object$values, X = X, baseline = object$base, ...)
}
