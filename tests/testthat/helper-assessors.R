# The grades of four observers of 12 units, of Krippendorff (2011), Computing Krippendorff's
# Alpha-Reliability.
krippendorff_grades <- cbind(
  A = c(1, 2, 3, 3, 2, 1, 4, 1, 2, NA, NA, NA), B = c(1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NA, 3),
  C = c(NA, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NA), D = c(1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NA)
)

# Grades of two assessors. Each pair of grades occurs as often as `table` says.
graded_table <- function(table, grades = seq_len(ncol(table))) {
  cbind(a = grades[rep(row(table), table)], b = grades[rep(col(table), table)])
}
