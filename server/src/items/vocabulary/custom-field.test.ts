import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { startTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { compile, operator as operatorCode } from '../../language/conditions/conditions.ts'
import { itemVisibility } from '../item/item.ts'
import { itemVocabulary } from './vocabulary.ts'

describe('a custom field', async () => {
  const { ada, bob, database, databaseUrl } = await startTestService()
  const group = await ada.post('/user-group', { name: 'Staff', members: [bob.id] })
  const crm = await ada.post('/finance/crm', { name: 'Customer' })
  const target = await ada.post('/item', { title: 'Target' })
  const desk = await ada.post('/container', { name: 'Desk' })
  const tree = [
    { id: 'eu', label: 'Europe' },
    { id: 'de', label: 'Germany', parentId: 'eu' },
  ]
  const options = [
    { id: 'z', label: 'First' },
    { id: 'a', label: 'Second' },
  ]

  /** For each type: two values in ascending order, and conditions that only the first fulfils. */
  const types: Record<
    string,
    { more?: object; values: [unknown, unknown]; asked: [operator: number, rightSide: string][] }
  > = {
    text: {
      values: ['École', 'zebra'],
      asked: [
        [operatorCode.equals, 'ecole'],
        [operatorCode.contains, 'COL'],
        [operatorCode.startsWith, 'éc'],
        [operatorCode.endsWith, 'le'],
        [operatorCode.in, '["x","ECOLE"]'],
        [operatorCode.matches, '^é'],
        [operatorCode.notEquals, 'Zebra'],
        [operatorCode.notContains, 'bra'],
      ],
    },
    longText: {
      values: [`${'é'.repeat(600)}a`, `${'é'.repeat(600)}b`],
      asked: [
        [operatorCode.equals, `${'E'.repeat(600)}A`],
        [operatorCode.contains, 'ea'],
        [operatorCode.endsWith, 'A'],
        [operatorCode.notEquals, `${'e'.repeat(600)}b`],
      ],
    },
    number: {
      values: [-1.5, 2],
      asked: [
        [operatorCode.equals, '-1.50'],
        [operatorCode.lessThan, '2'],
        [operatorCode.lessOrEqual, '-1.5'],
        [operatorCode.between, '-2..0'],
        [operatorCode.notEquals, '2'],
        [operatorCode.in, '[-1.5, 7]'],
      ],
    },
    money: {
      more: { currency: 'EUR' },
      values: [5, 12.5],
      asked: [
        [operatorCode.lessThan, '6'],
        [operatorCode.between, '..5'],
        [operatorCode.equals, '5.0'],
      ],
    },
    boolean: {
      values: [false, true],
      asked: [
        [operatorCode.equals, 'no'],
        [operatorCode.notEquals, 'true'],
      ],
    },
    date: {
      values: ['2026-03-01', '2026-03-31'],
      asked: [
        [operatorCode.equals, '2026-03-01'],
        [operatorCode.lessThan, '2026-03-02'],
        [operatorCode.between, '2026-02-01..2026-03-30'],
        [operatorCode.notEquals, '2026-03-31'],
      ],
    },
    dateTime: {
      values: ['2026-03-01T23:00:00Z', '2026-03-31T09:00:00Z'],
      asked: [
        [operatorCode.equals, '2026-03-01'],
        [operatorCode.lessThan, '2026-03-02'],
        [operatorCode.notEquals, '2026-03-31'],
      ],
    },
    time: {
      values: ['1h', '2d'],
      asked: [
        [operatorCode.equals, 'PT1H'],
        [operatorCode.lessThan, '61'],
        [operatorCode.equals, '60'],
      ],
    },
    select: {
      more: { options },
      values: ['First', 'Second'],
      asked: [
        [operatorCode.equals, 'first'],
        [operatorCode.equals, 'z'],
        [operatorCode.notEquals, 'Second'],
        [operatorCode.containsAll, '["first"]'],
      ],
    },
    multiSelect: {
      more: { options },
      values: [['First'], ['Second']],
      asked: [
        [operatorCode.equals, 'first'],
        [operatorCode.contains, 'z'],
        [operatorCode.notContains, 'second'],
        [operatorCode.containsAll, '["z","First"]'],
      ],
    },
    user: {
      values: [bob.id, ada.id],
      asked: [
        [operatorCode.equals, bob.id],
        [operatorCode.memberOf, group.id],
        [operatorCode.notEquals, '@me'],
      ],
    },
    userGroup: {
      values: [group.id, null],
      asked: [
        [operatorCode.equals, group.id],
        [operatorCode.isNotEmpty, ''],
      ],
    },
    item: {
      values: [target.id, null],
      asked: [
        [operatorCode.equals, target.id],
        [operatorCode.isNotEmpty, ''],
      ],
    },
    crm: {
      values: [crm.id, null],
      asked: [
        [operatorCode.equals, crm.id],
        [operatorCode.isNotEmpty, ''],
      ],
    },
    sku: {
      values: ['GOLD', 'SILVER'],
      asked: [
        [operatorCode.equals, 'gold'],
        [operatorCode.startsWith, 'go'],
      ],
    },
    url: {
      values: ['https://a.example/', 'https://b.example/'],
      asked: [
        [operatorCode.equals, 'HTTPS://A.example/'],
        [operatorCode.contains, '//a.'],
      ],
    },
    cascade: {
      more: { options: tree },
      values: ['Germany', 'Europe'],
      asked: [
        [operatorCode.equals, 'germany'],
        [operatorCode.containsAll, '["eu","de"]'],
        [operatorCode.notContains, 'nothing'],
      ],
    },
    json: { values: [{ a: 1 }, { b: 2 }], asked: [[operatorCode.contains, '"a"']] },
  }

  for (const [fieldType, { more, values, asked }] of Object.entries(types)) {
    test(`of the type ${fieldType} is found by its values and by being empty`, async () => {
      const { key } = await ada.post(`/field/${fieldType}`, { name: `Of ${fieldType}`, ...more })
      const place = await ada.post('/container', { name: fieldType })
      const make = (title: string, value: unknown) =>
        ada.post('/item', { title, containerId: place.id, Field: value === null ? [] : [{ key, value }] })
      await make('first', values[0])
      await make('second', values[1])
      await make('none', null)
      const found = async (operator: number, rightSide: string): Promise<string[]> => {
        const condition = [
          { leftSide: `field.${key}`, operator, rightSide },
          { leftSide: 'container', operator: operatorCode.equals, rightSide: place.id },
        ]
        const items = await ada.post('/item/search', { conditionGroup: [{ condition }] })
        return items.map((each: { title: string }) => each.title)
      }
      for (const [operator, rightSide] of asked) {
        // A negative condition also holds for an item without a value.
        const expected = [operatorCode.notEquals, operatorCode.notContains].includes(operator)
          ? ['first', 'none']
          : ['first']
        if (rightSide === 'nothing') expected.splice(1, 0, 'second')
        assert.deepEqual(await found(operator, rightSide), expected, `${operator} ${rightSide.slice(0, 40)}`)
      }
      const has = values.filter(value => value !== null).length
      assert.deepEqual(await found(operatorCode.isEmpty, ''), has === 1 ? ['second', 'none'] : ['none'])
      assert.deepEqual(await found(operatorCode.isNotEmpty, ''), has === 1 ? ['first'] : ['first', 'second'])
      if (!['multiSelect', 'cascade', 'json', 'user', 'userGroup', 'item', 'crm'].includes(fieldType)) {
        const sorted = async (sort: string) =>
          (await ada.get(`/item?containerId=${place.id}&sort=${sort}`)).map((each: { title: string }) => each.title)
        assert.deepEqual(await sorted(`field.${key}`), ['first', 'second', 'none'])
        assert.deepEqual(await sorted(`-field.${key}`), ['second', 'first', 'none'])
      }
    })
  }

  test('of type money has a path for its currency', async () => {
    const { key } = await ada.post('/field/money', { name: 'Fee' })
    const item = await ada.post('/item', {
      title: 'x',
      containerId: desk.id,
      Field: [{ key, value: { amount: 5, currency: 'USD' } }],
    })
    const found = await ada.get(`/item?field.${key}.currency=usd,eur`)
    assert.deepEqual(
      found.map((each: { id: string }) => each.id),
      [item.id],
    )
  })

  test('can only refer to records that the caller sees', async () => {
    const { key } = await ada.post('/field/item', { name: 'Follows' })
    const secret = await ada.post('/item', { title: 'Secret', visibility: itemVisibility.confidential })
    for (const value of [secret.id, crypto.randomUUID(), crm.id]) {
      const { status, body } = await bob.ask('POST', '/item', { body: { title: 'x', Field: [{ key, value }] } })
      assert.deepEqual([status, body.code, body.Fields[0].Pointer], [422, 'unknown-reference', '/Field/0/value'])
    }
    const mine = await ada.post('/item', { title: 'x', Field: [{ key, value: secret.id }] })
    const { status } = await bob.ask('PUT', `/item/${mine.id}`, { body: { ...mine, title: 'Sent back' } })
    assert.equal(status, 200)
  })

  describe('as sort key of a list', async () => {
    const rank = await ada.post('/field/number', { name: 'Order' })
    const place = await ada.post('/container', { name: 'Pages' })
    const given = [3, 1, null, 2, 1, null, 3, 1, null, 2]
    const ids: string[] = []
    for (const [n, value] of given.entries()) {
      const Field = value === null ? [] : [{ fieldId: rank.id, value }]
      ids.push((await ada.post('/item', { title: `i${n}`, containerId: place.id, priority: n % 2, Field })).id)
    }
    const places = [...given.keys()]
    const at = (n: number) => given[n] ?? null
    const byValue = (sign: 1 | -1) => (a: number, b: number) => {
      const [x, y] = [at(a), at(b)]
      if (x === null || y === null) return x === y ? sign * (a - b) : x === null ? 1 : -1
      return sign * (x - y) || sign * (a - b)
    }

    for (const size of [1, 2, 3, 4, 7, 10, 11]) {
      test(`pages of ${size} contain each item once, in order, those without a value last`, async () => {
        for (const [sort, compare] of [
          ['order', byValue(1)],
          ['-order', byValue(-1)],
        ] as const) {
          const found: string[] = []
          let path = `/item?containerId=${place.id}&sort=${sort}&limit=${size}`
          for (let page = 0; page < 12 && path; page++) {
            const { body, headers } = await ada.ask('GET', path)
            assert.ok(body.length <= size)
            found.push(...body.map((each: { id: string }) => each.id))
            path = headers.get('link')?.match(/<\/api(.*)>; rel="next"/)?.[1] ?? ''
          }
          assert.deepEqual(
            found,
            places.toSorted(compare).map(n => ids[n]),
            sort,
          )
        }
      })
    }

    test('can be the second sort key', async () => {
      const found = await ada.get(`/item?containerId=${place.id}&sort=priority,-order`)
      const expected = places.toSorted((a, b) => (a % 2) - (b % 2) || byValue(-1)(a, b))
      assert.deepEqual(
        found.map((each: { id: string }) => each.id),
        expected.map(n => ids[n]),
      )
    })
  })

  test('is found by its index, under row level security', async () => {
    const fields = {
      number: await ada.post('/field/number', { name: 'Indexed number' }),
      text: await ada.post('/field', { name: 'Indexed text' }),
      date: await ada.post('/field/date', { name: 'Indexed date' }),
      moment: await ada.post('/field/dateTime', { name: 'Indexed moment' }),
      user: await ada.post('/field/user', { name: 'Indexed user' }),
    }
    // Enough rows that the planner does not read all of them.
    const idOf = `('00000000-0000-7000-8000-000000' || n)::uuid`
    const list = Object.entries(fields)
      .map(([kind, { id }]) => `('${id}', '${kind}')`)
      .join(', ')
    await asOwner(
      databaseUrl,
      undefined,
      `set local session_replication_role = replica;
      insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title)
      select '${ada.tenantId}', ${idOf}, now(), '${ada.id}', now(), '${ada.id}', '${desk.id}', n, 'I-' || n, 'Item ' || n from generate_series(100001, 104000) n;
      insert into item_value (tenant_id, item_id, field_id, number_value, text_value, date_value, instant_value, id_value)
      select '${ada.tenantId}', ${idOf}, f.id::uuid, case f.kind when 'number' then n end, case f.kind when 'text' then 'word ' || n end,
        case f.kind when 'date' then date '2000-01-01' + n % 4000 end, case f.kind when 'moment' then timestamptz '2000-01-01' + n % 4000 * interval '1 day' end, case f.kind when 'user' then gen_random_uuid() end
      from (values ${list}) f(id, kind), generate_series(100001, 104000) n`,
    )
    await asOwner(databaseUrl, undefined, 'vacuum analyze item, item_value')
    await database.single(tenantCaller(ada.tenantId, ada.id), async ctx => {
      const vocabulary = await itemVocabulary(ctx)
      const viewer = { userId: ada.id, now: ctx.now, timezone: 'UTC' }
      for (const [kind, operator, rightSide, index] of [
        ['number', 0, '100017', 'item_value_number'],
        ['number', 4, '103990', 'item_value_number'],
        ['text', 0, 'Word 100017', 'item_value_text'],
        ['date', 14, '2000-02-01..2000-02-03', 'item_value_date'],
        ['moment', 0, '2000-02-01', 'item_value_instant'],
        ['user', 0, '@me', 'item_value_id'],
      ] as const) {
        const condition = [{ leftSide: `field.${fields[kind].id}`, operator, rightSide }]
        const plan = await ctx.sql<{ 'QUERY PLAN': string }>`explain (costs off) select t.id from item t
          where t.tenant_id = ${ada.tenantId} and not t.deleted and ${compile([{ condition }], vocabulary, viewer)}`
        const text = plan.map(row => row['QUERY PLAN']).join('\n')
        assert.match(text, new RegExp(`${index} on item_value kept`), `${kind} ${operator}`)
        assert.match(text, /Index Cond:.*(number|text|date|instant|id)_value (=|>|BETWEEN)/, text)
      }
    })
  })
})
