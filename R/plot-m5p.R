#' Plot a regression tree
#'
#' Draws the splits and leaves of the tree by depth, or bars with the importance of features, the largest first.
#'
#' @param object The model, trained by [fit()] from [m5p()].
#' @param type The plot. `"tree"` (the default): the splits, and the leaves with their numbers of documents.
#'   The colour is the
#'   mean error of the leaf's model before smoothing, as a fraction of the standard deviation of all
#'   targets. `"importance"`: up to 20 features with the most gain, as in [tidy()].
#' @param ... Must be empty.
#' @return A ggplot. All leaves have the same width. Values up to the threshold go left.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(m5p(min_data_in_split = 20, target = "gain"), train, threads = 1)
#' ggplot2::autoplot(model)
#' ggplot2::autoplot(model, "importance")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_m5p_model <- function(object, type = c("tree", "importance"), ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a ranker")
  check_chosen(object)
  type <- check_first_choice(type, "type", c("tree", "importance"))
  if (type == "importance") {
    object$features <- input_names(object)
    return(plot_importance(object))
  }
  layout <- tree_layout(object)
  few <- sum(layout$nodes$leaf) <= 12L
  leaves <- layout$nodes[layout$nodes$leaf, ]
  tests <- layout$nodes[!layout$nodes$leaf, ]
  ggplot2::ggplot(mapping = ggplot2::aes(x = .data$x, y = .data$y)) +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$xend, yend = .data$yend),
                          data = layout$edges, colour = "grey60", linewidth = 0.4) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$error), data = leaves,
                        size = if (few) 4 else 2) +
    (if (few) {
      list(ggplot2::geom_label(ggplot2::aes(label = .data$label), data = tests, size = 3),
           ggplot2::geom_text(ggplot2::aes(label = .data$label), data = leaves, size = 3,
                              vjust = 2))
    }) +
    ggplot2::scale_colour_gradient(low = "#56B4E9", high = "#D55E00",
                                   name = "Error, % of the\nstandard deviation") +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(0.1)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(0.12)) +
    ggplot2::labs(title = wrapped(format(object$spec)),
                  subtitle = sprintf("%s, %s", counted(nrow(leaves), "leaf", "leaves"),
                                     counted(sum(object$forest$leaf_documents), "document")),
                  x = NULL, y = "Depth",
                  caption = if (few) "Left: up to the threshold." else NULL) +
    plot_theme() +
    ggplot2::theme(axis.text = ggplot2::element_blank(), panel.grid = ggplot2::element_blank())
}

# The positions of nodes and leaves: leaves are side by side, and a node is between its children.
tree_layout <- function(model) {
  forest <- model$forest
  names <- input_names(model)
  rows <- list()
  edges <- list()
  next_leaf <- 0
  position <- function(child, depth) {
    if (child < 0L) {
      next_leaf <<- next_leaf + 1
      rows[[length(rows) + 1L]] <<- data.frame(
        x = next_leaf, y = -depth, leaf = TRUE,
        error = 100 * model$error[-child] / max(model$deviation, 1e-300),
        label = format_count(forest$leaf_documents[-child]))
      return(next_leaf)
    }
    at <- child + 1L
    ends <- c(position(forest$left[at], depth + 1), position(forest$right[at], depth + 1))
    rows[[length(rows) + 1L]] <<- data.frame(
      x = mean(ends), y = -depth, leaf = FALSE, error = NA_real_,
      label = sprintf("%s <= %s", names[forest$feature[at] + 1L],
                      number_text(forest$threshold[at], digits = 3)))
    edges[[length(edges) + 1L]] <<- data.frame(x = mean(ends), y = -depth, xend = ends,
                                               yend = -depth - 1)
    mean(ends)
  }
  position(if (length(forest$feature) == 0L) -1L else 0L, 0)
  none <- data.frame(x = numeric(), y = numeric(), xend = numeric(), yend = numeric())
  list(nodes = do.call(rbind, rows), edges = if (length(edges) == 0L) none else {
    do.call(rbind, edges)
  })
}
