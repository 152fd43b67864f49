import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of `source`: the origin of an item. */
export const itemSource = { ui: 0, api: 1, mail: 2, portal: 3, import: 4, rule: 5, recurrence: 6, chat: 7 } as const
export const itemSources = codeTableOfCodes('item.source', itemSource)

/** The codes of `severity`: how bad it is; `priority` says how soon it is worked on. */
const itemSeverity = { none: 0, critical: 1, major: 2, minor: 3, trivial: 4 } as const
export const itemSeverities = codeTableOfCodes('item.severity', itemSeverity)

/** The codes of `visibility`. */
export const itemVisibility = { normal: 0, restricted: 1, confidential: 2 } as const
export const itemVisibilities = codeTableOfCodes('item.visibility', itemVisibility)

/** The codes of `scheduling`: how links move the dates of an item. */
export const schedulingMode = { pushed: 0, automatic: 1, fixed: 2 } as const
export const schedulingModes = codeTableOfCodes('item.scheduling', schedulingMode)

/** The codes of `dependency`: which ends of two items a link connects. */
export const dependencyKind = { finishStart: 0, startStart: 1, finishFinish: 2, startFinish: 3 } as const
export const dependencyKinds = codeTableOfCodes('link.dependency', dependencyKind)
