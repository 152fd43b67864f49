import type { Page } from 'playwright-core'
import { type Api, ask } from './seed.ts'

export interface Percentiles {
  p50: number
  p95: number
}

/** How long a key takes until its effect is painted. */
export interface Timing extends Percentiles {
  title: string
  /** Commits of React and components that it rendered a key, and requests that left before the paint. */
  commits: number
  rendered: number
  requests: number
  nodes: number
}

export interface KeyPress {
  ms: number
  commits: number
  rendered: number
  requests: number
}

/** Something done by one key: what is typed before it, and whether it must change what the page shows. */
interface Action {
  title: string
  /** Taken in turn, so that each takes back what the one before it did. */
  keys: readonly string[]
  prepare?: (page: Page, turn: number) => Promise<void>
  changes: boolean
}

const idle: Action = { title: 'a key that does nothing', keys: ['F9'], changes: false }

const priorities = ['Low', 'High']

const actions: Record<View, readonly Action[]> = {
  list: [
    idle,
    { title: 'list: focus (J, K)', keys: ['j', 'k'], changes: true },
    { title: 'list: set the priority (Enter in its editor)', keys: ['Enter'], prepare: choosePriority, changes: true },
  ],
  board: [
    idle,
    { title: 'board: focus (J, K)', keys: ['j', 'k'], changes: true },
    { title: 'board: move a card (Shift+L, Shift+H)', keys: ['Shift+L', 'Shift+H'], changes: true },
  ],
}

export type View = 'list' | 'board'

const longest = 90_000 // ms for one action

export async function measureKeys(page: Page, view: View, samples: number): Promise<Timing[]> {
  for (const key of ['j', 'j']) await press(page, key)
  const timings: Timing[] = []
  for (const action of actions[view]) timings.push(await measure(page, action, samples))
  return timings
}

async function measure(page: Page, { title, keys, prepare, changes }: Action, samples: number): Promise<Timing> {
  const presses: KeyPress[] = []
  const end = performance.now() + longest
  for (let turn = 0; turn < samples && performance.now() < end; turn++) {
    await page.evaluate('probe.quiet()') // The answer to the last key is not counted to the next one.
    await prepare?.(page, turn)
    const before = await stateOf(page)
    const key = keys[turn % keys.length] ?? ''
    presses.push(await press(page, key))
    if (changes && (await stateOf(page)) === before) throw new Error(`${title}: ${key} changed nothing`)
  }
  const count = (of: (each: KeyPress) => number) => presses.reduce((sum, each) => sum + of(each), 0)
  return {
    title,
    ...percentiles(presses.map(({ ms }) => ms)),
    commits: count(each => each.commits) / presses.length,
    rendered: count(each => each.rendered) / presses.length,
    requests: count(each => each.requests),
    nodes: Number(await page.evaluate('probe.nodes()')),
  }
}

async function choosePriority(page: Page, turn: number): Promise<void> {
  const name = priorities[turn % 2] ?? ''
  await page.keyboard.press('p')
  await page.locator('[cmdk-input]').waitFor()
  await page.keyboard.type(name)
  await page.locator('[cmdk-item][data-selected=true]', { hasText: name }).waitFor()
}

/** What keys change: the current row or card, its values and its place. */
const stateOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const current = document.querySelector('article[aria-current="true"], .lrow.is-focus-in')
    const priority = current?.querySelector('[data-property=priority]')?.getAttribute('aria-label')
    return [current?.textContent, priority, current?.closest('section')?.getAttribute('aria-label')].join()
  })()`)

/** Presses a key and waits for the paint of its effect. */
export async function press(page: Page, key: string): Promise<KeyPress> {
  await page.evaluate('probe.awaitKey()')
  await page.keyboard.press(key)
  return (await page.evaluate('probe.key')) as KeyPress // What the probe resolves with.
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}

/** From the key to the item beside the list: an item that was opened before. */
export async function measureOpening(page: Page, samples: number): Promise<Percentiles> {
  const times: number[] = []
  for (let turn = 0; turn <= samples; turn++) {
    await page.evaluate('probe.quiet()')
    await page.evaluate(`probe.awaitElement('aside.drawer textarea')`)
    await page.keyboard.press('Space')
    const ms = Number(await page.evaluate('probe.element'))
    if (turn > 0) times.push(ms) // The first one fetches the item and the code of the page.
    await page.keyboard.press('Escape')
    await page.locator('aside.drawer').waitFor({ state: 'detached' })
  }
  return percentiles(times)
}

/** From the request of somebody else to the page that shows it. */
export async function measureOthers(page: Page, api: Api, samples: number): Promise<Percentiles> {
  const ids = (await page.evaluate(
    `[...document.querySelectorAll('.lrow[id]')].slice(0, 10).map(({ id }) => id.replace('row-', ''))`,
  )) as string[] // The rows that are seen.
  const times: number[] = []
  for (let turn = 0; turn < samples; turn++) {
    const title = `Changed by somebody else ${turn}`
    await page.evaluate(`probe.awaitText(${JSON.stringify(title)})`)
    const start = Date.now()
    await ask(api, 'PATCH', `/item/${ids[turn % ids.length]}`, { title })
    times.push(Number(await page.evaluate('probe.text')) - start)
  }
  return percentiles(times)
}
