/** The codes of `format` of a notification. A workbook is for saved reports only. */
export const messageFormat = { list: 0, count: 1, csv: 2, xlsx: 3 } as const
