import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import { RuleBroken } from '../../kernel/refusal.ts'
import { type Block, htmlBlocks, type Run } from './html-blocks.ts'
import { latin } from './latin.ts'

declare module '../../kernel/context.ts' {
  interface Services {
    /** The path of a TrueType font for PDF files, if the operator has named one. */
    pdfFont: string | undefined
  }
}

/** About a hundred pages. Setting the type of a longer text would take seconds. */
const maxText = 300_000

/** Makes a PDF of sanitised HTML. Links lead to web and mail addresses only, which are all that the sanitiser leaves. */
export async function pdfOf(name: string, html: string, font: string | undefined): Promise<Buffer> {
  const blocks = htmlBlocks(html)
  const length = blocks.reduce((sum, { runs }) => sum + runs.reduce((part, { text }) => part + text.length, 0), 0)
  if (length > maxText)
    throw new RuleBroken('too-long', `a document of more than ${maxText} characters is exported as Markdown or HTML`)
  const { default: Pdf } = await import('pdfkit') // loaded at its first use, because few processes need it
  const pdf = new Pdf({ size: 'A4', margin: 56, info: { Title: name }, lang: 'en', displayTitle: true })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(pdf, 'end')
  const page = new Page(pdf, font)
  page.write({ kind: 'heading', level: 1, runs: [plain(name)] })
  for (const block of blocks) {
    page.write(block)
    await setImmediate() // others need not wait until the whole text is set
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

const plain = (text: string): Run => ({ text, bold: false, italic: false, code: false, link: '' })

const sizes = [10, 18, 15, 13, 11, 10, 10]
/** A run is set in pieces, because setting one takes longer than linear time. */
const maxPiece = 2000

/** Sets blocks one below the other. */
class Page {
  private readonly pdf: typeof PDFDocument.prototype
  private readonly font: string | undefined

  constructor(pdf: typeof PDFDocument.prototype, font: string | undefined) {
    this.pdf = pdf
    this.font = font
  }

  write({ kind, level, runs }: Block): void {
    const { pdf } = this
    if (kind === 'rule') {
      pdf
        .moveDown(0.5)
        .moveTo(56, pdf.y)
        .lineTo(pdf.page.width - 56, pdf.y)
        .strokeColor('#cccccc')
        .stroke()
        .moveDown(0.5)
      return
    }
    const indent = (kind === 'item' ? level - 1 : kind === 'heading' ? 0 : level) * 14 + (kind === 'quote' ? 14 : 0)
    pdf.fontSize(kind === 'heading' ? (sizes[level] ?? 10) : 10)
    if (kind === 'heading') pdf.moveDown(0.5)
    pdf.x = 56 + Math.min(indent, 200)
    const pieces = runs.flatMap(inPieces)
    for (const [i, run] of pieces.entries()) this.set(run, kind, i < pieces.length - 1)
    pdf.moveDown(kind === 'row' || kind === 'item' ? 0.15 : 0.6)
  }

  private set(run: Run, kind: Block['kind'], continued: boolean): void {
    const bold = run.bold || kind === 'heading'
    const face = run.code
      ? `Courier${bold ? '-Bold' : ''}`
      : `Helvetica${{ 0: '', 1: '-Bold', 2: '-Oblique', 3: '-BoldOblique' }[(bold ? 1 : 0) + (run.italic ? 2 : 0)]}`
    const text = run.text.replaceAll('\t', '    ')
    const link = /^(https?|mailto|tel):/i.test(run.link) ? run.link : null
    this.pdf
      .font(this.font ?? face)
      .fillColor(link ? '#1a4fa0' : kind === 'quote' ? '#555555' : '#000000')
      .text(this.font ? text : latin(text), {
        continued,
        link,
        underline: link !== null,
        width: this.pdf.page.width - 56 - this.pdf.x,
      })
  }
}

function inPieces(run: Run): Run[] {
  if (run.text.length <= maxPiece) return [run]
  const pieces = run.text.match(new RegExp(`[^]{1,${maxPiece}}`, 'gu')) ?? []
  return pieces.map(text => ({ ...run, text }))
}
