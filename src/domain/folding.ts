/**
 * Letters that people write for one another become one letter; what only decorates a word is dropped. A name and what
 * is searched for are folded alike, so احمد finds أحمد and cafe finds Café. The README has the table of examples.
 */
export function fold(text: string): string {
  return foldLetters(tidy(text))
}

/**
 * The first half: compatibility forms, case and decoration, but every hamza still in its place. Whether a word begins
 * with the article can be seen here only: it does in المدرسة, and does not in ألمانيا.
 */
export function tidy(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  if (COMPOSED_ARABIC.test(text)) return text.toLowerCase().replace(ARABIC_DECORATION, '')
  return text
    .replace(DROPPED_FIRST, '')
    .replace(BADGES, ' ')
    .replaceAll('´', "'")
    .normalize('NFKC')
    .toLowerCase()
    .replace(DECORATION, '')
}

/** The second half, for text that is tidy. */
export function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text
  if (COMPOSED_ARABIC.test(text))
    return text.replace(LETTERS, (letter) => letters[letter] as string)
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(LETTERS, (letter) => letters[letter] as string)
    .normalize('NFC')
}

const PLAIN = /^[\x20-\x7e]*$/

/** Most Arabic names: text that no Unicode normalisation changes, so that none need be paid for. */
const COMPOSED_ARABIC = /^[\x20-\x7e\u0600-\u0652\u0656-\u0673\u0679-\u06ff]*$/

/** Isolated vowel signs, which NFKC would put on a space of their own and so split the word. */
const DROPPED_FIRST = /[\ufc5e-\ufc63\ufe70-\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e]/g

/** Signs that stand behind a name and do not belong to it; NFKC would make letters of some. */
const BADGES = /[©®™℠]/g

/**
 * Tatweel, harakat, tanwin, shadda, sukun, superscript alef, the signs of the Quran, and the half rings and primes of
 * transliteration; zero-width and bidi characters; skin tones and keycaps.
 */
const DECORATION =
  /[\u20e3\u0640\u0610-\u061a\u064b-\u065f\u0670\u0674\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0897-\u089f\u08ca-\u08ff\u{10efa}-\u{10eff}\u02b9-\u02c1\u02c8\p{Emoji_Modifier}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** The same within the block of Arabic. */
const ARABIC_DECORATION =
  /[\u0600-\u0605\u0610-\u061a\u061c\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dd\u06df-\u06e8\u06ea-\u06ed]/g

/** Latin, Greek and Cyrillic accents; and, taken off its carrier, the hamza and the madda of Arabic. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655]/g

const letters: Readonly<Record<string, string>> = {
  ...eachOf('أإآٱٲٳ', 'ا'),
  ...eachOf('ؤ', 'و'),
  ...eachOf('ئىیےۓېۍێؽؾؿ', 'ي'),
  ...eachOf('ةۀہۂھەۃۿ', 'ه'),
  ...eachOf('کڪ', 'ك'),
  // Sounds that Arabic borrows are written with these or with the nearest letter of its own: ڤيديو and فيديو.
  ...eachOf('گڭ', 'ك'),
  ...eachOf('ڤڥ', 'ف'),
  ...eachOf('پ', 'ب'),
  ...eachOf('چ', 'ج'),
  ...eachOf('ژ', 'ز'),
  ...eachOf('ڨ', 'ق'),
  ...eachOf('ں', 'ن'),
  ...eachOf('؟', '?'),
  ...eachOf('٪', '%'),
  ...eachOf('،', ','),
  ...eachOf('؛', ';'),
  ...digits('٠'),
  ...digits('۰'),
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ς: 'σ',
}

const LETTERS = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu')

function eachOf(forms: string, letter: string): Record<string, string> {
  return Object.fromEntries([...forms].map((form) => [form, letter]))
}

function digits(zero: string): Record<string, string> {
  const from = zero.codePointAt(0) as number
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, digit) => [String.fromCodePoint(from + digit), String(digit)]),
  )
}
