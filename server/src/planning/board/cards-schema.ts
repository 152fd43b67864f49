import { wipModeTable, wipPolicyTable } from '../../containers/board/board.ts'
import { partSchemas } from '../../items/item-parts.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'

const column: Schema = {
  type: 'object',
  title: 'BoardColumn',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    values: { type: 'array', items: { type: 'string' } },
    wip: { type: 'integer', description: 'The limit; 0 is none.' },
    wipMode: Code(wipModeTable),
    wipPolicy: Code(wipPolicyTable),
    collapsed: { type: 'boolean' },
    count: { type: 'integer', description: 'All cards of the column that the caller may see.' },
    sum: { type: 'number', description: 'The load in the unit of the limit.' },
    minutes: { type: 'number', description: 'The estimates of all its cards.' },
    over: { type: 'boolean' },
    next: { type: ['string', 'null'], description: 'The cursor of the next page of this column.' },
    cards: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Card',
        description: 'The properties of the item that `fields` or the board selects.',
        properties: {
          id: { type: 'string' },
          key: { type: 'string' },
          title: { type: 'string' },
          rank: { type: 'string' },
          swimlane: { type: 'string' },
          ...partSchemas,
        },
        required: ['id', 'key', 'title', 'rank', 'swimlane'],
      },
    },
  },
  required: ['id', 'name', 'values', 'count', 'sum', 'minutes', 'over', 'next', 'cards'],
}

export const cardsSchema: Schema = {
  type: 'object',
  title: 'BoardCards',
  properties: {
    boardId: { type: 'string' },
    columnField: { type: 'string' },
    swimlaneField: { type: 'string' },
    swimlanes: {
      type: 'array',
      items: {
        type: 'object',
        properties: { value: { type: 'string' }, name: { type: 'string' }, count: { type: 'integer' } },
        required: ['value', 'name', 'count'],
      },
    },
    columns: { type: 'array', items: column },
  },
  required: ['boardId', 'columnField', 'swimlaneField', 'swimlanes', 'columns'],
}
