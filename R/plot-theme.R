# The theme, colours and legends of all plots.

# The last label of an axis needs space on the right.
plot_theme <- function() {
  ggplot2::theme_minimal(base_size = 11) +
    ggplot2::theme(plot.title.position = "plot", plot.caption.position = "plot",
                   plot.caption = ggplot2::element_text(hjust = 0, colour = "grey30"),
                   plot.margin = ggplot2::margin(6, 16, 6, 6),
                   panel.spacing = ggplot2::unit(1.5, "lines"),
                   panel.grid.minor = ggplot2::element_blank(), legend.position = "bottom")
}

# Breaks a title into lines that fit a narrow figure.
wrapped <- function(text, width = 52L) paste(wrap_calls(text, width), collapse = "\n")

# A caption: each sentence begins a line. The letters of captions are small, so lines are longer.
caption_lines <- function(...) paste(vapply(c(...), wrapped, "", width = 76L), collapse = "\n")

# Colours that colour-blind readers can distinguish (Okabe and Ito 2008). They repeat if
# there are more rankers; shapes help then.
ranker_colours <- function(n) {
  palette <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
               "#000000", "#999999")
  rep(palette, length.out = n)
}

# Seven shapes for eight colours, so that 56 rankers have different combinations.
ranker_shapes <- function(n) {
  rep(c(16, 17, 15, 18, 8, 4, 1), length.out = n)
}

# More curves than colours cannot be distinguished.
max_curves <- 8L

# The names of the rankers whose curves are drawn, in their order: the n highest values. `values` are named by rankers.
drawn_rankers <- function(values, n) {
  names(values)[rank(-values, ties.method = "first", na.last = "keep") %in% seq_len(min(n, length(values))) |
                  length(values) <= n]
}

# "The 8 highest means of 50 rankers, by ndcg@10." NULL if all rankers are drawn.
drawn_words <- function(shown, all, metric) {
  words <- left_out_words(shown, all)
  if (!is.null(words)) sub("\\.$", sprintf(", by %s.", metric), words)
}

# A legend with as many columns as fit a narrow figure, so that no name is cut.
ranker_legend <- function(labels, ...) {
  columns <- max(1, floor(62 / (max(nchar(labels)) + 5)))
  ggplot2::guide_legend(ncol = min(columns, length(labels)), ...)
}

scale_rankers <- function(n, ...) {
  ggplot2::scale_colour_manual(values = ranker_colours(n), ...)
}

# Labels of a legend of rankers. Long names would leave no space for the panel.
short_labels_of_rankers <- function(names) shorten(names, 26L)
