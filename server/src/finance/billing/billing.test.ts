import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { approvalMode } from '../../time/calendar/calendar.ts'
import { timeState } from '../../time/time-state.ts'
import { invoiceKind, invoiceState, lineSource } from '../invoice/invoice-record.ts'
import { roundingMode, roundingPer } from '../rounding.ts'
import { lineGroup } from './line-groups.ts'

type Line = { id: string; source: number; text: string; quantity: string; price: string; amount: string }

describe('invoices from booked time', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const seller = { name: 'Gantry GmbH', city: 'Köln', country: 'DE', taxId: 'DE999999999' }
  await ada.post('/admin/setting', { key: 'billing.seller', value: seller })
  await ada.post('/finance/rate', { from: '2026-01-01', bill: '100', cost: '40', currency: 'EUR' })

  let count = 0
  /** A customer with a project and an item in it. */
  async function customer(more: object = {}, project: object = {}) {
    const name = `Customer ${++count}`
    const crm = await ada.post('/finance/crm', { name, currency: 'EUR', taxRate: '19', taxCategory: 'S', ...more })
    const container = await ada.post('/container', {
      name: `Project ${count}`,
      crmId: crm.id,
      billable: true,
      ...project,
    })
    const item = await ada.post('/item', { title: 'Work', containerId: container.id })
    const book = (seconds: number, values: object = {}) =>
      bob.post('/time', { itemId: item.id, date: '2026-04-08', seconds, ...values })
    const ask = (values: object = {}, who = meg, query = '') =>
      who.ask('POST', `/finance/invoice/draft${query}`, {
        body: { crmId: crm.id, to: '2026-04-30', groupBy: lineGroup.container, ...values },
      })
    const draft = async (values: object = {}) => {
      const { status, body } = await ask(values)
      assert.equal(status, 201, JSON.stringify(body))
      return body
    }
    return { crm, container, item, book, ask, draft }
  }
  const verb = (invoice: { id: string }, name: string, body: object = {}) =>
    ada.ask('POST', `/finance/invoice/${invoice.id}/${name}`, { body })
  async function issue(invoice: { id: string }) {
    for (const each of ['approve', 'issue']) {
      const { status, body } = await verb(invoice, each)
      assert.equal(status, 200, JSON.stringify(body))
    }
    return await ada.get(`/finance/invoice/${invoice.id}`)
  }
  const timeOf = (entry: { id: string }) => ada.get(`/time/${entry.id}`)
  const shown = ({ lines }: { lines: Line[] }) => lines.map(each => `${each.quantity} × ${each.price} = ${each.amount}`)

  test('a draft has a line for each group and price, and its entries cannot change', async () => {
    const { container, item, book, draft } = await customer()
    const one = await book(5400)
    await book(1800, { note: 'More' })
    await ada.post('/time', { itemId: item.id, date: '2026-04-09', seconds: 3600, billRate: '120' })
    await book(3600, { billable: 0 })
    const later = await book(3600, { date: '2026-05-01' })
    const invoice = await draft()
    assert.deepEqual(shown(invoice), ['2.0000 × 100.0000 = 200.00', '1.0000 × 120.0000 = 120.00'])
    assert.deepEqual(
      [invoice.net, invoice.gross, invoice.from, invoice.to],
      ['320.00', '380.80', '2026-04-08', '2026-04-30'],
    )
    assert.deepEqual(
      [invoice.lines[0].text, invoice.lines[0].source, invoice.skipped],
      [container.name, lineSource.time, []],
    )
    const taken = await timeOf(one)
    assert.deepEqual([taken.state, taken.invoiceId, taken.billedSeconds], [timeState.invoiced, invoice.id, null])
    assert.equal((await timeOf(later)).state, timeState.logged)
    assert.equal((await ada.get(`/time?invoiceId=${invoice.id}`)).length, 3)
    const own = await bob.get(`/time/${one.id}`)
    assert.deepEqual([own.state, 'invoiceId' in own, 'billedSeconds' in own], [timeState.invoiced, false, false])
    for (const [method, at, body] of [
      ['PUT', `/time/${one.id}`, { seconds: 60 }],
      ['DELETE', `/time/${one.id}`, undefined],
    ] as const) {
      const refused = await ada.ask(method, at, { body })
      assert.deepEqual([refused.status, refused.body.code], [422, 'time-locked'], method)
    }
    const again = await verb(invoice, 'cancel')
    assert.equal(again.body.state, invoiceState.cancelled)
    const freed = await timeOf(one)
    assert.deepEqual([freed.state, freed.invoiceId], [timeState.logged, ''])
    await bob.put(`/time/${one.id}`, { seconds: 3600 })
    assert.deepEqual(shown(await draft()), ['1.5000 × 100.0000 = 150.00', '1.0000 × 120.0000 = 120.00'])
  })

  test('entries follow neither their item nor their customer, and keep their price', async () => {
    const { crm, item, book, draft } = await customer()
    const other = await customer()
    const entry = await book(3600)
    const made = await bob.ask('POST', '/time', { body: { itemId: item.id, date: '2026-04-08', seconds: 3600 } })
    const invoice = await draft()
    await ada.put(`/item/${item.id}`, { containerId: other.container.id })
    const undone = await bob.ask('POST', `/change/${made.headers.get('change-set')}/undo`)
    assert.deepEqual([undone.status, undone.body.code], [409, 'undo-conflict'])
    const rate = await ada.post('/finance/rate', { crmId: crm.id, from: '2026-01-01', bill: '500', currency: 'EUR' })
    const repriced = await ada.post('/time/reprice', {
      from: '2026-04-01',
      to: '2026-04-30',
      crmIds: [crm.id],
      which: 'bill',
    })
    assert.deepEqual([repriced.changed, repriced.skipped], [0, { invoiced: 2 }])
    await ada.delete(`/finance/rate/${rate.id}`)
    const kept = await timeOf(entry)
    assert.deepEqual([kept.crmId, kept.billRate, kept.state], [crm.id, '100.0000', timeState.invoiced])
    // The draft follows its customer into another one, and so does what is billed.
    await ada.post(`/finance/crm/${crm.id}/merge`, { into: other.crm.id })
    assert.equal((await timeOf(entry)).crmId, crm.id)
    assert.equal((await ada.get(`/finance/invoice/${invoice.id}`)).crmId, other.crm.id)
    assert.equal((await verb(invoice, 'cancel')).status, 200)
    assert.deepEqual(shown(await other.draft()), ['2.0000 × 100.0000 = 200.00'])
  })

  test('of two drafts at once each entry is in exactly one', async () => {
    const { book, ask } = await customer()
    for (let i = 0; i < 5; i++) await book(600)
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ groupBy: lineGroup.entry })))
    assert.deepEqual(answers.map(each => each.status).sort(), [201, 422, 422, 422, 422, 422])
    assert.ok(answers.every(each => each.status === 201 || each.body.code === 'nothing-to-bill'))
    assert.equal(answers.find(each => each.status === 201)?.body.lines.length, 5)
  })

  test('a draft and a change of an entry at once: one of them comes too late', async () => {
    const { book, ask } = await customer()
    const entries = await Promise.all([book(600), book(600), book(600)])
    const [made, ...changed] = await Promise.all([
      ask({ groupBy: lineGroup.entry }),
      ...entries.map(each => bob.ask('PUT', `/time/${each.id}`, { body: { seconds: 1200 } })),
    ])
    assert.equal(made?.status, 201)
    const kept = changed.map(each => (each.status === 200 ? 1200 : 600))
    assert.ok(changed.every(each => each.status === 200 || each.body.code === 'time-locked'))
    const billed = made?.body.lines.map((each: Line) => Math.round(Number(each.quantity) * 3600)).sort()
    assert.deepEqual(billed, kept.sort())
  })

  test('dry runs, deletions and undone drafts hold nothing', async () => {
    const { book, ask, draft } = await customer()
    const entry = await book(3600)
    const trial = await ask({}, meg, '?dryRun=true')
    assert.deepEqual([trial.status, trial.body.would.net], [200, '100.00'])
    const first = await ask()
    const undone = await ada.ask('POST', `/change/${first.headers.get('change-set')}/undo`)
    assert.equal(undone.status, 200)
    assert.equal((await timeOf(entry)).state, timeState.logged)
    const second = await draft()
    const gone = await meg.ask('DELETE', `/finance/invoice/${second.id}`)
    assert.equal((await timeOf(entry)).invoiceId, '')
    const third = await draft()
    const restored = await ada.ask('POST', `/finance/invoice/${second.id}/restore`)
    assert.deepEqual([restored.status, restored.body.code], [422, 'entries-released'])
    const back = await ada.ask('POST', `/change/${gone.headers.get('change-set')}/undo`)
    assert.deepEqual([back.status, back.body.code], [422, 'entries-released'])
    assert.equal((await timeOf(entry)).invoiceId, third.id)
  })

  test('computed lines keep their amounts, and those of others are added', async () => {
    const { book, draft } = await customer()
    const other = await customer()
    await book(3600)
    const invoice = await draft()
    const [line] = invoice.lines
    const put = (body: object) => ada.ask('PUT', `/finance/invoice/${invoice.id}`, { body })
    for (const body of [
      { lines: [{ ...line, price: '1' }] },
      { lines: [] },
      { crmId: other.crm.id },
      { to: '2026-05-31' },
    ])
      assert.equal((await put(body)).body.code, 'amount-computed')
    const { body: edited } = await put({
      lines: [
        { text: 'Travel', price: 50 },
        { ...line, text: 'April' },
      ],
    })
    assert.deepEqual([edited.net, edited.lines[1].text], ['150.00', 'April'])
    assert.equal((await put({ currency: 'USD' })).status, 200)
    assert.equal((await verb(invoice, 'approve')).body.code, 'currency-mismatch')
    await put({ currency: 'EUR' })
    assert.equal((await issue(invoice)).net, '150.00')
  })

  test('what is skipped has a reason, a number and a list', async () => {
    const { book, draft, ask } = await customer()
    const free = await customer()
    await book(3600)
    await book(3600, { state: timeState.draft })
    await ada.post('/finance/rate', { containerId: free.container.id, from: '2026-01-01', bill: '90', currency: 'USD' })
    await free.book(3600)
    const early = await bob.post('/time', { itemId: free.item.id, date: '2025-12-31', seconds: 1800 })
    const refused = await free.ask()
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.skipped],
      [
        422,
        'nothing-to-bill',
        [
          { reason: 'currency', count: 1 },
          { reason: 'unpriced', count: 1 },
        ],
      ],
    )
    await ada.post('/finance/rate', { userId: meg.id, from: '2026-01-01', bill: '70', currency: 'EUR' })
    const item = await ada.post('/item', { title: 'Other', containerId: free.container.id })
    await meg.post('/time', { itemId: item.id, date: '2026-04-01', seconds: 3600, billRate: '70' })
    const made = await free.draft({ groupBy: lineGroup.item })
    const unpriced = made.skipped.find((each: { reason: string }) => each.reason === 'unpriced')
    const listed = await meg.get(`/insight/drill/${unpriced.drill}`)
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [early.id],
    )
    const { skipped } = await draft()
    assert.deepEqual(
      skipped.map(({ reason, count: n }: { reason: string; count: number }) => [reason, n]),
      [['draft', 1]],
    )
    assert.equal((await bob.ask('GET', `/insight/drill/${skipped[0].drill}`)).status, 403)
    assert.equal((await ask()).body.code, 'nothing-to-bill')
  })

  test('time is approved first where a calendar asks for it, and stays so', async () => {
    const { item, draft, ask } = await customer()
    const sam = await person({ name: 'Sam' })
    const team = await ada.post('/user-group', { name: 'Approved team', members: [sam.id] })
    await ada.post('/time/calendar', { name: 'Weeks', userGroups: [team.id], approval: approvalMode.person })
    const entry = await sam.post('/time', { itemId: item.id, date: '2026-04-08', seconds: 3600 })
    assert.deepEqual((await ask()).body.skipped, [{ reason: 'unapproved', count: 1 }])
    const sheet = await sam.post('/time/sheet/day', { date: '2026-04-08' })
    const say = (name: string, body: object = {}) => ada.ask('POST', `/time/sheet/${sheet.id}/${name}`, { body })
    await sam.post(`/time/sheet/${sheet.id}/submit`, {})
    assert.deepEqual((await ask()).body.skipped, [{ reason: 'unapproved', count: 1 }])
    assert.equal((await say('approve')).status, 200)
    const first = await draft()
    assert.equal((await say('reopen', { reason: 'x' })).body.code, 'entries-invoiced')
    assert.equal((await say('lock')).status, 200)
    assert.equal((await say('unlock', { reason: 'x' })).body.code, 'entries-invoiced')
    await verb(first, 'cancel')
    assert.equal((await timeOf(entry)).state, timeState.locked)
    const second = await issue(await draft())
    await verb(second, 'credit', { reason: 'Wrong', release: true })
    assert.equal((await say('unlock', { reason: 'x' })).status, 200)
    assert.equal((await timeOf(entry)).state, timeState.approved)
    await draft()
    // A sheet that is reopened while its time is billed: one of them comes too late.
    await verb({ id: (await timeOf(entry)).invoiceId }, 'cancel')
    const [bill, reopened] = await Promise.all([ask(), say('reopen', { reason: 'x' })])
    assert.deepEqual(
      [bill.status, reopened.status],
      bill.status === 201 ? [201, 422] : [422, 200],
      JSON.stringify([bill.body, reopened.body]),
    )
  })

  test('time is rounded when it is billed, and entries store their share at issue', async () => {
    const up = { mode: roundingMode.up, stepSeconds: 900, per: roundingPer.entry }
    const { container, book, draft } = await customer({ rounding: up })
    const entries = [await book(60), await book(1000)]
    const invoice = await draft()
    assert.deepEqual(shown(invoice), ['0.7500 × 100.0000 = 75.00'])
    await ada.put(`/container/${container.id}`, { rounding: { ...up, stepSeconds: 3600 } })
    const stale = await verb(invoice, 'approve')
    assert.deepEqual([stale.status, stale.body.code], [409, 'stale'])
    await ada.put(`/container/${container.id}`, { rounding: {} })
    await issue(invoice)
    assert.deepEqual(
      (await Promise.all(entries.map(timeOf))).map(each => each.billedSeconds),
      [900, 1800],
    )
  })

  test('corrections bill the difference, and a negative total makes a credit note', async () => {
    const { crm, book, draft, ask } = await customer()
    const [long, short] = [await book(11_400), await book(720)]
    await issue(await draft())
    await ada.put(`/finance/crm/${crm.id}`, { rounding: { mode: roundingMode.up, stepSeconds: 900 } })
    await ada.post(`/time/${long.id}/correct`, { reason: 'Break', seconds: 7800 })
    const correction = { reason: 'Twice', seconds: 0 }
    await ada.post(`/time/${short.id}/correct`, correction)
    const next = await draft({ groupBy: lineGroup.entry })
    assert.deepEqual(shown(next).length, 3)
    await verb(next, 'cancel')
    // 7,800 s are 2.25 h by the policy of now, and 3.1667 h were billed; of the other entry nothing is left.
    const difference = await draft()
    assert.deepEqual(shown(difference), ['-1.1167 × 100.0000 = -111.67'])
    const note = await issue(difference)
    assert.deepEqual([note.kind, note.net, note.lines[0].quantity], [invoiceKind.creditNote, '111.67', '1.1167'])
    assert.equal((await ask()).body.code, 'nothing-to-bill')
  })

  test('currencies without decimals round to whole amounts', async () => {
    const { container, book, draft } = await customer({ currency: 'JPY' })
    await ada.post('/finance/rate', { containerId: container.id, from: '2026-01-01', bill: '10001', currency: 'JPY' })
    await book(1200)
    assert.deepEqual((await draft()).net, '3333')
  })

  test('credited with release, an entry is billed again; without, never', async () => {
    const { book, draft, ask } = await customer()
    const entry = await book(3600)
    const credit = (invoice: { id: string }, body: object) => verb(invoice, 'credit', { reason: 'x', ...body })
    for (let round = 0; round < 2; round++) {
      const invoice = await issue(await draft())
      assert.equal((await timeOf(entry)).invoiceId, invoice.id)
      const [line] = invoice.lines
      const part = await credit(invoice, { release: true, lines: [{ id: line.id, quantity: '0.5' }] })
      assert.equal(part.body.code, 'credited-partly')
      const notes = await Promise.all([credit(invoice, { release: true }), credit(invoice, { release: true })])
      assert.deepEqual(notes.map(each => each.status).sort(), [201, 422])
      assert.deepEqual([(await timeOf(entry)).invoiceId, (await timeOf(entry)).billedSeconds], ['', null])
    }
    const last = await issue(await draft())
    assert.equal((await credit(last, {})).status, 201)
    assert.equal((await timeOf(entry)).state, timeState.invoiced)
    assert.equal((await ask()).body.code, 'nothing-to-bill')
  })

  test('contracts bill their fee once, cover work, and price what is beyond', async () => {
    const { crm, container, book, draft, ask } = await customer()
    const terms = { crmId: crm.id, from: '2026-03-01', currency: 'EUR', overage: 1, overageRate: '130' }
    const contract = await ada.post('/finance/contract', {
      ...{ name: 'Gold', period: 1, includedMinutes: 60, price: '500', containerIds: [container.id], ...terms },
    })
    const [covered, split] = [await book(1800), await book(3600)]
    const invoice = await draft({ from: '2026-04-01' })
    assert.deepEqual(shown(invoice), ['1.0000 × 500.0000 = 500.00', '0.5000 × 130.0000 = 65.00'])
    assert.deepEqual(
      invoice.lines.map((each: Line) => [each.source, each.text]),
      [
        [lineSource.fee, 'Gold, 2026-04-01 – 2026-04-30'],
        [lineSource.overage, 'Gold, beyond 2026-04-01 – 2026-04-30'],
      ],
    )
    // The fee of March is not billed yet, that of April is.
    assert.deepEqual(shown((await ask({}, meg, '?dryRun=true')).body.would), ['1.0000 × 500.0000 = 500.00'])
    await ada.put(`/finance/contract/${contract.id}`, { includedMinutes: 30 })
    assert.equal((await verb(invoice, 'approve')).body.code, 'stale')
    await ada.put(`/finance/contract/${contract.id}`, { includedMinutes: 60 })
    const issued = await issue(invoice)
    assert.deepEqual([(await timeOf(covered)).billedSeconds, (await timeOf(split)).billedSeconds], [1800, 3600])
    // Earlier work uses the contract up, so that more of the later work is beyond it.
    const early = await book(900, { date: '2026-04-02' })
    const next = await draft({ from: '2026-04-01' })
    assert.deepEqual(shown(next), ['0.2500 × 130.0000 = 32.50'])
    await issue(next)
    assert.equal((await timeOf(early)).billedSeconds, 900)
    assert.equal((await ask({ from: '2026-04-01' })).body.code, 'nothing-to-bill')
    const note = await verb(issued, 'credit', { reason: 'x', release: true })
    assert.equal(note.body.net, '565.00')
    assert.deepEqual(shown(await draft({ from: '2026-04-01' })), [
      '1.0000 × 500.0000 = 500.00',
      '0.5000 × 130.0000 = 65.00',
    ])
  })

  test('who may not bill sees nothing, and wrong requests say what is wrong', async () => {
    const { crm, ask } = await customer()
    assert.equal((await ask({}, bob)).status, 403)
    assert.equal((await ask({}, eve)).body.Fields[0].Code, 'unknown-reference')
    const wrong = await ask({ to: '2026-04-31', groupBy: 9 })
    assert.deepEqual(wrong.body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), ['/groupBy', '/to'])
    assert.equal((await ask({ from: '2026-05-01' })).body.Fields[0].Code, 'range')
    assert.equal((await ask({ containerIds: [crm.id] })).body.Fields[0].Pointer, '/containerIds/0')
    const secret = await ada.post('/container', { name: 'Secret', crmId: crm.id, billable: true, private: true })
    const item = await ada.post('/item', { title: 'Secret work', containerId: secret.id })
    await ada.post('/time', { itemId: item.id, date: '2026-04-08', seconds: 3600 })
    assert.equal((await ask()).body.code, 'nothing-to-bill')
    assert.equal((await ask({}, ada)).body.net, '100.00')
  })
})
