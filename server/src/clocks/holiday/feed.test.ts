import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFeed } from './feed.ts'

const now = new Date('2026-11-15T12:00:00Z')
const calendar = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines, i) => ['BEGIN:VEVENT', `UID:${i}`, ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const read = async (...events: string[][]) => {
  const { days, timed } = await readFeed(calendar(...events), now)
  return [days.map(({ date, name }) => `${date} ${name}`.trim()), timed]
}
const refused = (feed: string, why: RegExp) => assert.rejects(readFeed(feed, now), why)

describe('a calendar of holidays', () => {
  test('all-day events are holidays with an exclusive end, and events with a time of day are not holidays', async () => {
    assert.deepEqual(
      await read(
        ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227', 'SUMMARY:Closed\\, all of us'],
        ['DTSTART;VALUE=DATE:20270104', 'DURATION:P2D', 'SUMMARY:Stock', '  taking', 'TRANSP:TRANSPARENT'],
        ['DTSTART;VALUE=DATE:20270301'],
        ['DTSTART:20270401T090000Z', 'SUMMARY:A meeting', 'RRULE:FREQ=DAILY'],
        ['DTSTART;VALUE=DATE:20270501', 'STATUS:CANCELLED', 'SUMMARY:Called off'],
        ['DTSTART;VALUE=DATE:20200101', 'SUMMARY:Long ago'],
        ['DTSTART;VALUE=DATE:20400101', 'SUMMARY:Far ahead'],
      ),
      [
        [
          '2026-12-24 Closed, all of us',
          '2026-12-25 Closed, all of us',
          '2026-12-26 Closed, all of us',
          '2027-01-04 Stock taking',
          '2027-01-05 Stock taking',
          '2027-03-01',
        ],
        1,
      ],
    )
  })

  test('a yearly event is expanded from last year to five years ahead, with its RDATE and EXDATE', async () => {
    assert.deepEqual(
      await read([
        'DTSTART;VALUE=DATE:20000501',
        'RRULE:FREQ=YEARLY',
        'RDATE;VALUE=DATE:20260502,20190502',
        'EXDATE;VALUE=DATE:20270501',
        'EXDATE;VALUE=DATE:20280501',
        'SUMMARY:May',
      ]),
      [['2025-05-01 May', '2026-05-01 May', '2026-05-02 May', '2029-05-01 May', '2030-05-01 May', '2031-05-01 May'], 0],
    )
    assert.deepEqual(await read(['DTSTART;VALUE=DATE:20240506', 'RRULE:FREQ=YEARLY;COUNT=3;BYMONTH=5;BYDAY=1MO']), [
      ['2025-05-05', '2026-05-04'],
      0,
    ])
  })

  test('a moved or cancelled occurrence of a recurring event leaves its original day', async () => {
    const row = [
      'BEGIN:VEVENT',
      'UID:row',
      'DTSTART;VALUE=DATE:20250601',
      'RRULE:FREQ=YEARLY;COUNT=3',
      'SUMMARY:Founders',
    ]
    const moved = ['BEGIN:VEVENT', 'UID:row', 'RECURRENCE-ID;VALUE=DATE:20260601', 'DTSTART;VALUE=DATE:20260608']
    const off = ['BEGIN:VEVENT', 'UID:row', 'RECURRENCE-ID;VALUE=DATE:20270601', 'DTSTART;VALUE=DATE:20270601']
    const feed = [
      'BEGIN:VCALENDAR',
      ...row,
      'END:VEVENT',
      ...moved,
      'END:VEVENT',
      ...off,
      'STATUS:CANCELLED',
      'END:VEVENT',
      'END:VCALENDAR',
    ]
    const { days } = await readFeed(feed.join('\n'), now)
    assert.deepEqual(
      days.map(each => each.date),
      ['2025-06-01', '2026-06-08'],
    )
  })

  test('a file may hold several calendars, and a name becomes one line that can be stored', async () => {
    const one = calendar(['DTSTART;VALUE=DATE:20270301', 'SUMMARY:One\\nand\u0000 the\u0007 other'])
    const two = calendar(['DTSTART;VALUE=DATE:20270302', `SUMMARY:${'x'.repeat(199)}😀`])
    const { days } = await readFeed(`\uFEFF${one}${two}`, now)
    assert.deepEqual(
      days.map(each => each.name),
      ['One and the other', 'x'.repeat(199)],
    )
  })

  test('an invalid or oversized calendar is refused with a message that quotes nothing of it', async () => {
    for (const feed of ['', 'nonsense', '<!DOCTYPE html><html>', 'BEGIN:VCALENDAR', '{"a":1}', 'x'.repeat(1_000_000)])
      await refused(feed, /^Error: the text is not an iCalendar$/)
    await refused(calendar(['DTSTART;VALUE=DATE:00010101', 'DTEND;VALUE=DATE:99991231']), /more than 2000 days/)
    await refused(calendar(['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY']), /more than 2000 days/)
    await refused(calendar(['DTSTART;VALUE=DATE:secret']), /^Error: an event of the calendar cannot be read$/)
    await refused('BEGIN:VCALENDAR\n'.repeat(60_000), /the text is not an iCalendar/)
  })

  test('a calendar that takes too long is aborted without blocking the event loop', async () => {
    let beats = 0
    const heart = setInterval(() => beats++, 50).unref()
    await refused(calendar(['DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=DAILY']), /takes too long/)
    clearInterval(heart)
    assert.ok(beats > 2, `${beats} beats`)
    assert.equal((await readFeed(calendar(['DTSTART;VALUE=DATE:20270301']), now)).days.length, 1)
  })
})
