import type { Id } from '../../kernel/id.ts'
import { type CodeTable, codesOf, codeTable } from '../../records/code-table.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { timeState } from '../time-state.ts'

const states = {
  open: [0, 'Open'],
  submitted: [1, 'Submitted'],
  approved: [2, 'Approved'],
  rejected: [3, 'Rejected'],
  locked: [4, 'Locked'],
} as const

/** The codes of `state` of a sheet and of its parts; a part is submitted, approved or rejected. */
export const sheetState = codesOf(states)
export const sheetStateTable: CodeTable = codeTable('timesheet.state', states)

/** The part of a sheet that one approver decides: the time on a container, or (`containerId` empty) that of the person. */
export interface SheetPart {
  containerId: Id | ''
  state: number
  by: Id | ''
  onBehalfOf: Id | ''
  at: string | null
  comment: string
}

/** The properties of a sheet that decide about its entries. */
interface SheetStanding {
  state: number
  approval: number
  parts: readonly SheetPart[]
}

/** The part of a person, which has no container. */
export const personPart = ''

/**
 * Returns the parts of a sheet that is submitted. `containerIds` are those of its entries, an empty one for entries without a
 * container. Parts that wait or are approved stay as they are, because their entries could not change.
 */
export function submittedParts(
  approval: number,
  containerIds: readonly (Id | '')[],
  before: readonly SheetPart[],
): SheetPart[] {
  const kept = before.filter(each => each.state !== sheetState.rejected)
  return keysOf(approval, containerIds).map(
    containerId => kept.find(each => each.containerId === containerId) ?? waitingPart(containerId),
  )
}

function keysOf(approval: number, containerIds: readonly (Id | '')[]): (Id | '')[] {
  const distinct = [...new Set(containerIds)].sort()
  if (approval === approvalMode.none) return []
  if (approval === approvalMode.project) return distinct.length > 0 ? distinct : [personPart]
  if (approval === approvalMode.both) return [personPart, ...distinct.filter(each => each !== personPart)]
  return [personPart] // an unknown way of approval, too: time is never approved by nobody
}

function waitingPart(containerId: Id | ''): SheetPart {
  return { containerId, state: sheetState.submitted, by: '', onBehalfOf: '', at: null, comment: '' }
}

/** Returns the state of a sheet with these parts. */
export function stateOfParts(parts: readonly SheetPart[]): number {
  if (parts.some(each => each.state === sheetState.rejected)) return sheetState.rejected
  return parts.every(each => each.state === sheetState.approved) ? sheetState.approved : sheetState.submitted
}

/** Returns the parts after a decision about some of them. */
export function decidedParts(
  { approval, parts }: SheetStanding,
  decisions: ReadonlyMap<string, Omit<SheetPart, 'containerId'>>,
): SheetPart[] {
  const rejection = [...decisions.values()].find(each => each.state === sheetState.rejected)
  return parts.map(part => {
    const decision = decisions.get(part.containerId)
    if (decision) return { ...part, ...decision }
    // Every entry belongs to two parts then, so that no part can stay approved while its entries change again.
    return rejection && approval === approvalMode.both ? { ...part, ...rejection } : part
  })
}

/** Returns the state that an entry of this container has because of its sheet. */
export function entryState({ state, approval, parts }: SheetStanding, containerId: Id | ''): number {
  if (state === sheetState.locked) return timeState.locked
  if (state === sheetState.approved) return timeState.approved
  if (state === sheetState.open) return timeState.logged
  const own = parts.filter(each => isPartOf(each, approval, containerId))
  if (own.length === 0) return state === sheetState.rejected ? timeState.logged : timeState.submitted
  if (own.some(each => each.state === sheetState.rejected)) return timeState.rejected
  return own.every(each => each.state === sheetState.approved) ? timeState.approved : timeState.submitted
}

function isPartOf(part: SheetPart, approval: number, containerId: Id | ''): boolean {
  if (approval === approvalMode.project) return part.containerId === containerId
  return part.containerId === personPart || part.containerId === containerId
}

const openStates: readonly number[] = [timeState.draft, timeState.logged, timeState.rejected]

/** Whether entries of this container may be added to the sheet, changed and deleted. */
export function isOpenFor(sheet: SheetStanding, containerId: Id | ''): boolean {
  return openStates.includes(entryState(sheet, containerId))
}
