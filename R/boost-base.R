#' Base learners for boosting
#'
#' Specifies the classifier that [adaboost_mh()] adds in each round.
#'
#' @param num_leaves Number of leaves, at most; 2 to 65536.
#' @param terms Number of stumps in a product, at most; 1 to 16.
#' @param votes The kind of votes. `"sign"`, the default: +1 and -1. `"confidence"`: any numbers, see
#'   below. With more than 16 grades, only `base_hamming_tree()` supports confidence-rated votes.
#' @param ... Must be empty.
#'
#' @details
#' A `base_stump()` splits the documents by one threshold on one feature. The stump votes v on the left and -v on
#' the right, where v is a vector of +1 and -1, one for each grade.
#'
#' A `base_tree()` grows best-first. The tree splits the leaf whose best stump improves the edge (see [adaboost_mh()])
#' most over the leaf's best constant votes. Growth stops at `num_leaves` leaves, or if no stump improves a leaf. A leaf
#' has the votes of its side of the stump above it. `base_tree(2)` and `base_stump()` are the same learner.
#' If no stump improves on constant votes, the learner is a single leaf with constant votes.
#'
#' A `base_hamming_tree()` has one vector of votes for the whole tree: \eqn{h(x) = v \phi(x)}{h(x) = v
#' phi(x)}. v are the votes of the best stump, and \eqn{\phi}{phi} is a tree of +1 and -1, grown in the
#' same way on the labels times v. A `base_hamming_tree()` costs little more than a `base_stump()`.
#'
#' A `base_product()` multiplies the votes of stumps, label by label. Each new stump is fitted to the
#' labels times the product of the others, until the edge no longer rises or there are `terms` stumps. Then
#' each stump is refitted in turn until the edge no longer rises, and more stumps are tried.
#' `base_product(1)` is `base_stump()`.
#'
#' Confidence-rated votes reduce the normaliser \eqn{Z = \sum_{il} w_{il} \exp(-h_l(x_i) y_{il})}{Z =
#' sum_il w_il exp(-h_l(x_i) y_il)} more than votes of +1 and -1 do. Let \eqn{W_+} and \eqn{W_-} be the
#' weights of the labels +1 and -1 of a grade on a leaf. The vote is \eqn{\tfrac12 \log((W_+ + \epsilon) /
#' (W_- + \epsilon))}{1/2 log((W+ + e) / (W- + e))}, \eqn{\epsilon = 1 / (n K)}{e = 1 / (n K)}. A
#' `base_tree()` then splits the leaf where \eqn{Z = \sum 2 \sqrt{W_+ W_-}}{Z = sum 2 sqrt(W+ W-)} falls
#' most. Each leaf of a `base_hamming_tree()` has one such vote, which is multiplied by v. A `base_product()` finally
#' replaces its first stump by the stump with such votes for which Z is smallest, given the signs of the others.
#' \eqn{\alpha}{alpha} of the round is the largest vote, and votes are divided by it. The edge is \eqn{\sqrt{1 -
#' Z^2}}{sqrt(1 - Z^2)}, as for votes of +1 and -1.
#'
#' Ties go to the lower feature, then to the lower threshold. Missing values go to the side with the larger
#' edge. If the feature is never missing in the training documents of the node, missing values of new documents go to
#' the side with more documents.
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

# `size` is the number of leaves or terms for the core.
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
