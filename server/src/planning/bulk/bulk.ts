import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import type { Routes } from '../../kernel/operation.ts'
import { bulkChange } from './bulk-change.ts'
import { bulkCreate } from './bulk-create.ts'
import { removeMany } from './remove-many.ts'

export const routes: Routes = {
  'PATCH /item': bulkChange,
  'POST /item/bulk': bulkCreate(createOrUpdate),
  'POST /item/delete': removeMany,
}
