import { parentPort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import type { ThreadResult } from '../../../platform/limited-thread.ts'

// The entry point of the worker thread that reads the text of a PDF.

export interface PdfInput {
  bytes: Uint8Array
  maxCharacters: number
}

/** The text of the pages, in the order of the file, up to so many characters. */
async function textOf({ bytes, maxCharacters }: PdfInput): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  let text = ''
  for (let number = 1; number <= document.numPages && text.length < maxCharacters; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) text += `${item.str}${item.hasEOL ? '\n' : ''}`
    text += '\n'
    page.cleanup()
  }
  return text.trim()
}

const result: ThreadResult<string> = await textOf(workerData).then(
  found => ({ found }),
  error => ({ fault: error instanceof Error ? error.message : String(error) }),
)
parentPort?.postMessage(result)
