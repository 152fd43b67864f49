import { strToU8, Zip, ZipDeflate } from 'fflate'
import { cellText, type Row } from './csv.ts'

// A workbook with one sheet, written as it is read: texts are in the cells themselves, so that nothing has to be known before.

/** Writes rows as a workbook of Excel. Without columns, those of the first rows are the columns of the sheet. */
export async function* xlsx(
  batches: AsyncIterable<readonly Row[]>,
  columnsOf: (rows: readonly Row[]) => readonly string[],
  columns?: readonly string[],
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  for (const [name, text] of Object.entries(fixedParts)) addPart(zip, name).push(strToU8(head + text), true)
  const sheet = addPart(zip, 'xl/worksheets/sheet1.xml')
  sheet.push(strToU8(`${head}<worksheet xmlns="${main}"><sheetData>${columns ? rowXml(columns) : ''}`))
  let names = columns
  let written = 1
  for await (const rows of batches) {
    const own = names ?? columnsOf(rows)
    written += rows.length
    // The answer has begun, so it breaks off: the client gets no file rather than a part of one.
    if (written > maxRows) throw new Error(`a sheet has at most ${maxRows} rows`)
    if (!names) sheet.push(strToU8(rowXml(own)))
    names = own
    sheet.push(strToU8(rows.map(row => rowXml(own.map(name => row[name]))).join('')))
    yield* ready.splice(0)
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  zip.end()
  yield* ready.splice(0)
}

function addPart(zip: Zip, name: string): ZipDeflate {
  const part = new ZipDeflate(name, { level: 6 })
  zip.add(part)
  return part
}

function rowXml(values: readonly unknown[]): string {
  return `<row>${values.map(cellXml).join('')}</row>`
}

/** Numbers and truth values keep their type; a text is never a formula, but is disarmed like in CSV for those who copy it. */
function cellXml(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const text = cellText(value)
  return text === ''
    ? '<c/>'
    : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, maxText))}</t></is></c>`
}

/** The maximum of rows in a sheet. */
const maxRows = 1_048_576

/** The maximum of characters in a cell. */
const maxText = 32_767

function escaped(text: string): string {
  return [...text].filter(isInXml).join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** XML cannot hold control characters, not even escaped. */
const isInXml = (character: string) =>
  character >= ' ' ? character < '\ufffe' || character > '\uffff' : /[\t\r\n]/.test(character)

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixedParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Export" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
