import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { invoiceKind, invoiceState, lineSource } from './invoice-record.ts'

describe('invoices', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const crm = await ada.post('/finance/crm', {
    name: 'Acme & Sons',
    address: 'Main Street 1',
    city: 'Berlin',
    zipcode: '10115',
    country: 'DE',
    currency: 'EUR',
    taxId: 'DE123456789',
    taxRate: '19',
    taxCategory: 'S',
    paymentDays: 14,
  })
  const seller = {
    name: 'Gantry GmbH',
    street: 'Weg 2',
    city: 'Köln',
    zipcode: '50667',
    country: 'DE',
    taxId: 'DE999999999',
    iban: 'DE02120300000000202051',
  }
  const path = (id: string, verb = '') => `/finance/invoice/${id}${verb && `/${verb}`}`
  const make = (more: object = {}) =>
    meg.post('/finance/invoice', {
      crmId: crm.id,
      lines: [
        { text: 'Workshop', quantity: 2, price: '600.50' },
        { text: 'Travel', price: 99.99 },
      ],
      ...more,
    })
  async function issue(more: object = {}, body: object = {}) {
    const { id } = await make(more)
    await meg.post(path(id, 'approve'), {})
    return await ada.post(path(id, 'issue'), body)
  }

  test('a document is issued only when the seller is known, and no number is lost by that', async () => {
    const { id } = await make()
    await meg.post(path(id, 'approve'), {})
    const refused = await ada.ask('POST', path(id, 'issue'), { body: {} })
    assert.deepEqual([refused.status, refused.body.code], [422, 'seller-incomplete'])
    await ada.post('/admin/setting', { key: 'billing.seller', value: seller })
    assert.match((await ada.post(path(id, 'issue'), { date: '2026-04-01' })).number, /^INV-2026-0001$/)
  })

  test('lines have the tax of the customer, and amounts in the digits of the currency', async () => {
    const { net, gross, taxes, lines, currency, state } = await make()
    assert.deepEqual([net, gross, currency, state], ['1300.99', '1548.18', 'EUR', invoiceState.draft])
    assert.deepEqual(taxes, [{ category: 'S', rate: '19.0000', net: '1300.99', tax: '247.19' }])
    assert.deepEqual([lines[0].amount, lines[0].unit, lines[0].source], ['1201.00', 'C62', lineSource.free])
    const yen = await make({
      currency: 'JPY',
      lines: [{ text: 'Hour', quantity: '0.3333', unit: 'HUR', price: 10001, taxRate: '10', taxCategory: 'S' }],
    })
    assert.deepEqual([yen.lines[0].amount, yen.gross], ['3333', '3666'])
    const wrong = await meg.ask('POST', '/finance/invoice', {
      body: { crmId: crm.id, currency: 'ZZZ', lines: [{ price: '1.00001' }] },
    })
    assert.equal(wrong.body.Fields[0].Code, 'precision')
    assert.equal(
      (await meg.ask('POST', '/finance/invoice', { body: { crmId: crm.id, currency: 'ZZZ' } })).body.Fields[0].Code,
      'currency',
    )
  })

  test('only drafts are edited, and an issued document never changes', async () => {
    const { id, lines } = await make()
    const more = await meg.put(path(id), { lines: [...lines, { text: 'More', price: 1 }], note: 'Thanks' })
    assert.equal(more.net, '1301.99')
    await meg.post(path(id, 'approve'), {})
    assert.equal((await meg.ask('PUT', path(id), { body: { note: 'x' } })).body.code, 'approved')
    await meg.post(path(id, 'withdraw'), {})
    await meg.put(path(id), { note: 'x' })
    await meg.post(path(id, 'approve'), {})
    const issued = await ada.ask('POST', path(id, 'issue'), { body: {} })
    assert.equal(issued.body.state, invoiceState.issued)
    for (const [method, at, body] of [
      ['PUT', path(id), { note: 'y' }],
      ['PUT', path(id), { lines: [] }],
      ['DELETE', path(id), undefined],
      ['POST', path(id, 'cancel'), {}],
      ['POST', path(id, 'withdraw'), {}],
      ['POST', `/change/${issued.headers.get('change-set')}/undo`, undefined],
    ] as const) {
      const refused = await ada.ask(method, at, { body })
      assert.deepEqual([refused.status, refused.body.code], [422, 'issued'], `${method} ${at}`)
    }
    const paid = await meg.post(path(id, 'mark'), { paidAt: '2026-05-02T10:00:00Z', reference: 'T1' })
    assert.deepEqual([paid.paidAt, paid.markReference], ['2026-05-02T10:00:00.000Z', 'T1'])
    assert.equal((await ada.get(path(id))).note, 'x')
  })

  test('numbers have no gaps, also when several are issued at once', async () => {
    const series = await ada.post('/finance/invoice-series', { name: 'Fast', pattern: 'F{000}', next: 5 })
    const drafts = await Promise.all(Array.from({ length: 6 }, () => make({ seriesId: series.id })))
    for (const { id } of drafts) await meg.post(path(id, 'approve'), {})
    const twice = [...drafts, ...drafts].map(({ id }) =>
      ada.ask('POST', path(id, 'issue'), { body: { date: '2026-04-02' } }),
    )
    const answers = await Promise.all(twice)
    const numbers = answers.filter(each => each.status === 200).map(each => each.body.number)
    assert.deepEqual(numbers.sort(), ['F005', 'F006', 'F007', 'F008', 'F009', 'F010'])
    assert.equal(answers.filter(each => each.status === 422 && each.body.code === 'issued').length, 6)
    const early = await make({ seriesId: series.id })
    await meg.post(path(early.id, 'approve'), {})
    const refused = await ada.ask('POST', path(early.id, 'issue'), { body: { date: '2026-04-01' } })
    assert.equal(refused.body.code, 'date-order')
    assert.equal((await ada.post(path(early.id, 'issue'), { date: '2026-04-03' })).number, 'F011')
    const used = await ada.ask('PUT', `/finance/invoice-series/${series.id}`, { body: { next: 3 } })
    assert.equal(used.body.code, 'series-used')
    assert.equal((await ada.ask('POST', '/finance/invoice-series', { body: { name: 'X', pattern: 'X' } })).status, 400)
  })

  test('a credit note never exceeds what was billed', async () => {
    const invoice = await issue()
    assert.equal(invoice.dueDate > invoice.date, true)
    const [workshop, travel] = invoice.lines
    const credit = (body: object) => ada.ask('POST', path(invoice.id, 'credit'), { body })
    assert.equal((await credit({})).status, 400)
    const part = await credit({ reason: 'Half', lines: [{ id: workshop.id, quantity: 1 }] })
    assert.deepEqual(
      [part.status, part.body.kind, part.body.net, part.body.creditsId],
      [201, invoiceKind.creditNote, '600.50', invoice.id],
    )
    assert.equal(
      (await credit({ reason: 'x', lines: [{ id: workshop.id, quantity: 2 }] })).body.code,
      'already-credited',
    )
    assert.equal((await credit({ reason: 'x', lines: [{ id: 'none' }] })).status, 400)
    const [a, b] = await Promise.all([credit({ reason: 'Rest' }), credit({ reason: 'Rest' })])
    assert.deepEqual([a.status, b.status].sort(), [201, 422])
    const rest = a.status === 201 ? a : b
    assert.deepEqual(
      rest.body.lines.map((each: { id: string }) => each.id),
      [workshop.id, travel.id],
    )
    assert.equal(rest.body.net, '700.49')
    const undone = await ada.ask('POST', `/change/${rest.headers.get('change-set')}/undo`)
    assert.equal(undone.body.code, 'issued')
  })

  test('a negative total makes a credit note', async () => {
    const note = await issue({ lines: [{ text: 'Correction', quantity: -1, price: 120, unit: 'HUR' }] })
    assert.deepEqual([note.kind, note.net, note.lines[0].quantity], [invoiceKind.creditNote, '120.00', '1.0000'])
  })

  test('UBL has the document, with the sums of EN 16931', async () => {
    const invoice = await issue({ from: '2026-04-01', to: '2026-04-30', note: 'Thanks & bye' })
    const { body: xml, headers } = await ada.ask('GET', path(invoice.id, 'export?format=ubl'))
    assert.match(headers.get('content-type') ?? '', /xml/)
    const value = (name: string) =>
      [...String(xml).matchAll(new RegExp(`<cbc:${name}[^>]*>([^<]*)<`, 'g'))].map(each => each[1])
    assert.deepEqual(value('InvoiceTypeCode'), ['380'])
    assert.equal(value('ID')[0], invoice.number)
    assert.deepEqual(value('Note').slice(0, 1), ['Thanks &amp; bye'])
    assert.deepEqual(value('RegistrationName'), ['Gantry GmbH', 'Acme &amp; Sons'])
    const [net, ...lines] = value('LineExtensionAmount').map(Number)
    assert.equal(net?.toFixed(2), lines.reduce((sum, each) => sum + each, 0).toFixed(2))
    assert.deepEqual(
      [value('TaxExclusiveAmount'), value('TaxInclusiveAmount'), value('PayableAmount')],
      [['1300.99'], ['1548.18'], ['1548.18']],
    )
    assert.deepEqual(value('TaxAmount'), ['247.19', '247.19'])
    assert.deepEqual(value('Percent'), ['19.00', '19.00', '19.00'])
    const { body: note } = await ada.ask('POST', path(invoice.id, 'credit'), { body: { reason: 'All' } })
    const { body: credited } = await ada.ask('GET', path(note.id, 'export?format=ubl'))
    assert.ok(
      String(credited).includes(`<cbc:CreditNoteTypeCode>381<`) &&
        String(credited).includes(`<cbc:ID>${invoice.number}<`),
    )
    const draft = await make()
    assert.equal((await ada.ask('GET', path(draft.id, 'export?format=ubl'))).body.code, 'not-issued')
    assert.match((await ada.ask('GET', path(draft.id, 'export?format=csv'))).body, /Workshop,2,C62,600.5,1201,S,19/)
    assert.equal((await ada.ask('GET', path(draft.id, 'export?format=pdf'))).status, 400)
  })

  test('managers prepare, admins issue, members see nothing', async () => {
    const { id } = await make()
    assert.equal((await bob.ask('GET', path(id))).status, 403)
    assert.equal((await eve.ask('GET', path(id))).status, 404)
    await meg.post(path(id, 'approve'), {})
    assert.equal((await meg.ask('POST', path(id, 'issue'), { body: {} })).status, 403)
    assert.equal((await meg.ask('POST', path(id, 'credit'), { body: { reason: 'x' } })).status, 403)
    const cancelled = await meg.post(path(id, 'cancel'), {})
    assert.equal(cancelled.state, invoiceState.cancelled)
    assert.equal((await meg.ask('PUT', path(id), { body: { note: 'x' } })).body.code, 'cancelled')
    const empty = await make({ lines: [] })
    assert.equal((await meg.ask('POST', path(empty.id, 'approve'), { body: {} })).body.code, 'no-lines')
  })
})
