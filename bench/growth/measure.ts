import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { containerCount, containerId, itemId } from './seed.ts'

/** A request that is measured; it differs a little each time. */
export interface Question {
  title: string
  repetitions: number
  request(i: number): { method: string; path: string; body?: object }
}

export interface Latency {
  p50: number
  p99: number
}
export type Figures = Map<string, Latency>

const condition = (leftSide: string, operator: number, rightSide: string) => ({ leftSide, operator, rightSide })
const search = (q: string, more = '') => ({ method: 'GET', path: `/search?q=${encodeURIComponent(q)}${more}` })

export function questions({ mark, board }: { mark: string; board: string }, size: number): Question[] {
  const container = (i: number) => containerId(mark, 1 + (i % (containerCount - 1)))
  const filtered = (i: number, conditions: object[], more: object = {}) => ({
    method: 'POST',
    path: '/item/search',
    body: {
      conditionGroup: [{ condition: conditions }],
      container: [container(i)],
      includeClosed: false,
      limit: 10,
      ...more,
    },
  })
  const question = (title: string, request: Question['request'], more: Partial<Question> = {}): Question => ({
    title,
    request,
    repetitions: 40,
    ...more,
  })
  return [
    question('list: page of 50 of a container', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=50&sort=-id`,
    })),
    question('list: page of 50 of all, by last change', () => ({
      method: 'GET',
      path: '/item?limit=50&sort=-updated',
    })),
    question('list: page of 50 of a container, by title', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=50&sort=title`,
    })),
    question('list: page of 50 of a container, by key', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=50&sort=-key`,
    })),
    question('search: page of 50 of a container, by key', i => ({
      method: 'POST',
      path: '/item/search',
      body: { container: [container(i)], sort: 'key', limit: 50 },
    })),
    question('list: page of 50 of all, by priority', () => ({ method: 'GET', path: '/item?limit=50&sort=priority' }), {
      repetitions: 10,
    }),
    ...['title', 'status', 'created'].map(property =>
      question(`list: page of 50 of all, by ${property}`, () => ({
        method: 'GET',
        path: `/item?limit=50&sort=${property}`,
      })),
    ),
    question('list: page of 50 of a container, by due date', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=50&sort=dueDate`,
    })),
    question('list: page of 50 of all, by due date, latest first', () => ({
      method: 'GET',
      path: '/item?limit=50&sort=-dueDate',
    })),
    question('list: page of 50 of a container, in two states', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&status=Open,In%20progress&limit=50&sort=-id`,
    })),
    question('list: page of 50 of a container, in a state that 500 items have', () => ({
      method: 'GET',
      path: `/item?containerId=${containerId(mark, 0)}&status=New&limit=50&sort=-updated`,
    })),
    ...[
      ['without labels, by title', 'labels=&sort=title'],
      ['without assignees, by last change', 'assignees=&sort=-updated'],
      ['that one watches, by title', 'watchers=@me&sort=title'],
    ].map(([what, query]) => question(`list: all ${what}`, () => ({ method: 'GET', path: `/item?${query}&limit=50` }))),
    question('list: all in a state that no item has', () => ({ method: 'GET', path: '/item?status=Lost&limit=50' })),
    question('filter: 2,000 open items of a container, by last change', () => ({
      method: 'POST',
      path: '/item/search',
      body: { container: [containerId(mark, 0)], includeClosed: false, sort: '-updated', limit: 50 },
    })),
    question('filter: open, priority, frequent custom value', i =>
      filtered(i, [
        condition('status', 12, '["Open","In progress","New"]'),
        condition('priority', 7, '3'),
        condition('field.severity', 0, String(i % 5)),
      ]),
    ),
    question('filter: status, priority, rare custom value', i => ({
      method: 'POST',
      path: '/item/search',
      body: {
        conditionGroup: [
          {
            condition: [
              condition('status', 1, 'Waiting'),
              condition('priority', 5, '0'),
              condition('field.vendor', 0, `Vendor ${2 * ((i * 389) % Math.floor(size / 2))}`),
            ],
          },
        ],
        limit: 10,
      },
    })),
    question('filter: mine, open, by due date', () => ({
      method: 'POST',
      path: '/item/search',
      body: {
        conditionGroup: [{ condition: [condition('assignee', 0, '@me')] }],
        includeClosed: false,
        sort: 'dueDate',
        limit: 10,
      },
    })),
    question('filter: open, due soon, by due date', i =>
      filtered(i, [condition('dueDate', 14, '2026-02-01..2026-06-30'), condition('priority', 7, '3')], {
        sort: 'dueDate',
      }),
    ),
    question('board: 2,000 cards', () => ({ method: 'GET', path: `/board/${board}/cards?limit=1000` }), {
      repetitions: 10,
    }),
    question('search: rare word', i => search(`zx${(i * 97) % size} `)),
    question('search: frequent word', () => search('printer')),
    question('search: word of every item', () => search('asset')),
    question('search: one in two hundred', () => search('migration')),
    question('search: typo', i => search(`pritner zx${(i * 97) % size} `)),
    question('search: phrase', () => search('"printer on floor" -migration')),
    question('list: words in a container', i => ({
      method: 'GET',
      path: `/item?q=printer&containerId=${container(i)}&limit=10&sort=-id`,
    })),
    question('list: labels, with the number of their items', () => ({ method: 'GET', path: '/label?limit=50' })),
    ...Object.entries(substrings).map(([what, part]) =>
      question(`substring: ${what}`, i => ({
        method: 'GET',
        path: `/item?title[contains]=${encodeURIComponent(part(i))}&limit=50`,
      })),
    ),
    ...Object.entries(describedParts(size)).map(([what, part]) =>
      question(`substring: description, ${what}`, i => ({
        method: 'GET',
        path: `/item?description[contains]=${encodeURIComponent(part(i))}&limit=50`,
      })),
    ),
    question('substring: description, few, with an exact count', i => ({
      method: 'GET',
      path: `/item?description[contains]=${describedParts(size).few?.(i)}&limit=50&count=exact`,
    })),
    question('substring: custom text, few', i => ({
      method: 'GET',
      path: `/item?field.vendor[contains]=${encodeURIComponent(`dor ${2 * ((i * 389) % Math.floor(size / 2))}`)}&limit=50`,
    })),
    question('substring: count of one in two hundred', () => ({
      method: 'GET',
      path: '/item?title[contains]=igratio&limit=50&count=exact',
    })),
    question('count: estimate', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=1&count=estimate`,
    })),
    question('count: exact, of a container', i => ({
      method: 'GET',
      path: `/item?containerId=${container(i)}&limit=50&count=exact`,
    })),
    ...['statusCategory[lt]=4', 'status=waiting', 'priority=1'].map(filter =>
      question(`count: exact, ${filter}`, () => ({ method: 'GET', path: `/item?${filter}&limit=50&count=exact` })),
    ),
    ...['description[contains]=x0', 'title[contains]=q0', 'title[contains]=x'].map(filter =>
      question(`substring: short, ${filter}`, () => ({ method: 'GET', path: `/item?${filter}&limit=50&count=exact` })),
    ),
    question('count: exact, of all', () => ({ method: 'GET', path: '/item?limit=50&count=exact' }), {
      repetitions: 10,
    }),
    question(
      'bulk: patch of 1,000',
      i => ({
        method: 'PATCH',
        path: '/item',
        body: {
          ids: Array.from({ length: 1000 }, (_, k) => itemId(mark, Math.floor((size / 1000) * k) + (i % 5))),
          patch: { priority: (i % 4) + 1 },
        },
      }),
      { repetitions: 5 },
    ),
  ]
}

/** Parts of words in titles, by how many titles contain them. */
const substrings: Record<string, (i: number) => string> = {
  none: i => `qzq${i}`,
  few: i => `oor ${i % 977} migr`,
  'one in two hundred': () => 'igratio',
  'every fourth': () => 'rinte',
  'nearly all': () => 'or',
}

/** Parts of words in descriptions, by how many descriptions contain them. */
const describedParts = (size: number): Record<string, (i: number) => string> => ({
  none: i => `qzq${i}`,
  few: i => `x${1000 + ((i * 97) % (size - 1000))}`,
  'one in twenty': () => 'ear the printe',
  all: () => 'sset z',
})

interface AskedBy {
  key: string
  asked: Question
}

/** Sends the requests of all callers in turn, one after the other, so that they do not delay each other. The first few are not counted. */
export async function latencies(base: string, asking: readonly AskedBy[]): Promise<Latency[]> {
  const taken = asking.map((): number[] => [])
  const times = Math.min(...asking.map(each => each.asked.repetitions))
  const warm = Math.min(12, times)
  for (let i = -warm; i < times; i++) {
    for (const [who, { key, asked }] of asking.entries()) {
      const spent = await ask(base, key, asked, i + warm)
      if (i >= 0) taken[who]?.push(spent)
    }
  }
  return taken.map(each => {
    const sorted = each.sort((a, b) => a - b)
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
    return { p50: at(0.5), p99: at(0.99) }
  })
}

// Of a request that the service answers in five milliseconds, `fetch` would take two or three more.
const agent = new Agent({ keepAlive: true })

async function ask(base: string, key: string, { request, title }: Question, i: number): Promise<number> {
  const { method, path, body } = request(i)
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const began = performance.now()
  const sent = httpRequest(`${base}/api${path}`, { method, headers, agent }).end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const answer = await text(response)
  const { statusCode: status = 0 } = response
  if (status >= 300) throw new Error(`${title}: ${method} ${path} answered ${status}: ${answer.slice(0, 500)}`)
  return performance.now() - began
}

/** One line for each question: p50 and p99 at each size, and the ratio of the largest size to the small tenant. */
export function growthTable(results: readonly { size: number; figures: Figures; beside: Figures }[]): string {
  const last = results.at(-1)
  const head = ['ms, p50/p99', ...results.map(({ size }) => size.toLocaleString('en')), '10,000 beside', 'growth']
  const show = (each: Latency | undefined) => (each ? `${each.p50.toFixed(1)}/${each.p99.toFixed(1)}` : '-')
  const rows = [...(last?.figures.keys() ?? [])].map(title => {
    const growth = (last?.figures.get(title)?.p50 ?? 0) / (last?.beside.get(title)?.p50 ?? 1)
    return [
      title,
      ...results.map(({ figures }) => show(figures.get(title))),
      show(last?.beside.get(title)),
      `× ${growth.toFixed(2)}`,
    ]
  })
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return ['', line(head), widths.map(width => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
