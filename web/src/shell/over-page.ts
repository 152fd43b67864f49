// Everything that lies over the page at times, in one file: the browser fetches it together.
export { NewContainer } from '../containers/new-container.tsx'
export { QuickAdd } from '../items/quick-add/quick-add.tsx'
export { Help } from './help.tsx'
export { Palette } from './palette/palette.tsx'
export { SidebarSheet } from './sidebar/sidebar-sheet.tsx'
