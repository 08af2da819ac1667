/** A text that cannot become a PDF: its message goes on from the name of the field, as in `content nests lists …`. */
export class PdfRefusal extends Error {
  override name = 'PdfRefusal'
}

/** It waited too long for the texts before it, and may well be set the next time. */
export class PdfBusy extends Error {
  override name = 'PdfBusy'
}
