import { messages } from '../../kernel/messages/messages.ts'

export const say = messages({
  en: {
    nothingFits: 'No item fits this filter.',
    clearFilter: 'Clear the filter',
    display: 'Display',
    showClosed: 'Show closed items',
    columns: 'Columns',
    columnKeys: 'Alt and arrows: order and width',
    columnUp: (name: string) => `${name}: one place to the front`,
    columnDown: (name: string) => `${name}: one place to the back`,
    group: 'Group by',
    groupBy: (name: string) => `Group: ${name}`,
    noGroup: 'None',
  },
  de: {
    nothingFits: 'Zu diesem Filter passt nichts.',
    clearFilter: 'Filter aufheben',
    display: 'Anzeige',
    showClosed: 'Erledigtes zeigen',
    columns: 'Spalten',
    columnKeys: 'Alt und Pfeile: Reihenfolge und Breite',
    columnUp: (name: string) => `${name}: einen Platz nach vorn`,
    columnDown: (name: string) => `${name}: einen Platz nach hinten`,
    group: 'Gruppieren nach',
    groupBy: (name: string) => `Gruppe: ${name}`,
    noGroup: 'Keine',
  },
})
