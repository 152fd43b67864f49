import type { Sent } from '../kernel/data/outbox/outbox.ts'
import { newId } from '../kernel/data/records/ids.ts'
import type { Stored, Values } from '../kernel/data/records/store.ts'
import { sessionNow } from '../kernel/data/session/session.ts'
import { createRecord } from '../kernel/data/updates.ts'
import { instantNow } from '../kernel/dates/days.ts'

/** What lists and pages read of every item, until the service has set the rest. */
const empty = { status: '', assignees: [], labels: [], Tags: [], Field: [], deleted: false }

interface NewItem {
  values: Values & { title: string }
  /** The form that the title was typed into, and what it had. */
  draft: { place: string; value: unknown }
  text: string
}

/** Creates an item: it is shown at once, and sent when the service can be reached. */
export function createItem({ values, draft, text }: NewItem): { id: string; sent: Promise<Sent> } {
  const id = newId()
  const created = instantNow()
  const by = sessionNow()?.user.id ?? ''
  const record: Stored & Values = { ...empty, entity: 'Item', id, created, updated: created, createdBy: by, ...values }
  return { id, sent: createRecord({ record, route: 'POST /item', body: values, draft, text }) }
}
