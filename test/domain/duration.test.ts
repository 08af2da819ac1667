import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MOST_MINUTES, readDuration } from '../../src/domain/duration.ts'

const good: [text: string, minutes: number | null, why: string][] = [
  ['90', 90, 'digits alone are minutes'],
  ['1', 1, 'the least'],
  ['07', 7, 'a leading zero'],
  ['0090', 90, 'leading zeros'],
  ['1440', 1440, 'a day in minutes'],
  ['5999940', 5_999_940, 'the most, in minutes'],
  ['1:30', 90, 'hours and minutes'],
  ['0:01', 1, 'the least, as a clock'],
  ['0:59', 59, 'the last minute of an hour'],
  ['00:30', 30, 'two zeros for the hour'],
  ['01:05', 65, 'a leading zero of the hour'],
  ['1:00', 60, 'a whole hour'],
  ['25:00', 1500, 'more hours than a day has'],
  ['100:15', 6015, 'three digits of hours'],
  ['99999:00', 5_999_940, 'the most, as a clock'],
  ['1.5', 90, 'a dot makes hours'],
  ['0.5', 30, 'half an hour'],
  ['1.0', 60, 'a dot makes hours of whole numbers too'],
  ['2.25', 135, 'a quarter'],
  ['0.1', 6, 'a tenth'],
  ['1.33', 80, '79.8 rounds up'],
  ['1.34', 80, '80.4 rounds down'],
  ['0.025', 2, '1.5 is as near to 2, and rounds up'],
  ['1.225', 74, '73.5 rounds up, where floating point would see 73.49…'],
  ['4.35', 261, '261 exactly, where floating point sees 260.99…'],
  ['0.0084', 1, '0.504 rounds to 1'],
  ['0.00834', 1, '0.5004 rounds to 1'],
  ['01.50', 90, 'zeros around'],
  ['1.50000000000000000000000000000000', 90, 'many zeros behind'],
  [`${'0'.repeat(90)}5`, 5, 'many zeros in front'],
  [`1.${'3'.repeat(90)}`, 80, 'more digits than a floating-point number holds'],
  ['99999.0', 5_999_940, 'the most, in hours'],
  ['99999.008', 5_999_940, '5,999,940.48 rounds down to the most'],
  ['٩٠', 90, 'Arabic-Indic digits'],
  ['١:٣٠', 90, 'Arabic-Indic digits as a clock'],
  ['١.٥', 90, 'Arabic-Indic digits with a dot'],
  ['١٫٥', 90, 'the Arabic decimal sign'],
  ['۹۰', 90, 'extended Arabic-Indic digits, as in Persian and Urdu'],
  ['1:٣٠', 90, 'digits of both kinds'],
  [' 90 ', 90, 'white space around'],
  ['\u00a01:30\n', 90, 'any white space around'],
  ['', null, 'empty clears'],
  ['  ', null, 'blank clears: only white space is blank'],
]

const bad: [text: string, why: string][] = [
  ['0', 'zero in minutes'],
  ['00', 'zero in two digits'],
  ['0:00', 'zero as a clock'],
  ['00:00', 'zero as a clock with two digits'],
  ['0.0', 'zero in hours'],
  ['0.000', 'zero in hours with more digits'],
  ['٠', 'an Arabic zero'],
  ['۰:۰۰', 'a Persian zero'],
  ['0.008', '0.48 rounds to 0'],
  ['0.0083', '0.498 rounds to 0'],
  ['-90', 'negative'],
  ['-0', 'negative zero'],
  ['-1:30', 'negative, as a clock'],
  ['-1.5', 'negative, in hours'],
  ['\u221290', 'a real minus sign'],
  ['+90', 'a plus is in none of the shapes'],
  ['1:5', 'minutes have two digits'],
  ['1:60', 'minutes end at 59'],
  ['1:99', 'minutes end at 59'],
  ['1:005', 'minutes have two digits, not three'],
  [':30', 'no hours'],
  ['1:', 'no minutes'],
  ['1:30:00', 'seconds are in none of the shapes'],
  ['1.5:30', 'two shapes in one'],
  ['1:30.5', 'two shapes in one'],
  ['.5', 'no digit before the dot'],
  ['1.', 'no digit behind the dot'],
  ['.', 'a dot alone'],
  [':', 'a colon alone'],
  ['1.2.3', 'two dots'],
  ['1..5', 'two dots'],
  ['1,5', 'a comma is no dot'],
  ['1٬000', 'no separators of thousands'],
  ['1 30', 'white space inside'],
  ['1: 30', 'white space inside'],
  ['90m', 'a unit'],
  ['1h30', 'units'],
  ['PT1H30M', 'ISO 8601 is in none of the shapes'],
  ['1e3', 'no exponents'],
  ['0x10', 'no hexadecimal'],
  ['ninety', 'words'],
  ['ساعة', 'words in Arabic'],
  ['½', 'a fraction in one letter'],
  ['९०', 'digits of another script'],
  ['９０', 'wide digits'],
  ['NaN', 'not a number'],
  ['Infinity', 'not a number either'],
  ['null', 'a word'],
  ['1\u200e:30', 'a bidi mark inside'],
  ['5999941', 'one more than the most'],
  ['99999:01', 'one more than the most, as a clock'],
  ['99999.01', '5,999,940.6 rounds to more than the most'],
  ['100000:00', 'more than the most'],
  ['99999999999999999999', 'beyond what a number can hold'],
  ['1'.repeat(65), 'beyond what a number can hold, and more'],
  ['1'.repeat(1_001), 'longer than anything sensible'],
  [`0.${'0'.repeat(1_000_000)}1`, 'a million digits cost nothing'],
]

test('the tables name at least sixty values, each once', () => {
  const all = [...good.map(([text]) => text), ...bad.map(([text]) => text)]
  assert.ok(all.length >= 60, String(all.length))
  assert.equal(new Set(all).size, all.length)
})

for (const [text, minutes, why] of good) {
  test(`time_spent ${JSON.stringify(text)} is ${minutes} minutes: ${why}`, () => {
    assert.deepEqual(readDuration(text), { minutes })
  })
}

for (const [text, why] of bad) {
  test(`time_spent ${JSON.stringify(text).slice(0, 40)} is refused: ${why}`, () => {
    const read = readDuration(text)
    assert.ok('fault' in read, JSON.stringify(read))
    assert.match(read.fault, /^(must be|can't be|is longer than)/)
  })
}

test('zero, too much and no shape at all are told apart', () => {
  assert.match(JSON.stringify(readDuration('0:00')), /can't be 0/)
  assert.match(JSON.stringify(readDuration('6000000')), /more than 5999940/)
  assert.match(JSON.stringify(readDuration('1:5')), /must be minutes/)
  assert.match(JSON.stringify(readDuration('1'.repeat(1_001))), /is longer than 1000 characters/)
})

test('the three shapes of one duration mean the same, for any duration', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MOST_MINUTES }), (minutes) => {
      const hours = Math.floor(minutes / 60)
      const clock = `${hours}:${String(minutes % 60).padStart(2, '0')}`
      const decimal = (minutes / 60).toFixed(6)
      for (const text of [String(minutes), clock, decimal, arabic(clock)]) {
        assert.deepEqual(readDuration(text), { minutes }, text)
      }
    }),
  )
})

test('any other text is refused or read as a whole number within the limit, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
      const read = readDuration(text)
      if ('fault' in read || read.minutes === null) return
      assert.ok(Number.isInteger(read.minutes) && read.minutes > 0 && read.minutes <= MOST_MINUTES)
    }),
  )
})

function arabic(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)))
}
