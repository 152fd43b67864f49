import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Builder, seedTenant } from '../../../test/support/builder.ts'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { allKinds } from '../../kernel/kinds.ts'
import type { Column } from '../../kernel/record/columns.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

describe('a group that is replaced by another', async () => {
  const { ada, databaseUrl } = await sharedTestService()
  const run = <Row extends object>(text: string, values: unknown[] = []) =>
    asOwner<Row & Record<string, unknown>>(databaseUrl, undefined, text, values)

  /** The tables that may keep the old id, each with the reason. */
  const past: Record<string, string> = {
    event: 'history',
    audit_entry: 'who did what stays as it was',
    idempotency: 'recorded replies',
    group_turn: 'turns in the old group',
    access_version: 'earlier grants',
    clock_version: 'earlier hours; those of now are in the clock',
  }

  const names = (schema: Schema, entity: string): boolean =>
    schema['x-ref'] === entity ||
    schema['x-mentions'] === entity ||
    (schema.items !== undefined && names(schema.items, entity)) ||
    Object.values(schema.properties ?? {}).some(each => names(each, entity))
  const isConditions = ({ schema }: Column) => schema.items?.properties?.condition !== undefined

  test('is no longer referred to by any reference, owner, condition or value of any kind', async () => {
    const builder = new Builder(ada)
    await seedTenant(builder)
    const old = await builder.one('UserGroup')
    const other = await ada.post('/user-group', { name: 'The other' })
    await ada.post('/user-group', { name: 'Comes to lie in it' })
    const condition = [
      {
        condition: [
          { id: 'c', leftSide: 'assignee.group', operator: operator.equals, rightSide: JSON.stringify([old.id]) },
        ],
      },
    ]
    const hidden: string[] = []
    /** Writes the id directly into one record of a table that has no such reference yet. */
    const plant = async (table: string, set: string, value: unknown) => {
      await run(
        `update "${table}" set ${set} where tenant_id = $1 and id in
          (select id from "${table}" where tenant_id = $1 and not deleted and id <> $3 order by id desc limit 1)`,
        [ada.tenantId, value, old.id],
      )
      hidden.push(table)
    }
    for (const { table, columns, byProperty } of allKinds()) {
      for (const { column, type } of columns.filter(each => names(each.schema, 'UserGroup')))
        if (type === 'uuid' || type === 'uuid[]')
          await plant(table, `"${column}" = $2`, type === 'uuid' ? old.id : [old.id])
      if (byProperty.has('owner') && byProperty.get('ownerId')?.type === 'text')
        await plant(table, 'owner = 5, owner_id = $2', old.id)
      for (const { column } of columns.filter(isConditions))
        await plant(table, `"${column}" = $2`, JSON.stringify(condition))
    }
    const field = await ada.post('/field/userGroup', { name: 'Team' })
    const item = await ada.post('/item', { title: 'Of a team', Field: [{ fieldId: field.id, value: old.id }] })

    async function naming(id: string): Promise<Set<string>> {
      const tables = await run<{ name: string }>(
        `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')`,
      )
      const found = new Set<string>()
      for (const { name } of tables) {
        const rows = await run<{ row: { id?: string; deleted?: boolean } }>(
          `select to_jsonb(t) as row from "${name}" t where tenant_id = $1 and position($2 in to_jsonb(t)::text) > 0`,
          [ada.tenantId, id],
        )
        if (rows.some(({ row }) => !row.deleted && row.id !== id)) found.add(name)
      }
      return found
    }

    const declared = allKinds().filter(({ columns }) => columns.some(({ schema }) => names(schema, 'UserGroup')))
    const before = await naming(old.id)
    for (const table of [...declared.map(each => each.table), ...hidden, 'item_value'])
      assert.ok(before.has(table), `nothing in ${table} names the group, so nothing is tried there: give it a seed`)

    const refused = await ada.ask('DELETE', `/user-group/${old.id}`)
    assert.equal(refused.status, 409)
    const { status, body } = await ada.ask('DELETE', `/user-group/${old.id}?replaceBy=${other.id}`)
    assert.equal(status, 204, JSON.stringify(body))
    assert.deepEqual([...(await naming(old.id))].filter(table => !(table in past)).sort(), [])
    const after = await naming(other.id)
    for (const table of before) if (!(table in past)) assert.ok(after.has(table), table)
    const { Field } = await ada.get(`/item/${item.id}`)
    assert.equal(Field.find((each: { fieldId: string }) => each.fieldId === field.id).value, other.id)
  })

  test('is listed with the items that hold it in a field, and can be deleted when none does', async () => {
    const group = await ada.post('/user-group', { name: 'Held' })
    const field = await ada.post('/field/userGroup', { name: 'Crew' })
    const item = await ada.post('/item', { title: 'Held', Field: [{ fieldId: field.id, value: group.id }] })
    const { status, body } = await ada.ask('DELETE', `/user-group/${group.id}`)
    assert.equal(status, 409)
    assert.deepEqual(body.usedBy, [{ entity: 'Item', id: item.id, property: `Field.${field.id}`, name: item.key }])
    await ada.put(`/item/${item.id}`, { Field: [{ fieldId: field.id, value: null }] })
    await ada.delete(`/user-group/${group.id}`)
  })

  test('leaves one watch, not two, if the other group has the same watch', async () => {
    const [one, two] = [await ada.post('/user-group', { name: 'One' }), await ada.post('/user-group', { name: 'Two' })]
    const desk = await ada.post('/container', { name: 'Watched' })
    for (const { id } of [one, two])
      await ada.post('/watch', { userGroupId: id, owner: ownerKind.container, ownerId: desk.id })
    await ada.must('DELETE', `/user-group/${one.id}?replaceBy=${two.id}`)
    const watches = await ada.get(`/watch?ownerId=${desk.id}`)
    assert.deepEqual(watches.map((each: { userGroupId: string }) => each.userGroupId).filter(Boolean), [two.id])
  })
})
