/** One request as it goes over the wire. */
export interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** A measured request. It contains a number, so that requests differ a little. */
export interface Operation {
  title: string
  /** The smallest and the largest number; an operation that writes has none. */
  numbers?: readonly [number, number]
  writes?: boolean
  request(n: number): Request
}

// Seeded ids end with their number, because pgbench can only compute numbers.
export const itemPrefix = '01900000-0000-7000-8000-000000'
export const containerPrefix = '01900000-0000-7000-9000-0000000000'
export const itemNumbers = [100_000, 199_999] as const
export const containerNumbers = [10, 29] as const
/** The first items are restricted to other users. */
export const restrictedItems = 2000

export const itemId = (n: number) => `${itemPrefix}${n}`
export const containerId = (n: number) => `${containerPrefix}${n}`
/** The container of new items, which no measured list reads. */
export const targetContainer = '01900000-0000-7000-9000-000000000099'
/** The user with the long timesheet, who is also the plain member that sends the requests. */
export const busyUser = '01900000-0000-7000-a000-000000000010'

export const operations = {
  read: {
    title: 'read one item',
    numbers: [itemNumbers[0] + restrictedItems, itemNumbers[1]],
    request: n => ({ method: 'GET', path: `/api/item/${itemId(n)}` }),
  },
  list: {
    title: 'a page of 50 of 100k, filtered',
    numbers: containerNumbers,
    request: n => ({
      method: 'GET',
      path: `/api/item?containerId=${containerId(n)}&status=Open,In%20progress&limit=50&sort=-id`,
    }),
  },
  timesheet: {
    title: 'timesheet of 2,000 entries',
    numbers: [1, 1],
    request: () => ({
      method: 'POST',
      path: '/api/insight/report/user-timesheet',
      body: JSON.stringify({ userId: busyUser, startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T23:59:59Z' }),
    }),
  },
  create: {
    title: 'create item with 3 times',
    writes: true,
    request: () => ({ method: 'POST', path: '/api/item', body: JSON.stringify(newItem('The printer is on fire')) }),
  },
} satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
export const operationNames = Object.keys(operations) as OperationName[]

export function operationOf(name: OperationName): Operation {
  return operations[name]
}

/** A new item as an importer sends it, with three entries of time and two custom values. */
export function newItem(title: string): Record<string, unknown> {
  return {
    title,
    containerId: targetContainer,
    description: 'Smoke comes out of the tray on the third floor, and the paper is stuck in the machine. '.repeat(3),
    status: 'Open',
    priority: 2,
    Tags: ['hardware', 'urgent'],
    Field: [
      { key: 'severity', value: 3 },
      { key: 'vendor', value: 'Acme Printers' },
    ],
    Time: [1, 2, 3].map(day => ({ date: `2026-01-0${day}`, minutes: 15 * day, note: `Looked at it, day ${day}` })),
  }
}

/** Replaces the placeholder `{n}` of a value by the number. */
export function fillNumber(value: string | null, n: string): string | null {
  return value === null ? null : value.replaceAll('{n}', n)
}
