# Every plot as a picture, which a change of it must be seen to mean.

skip_without_pictures <- function() {
  skip_if_not_installed("vdiffr")
  skip_if_not_installed("ggplot2")
}
