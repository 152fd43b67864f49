import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { engines } from '../../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { pdfOf } from '../../export/export-pdf.ts'
import { extractorOf, extractText } from './extract-text.ts'

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const wordFile = (xml: string) => Buffer.from(zipSync({ 'word/document.xml': strToU8(xml) }))

describe('the text of a file', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve } = home
  const running = await engines(home)
  const upload = async (
    name: string,
    content: string | Buffer,
    fields: Record<string, string> = {},
    who: Person = ada,
  ) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
    const headers = { authorization: `Bearer ${who.key}` }
    const response = await fetch(`${who.base}/api/file`, { method: 'POST', body: form, headers })
    assert.equal(response.status, 201)
    return (await response.json()) as { id: string }
  }
  const hits = async (q: string, who: Person = ada, query = '') =>
    await who.get(`/search?q=${encodeURIComponent(q)}${query}`)
  const titles = async (...asked: Parameters<typeof hits>) =>
    (await hits(...asked)).map((each: { title: string }) => each.title)

  test('is found by its words, and so is the name', async () => {
    await upload('notes.txt', 'The okapi sleeps in the afternoon.')
    await upload('list.md', '# Animals\n\n- aardwolf')
    await upload('table.csv', 'name;age\ncapybara;3')
    await upload('page.html', '<html><script>pangolin()</script><body>A <b>tapir</b> &amp; more</body></html>')
    await upload(
      'letter.docx',
      wordFile('<w:p><w:r><w:t>Dear </w:t><w:t xml:space="preserve">dugong &amp; co</w:t></w:r></w:p>'),
    )
    await upload('letter.pdf', await pdfOf('Animals', '<p>A letter about the axolotl</p>', undefined))
    await upload('ibex-photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]))
    await running.settle()
    for (const [word, title] of [
      ['okapi', 'notes.txt'],
      ['aardwolf', 'list.md'],
      ['capybara', 'table.csv'],
      ['tapir', 'page.html'],
      ['dugong', 'letter.docx'],
      ['axolotl', 'letter.pdf'],
      ['ibex', 'ibex-photo.png'],
      ['list', 'list.md'],
    ] as const)
      assert.deepEqual(await titles(word, ada, '&kind=file'), [title], word)
    assert.deepEqual(await titles('pangolin'), [], 'scripts are no text')
    const [hit] = await hits('okapi')
    assert.deepEqual([hit.kind, hit.entity, hit.title], ['file', 'File', 'notes.txt'])
    assert.match(hit.snippet, /The <mark>okapi<\/mark> sleeps/)
    assert.deepEqual(await titles('okapy'), ['notes.txt'], 'mistyped')
  })

  test('is found by those who see the record that owns the file, while it exists', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const item = await ada.post('/item', { title: 'Hidden', containerId: vault.id })
    const owner = { owner: String(ownerKind.item), ownerId: item.id }
    const { id } = await upload('secret.txt', 'The quagga lives.', owner)
    await running.settle()
    assert.deepEqual(await titles('quagga'), ['secret.txt'])
    assert.deepEqual(await titles('quagga', ada, `&container=${vault.id}`), ['secret.txt'])
    const [hit] = await hits('quagga')
    assert.equal(hit.container.id, vault.id)
    for (const other of [bob, eve]) assert.deepEqual(await titles('quagga', other), [])
    const { headers } = await ada.ask('PUT', `/file/${id}`, { body: { name: 'numbat.txt' } })
    assert.deepEqual(
      [await titles('numbat'), await titles('secret'), await titles('quagga')],
      [['numbat.txt'], [], ['numbat.txt']],
    )
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.deepEqual([await titles('numbat'), await titles('secret')], [[], ['secret.txt']])
    await ada.delete(`/file/${id}`)
    assert.deepEqual(await titles('quagga'), [])
  })

  test('is cut, and empty where the bytes are damaged', async () => {
    const text = extractorOf({ mime: 'text/plain', size: 1e9 })
    assert.ok(text)
    assert.equal((await extractText(text, Buffer.from(`${'x'.repeat(99_999)}😀`))).length, 100_000)
    assert.equal(await extractText(text, Buffer.from('a\0b€').subarray(0, 5)), 'a b')
    const word = extractorOf({ mime: wordType, size: 1000 })
    assert.ok(word)
    assert.equal(await extractText(word, Buffer.from('PK\x03\x04 nonsense')), '')
    assert.equal(await extractText(word, Buffer.from(zipSync({ 'other.xml': strToU8('x') }))), '')
    const bomb = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(33 * 1024 * 1024) }, { level: 1 }))
    assert.equal(await extractText(word, bomb), '', 'unpacked it would be 33 MiB')
    // The size that the archive declares is no promise: unpacking stops there.
    const lying = Buffer.from(bomb)
    const central = lying.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
    lying.writeUInt32LE(1000, central + 24)
    assert.ok((await extractText(word, lying)).length <= 1000)
    assert.equal(extractorOf({ mime: wordType, size: 21 * 1024 * 1024 }), undefined)
    assert.equal(extractorOf({ mime: 'image/png', size: 10 }), undefined)
    assert.equal(extractorOf({ mime: 'text/plain', size: 0 }), undefined)
  })

  test('of a PDF is that of its pages', async () => {
    const pdf = extractorOf({ mime: 'application/pdf', size: 1000 })
    assert.ok(pdf)
    const good = await pdfOf('Two pages', `<p>first</p>${'<p>more</p>'.repeat(80)}<p>ﬁnal €</p>`, undefined)
    assert.match(await extractText(pdf, good), /^Two pages\nfirst\nmore.*final €$/s)
    assert.equal(await extractText(pdf, good.subarray(0, 300)), '', 'cut')
    assert.equal(await extractText(pdf, Buffer.from('%PDF-1.7 nonsense')), '')
    assert.equal(extractorOf({ mime: 'application/pdf', size: 21 * 1024 * 1024 }), undefined)
  })

  test('is found by its own tenant only', async () => {
    await upload('theirs.txt', 'The okapi of another tenant.', {}, eve)
    await running.settle()
    assert.deepEqual(await titles('okapi', eve), ['theirs.txt'])
    assert.deepEqual(await titles('okapi'), ['notes.txt'])
  })
})
