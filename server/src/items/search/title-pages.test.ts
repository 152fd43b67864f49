import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { startTestService } from '../../../test/support/people.ts'
import { itemVisibility } from '../item/item.ts'

// A list by a part of titles alone is read in the order of its page, and counted without a look at the items.

describe('pages and counts of parts of titles', async () => {
  const { ada, bob, eve, databaseUrl } = await startTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const vault = await ada.post('/container', { name: 'Vault', private: true })
  const many = 4000
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  // The ids begin in very different ways, so that the first of them are found in several steps, and the last with all others.
  await owner.query(
    `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, status, status_category, rank, visibility, deleted, archived, assignees)
    select $1, (lpad(to_hex(26214400 + n * n / 8), 8, '0') || '-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now(), $2, case when n % 7 = 0 then $4::uuid else $3::uuid end,
      n + 1000, 'X-' || n + 1000, case n % 150 when 3 then 'The quokka' when 4 then 'A quokka' else 'A wombat' end || ' of hill ' || n % 170, 'Open', 1, 'x' || n,
      case when n % 11 = 0 then ${itemVisibility.restricted} when n % 13 = 0 then ${itemVisibility.confidential} else ${itemVisibility.normal} end, n % 17 = 0, n % 19 = 0,
      case when n % 22 = 0 then array[$5::uuid] else '{}' end
    from generate_series(1, ${many}) n`,
    [ada.tenantId, ada.id, desk.id, vault.id, bob.id],
  )
  await owner.end()

  for (const [name, caller] of Object.entries({ ada, bob, eve }))
    for (const filter of [
      '[contains]=okka',
      '[contains]=f hill 31',
      '[startsWith]=the qu',
      '[endsWith]=hill 77',
      '[contains]=q',
      '[contains]=dingo',
    ])
      test(`${name} sees the same items on pages as in the whole list, and their number: title${filter}`, async () => {
        const path = `/item?title${filter}&fields=id`
        const ids = async (more: string): Promise<string[]> =>
          (await caller.get(`${path}${more}`)).map((each: { id: string }) => each.id)
        const all = await ids('&sort=id')
        for (const limit of [1, 5, 20, 100]) {
          assert.deepEqual(await ids(`&limit=${limit}`), all.slice(0, limit))
          assert.deepEqual(await ids(`&limit=${limit}&sort=-id`), all.toReversed().slice(0, limit))
        }
        const { headers } = await caller.ask('GET', `${path}&limit=2&count=exact`)
        assert.equal(headers.get('x-total-count'), String(all.length))
      })

  test('a changed, moved, archived or deleted item is counted as it is now', async () => {
    const count = async () => {
      const { headers } = await bob.ask('GET', '/item?title[contains]=numbat&limit=1&count=exact')
      return headers.get('x-total-count')
    }
    const made = await ada.post('/item', { title: 'Numbat', containerId: desk.id })
    assert.equal(await count(), '1')
    await ada.must('PATCH', `/item/${made.id}`, { body: { containerId: vault.id } })
    assert.equal(await count(), '0')
    await ada.must('PATCH', `/item/${made.id}`, {
      body: { containerId: desk.id, visibility: itemVisibility.restricted },
    })
    assert.equal(await count(), '0')
    await ada.must('PATCH', `/item/${made.id}`, { body: { assignees: [bob.id] } })
    assert.equal(await count(), '1')
    await ada.must('PATCH', `/item/${made.id}`, { body: { visibility: itemVisibility.normal, title: 'Bandicoot' } })
    assert.equal(await count(), '0')
    await ada.must('PATCH', `/item/${made.id}`, { body: { title: 'The numbats' } })
    assert.equal(await count(), '1')
    await ada.must('DELETE', `/item/${made.id}`)
    assert.equal(await count(), '0')
  })
})
