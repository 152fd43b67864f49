import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { folded } from '../../language/folded.ts'

describe('parts of titles', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const names = [
    'Café printer 100%',
    'printer_room [A]',
    'Drucker c:\\temp',
    'ПРИНТЕР в комнате',
    'ab',
    'Nothing of it',
  ]
  for (const title of names) await ada.post('/item', { title })

  const shown = (all: { title: string }[]) => all.map(each => names.indexOf(each.title)).join(' ')
  const listed = async (filter: string, text: string) =>
    shown(await ada.get(`/item?title[${filter}]=${encodeURIComponent(text)}`))
  const met = async (code: number, rightSide: string) =>
    shown(
      await ada.post('/item/search', {
        conditionGroup: [{ condition: [{ leftSide: 'name', operator: code, rightSide }] }],
      }),
    )

  const cases: [filter: 'contains' | 'startsWith' | 'endsWith', text: string, found: string][] = [
    ['contains', 'RINTE', '0 1'],
    ['contains', 'cafe pr', '0'],
    ['contains', 'CAFÉ', '0'],
    ['contains', '100%', '0'],
    ['contains', 'printer%', ''],
    ['contains', 'printer_', '1'],
    ['contains', 'printe_', ''],
    ['contains', 'c:\\temp', '2'],
    ['contains', 'm [a', '1'],
    ['contains', 'принтер', '3'],
    ['contains', 'B', '4'],
    ['contains', '%', '0'],
    ['contains', 'Druck,kommat,комнат', '2 3'],
    ['contains', 'Druck,ab', '2 4'],
    ['startsWith', 'printer', '1'],
    ['startsWith', 'ab,Dru', '2 4'],
    ['endsWith', 'комнате', '3'],
    ['endsWith', 'emp', '2'],
    ['endsWith', 'printer', ''],
  ]
  for (const [filter, text, found] of cases)
    test(`a title ${filter} ${text}`, async () => {
      assert.equal(await listed(filter, text), found)
      assert.equal(await met(operator[filter], JSON.stringify(text.split(','))), found)
    })

  test('the other operators of texts filter lists, too', async () => {
    assert.equal(await listed('matches', '^p.*\\[a\\]$'), '1')
    assert.equal(await listed('matches', 'PRINT.r'), '0 1')
    assert.equal(await listed('matches', '^prints*'), '1')
    assert.equal(await met(operator.matches, 'caf. printer'), '0')
    assert.equal(await met(operator.notMatches, 'printer'), '2 3 4 5')
    assert.equal(await met(operator.notContains, 'rinte'), '2 3 4 5')
    const { body, status } = await ada.ask('GET', '/item?title[resembles]=printer')
    assert.deepEqual([status, body.Fields[0].Code], [400, 'operator'])
    assert.match(body.Fields[0].Message, /lte, contains, startsWith, endsWith, matches$/)
  })

  test('a changed title is found by its new parts only, by its tenant only', async () => {
    const [item] = await ada.get('/item?title[contains]=othing')
    await ada.put(`/item/${item.id}`, { title: 'Quite another' })
    assert.deepEqual(await ada.get('/item?title[contains]=othing'), [])
    assert.deepEqual(
      (await ada.get('/item?title[contains]=anoth')).map((each: { id: string }) => each.id),
      [item.id],
    )
    assert.deepEqual(await eve.get('/item?title[contains]=anoth'), [])
    await ada.must('PATCH', '/item', { body: { ids: [item.id], patch: { title: 'Nothing of it' } } })
    assert.equal(await listed('contains', 'othing'), '5')
  })

  test('parts of custom texts are found, also behind what the index has of a long one', async () => {
    await ada.post('/field/text', { name: 'Vendor' })
    const long = `${'x '.repeat(300)}Müller & Söhne`
    const [short, cut] = [
      { key: 'vendor', value: 'Müller 100%' },
      { key: 'vendor', value: long },
    ]
    await ada.post('/item', { title: 'Short', Field: [short] })
    await ada.post('/item', { title: 'Long', Field: [cut] })
    const held = async (filter: string) =>
      (await ada.get(`/item?field.vendor${filter}`)).map((each: { title: string }) => each.title).join(' ')
    assert.equal(await held('[contains]=ULLE'), 'Short Long')
    assert.equal(await held('[contains]=söhne'), 'Long')
    assert.equal(await held('[endsWith]=& sohne'.replace('&', '%26')), 'Long')
    assert.equal(await held('[startsWith]=mull'), 'Short')
    assert.equal(await held('[contains]=100%25'), 'Short')
    assert.equal(await held('[contains]=Schmidt'), '')
    const without = await ada.post('/item/search', {
      conditionGroup: [
        { condition: [{ leftSide: 'field.vendor', operator: operator.notContains, rightSide: 'sohne' }] },
      ],
    })
    assert.equal(without.length, names.length + 1)
  })

  test('one and two letters or digits are found wherever they are, beside whatever character', async () => {
    const { id: containerId } = await ada.post('/container', { name: 'Short parts' })
    await ada.post('/field/text', { name: 'Hint' })
    const texts = [
      'x0',
      'ax0 end',
      'x0b',
      'a-x0_b',
      'q',
      'q%',
      '(q',
      'it’s 5€q7',
      'na\u00efve “q”',
      '\u65e5q',
      'kq\u65e5',
      'xß0',
      'X\u03a90',
      'z9',
    ]
    for (const text of texts)
      await ada.post('/item', { title: text, containerId, Field: [{ key: 'hint', value: text }] })
    const characters = ['x', '0', 'q', '7', 'k', 's', 'b', 'z']
    const places: [operator: string, has: (text: string, part: string) => boolean][] = [
      ['contains', (text, part) => text.includes(part)],
      ['startsWith', (text, part) => text.startsWith(part)],
      ['endsWith', (text, part) => text.endsWith(part)],
    ]
    for (const part of [...characters, 'x0', 'X0', '0b', 'q7', 'kq', 'q9', 'zz', 'z9'])
      for (const [operator, has] of places) {
        const expected = texts.filter(text => has(folded(text), folded(part)))
        for (const path of ['title', 'field.hint']) {
          const all = await ada.get(`/item?containerId=${containerId}&fields=title&${path}[${operator}]=${part}`)
          assert.deepEqual(
            all.map((each: { title: string }) => each.title),
            expected,
            `${path} ${operator} ${part}`,
          )
        }
      }
  })

  test('items are found by parts of the names of their customers, requesters and containers', async () => {
    const acme = await ada.post('/finance/crm', { name: 'Ácme Ltd', code: 'A1' })
    const other = await ada.post('/finance/crm', { name: 'Other', code: 'B1' })
    await ada.post('/item', { title: 'Of acme', crmId: acme.id, requesterId: bob.id })
    await ada.post('/item', { title: 'Of other', crmId: other.id })
    const of = async (filter: string) =>
      (await ada.get(`/item?${filter}`)).map((each: { title: string }) => each.title).join(', ')
    assert.equal(await of('crm.name[contains]=CME'), 'Of acme')
    assert.equal(await of('crm.name[contains]=cme,the'), 'Of acme, Of other')
    assert.equal(await of('crm.name[startsWith]=ltd'), '')
    assert.equal(await of('crm.name[endsWith]=ltd'), 'Of acme')
    assert.equal(await of('crm.code[contains]=1&requester.name[contains]=bo'), 'Of acme')
    assert.equal(await of('crm.name[contains]=e&container.name[contains]=nowhere'), '')
    const not = { leftSide: 'crm.name', operator: operator.notContains, rightSide: 'nobody' }
    const all = await ada.post('/item/search', { conditionGroup: [{ condition: [not] }] })
    assert.equal(all.length, (await ada.get('/item')).length)
  })

  test('an exact count of parts counts what the list shows', async () => {
    const { headers } = await ada.ask('GET', '/item?title[contains]=rinte&limit=1&count=exact')
    assert.deepEqual([headers.get('x-total-count'), headers.get('x-total-count-kind')], ['2', 'exact'])
  })
})
