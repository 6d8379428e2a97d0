#' Base learners for boosting
#'
#' @param leaves Number of leaves, at least 2.
#'
#' @details
#' A `stump()` splits the documents by one threshold on one feature and votes v
#' on the left and -v on the right, v a vector of +1 and -1, one for each grade.
#'
#' A `tree()` grows best-first: the leaf is split whose best stump has the
#' largest edge in excess of the leaf's best constant votes; growth stops at
#' `leaves` leaves or when no stump improves a leaf. A leaf votes as the stump
#' above it. `tree(2)` and `stump()` are the same learner. If no stump beats
#' constant votes, the learner is a single leaf with constant votes.
#'
#' Ties go to the lower feature, then to the lower threshold. Missing values go
#' to the side with the larger edge; where no training document of a leaf that is
#' split misses the feature, new ones go to the side with more documents.
#'
#' @return A value of class `rankmix_base`.
#' @references Schapire and Singer (1999). Improved boosting algorithms using
#'   confidence-rated predictions. \doi{10.1023/A:1007614523901}
#' @seealso [adaboost_mh()]
#' @examples
#' stump()
#' tree(8)
#' @name base_learners
NULL

#' @rdname base_learners
#' @export
stump <- function() {
  new_base("stump", leaves = 2)
}

#' @rdname base_learners
#' @export
tree <- function(leaves) {
  check_count(leaves, "leaves", min = 2, max = 65536)
  new_base("tree", leaves = leaves)
}

new_base <- function(name, leaves) {
  structure(list(name = name, leaves = leaves), class = "rankmix_base")
}

#' @export
format.rankmix_base <- function(x, ...) {
  if (x$name == "stump") "stump()" else sprintf("%s(%d)", x$name, x$leaves)
}

#' @export
print.rankmix_base <- function(x, ...) {
  cat("<base learner> ", format(x), "\n", sep = "")
  invisible(x)
}
