# The heat map of a comparison: the p-value and the direction of each pair.

plot_p_values <- function(object, rated, metric, n) {
  settings <- object$settings
  pairs <- object$pairs[object$pairs$metric == metric, ]
  shown <- best_rankers(rated, n, settings$control)
  rows <- tile_rows(pairs, shown, settings)
  few <- length(shown) <= max_labelled_rows
  rows$label <- tile_labels(rows, few)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$b, y = .data$a, fill = .data$shade)) +
    ggplot2::geom_tile(colour = "white", linewidth = if (few) 1 else 0.3) +
    ggplot2::geom_text(ggplot2::aes(label = .data$label, colour = abs(.data$shade) > 1.9),
                       size = tile_text_size(length(shown)), lineheight = 0.85, na.rm = TRUE,
                       show.legend = FALSE) +
    ggplot2::scale_colour_manual(values = c(`FALSE` = "black", `TRUE` = "white"), na.value = "black") +
    tile_colours() +
    ggplot2::scale_x_discrete(labels = function(names) shorten(names, 18L)) +
    ggplot2::scale_y_discrete(labels = function(names) shorten(names, 18L)) +
    # One column of squares would be too narrow for the title.
    (if (is.null(settings$control)) ggplot2::coord_equal()) +
    ggplot2::labs(title = wrapped(sprintf("p-values of all pairs by %s", metric)),
                  subtitle = wrapped(describe_settings(settings, pairs$folds[1L])),
                  x = "column", y = "row", fill = NULL,
                  caption = heat_map_caption(few, length(shown), nrow(rated), settings)) +
    plot_theme() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = if (few) 40 else 90, hjust = 1,
                                                       vjust = if (few) 1 else 0.5),
                   axis.text = ggplot2::element_text(size = if (few) 9 else 6),
                   panel.grid = ggplot2::element_blank(),
                   # The bar has five times the width of a key: enough for seven labels.
                   legend.key.width = ggplot2::unit(0.62, "inches"),
                   legend.key.height = ggplot2::unit(0.1, "inches"))
}

# A row for each tile: ranker `a` of the row against `b` of the column. Rankers are ordered by their means.
# With a control the only column is the control.
tile_rows <- function(pairs, shown, settings) {
  columns <- if (is.null(settings$control)) shown else settings$control
  rows <- expand.grid(a = if (is.null(settings$control)) shown else setdiff(shown, columns), b = columns,
                      stringsAsFactors = FALSE)
  key <- function(a, b) paste(a, b, sep = "\r")
  direct <- match(key(rows$a, rows$b), key(pairs$a, pairs$b))
  swapped <- match(key(rows$b, rows$a), key(pairs$a, pairs$b))
  at <- ifelse(is.na(direct), swapped, direct)
  rows$p <- pairs$p_adjusted[at]
  rows$difference <- ifelse(is.na(direct), 0 - pairs$difference[at], pairs$difference[at])
  rows$decided <- !is.na(at) & grepl("^(better|worse)", pairs$verdict[at])
  rows$shade <- sign(rows$difference) * -log10(pmax(rows$p, 1e-3))
  rows$a <- factor(rows$a, rev(shown))
  rows$b <- factor(rows$b, shown)
  rows
}

# A tile has space for a sign and four letters: "+", ".023". If there are many rankers, only decided pairs
# have a sign.
tile_labels <- function(rows, few) {
  sign <- c("-", "=", "+")[2 + sign(rows$difference)]
  text <- if (few) paste0(sign, "\n", p_labels(rows$p)) else ifelse(rows$decided, sign, "")
  ifelse(is.na(rows$p), "", text)
}

# "<.001", ".023", "1".
p_labels <- function(p) {
  text <- sub("^1[.]000$", "1", sub("^0", "", sprintf("%.3f", p)))
  ifelse(is.na(p), "", ifelse(p < 1e-3, "<.001", text))
}

tile_text_size <- function(rankers) {
  if (rankers <= 8L) 3 else if (rankers <= max_labelled_rows) 1.9 else 1.8
}

tile_colours <- function() {
  ends <- log10(c(0.001, 0.01, 0.05))
  ggplot2::scale_fill_gradient2(
    low = "#A63603", mid = "white", high = "#08519C", midpoint = 0, limits = c(-3, 3), na.value = "grey80",
    breaks = c(ends, 0, -rev(ends)),
    labels = c("-.001", "-.01", "-.05", "1", "+.05", "+.01", "+.001")
  )
}

heat_map_caption <- function(few, shown, all, settings) {
  caption_lines(
    left_out_words(shown, all),
    if (few) "+: the row has the higher mean than the column." else {
      sprintf("+: the row is better than the column at level %s.", plain_number(settings$level))
    },
    "Rows are ordered by their means. The colour is p with this sign.",
    "A large p-value does not show that two rankers are equal."
  )
}
