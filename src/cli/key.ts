import { showCompany } from '../admin/companies.ts'
import { beyondScope, createKey, listKeys, revokeKey, rotateKey } from '../admin/keys.ts'
import { UsageFailure } from '../domain/failure.ts'
import { parseInstant } from '../domain/instant.ts'
import {
  type Grant,
  type Operation,
  operations,
  presets,
  type Right,
  rights,
  type Scope,
  scopes,
} from '../domain/operations.ts'
import { administer } from './administer.ts'
import { command, positiveId } from './command.ts'
import {
  defaulting,
  emailText,
  listOf,
  nameText,
  oneOf,
  optional,
  required,
  text,
  whole,
} from './flags.ts'
import { sheet, table } from './print.ts'

const company = required('ID', "the company's number", whole(1))

export const keyCommands = [
  command({
    words: ['key', 'create'],
    summary: 'Make an API key and show it, once',
    details: `A key belongs to the company; its creator only signs it. Presets: 'read' carries every :read operation; 'write'
adds every :write one and the right manage_files. Destructive operations and delete_any_* rights are only carried when
named. Without --preset and --scope the preset is 'read'.
Operations: ${wrap(operations)}
Rights: ${wrap(rights)}`,
    flags: {
      company,
      creator: required('EMAIL', 'the active person who signs the key', emailText),
      name: required('NAME', 'what the key is for', nameText),
      preset: optional('read|write', 'a usual set of operations', oneOf(scopes)),
      scope: optional('read|write', "the ceiling of the key's operations", oneOf(scopes)),
      operations: optional(
        'a:read,b:write',
        "operations besides the preset's, or alone with --scope",
        listOf(operations),
      ),
      rights: optional('r,…', "rights besides the preset's", listOf(rights)),
      'expires-at': optional(
        'TIME',
        'when it stops, such as 2027-01-31T12:00:00Z; without an offset, in the company time zone',
        text,
      ),
    },
    run: ({ data, flags }) => {
      const grant = grantOf(flags)
      return administer(data, async (context) => {
        const { time_zone } = showCompany(context, flags.company)
        const key = await createKey(context, {
          companyId: flags.company,
          creatorEmail: flags.creator,
          name: flags.name,
          grant,
          expiresAt: instant(flags['expires-at'], time_zone),
        })
        const { key: shown, ...rest } = key
        return {
          json: key,
          text: `Created key ${key.id}. This is its text; it is not shown again:\n\n${shown}\n\n${sheet(rest)}`,
        }
      })
    },
  }),

  command({
    words: ['key', 'list'],
    summary: "List a company's keys, newest first",
    flags: { company },
    run: ({ data, flags }) =>
      administer(data, (context) => {
        const keys = listKeys(context, flags.company)
        const columns = [
          'id',
          'name',
          'last_four',
          'scope',
          'creator',
          'last_used_at',
          'expires_at',
          'revoked_at',
        ]
        return { json: keys, text: table(keys, columns) }
      }),
  }),

  command({
    words: ['key', 'revoke'],
    args: ['ID'],
    summary: 'Stop a key for good, within a second',
    flags: {},
    run: ({ data, args }) => {
      const id = positiveId(args[0])
      return administer(data, (context) => {
        const key = revokeKey(context, id)
        return { json: key, text: `Key ${id} (${key.name}) is revoked.` }
      })
    },
  }),

  command({
    words: ['key', 'rotate'],
    args: ['ID'],
    summary: 'Give a key a new text and show it, once',
    flags: {
      grace: defaulting('MINUTES', 0, 'how long the old text goes on working', whole(0, 525_600)),
    },
    run: ({ data, args, flags }) => {
      const id = positiveId(args[0])
      return administer(data, async (context) => {
        const rotated = await rotateKey(context, id, flags.grace)
        const old = flags.grace === 0 ? 'no longer works' : `works for ${flags.grace} more minutes`
        return {
          json: rotated,
          text: `The new text of key ${id}; it is not shown again:\n\n${rotated.key}\n\nThe old one ${old}.`,
        }
      })
    },
  }),
]

interface GrantFlags {
  preset: Scope | undefined
  scope: Scope | undefined
  operations: Operation[] | undefined
  rights: Right[] | undefined
}

function grantOf(flags: GrantFlags): Grant {
  const isBare = flags.preset === undefined && flags.scope === undefined
  if (isBare && flags.operations !== undefined) {
    throw new UsageFailure(
      '--operations needs --scope read|write (to stand alone) or --preset read|write (to add to).',
    )
  }
  const preset = flags.preset ?? (isBare ? 'read' : null)
  const base = preset === null ? { operations: [], rights: [] } : presets[preset]
  const grant: Grant = {
    scope: flags.scope ?? preset ?? 'read',
    operations: [...base.operations, ...(flags.operations ?? [])],
    rights: [...base.rights, ...(flags.rights ?? [])],
  }
  const excess = beyondScope(grant)
  if (excess.length > 0) {
    throw new UsageFailure(
      `The ${grant.scope} scope does not permit ${[...new Set(excess)].join(', ')}: use --scope write, or leave them out.`,
    )
  }
  return grant
}

function instant(value: string | undefined, zone: string): number | null {
  if (value === undefined) return null
  const parsed = parseInstant(value, zone)
  if (parsed === null) {
    throw new UsageFailure(
      `--expires-at must be an ISO 8601 time, such as 2027-01-31T12:00:00Z; '${value}' is not.`,
    )
  }
  return parsed
}

function wrap(items: readonly string[]): string {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + item.length < 100) {
      lines[lines.length - 1] = `${last}, ${item}`
    } else lines.push(item)
  }
  return lines.join(',\n  ')
}
