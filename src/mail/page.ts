import { isWebAddress } from '../domain/link-source.ts'
import { beginning, escapeLines, escapeText } from '../domain/rich-text-plain.ts'
import { exceeds } from '../domain/text.ts'
import type { Language } from './when.ts'
import { WORDING } from './wording.ts'

/** What one language says: the same facts in every one. */
export interface Part {
  readonly language: Language
  readonly heading: string
  readonly facts: readonly Fact[]
  readonly footer: string
}

export interface Fact {
  readonly label: string
  readonly values: readonly string[]
  readonly isLink?: boolean
}

export interface Page {
  readonly title: string
  readonly parts: readonly Part[]
  /** In whatever language a person wrote it: once, after all parts. */
  readonly body: string | null
}

const RULE = '-'.repeat(40)
const LONGEST_LINK_TEXT = 80

const FONT = 'font-family:Tahoma,Arial,sans-serif'
const DARK = 'color:#1f2933'
const PALE = 'color:#52606d'

export function textOf({ parts, body }: Page): string {
  const blocks = parts.map(({ language, heading, facts }) => {
    const { comma } = WORDING[language]
    const lines = facts.map(({ label, values }) => `${label}: ${values.join(comma)}`)
    return [heading, '', ...lines].join('\n')
  })
  if (body !== null) blocks.push(body)
  blocks.push(parts.map(({ footer }) => footer).join('\n'))
  return `${blocks.join(`\n\n${RULE}\n\n`)}\n`
}

/** Tables and styles of their own at every element: what the oldest of clients still draw. Nothing is fetched. */
export function htmlOf({ title, parts, body }: Page): string {
  const [first = 'en'] = parts.map(({ language }) => language)
  const written = body === null ? '' : bodyHtml(body)
  return [
    '<!DOCTYPE html>',
    `<html lang="${first}" dir="${WORDING[first].dir}">`,
    '<head>',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeText(title)}</title>`,
    '</head>',
    '<body style="margin:0;padding:0;background-color:#f2f4f7">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f2f4f7">',
    '<tr><td align="center" style="padding:16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="max-width:600px;background-color:#ffffff;border:1px solid #d9dee5">',
    ...parts.map(partHtml),
    written,
    `<tr><td style="padding:12px 24px;border-top:1px solid #d9dee5;${FONT};font-size:12px;${PALE}">`,
    ...parts.map(footerHtml),
    '</td></tr>',
    '</table>',
    '</td></tr>',
    '</table>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function partHtml({ language, heading, facts }: Part, index: number): string {
  const { dir } = WORDING[language]
  const align = dir === 'rtl' ? 'right' : 'left'
  const border = index === 0 ? '' : 'border-top:1px solid #d9dee5;'
  return [
    `<tr><td dir="${dir}" lang="${language}" align="${align}" style="padding:20px 24px;${border}direction:${dir};text-align:${align}">`,
    `<p style="margin:0 0 12px;${FONT};font-size:18px;font-weight:bold;${DARK}">${escapeText(heading)}</p>`,
    `<table role="presentation" dir="${dir}" cellpadding="0" cellspacing="0" border="0">`,
    ...facts.map((fact) => factHtml(fact, language, align)),
    '</table>',
    '</td></tr>',
  ].join('\n')
}

function factHtml({ label, values, isLink }: Fact, language: Language, align: string): string {
  const { comma } = WORDING[language]
  const cell = `valign="top" align="${align}"`
  const shown = values.map(isLink ? linkHtml : valueHtml).join(comma)
  const space = align === 'right' ? '0 0 6px 12px' : '0 12px 6px 0'
  return [
    '<tr>',
    `<td ${cell} style="padding:${space};${FONT};font-size:14px;${PALE};white-space:nowrap">${escapeText(label)}</td>`,
    `<td ${cell} style="padding:0 0 6px;${FONT};font-size:14px;${DARK}">${shown}</td>`,
    '</tr>',
  ].join('')
}

/** An English name in an Arabic line, or the other way round, keeps its own direction. */
function valueHtml(value: string): string {
  return `<span dir="auto">${escapeText(value)}</span>`
}

function linkHtml(address: string): string {
  if (!isWebAddress(address)) return valueHtml(address)
  const text = escapeText(cut(address, LONGEST_LINK_TEXT))
  return `<a dir="ltr" href="${escapeText(address)}" style="color:#0b5cad;word-break:break-all">${text}</a>`
}

function bodyHtml(body: string): string {
  const style = `padding:20px 24px;border-top:1px solid #d9dee5;${FONT};font-size:14px;${DARK};line-height:1.6;unicode-bidi:plaintext;text-align:start`
  return `<tr><td dir="auto" style="${style}">${escapeLines(body)}</td></tr>`
}

function footerHtml({ language, footer }: Part): string {
  const { dir } = WORDING[language]
  return `<div dir="${dir}" lang="${language}">${escapeText(footer)}</div>`
}

/** At most so many code points, the last of them an ellipsis where something is missing. */
export function cut(text: string, limit: number): string {
  return exceeds(text, limit) ? `${beginning(text, limit - 1).trimEnd()}…` : text
}
