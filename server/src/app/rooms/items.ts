import * as breakGlass from '../../items/break-glass.ts'
import * as item from '../../items/item-operations/item-operations.ts'
import * as link from '../../items/link/link-operations.ts'
import * as linkType from '../../items/link/link-type.ts'
import * as itemScreen from '../../items/screen/item-screen.ts'
import * as itemSearch from '../../items/search/item-search.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Items, links and their search. */
export const itemsRoutes: Routes = {
  ...item.routes,
  ...itemSearch.routes,
  ...breakGlass.routes,
  ...itemScreen.routes,
  ...linkType.routes,
  ...link.routes,
}
