#' Mixtures as data frames
#'
#' @param x,object The mixture, made by [tune_and_mix()] or [mix()].
#' @param ... Not used.
#' @return `tidy()` returns a data frame with a row for each member, by decreasing weight. For
#'   [tune_and_mix()] it has the columns of `summary()`. For [mix()] it has `ranker`, `weight` and
#'   `value`, the metric on the validation data.
#'
#'   `glance()` returns one row. `members` is the number of members, and `used` the number of positive
#'   weights. `effective` is the number of equal weights with the same diversity,
#'   \eqn{1 / \sum_m \pi_m^2}{1 / sum_m pi_m^2}. `c` and `threshold` are the chosen settings, `NA` unless
#'   the weighting method is `"exponential"`. `metric` and `value` are the validation metric and its value.
#'   `best_member` is the highest value of a member. For [tune_and_mix()] there are also `classifiers` and
#'   `rounds`.
#'
#'   `coef()` returns the weights, named by the members.
#' @examples
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- mix(list(first = function(data) data$x[, 1],
#'                     second = function(data) data$x[, 2]), valid, threads = 1)
#' tidy(mixture)
#' glance(mixture)
#' coef(mixture)
#' @export
tidy.rankmix_mixture <- function(x, ...) {
  as.data.frame(summary(x))
}

#' @rdname tidy.rankmix_mixture
#' @export
tidy.rankmix_mix <- function(x, ...) {
  members <- x$members[order(-x$members$weight), c("ranker", "weight", "value")]
  rownames(members) <- NULL
  members
}

#' @rdname tidy.rankmix_mixture
#' @export
glance.rankmix_mixture <- function(x, ...) {
  cbind(mixture_size(x), classifiers = length(x$classifiers), rounds = x$rounds,
        mixture_choice(x))
}

#' @rdname tidy.rankmix_mixture
#' @export
glance.rankmix_mix <- function(x, ...) {
  cbind(mixture_size(x), mixture_choice(x))
}

mixture_size <- function(x) {
  weight <- x$members$weight
  data.frame(members = length(weight), used = sum(weight > 0), effective = 1 / sum(weight^2))
}

mixture_choice <- function(x) {
  data.frame(c = x$c, threshold = x$threshold, metric = format(x$metric), value = x$value,
             best_member = max(x$members$value))
}

#' @rdname tidy.rankmix_mixture
#' @export
coef.rankmix_mixture <- function(object, ...) {
  stats::setNames(object$members$weight, member_labels(object))
}

#' @rdname tidy.rankmix_mixture
#' @export
coef.rankmix_mix <- function(object, ...) {
  stats::setNames(object$members$weight, object$members$ranker)
}

#' @rdname summary.rankmix_mixture
#' @export
summary.rankmix_mix <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_level(level)
  new_mixture_summary(tidy(object)[c("ranker", "weight", "value")], object, level)
}
