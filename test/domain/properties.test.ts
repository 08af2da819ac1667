import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { name } from '../../src/domain/fields.ts'
import { looksLikeRef } from '../../src/domain/handle.ts'
import { formatUtc } from '../../src/domain/instant.ts'
import { companyDay } from '../../src/domain/quota-clock.ts'
import { firstFreeSlug, slugify } from '../../src/domain/slug.ts'
import { exceeds, trimWhiteSpace } from '../../src/domain/text.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 300 })

test('a slug of any name is never empty, never looks like a ref, numbered or not, and is its own slug', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.constantFrom('prj', 'tsk-', 'FIL x', 'lst\u0301')), (text) => {
      const slug = slugify(text)
      assert.notEqual(slug, '')
      assert.equal(looksLikeRef(slug), false)
      assert.equal(looksLikeRef(`${slug}-2`), false)
      assert.match(slug, /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u)
    }),
  )
})

test('whatever is taken, the slug that is found is free', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 80 })), (numbers) => {
      const taken = new Set(['a', ...numbers.map((n) => `a-${n}`)])
      assert.equal(taken.has(firstFreeSlug('a', (slug) => !taken.has(slug))), false)
    }),
  )
})

test('a name is kept or refused by its code points, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const trimmed = trimWhiteSpace(text.toWellFormed())
      const points = [...trimmed].length
      const result = v.safeParse(name(), text)
      assert.equal(result.success, points >= 1 && points <= 255 && !text.includes('\0'))
      if (result.success) assert.equal(result.output, trimmed)
      assert.equal(exceeds(trimmed, 255), points > 255)
    }),
  )
})

test('every instant lies in its own day, and days meet without a gap, in any zone', () => {
  const zones = [
    'UTC',
    'Asia/Riyadh',
    'Africa/Cairo',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Asia/Beirut',
    'America/Havana',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) }),
      (zone, now) => {
        const day = companyDay(zone, now)
        assert.ok(day.startsAt <= now && now < day.endsAt, formatUtc(now))
        const next = companyDay(zone, day.endsAt)
        assert.equal(next.startsAt, day.endsAt)
        assert.ok(next.date > day.date)
      },
    ),
  )
})
