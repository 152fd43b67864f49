import { later } from '../kernel/later.tsx'

// What lies over the page at times: the first paint does without it.

export const Palette = later(async () => (await import('./palette/palette.tsx')).Palette)
export const QuickAdd = later(async () => (await import('../items/quick-add/quick-add.tsx')).QuickAdd)
export const NewContainer = later(async () => (await import('../containers/new-container.tsx')).NewContainer)
export const Help = later(async () => (await import('./help.tsx')).Help)
export const SidebarSheet = later(async () => (await import('./sidebar/sidebar-sheet.tsx')).SidebarSheet)
