import { boardCode, pages } from './pages.ts'

// Runs before the app does: the code of the page that the address names is fetched beside everything else.

const [, word = ''] = location.pathname.split('/')
const isBoard = new URLSearchParams(location.search).get('view') === 'board'
const parts: ((() => Promise<unknown>) | undefined)[] = [
  Object.entries(pages).find(([name]) => name === word)?.[1],
  isBoard ? boardCode : undefined,
]
for (const fetchCode of parts) void fetchCode?.().catch(() => undefined) // the page itself says what failed
