/**
 * The whole Typst program. A document reaches it as data, in the shape of `Document` in document.ts, and no word of it is
 * ever read as markup.
 */
export const TEMPLATE = `
#let document-data = json(bytes(sys.inputs.document))
#let direction(name) = if name == "rtl" { rtl } else { ltr }
#let language(name) = if name == "rtl" { "ar" } else { "en" }
#let ink = luma(25)
#let faint = luma(205)
#let shade = luma(245)
#let gap = 1.1em
#let tight-gap = 0.7em
#let code-size = 0.86em
#let text-fonts = ("Libertinus Serif", "Amiri")
#let code-fonts = ("DejaVu Sans Mono", "Amiri")

#let leading(dir) = if dir == "rtl" { 0.85em } else { 0.68em }

#let directed(dir, body) = {
  set text(dir: direction(dir), lang: language(dir))
  set par(leading: leading(dir))
  body
}

#let code-span(body) = {
  set text(font: code-fonts, size: code-size)
  directed("ltr", body)
}

// The pieces of a word that is too long for a line may part without a sign; a space of nothing at all would not count.
#let pieces(run) = if type(run.text) == str { text(run.text) } else { run.text.map(text).join(h(0.01pt)) }

#let set-run(run) = {
  if "break" in run { return linebreak() }
  let body = pieces(run)
  // Amiri is a small face, and programs that read PDFs take its kerning for spaces between words.
  if "arabic" in run { body = text(size: 1.1em, kerning: false, body) }
  if "code" in run { body = code-span(body) }
  if run.at("code", default: none) == "box" { body = box(body) }
  if "strong" in run { body = strong(body) }
  if "emphasis" in run { body = emph(body) }
  if "strike" in run { body = strike(body) }
  if "url" in run { body = link(run.url, text(fill: rgb("#1a4f8b"), body)) }
  body
}

#let set-runs(runs) = runs.map(set-run).join() + []

#let set-paragraph(node) = directed(node.dir, par(set-runs(node.runs)))

#let set-heading(node) = directed(node.dir, heading(level: node.level, set-runs(node.runs)))

#let set-rule(node) = block(above: 1.6em, below: 1.6em, line(length: 100%, stroke: 0.6pt + faint))

#let set-code(node) = directed("ltr", block(
  width: 100%, fill: shade, inset: (x: 9pt, y: 8pt), radius: 3pt,
  align(left, {
    set text(font: code-fonts, size: code-size, hyphenate: false)
    set par(leading: 0.55em)
    par(set-runs(node.runs))
  }),
))

#let set-quote(node, set-blocks) = {
  let side = if node.dir == "rtl" { "right" } else { "left" }
  let bar = ((side): 2.5pt + faint)
  let room = ((side): 12pt, "top": 2pt, "bottom": 2pt)
  block(width: 100%, stroke: bar, inset: room, directed(node.dir, text(fill: luma(70), set-blocks(node.blocks))))
}

// The side of a list is that of the list: an item in the other direction reads its own way, but stays by its marker.
#let set-list(node, set-blocks) = {
  let space = if node.tight { tight-gap } else { gap }
  let side = if node.dir == "rtl" { right } else { left }
  let cells = node.items.map(item => (
    grid.cell(align: end, directed(node.dir, text(item.marker))),
    { set par(spacing: space); set block(spacing: space); align(side, set-blocks(item.blocks)) },
  ))
  directed(node.dir, block(width: 100%, inset: ((if node.dir == "rtl" { "right" } else { "left" }): 4pt), grid(
    columns: (auto, 1fr), column-gutter: 0.55em, row-gutter: space, ..cells.flatten()
  )))
}

#let set-table(node) = {
  let start = if node.dir == "rtl" { right } else { left }
  let sides = (left: left, right: right, center: center, start: start)
  let aligned = node.columns.map(name => sides.at(name))
  let cell(dir, runs) = directed(dir, set-runs(runs))
  let cells(row) = row.map(it => cell(it.dir, it.runs))
  set text(size: 1em * node.scale)
  directed(node.dir, block(width: 100%, align(start, table(
    columns: node.columns.len(),
    align: (x, y) => aligned.at(x) + top,
    inset: (x: 7pt * node.scale, y: 6pt),
    stroke: (x, y) => (bottom: if y == 0 { 0.9pt + luma(120) } else { 0.5pt + faint }),
    fill: (x, y) => if y == 0 { shade },
    table.header(..cells(node.head).map(strong)),
    ..node.rows.map(cells).flatten(),
  ))))
}

#let set-blocks(blocks) = {
  for node in blocks {
    if node.kind == "paragraph" { set-paragraph(node) }
    else if node.kind == "heading" { set-heading(node) }
    else if node.kind == "code" { set-code(node) }
    else if node.kind == "rule" { set-rule(node) }
    else if node.kind == "quote" { set-quote(node, set-blocks) }
    else if node.kind == "list" { set-list(node, set-blocks) }
    else if node.kind == "table" { set-table(node) }
  }
}

#set document(title: document-data.title, date: none)
#set text(
  font: text-fonts, size: 11pt, fill: ink, hyphenate: false,
  dir: direction(document-data.dir), lang: language(document-data.dir),
)
#set page(
  paper: "a4",
  margin: (x: 2.4cm, top: 2.4cm, bottom: 2.6cm),
  footer: context {
    set align(center)
    set text(size: 9pt, fill: luma(110))
    counter(page).display("1")
  },
)
#set par(leading: 0.68em, spacing: gap, justify: false, linebreaks: "simple")
#set block(spacing: gap)
#set strong(delta: 300)
#set heading(numbering: none)
#show heading: set block(above: 1.5em, below: 0.8em)
#show heading: set text(weight: "bold")
#show heading.where(level: 1): set text(size: 1.55em)
#show heading.where(level: 2): set text(size: 1.28em)
#show heading.where(level: 3): set text(size: 1.12em)
#show heading.where(level: 5): set text(size: 0.95em)
#show heading.where(level: 6): set text(size: 0.9em, fill: luma(80))

#set-blocks(document-data.blocks)
`
