# What CITATION.cff and codemeta.json say, from DESCRIPTION and inst/CITATION: lines by file.

metadata_lines <- function() {
  about <- read.dcf("DESCRIPTION", keep.white = FALSE)[1L, ]
  about[] <- gsub("[[:space:]]+", " ", about)
  cited <- utils::readCitationFile("inst/CITATION", c(as.list(about), Encoding = "UTF-8"))
  papers <- Filter(function(entry) !is.null(entry$doi) || !is.null(entry$pages), as.list(cited))
  list(CITATION.cff = cff_lines(about, papers), codemeta.json = codemeta_lines(about, papers))
}

quoted <- function(text) paste0("\"", gsub("\"", "\\\\\"", text), "\"")

people <- function(entry, indent) {
  unlist(lapply(entry$author, function(person) {
    c(sprintf("%s- family-names: %s", indent, quoted(paste(person$family, collapse = " "))),
      sprintf("%s  given-names: %s", indent, quoted(paste(person$given, collapse = " "))))
  }))
}

# Proceedings have no journal.
kind <- function(paper) if (is.null(paper$journal)) "conference-paper" else "article"
place <- function(paper) if (is.null(paper$journal)) paper$booktitle else paper$journal

cff_lines <- function(about, papers) {
  ends <- function(paper) strsplit(paper$pages, "--", fixed = TRUE)[[1L]]
  references <- unlist(lapply(papers, function(paper) {
    c(paste("- type:", kind(paper)), paste("  title:", quoted(paper$title)), "  authors:",
      people(paper, "  "),
      if (is.null(paper$journal)) c("  collection-title:") else c("  journal:"),
      paste("  year:", paper$year), paste("  volume:", paper$volume),
      paste("  start:", ends(paper)[1L]), paste("  end:", ends(paper)[2L]),
      if (!is.null(paper$doi)) paste("  doi:", paper$doi))
  }))
  named <- references %in% c("  journal:", "  collection-title:")
  references[named] <- paste(references[named], vapply(papers, function(p) quoted(place(p)), ""))
  c("# Made by tools/make_metadata.R of DESCRIPTION and inst/CITATION.",
    "cff-version: 1.2.0",
    paste("message:", quoted("Cite rankmix, and the papers whose methods you use.")),
    "type: software",
    paste("title:", quoted(sprintf("%s: %s", about[["Package"]], about[["Title"]]))),
    paste("version:", about[["Version"]]),
    paste("abstract:", quoted(about[["Description"]])),
    "authors:", "- name: \"The rankmix developers\"",
    "license: MIT", "references:", references)
}

codemeta_lines <- function(about, papers) {
  of <- function(field) {
    names <- trimws(strsplit(about[[field]], ",", fixed = TRUE)[[1L]])
    lapply(sub("[ (].*", "", names), function(name) {
      list(`@type` = "SoftwareApplication", name = name)
    })
  }
  value <- list(
    `@context` = "https://doi.org/10.5063/schema/codemeta-2.0", `@type` = "SoftwareSourceCode",
    identifier = about[["Package"]],
    name = sprintf("%s: %s", about[["Package"]], about[["Title"]]),
    description = about[["Description"]], version = about[["Version"]],
    license = "https://spdx.org/licenses/MIT",
    programmingLanguage = list(list(`@type` = "ComputerLanguage", name = "R"),
                               list(`@type` = "ComputerLanguage", name = "C++")),
    author = list(list(`@type` = "Organization", name = "The rankmix developers")),
    softwareRequirements = of("Imports"), softwareSuggestions = of("Suggests"),
    referencePublication = lapply(papers, function(paper) {
      c(list(`@type` = "ScholarlyArticle", name = paper$title, datePublished = paper$year,
             author = lapply(paper$author, function(person) {
               list(`@type` = "Person", givenName = paste(person$given, collapse = " "),
                    familyName = paste(person$family, collapse = " "))
             }),
             isPartOf = list(`@type` = "PublicationIssue", name = place(paper))),
        if (!is.null(paper$doi)) list(`@id` = paste0("https://doi.org/", paper$doi)))
    })
  )
  strsplit(jsonlite::toJSON(value, auto_unbox = TRUE, pretty = 2), "\n", fixed = TRUE)[[1L]]
}
