import type { Page } from 'playwright-core'

/** How a page has loaded. Times are in milliseconds, sizes in bytes as they were sent. */
export interface PageLoad {
  /** The largest paint so far. */
  paint: number
  /** The sum of unexpected shifts of the layout. */
  shift: number
  /** The time by which tasks were longer than 50 ms: nobody is answered then. */
  blocked: number
  requests: number
  scripts: number
  styles: number
  bytes: number
}

/** Texts, because the benchmarks are compiled without the types of browsers. */
const watching = `
  globalThis.load = { paint: 0, shift: 0, blocked: 0 }
  const watch = (type, take) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', ({ startTime }) => (load.paint = startTime))
  watch('layout-shift', ({ value, hadRecentInput }) => (load.shift += hadRecentInput ? 0 : value))
  watch('longtask', ({ duration }) => (load.blocked += Math.max(0, duration - 50)))`

const reading = `new Promise(answer => requestIdleCallback(() => {
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const sum = pattern =>
    all.filter(({ name }) => pattern.test(new URL(name).pathname)).reduce((total, each) => total + each.transferSize, 0)
  answer({ ...load, requests: all.length, scripts: sum(/\\.js$/), styles: sum(/\\.css$/), bytes: sum(/./) })
}))`

/** Observes the next page from its first moment on. */
export async function watchLoad(page: Page): Promise<void> {
  await page.addInitScript(watching)
}

/** Reads how the page has loaded, once the browser has nothing to do. */
export const loadOf = (page: Page): Promise<PageLoad> => page.evaluate(reading) as Promise<PageLoad>
