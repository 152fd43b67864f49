import type { SessionState } from '@gantry/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { processesQuery } from '../../items/catalogue.ts'
import { groupingOf } from '../../items/list/columns.ts'
import { askForList } from '../../items/list/use-pages.ts'
import { firstProperties } from '../../items/properties/properties.tsx'
import { preferencesNow } from '../../kernel/data/session/preferences.ts'
import type { ListSearch } from '../container-list/list-search.ts'
import { criteriaOf } from '../container-list/list-state.ts'
import { filtersQuery } from '../filters/use-filters.ts'
import { boardsQuery, shownBoard, shows } from './use-boards.ts'

interface Asked extends ListSearch {
  view?: 'board'
  board?: string
  quick?: string
}

/** Asks for what the page of a container shows, before it is rendered. */
export async function askForContainer(
  queries: QueryClient,
  session: SessionState,
  key: string,
  search: Asked,
): Promise<void> {
  const container = session.containers.find(each => each.key === key)
  if (!container) return
  if (search.view) {
    const here = (await queries.fetchQuery(boardsQuery)).filter(board => shows(board, container.id))
    const board = shownBoard(here, container.id, search.board)
    if (board) await (await import('../board/board.tsx')).loadBoard(board, search.quick?.split(',') ?? [])
    return
  }
  void queries.prefetchQuery(filtersQuery(container.id))
  if (search.filter) return // It says which items these are.
  const criteria = criteriaOf(container.id, search, preferencesNow().lists?.[container.id]?.group)
  const grouping = queries
    .fetchQuery(processesQuery)
    .then(processes => groupingOf(firstProperties(processes, session), criteria.group))
  await askForList(queries, criteria, session.user.timezone, grouping)
}
