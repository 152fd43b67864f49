import { codeTableOfCodes } from '../../records/code-table.ts'

export const watchLevel = { all: 0, comments: 1, status: 2, muted: 3 } as const
export const watchLevels = codeTableOfCodes('watch.level', watchLevel)

export const watchReason = {
  manual: 0,
  author: 1,
  assignee: 2,
  mentioned: 3,
  commented: 4,
  rule: 5,
  group: 6,
  cc: 7,
} as const
export const watchReasons = codeTableOfCodes('watch.reason', watchReason)
