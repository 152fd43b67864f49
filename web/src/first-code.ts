import { boardCode, pages } from './pages.ts'

// Runs before the app does: the code of the page that the address names is fetched beside everything else.

const [, word = ''] = location.pathname.split('/')
const isBoard = new URLSearchParams(location.search).get('view') === 'board'
const parts: ((() => Promise<unknown>) | undefined)[] = [
  Object.entries(pages).find(([name]) => name === word)?.[1],
  isBoard ? boardCode : undefined,
]
// The first formatter of a page reads the data of all of them, which takes 30 ms: now, while the code is on its way.
setTimeout(() => void [new Intl.DateTimeFormat(), new Intl.NumberFormat()])
for (const fetchCode of parts) void fetchCode?.().catch(() => undefined) // the page itself says what failed
