import { containerId, itemId, places } from './seed.ts'

/** What is asked, a little different each time. */
export interface Asked {
  title: string
  times: number
  request(i: number): { method: string; path: string; body?: object }
}

export interface Latency {
  p50: number
  p99: number
}
export type Figures = Map<string, Latency>

const condition = (leftSide: string, operator: number, rightSide: string) => ({ leftSide, operator, rightSide })
const search = (q: string, more = '') => ({ method: 'GET', path: `/search?q=${encodeURIComponent(q)}${more}` })

export function questions({ mark, board }: { mark: string; board: string }, size: number): Asked[] {
  const place = (i: number) => containerId(mark, 1 + (i % (places - 1)))
  const filtered = (i: number, conditions: object[], more: object = {}) => ({
    method: 'POST',
    path: '/item/search',
    body: {
      conditionGroup: [{ condition: conditions }],
      container: [place(i)],
      includeClosed: false,
      limit: 10,
      ...more,
    },
  })
  const asked = (title: string, request: Asked['request'], more: Partial<Asked> = {}): Asked => ({
    title,
    request,
    times: 40,
    ...more,
  })
  return [
    asked('list: page of 50 of a container', i => ({
      method: 'GET',
      path: `/item?containerId=${place(i)}&limit=50&sort=-id`,
    })),
    asked('list: page of 50 of all, by last change', () => ({ method: 'GET', path: '/item?limit=50&sort=-updated' })),
    asked('filter: open, priority, frequent custom value', i =>
      filtered(i, [
        condition('status', 12, '["Open","In progress","New"]'),
        condition('priority', 7, '3'),
        condition('field.severity', 0, String(i % 5)),
      ]),
    ),
    asked('filter: status, priority, rare custom value', i => ({
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
    asked('filter: mine, open, by due date', () => ({
      method: 'POST',
      path: '/item/search',
      body: {
        conditionGroup: [{ condition: [condition('assignee', 0, '@me')] }],
        includeClosed: false,
        sort: 'dueDate',
        limit: 10,
      },
    })),
    asked('filter: open, due soon, by due date', i =>
      filtered(i, [condition('dueDate', 14, '2026-02-01..2026-06-30'), condition('priority', 7, '3')], {
        sort: 'dueDate',
      }),
    ),
    asked('board: 2,000 cards', () => ({ method: 'GET', path: `/board/${board}/cards?limit=1000` }), { times: 10 }),
    asked('search: rare word', i => search(`zx${(i * 97) % size} `)),
    asked('search: frequent word', () => search('printer')),
    asked('search: one in two hundred', () => search('migration')),
    asked('search: typo', i => search(`pritner zx${(i * 97) % size} `)),
    asked('search: phrase', () => search('"printer on floor" -migration')),
    asked('list: words in a container', i => ({
      method: 'GET',
      path: `/item?q=printer&containerId=${place(i)}&limit=10&sort=-id`,
    })),
    asked('count: estimate', i => ({ method: 'GET', path: `/item?containerId=${place(i)}&limit=1&count=estimate` })),
    asked(
      'bulk: patch of 1,000',
      i => ({
        method: 'PATCH',
        path: '/item',
        body: {
          ids: Array.from({ length: 1000 }, (_, k) => itemId(mark, Math.floor((size / 1000) * k) + (i % 5))),
          patch: { priority: (i % 4) + 1 },
        },
      }),
      { times: 5 },
    ),
  ]
}

interface Asking {
  key: string
  asked: Asked
}

/** One after the other, so that nothing is measured but the answer itself, each in turn; the first few are not counted. */
export async function latencies(base: string, asking: readonly Asking[]): Promise<Latency[]> {
  const taken = asking.map((): number[] => [])
  const times = Math.min(...asking.map(each => each.asked.times))
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

async function ask(base: string, key: string, { request, title }: Asked, i: number): Promise<number> {
  const { method, path, body } = request(i)
  const began = performance.now()
  const response = await fetch(`${base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${title}: ${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return performance.now() - began
}

/** Each question a line: p50 and p99 at each size, and by how much the last takes longer than the small tenant beside it. */
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
