import type pg from 'pg'
import { seedTenantBase, type TenantBase } from './seed.ts'

/** The tenant that is seeded, and the member who sends the requests. */
export interface NewTenant {
  base: string
  adminKey: string
  tenantId: string
  memberId: string
  mark: string
}

/** Creates the records that the items of a growing tenant refer to: fields, a process, containers, users, labels, a board. */
export async function createTenantBase(owner: pg.Client, tenant: NewTenant): Promise<TenantBase & { board: string }> {
  const { base, adminKey, tenantId, memberId, mark } = tenant
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
  const created: TenantBase = { tenantId, memberId, processId: process.id, fields, mark }
  await seedTenantBase(owner, created)
  const board = await post('/board', { name: 'Board', owner: 1, ownerId: `01900000-0000-7${mark}-9000-000000000000` })
  return { ...created, board: board.id }
}
