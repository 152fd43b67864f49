import type { Routes } from '../../kernel/operation.ts'
import { cards } from './cards.ts'
import { move } from './move-card.ts'

export { type Grouping, groupingOf, namesOf } from './grouping.ts'

export const routes: Routes = {
  'GET /board/:id/cards': cards,
  'POST /board/:id/move': move,
}
