import { codes, type Item } from '@gantry/sdk'
import { changeItem } from '../change-item.ts'
import { say } from './messages.ts'

const { itemVisibility } = codes

export const setConfidential = (item: Item, isConfidential: boolean) =>
  changeItem(
    item.id,
    { visibility: isConfidential ? itemVisibility.confidential : itemVisibility.normal },
    say.changedTo(say.confidential, isConfidential ? say.yes : say.no, item.key ?? ''),
  )
