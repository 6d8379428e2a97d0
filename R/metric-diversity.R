#' Metrics of novelty and diversity
#'
#' Specify a metric of rankings for queries with several subtopics. Documents are judged for each subtopic.
#' Use the metrics in [evaluate_diversity()].
#'
#' @param k The cut-off; default 20, the depth of the TREC web tracks.
#' @param alpha The probability that a relevant document satisfies the need for its subtopic, from 0 to 1;
#'   default 0.5, as in ndeval. Larger values penalise repeated subtopics more. With 0, repeated subtopics
#'   have no penalty.
#' @param beta The probability that the user looks at the next document, from 0 to 1; default 0.5, as in
#'   ndeval. Larger values weight lower ranks more.
#'
#' @return A value of class `rankmix_diversity_metric`. Texts are read as well, such as `"alpha_ndcg@20"`,
#'   `"err_ia(k = 5, alpha = 0.3)"`, or `"alpha-nDCG@20"` as ndeval writes it.
#'
#'   These values are not metrics of [evaluate()]. Such metrics have one grade for each document, whereas
#'   the gain of a document depends here on the subtopics of the documents above. So rankers cannot be
#'   trained on them either.
#' @examples
#' diversity_alpha_ndcg()
#' diversity_alpha_ndcg(10, alpha = 0.3)
#' diversity_nrbp(beta = 0.8)
#'
#' @details
#' A query has S subtopics with at least one relevant document. A grade above 0 means relevant. Let
#' \eqn{r_{is}}{r_is} be 1 if the document at rank i is relevant to subtopic s, and 0 otherwise. Let
#' \eqn{c_{is}}{c_is} be the number of documents above rank i that are relevant to s. The gain at rank i is
#' \deqn{g_i = \sum_s r_{is} (1 - \alpha)^{c_{is}}.}{g_i = sum_s r_is (1 - alpha)^c_is.}
#'
#' * `diversity_alpha_dcg()`: \eqn{\sum_{i \le k} g_i / \log_2(i + 1)}{sum_(i <= k) g_i / log2(i + 1)},
#'   divided by the sum for documents that are relevant to all S subtopics.
#' * `diversity_alpha_ndcg()`: the same sum, divided by the sum for the ideal ranking.
#' * `diversity_err_ia()`, `diversity_nerr_ia()`: the same two metrics with the discount \eqn{1 / i}.
#' * `diversity_nrbp()`: \eqn{\frac{1 - (1 - \alpha) \beta}{S} \sum_i g_i \beta^{i - 1}}{(1 - (1 - alpha)
#'   beta) / S sum_i g_i beta^(i - 1)} over the whole list. `diversity_nnrbp()` divides it by the value of
#'   the ideal ranking.
#' * `diversity_precision_ia()`: the mean over the S subtopics of precision at k, which divides by k.
#' * `diversity_map_ia()`: the mean over the S subtopics of average precision of the whole list.
#' * `diversity_strec()`: subtopic recall, the fraction of the S subtopics that the top k documents cover.
#'
#' The best ranking is NP-hard to find. The ideal ranking is greedy, as in ndeval. Each rank gets the document
#' with the highest gain. Ties go to the highest document id, compared byte by byte. Another ranking can be
#' better, so that normalized values can be a little above 1.
#'
#' All values are 0 for a query without a relevant document. Such a query counts in the mean.
#'
#' @section Conditions: `rankmix_error_argument`: an invalid argument.
#' @references
#' Clarke, Kolla, Cormack, Vechtomova, Ashkan, Buettcher and MacKinnon (2008). Novelty and diversity in
#'   information retrieval evaluation. \doi{10.1145/1390334.1390446}
#'
#' Clarke, Kolla and Vechtomova (2009). An effectiveness measure for ambiguous and underspecified queries.
#'   \doi{10.1007/978-3-642-04417-5_17}
#'
#' Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal rank for graded relevance.
#'   \doi{10.1145/1645953.1646033}
#'
#' Agrawal, Gollapudi, Halverson and Ieong (2009). Diversifying search results.
#'   \doi{10.1145/1498759.1498766}
#'
#' Zhai, Cohen and Lafferty (2003). Beyond independent relevance. \doi{10.1145/860435.860440}
#' @seealso [evaluate_diversity()].
#' @name diversity_metrics
NULL

#' @rdname diversity_metrics
#' @export
diversity_alpha_ndcg <- function(k = 20, alpha = 0.5) new_diversity_metric("alpha_ndcg")

#' @rdname diversity_metrics
#' @export
diversity_alpha_dcg <- function(k = 20, alpha = 0.5) new_diversity_metric("alpha_dcg")

#' @rdname diversity_metrics
#' @export
diversity_err_ia <- function(k = 20, alpha = 0.5) new_diversity_metric("err_ia")

#' @rdname diversity_metrics
#' @export
diversity_nerr_ia <- function(k = 20, alpha = 0.5) new_diversity_metric("nerr_ia")

#' @rdname diversity_metrics
#' @export
diversity_nrbp <- function(alpha = 0.5, beta = 0.5) new_diversity_metric("nrbp")

#' @rdname diversity_metrics
#' @export
diversity_nnrbp <- function(alpha = 0.5, beta = 0.5) new_diversity_metric("nnrbp")

#' @rdname diversity_metrics
#' @export
diversity_precision_ia <- function(k = 20) new_diversity_metric("precision_ia")

#' @rdname diversity_metrics
#' @export
diversity_map_ia <- function() new_diversity_metric("map_ia")

#' @rdname diversity_metrics
#' @export
diversity_strec <- function(k = 20) new_diversity_metric("strec")

# Called by a constructor, whose arguments are in `frame`.
new_diversity_metric <- function(name, frame = rlang::caller_env()) {
  set <- mget(as.character(names(diversity_defaults(name))), envir = frame)
  checks <- list(
    k = function(x) check_count(x, "k", call = frame),
    alpha = function(x) check_number(x, "alpha", 0, 1, call = frame),
    beta = function(x) check_number(x, "beta", 0, 1, call = frame)
  )
  for (parameter in names(set)) checks[[parameter]](set[[parameter]])
  structure(list(name = name, set = lapply(set, as.double)), class = "rankmix_diversity_metric")
}

diversity_defaults <- function(name) as.list(formals(component_constructor("diversity", name)))

#' @export
format.rankmix_diversity_metric <- function(x, ...) {
  defaults <- lapply(diversity_defaults(x$name), as.double)
  set <- x$set[setdiff(names(x$set), "k")]
  set <- set[!vapply(names(set), function(name) identical(set[[name]], defaults[[name]]), NA)]
  paste0(
    x$name, if (!is.null(x$set$k)) paste0("@", plain_number(x$set$k)),
    if (length(set) > 0L) {
      sprintf("(%s)", paste(names(set), "=", vapply(set, show_parameter, ""), collapse = ", "))
    }
  )
}

#' @export
print.rankmix_diversity_metric <- function(x, ...) {
  say("<diversity metric> ", format(x))
  invisible(x)
}

# The name in a text, or NULL. ndeval writes "alpha-nDCG" and "P-IA", ir_measures "alpha_nDCG" and "StRecall".
diversity_name <- function(text) {
  name <- gsub("-", "_", ascii_lower(text), fixed = TRUE)
  others <- c(p_ia = "precision_ia", ap_ia = "map_ia", strecall = "strec", subtopic_recall = "strec")
  if (name %in% names(others)) name <- others[[name]]
  if (name %in% names(diversity_values)) name
}

read_diversity_metric <- function(x, call) {
  if (inherits(x, "rankmix_diversity_metric")) {
    return(x)
  }
  parts <- if (is.character(x) && length(x) == 1L && !is.na(x)) {
    pattern <- "^\\s*(?:diversity_)?([A-Za-z_-]+?)(?:\\s*@\\s*([0-9]+))?\\s*(?:\\((.*)\\))?\\s*$"
    regmatches(x, regexec(pattern, x, perl = TRUE))[[1L]]
  }
  name <- if (length(parts) > 0L) diversity_name(parts[2L])
  if (is.null(name)) {
    stop_input("argument", sprintf("There is no diversity metric %s.", show_value(x)),
               sprintf("Known metrics: %s.", paste(names(diversity_values), collapse = ", ")),
               c(if (is.character(x) && length(x) == 1L) did_you_mean(sub("[@(].*", "", x), names(diversity_values)),
                 "For example \"alpha_ndcg@20\" or `diversity_alpha_ndcg(20)`."), call = call)
  }
  arguments <- parse_arguments(parts[4L], x, call)
  if (nzchar(parts[3L])) arguments <- c(list(k = as.numeric(parts[3L])), arguments)
  unknown <- setdiff(names(arguments), names(diversity_defaults(name)))
  if (length(unknown) > 0L || anyDuplicated(names(arguments))) {
    stop_input("argument",
               if (length(unknown) > 0L) {
                 sprintf("%s has no argument %s.", name, enumerate(unknown))
               } else {
                 sprintf("The metric %s has two cut-offs.", show_value(x))
               }, call = call)
  }
  do.call(component_name("diversity", name), arguments)
}
