# Whether this machine computes the same bits as the machine of the developers.

#' Check that this machine computes the same bits
#'
#' Trains small models and compares their hashes with stored ones. Use it before several machines train one
#' model together, or to find out whether models of two machines can be compared bit for bit.
#'
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return A data frame of class `rankmix_bits` with a row for each ranker: `ranker`, its specification; `hash`,
#'   the hash on this machine; `expected`, the stored hash; `same`, whether both are equal.
#' @details The models are trained on the demo data of the package. Sums and products have a fixed order, and no
#'   operations are fused. So the bits do not depend on compiler or processor. `exp()` and `log()` of the C
#'   library can differ in the last bit on processors without fused multiply-add. Then the models of a few rankers
#'   differ, but rank equally well.
#' @seealso [provenance()], [verify()]
#' @examples
#' check_bits(threads = 1)
#' @export
check_bits <- function(threads = NULL, ...) {
  check_no_others(...)
  threads <- check_threads(threads)
  stored <- utils::read.csv(system.file("extdata", "bits.csv", package = "rankmix"), colClasses = "character")
  hashes <- hashes_of_fits(threads)
  expected <- stored$hash[match(names(hashes), stored$ranker)]
  structure(data.frame(ranker = names(hashes), hash = unname(hashes), expected = expected,
                       same = unname(hashes) == expected),
            class = c("rankmix_bits", "data.frame"))
}

# The hash of the predictions and trees of each small fit.
hashes_of_fits <- function(threads) {
  data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
  specs <- list(
    gbrt(trees = 5), gbrt(trees = 5, growth = "oblivious"), gbrt(trees = 5, objective = loss_softmax()),
    gbrt(trees = 5, precision = "double", objective = loss_pairwise()), lambdamart(trees = 5),
    lambdamart(trees = 5, bagging_fraction = 0.5, feature_fraction = 0.5), yetirank(trees = 5),
    rankboost(rounds = 5), adaboost_mh(base_tree(4), rounds = 5), adaboost_mh(base_product(2), rounds = 5),
    linear_ranker(penalty = 1), ranksvm(cost = 1)
  )
  hashes <- vapply(specs, function(spec) {
    model <- fit(spec, data, seed = 1, threads = threads, verbose = FALSE)
    hash_of_values(list(predict(model, data, threads = threads)))
  }, "")
  stats::setNames(hashes, vapply(specs, format, ""))
}

#' @export
print.rankmix_bits <- function(x, ...) {
  differ <- x$ranker[!x$same]
  say(sprintf("<bits> %s trained", counted(nrow(x), "small model")))
  say(if (length(differ) == 0L) {
    "All have the bits of the developers' machine."
  } else {
    sprintf("%d differ: %s.", length(differ), enumerate(differ, 12L))
  })
  invisible(x)
}
