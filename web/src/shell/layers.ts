import { later } from '../kernel/later.tsx'

// What lies over the page at times: the first paint does without it.

const overPage = () => import('./over-page.ts')

export const Palette = later(async () => (await overPage()).Palette)
export const QuickAdd = later(async () => (await overPage()).QuickAdd)
export const NewContainer = later(async () => (await overPage()).NewContainer)
export const Help = later(async () => (await overPage()).Help)
export const SidebarSheet = later(async () => (await overPage()).SidebarSheet)
