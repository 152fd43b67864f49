import type pg from 'pg'
import { type Ground, seedGround } from './seed.ts'

/** The tenant that is seeded, and the member who sends the requests. */
export interface Plot {
  base: string
  adminKey: string
  tenantId: string
  memberId: string
  mark: string
}

/** What items of a growing tenant stand on: fields, a process, containers, people, labels, a board. */
export async function furnishGround(owner: pg.Client, plot: Plot): Promise<Ground & { board: string }> {
  const { base, adminKey, tenantId, memberId, mark } = plot
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${base}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    return JSON.parse(await response.text())
  }
  const severity = await post('/field', { key: 'severity', name: 'Severity', fieldType: 'number' })
  const vendor = await post('/field', { key: 'vendor', name: 'Vendor', fieldType: 'text' })
  const review = await post('/field', { key: 'review', name: 'Review', fieldType: 'date' })
  const process = await post('/process', {
    name: 'Support',
    fields: [severity, vendor, review].map(({ id }, order) => ({ fieldId: id, order, required: false })),
  })
  await post('/container', { key: 'MODEL', name: 'Model', processIds: [process.id], defaultProcessId: process.id })
  const fields = { severity: severity.id, vendor: vendor.id, review: review.id }
  const ground: Ground = { tenantId, memberId, processId: process.id, fields, mark }
  await seedGround(owner, ground)
  const board = await post('/board', { name: 'Board', owner: 1, ownerId: `01900000-0000-7${mark}-9000-000000000000` })
  return { ...ground, board: board.id }
}
