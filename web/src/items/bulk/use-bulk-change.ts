import { type BulkChangeOutcome, call, dryRun, type Item } from '@gantry/sdk'
import { useCallback, useState } from 'react'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry, soon } from '../../kernel/data/client.ts'
import { settled } from '../../kernel/data/outbox/outbox.ts'
import { painted } from '../../kernel/data/painted.ts'
import { newId } from '../../kernel/data/records/ids.ts'
import { paint, put } from '../../kernel/data/records/store.ts'
import { begin, notify, remember } from '../../kernel/data/undo.ts'
import { fieldTypes, type Property } from '../../kernel/fields/fields.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { heldItems } from '../held-item.ts'
import { readItems } from '../read-items.ts'
import { deleteItems, refusedDeletions } from './bulk-delete.ts'
import { type Batch, batchesOf, type Summary, summaryOf, summaryOfDeletion } from './bulk-plan.ts'
import { say } from './messages.ts'

/** A change of the selection that waits for a decision, or is on its way. */
export interface PendingChange {
  /** What is changed, in words: `Status: Done`. */
  text: string
  count: number
  isDeletion: boolean
  /** Undefined while the service is asked. */
  summary: Summary | undefined
  isSending: boolean
  apply: () => void
  cancel: () => void
}

/** A change of so many items is not made without asking, even if nothing is refused. */
const asksFrom = 50
const pageOfItems = 200

/** Changes one property of several items: painted at once, tried first, and undone as one. */
export function useBulkChange() {
  const [pending, setPending] = useState<PendingChange>()
  const here = useHere()
  const change = useCallback(
    async (ids: readonly string[], property: Property, value: unknown) => {
      const items = heldItems(ids)
      const batches = batchesOf(property, items, value)
      const text = say.change(property.name, fieldTypes[property.type].print(value, property, here) || say.nothing)
      if (batches.length === 0) return
      const unpaint = paintAll(items, property, value, batches)
      const cancel = () => {
        unpaint()
        setPending(undefined)
      }
      const step = newId()
      const apply = async () => {
        setPending(now => now && { ...now, isSending: true })
        await reported(() => sendAll(batches, text, step), cancel)
        unpaint()
        setPending(undefined)
      }
      const state = {
        text,
        count: ids.length,
        isDeletion: false,
        isSending: false,
        apply: () => begin(step, apply()),
        cancel,
      }
      setPending({ ...state, summary: undefined })
      const work = reported(async () => {
        await painted()
        await soon(settled(ids))
        const summary = summaryOf(await tried(batches))
        if (summary.refused === 0 && ids.length < asksFrom) await apply()
        else {
          if (summary.refused > 0) unpaint()
          setPending({ ...state, summary })
        }
      }, cancel)
      begin(step, work)
      await work
    },
    [here],
  )
  const remove = useCallback(async (ids: readonly string[]) => {
    const cancel = () => setPending(undefined)
    const state = { text: say.deletion, count: ids.length, isDeletion: true, isSending: false, cancel }
    setPending({ ...state, summary: undefined, apply: () => undefined })
    await reported(async () => {
      await soon(settled(ids))
      const refused = await refusedDeletions(ids)
      const summary = summaryOfDeletion(ids, refused)
      const others = ids.filter(id => !refused.some(each => each.id === id))
      const step = newId()
      const apply = async () => {
        setPending(now => now && { ...now, isSending: true })
        await reported(() => deleteItems(others, step), cancel)
        cancel()
      }
      setPending({ ...state, summary, apply: () => begin(step, apply()) })
    }, cancel)
  }, [])
  return { pending, change, remove }
}

async function reported(work: () => Promise<void>, cancel: () => void): Promise<void> {
  try {
    await work()
  } catch (error) {
    cancel()
    notify(reasonOf(error))
  }
}

/** Each item as it will be, until the service has answered. */
function paintAll(items: readonly Item[], property: Property, value: unknown, batches: readonly Batch[]): () => void {
  const patchOf = new Map(batches.flatMap(({ ids, patch }) => ids.map(id => [id, patch] as const)))
  const undo = items.flatMap(item => {
    const patch = patchOf.get(item.id)
    return patch ? [paint('Item', item.id, property.paint?.(value, item) ?? patch)] : []
  })
  return () => {
    for (const unpaint of undo.splice(0)) unpaint()
  }
}

async function tried(batches: readonly Batch[]): Promise<BulkChangeOutcome[]> {
  const outcomes: BulkChangeOutcome[] = []
  for (const { ids, patch } of batches) {
    const { would } = await dryRun(gantry, 'PATCH /item', { body: { ids, patch } })
    outcomes.push(...would)
  }
  return outcomes
}

async function sendAll(batches: readonly Batch[], text: string, step: string): Promise<void> {
  const outcomes: BulkChangeOutcome[] = []
  const changeSets: string[] = []
  for (const { ids, patch } of batches) {
    const { answer, changeSet } = await call(gantry, 'PATCH /item', { body: { ids, patch } }).withResponse()
    outcomes.push(...answer)
    if (changeSet) changeSets.push(changeSet)
  }
  const { changed, refused } = summaryOf(outcomes)
  const changedIds = outcomes.filter(({ outcome }) => outcome === 'updated').map(({ id }) => id)
  for (let at = 0; at < changedIds.length; at += pageOfItems)
    for (const item of await readItems(changedIds.slice(at, at + pageOfItems))) put(item)
  remember(changeSets, `${text}: ${say.changed(changed)}${refused > 0 ? `, ${say.refused(refused)}` : ''}`, step)
}
