#' Base learners for boosting
#'
#' @param num_leaves Number of leaves, at least 2.
#' @param terms Largest number of stumps in a product, 1 to 16.
#' @param votes `"sign"`: votes are +1 and -1. `"confidence"`: votes are any numbers, see
#'   below; with more than 16 grades for `base_hamming_tree()` only.
#' @param ... Must be empty.
#'
#' @details
#' A `base_stump()` splits the documents by one threshold on one feature and votes v
#' on the left and -v on the right, v a vector of +1 and -1, one for each grade.
#'
#' A `base_tree()` grows best-first: the leaf is split whose best stump has the
#' largest edge in excess of the leaf's best constant votes; growth stops at
#' `num_leaves` leaves or when no stump improves a leaf. A leaf votes as the stump
#' above it. `base_tree(2)` and `base_stump()` are the same learner. If no stump beats
#' constant votes, the learner is a single leaf with constant votes.
#'
#' A `base_hamming_tree()` has one vector of votes for the whole tree: \eqn{h(x) = v
#' \phi(x)}{h(x) = v phi(x)}, v the votes of the best stump and \eqn{\phi}{phi} a tree of
#' +1 and -1 that is grown in the same way on the labels times v. It costs little more than
#' a stump.
#'
#' A `base_product()` multiplies the votes of stumps, label by label. Stumps are added one after
#' the other, each fitted to the labels times the product of the others, until one does not
#' raise the edge or there are `terms`; then each is fitted anew in turn, until none raises
#' the edge, and more are tried again. `base_product(1)` is `base_stump()`.
#'
#' Confidence-rated votes take more off the normaliser \eqn{Z = \sum_{il} w_{il}
#' \exp(-h_l(x_i) y_{il})}{Z = sum_il w_il exp(-h_l(x_i) y_il)}: on a leaf with the weights
#' \eqn{W_+} of the labels of +1 and \eqn{W_-} of those of -1 a grade has the vote
#' \eqn{\tfrac12 \log((W_+ + \epsilon) / (W_- + \epsilon))}{1/2 log((W+ + e) / (W- + e))},
#' \eqn{\epsilon = 1 / (n K)}{e = 1 / (n K)}. A `base_tree()` then splits a leaf where \eqn{Z =
#' \sum 2 \sqrt{W_+ W_-}}{Z = sum 2 sqrt(W+ W-)} falls most. A `base_hamming_tree()` has such a
#' vote for each leaf, times v, and a `base_product()` replaces its first stump in the end by the
#' one with such votes for which Z is smallest, the signs of the others given. A round's
#' \eqn{\alpha}{alpha} is the largest vote, votes are divided by it, and its edge is
#' \eqn{\sqrt{1 - Z^2}}{sqrt(1 - Z^2)}, which votes of +1 and -1 have too.
#'
#' Ties go to the lower feature, then to the lower threshold. Missing values go
#' to the side with the larger edge; where no training document of a leaf that is
#' split misses the feature, new ones go to the side with more documents.
#'
#' @return A value of class `rankmix_base`.
#' @references Schapire and Singer (1999). Improved boosting algorithms using
#'   confidence-rated predictions. \doi{10.1023/A:1007614523901}
#'
#'   Kegl (2014). The return of AdaBoost.MH: multi-class Hamming trees.
#'
#'   Kegl and Busa-Fekete (2009). Boosting products of base classifiers.
#'   \doi{10.1145/1553374.1553439}
#' @seealso [adaboost_mh()]
#' @examples
#' base_stump()
#' base_tree(8)
#' base_hamming_tree(8)
#' base_product(3)
#' @name base_learners
NULL

#' @rdname base_learners
#' @export
base_stump <- function(votes = "sign", ...) {
  check_no_others(...)
  new_base("stump", 2, votes)
}

#' @rdname base_learners
#' @export
base_tree <- function(num_leaves, votes = "sign", ...) {
  check_no_others(...)
  check_all_given()
  check_count(num_leaves, "num_leaves", min = 2, max = 65536)
  new_base("tree", num_leaves, votes)
}

#' @rdname base_learners
#' @export
base_hamming_tree <- function(num_leaves, votes = "sign", ...) {
  check_no_others(...)
  check_all_given()
  check_count(num_leaves, "num_leaves", min = 2, max = 65536)
  new_base("hamming_tree", num_leaves, votes)
}

#' @rdname base_learners
#' @export
base_product <- function(terms, votes = "sign", ...) {
  check_no_others(...)
  check_all_given()
  check_count(terms, "terms", max = 16)
  new_base("product", terms, votes)
}

# `size` is what the core calls leaves or terms.
new_base <- function(name, size, votes, call = rlang::caller_env()) {
  check_choice(votes, "votes", c("sign", "confidence"), call = call)
  structure(list(name = name, size = size, votes = votes), class = "rankmix_base")
}

#' @export
format.rankmix_base <- function(x, ...) {
  arguments <- c(if (x$name != "stump") plain_number(x$size),
                 if (identical(x$votes, "confidence")) "votes = \"confidence\"")
  sprintf("%s(%s)", component_name("base", x$name), paste(arguments, collapse = ", "))
}

#' @export
print.rankmix_base <- function(x, ...) {
  say("<base learner> ", format(x))
  invisible(x)
}
