import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { intervalFault } from './interval.ts'

const readable = (trigger: string, text: string) => assert.equal(intervalFault(trigger, text), undefined, text)
const unreadable = (trigger: string, text: string) => assert.notEqual(intervalFault(trigger, text), undefined, text)

describe('the interval of a rule', () => {
  test('a schedule is a duration, five cron fields or an RRULE', () => {
    for (const text of [
      'PT1M',
      'PT4H',
      'P7D',
      'P1M',
      'P1Y2M3W4DT5H6M7S',
      ' PT15M ',
      '0 8 * * MON-FRI',
      '*/15 * * * *',
      '0 0 1,15 * *',
      '5/10 9-17 * jan-mar 0,7',
      '0 0 29 2 *',
      '0 0 31 2 1',
      'FREQ=DAILY',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU',
      'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=30;COUNT=12;',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;UNTIL=20301231T000000Z',
      'freq=hourly;until=20301231',
    ])
      readable('schedule', text)
  })

  test('an invalid schedule has a finding', () => {
    for (const text of [
      '',
      'often',
      'P',
      'PT',
      'PT0S',
      'PT59S',
      '-P1D',
      'P1D@dueDate',
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * * 13 *',
      '* * * * 8',
      '* * * * mo',
      '5-1 * * * *',
      '*/0 * * * *',
      '*-5 * * * *',
      ', * * * *',
      '0 0 30 2 *',
      '0 0 31 4,6,9,11 *',
      'FREQ=SECONDLY',
      'INTERVAL=2',
      'FREQ=DAILY;FREQ=DAILY',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;COUNT=1;UNTIL=20301231',
      'FREQ=DAILY;UNTIL=20300231',
      'FREQ=DAILY;BYDAY=XX',
      'FREQ=DAILY;BYDAY=0MO',
      'FREQ=DAILY;BYMONTHDAY=32',
      'FREQ=DAILY;BYSECOND=1,2',
      'FREQ=DAILY;TOSTRING=1',
    ])
      unreadable('schedule', text)
  })

  test('a date field has an offset before or after it', () => {
    for (const text of ['-P2D@dueDate', 'P0D@dueDate', '+PT4H@field.go-live', 'P1W@startDate']) {
      readable('dateField', text)
    }
    for (const text of ['', 'P2D', '-P2D@', '@dueDate', '2D@dueDate', '-P2D@due date', '--P2D@dueDate']) {
      unreadable('dateField', text)
    }
  })

  test('inactivity is a duration', () => {
    readable('inactivity', 'P3D')
    unreadable('inactivity', '0 8 * * *')
  })

  test('other triggers need no interval', () => {
    readable('event', '')
    readable('manual', 'whatever was left there')
  })
})
