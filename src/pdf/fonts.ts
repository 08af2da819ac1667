/**
 * The Arabic of the documents, by place among the packages of fonts; Latin, Greek, Cyrillic, Hebrew and code are set in
 * fonts that Typst brings. Amiri has true letters where Noto Naskh puts dots on bare ones, which cannot be copied.
 */
export const FONTS = [
  'amiri/400Regular/Amiri_400Regular.ttf',
  'amiri/400Regular_Italic/Amiri_400Regular_Italic.ttf',
  'amiri/700Bold/Amiri_700Bold.ttf',
  'amiri/700Bold_Italic/Amiri_700Bold_Italic.ttf',
]
