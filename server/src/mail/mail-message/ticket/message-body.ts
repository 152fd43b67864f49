import { cleanHtml, plainText } from '../../../language/markup.ts'
import { storable } from '../../address.ts'
import { htmlPolicy } from '../../mail-general.ts'

interface MessageBody {
  body: string
  format: 'html' | 'text'
  plain: string
}

const longest = 100_000

/** Returns the text of a message without the quotation below our reply marker. HTML is sanitized before it is stored. */
export function messageBody(
  { text, html }: { text: string; html: string },
  { replyMarker, htmlPolicy: policy }: { replyMarker: string; htmlPolicy: number },
): MessageBody {
  const clean = html === '' ? '' : cleanHtml(cutAt(html, replyMarker))
  const plain = storable(cutAt(text, replyMarker) || plainText(clean)).trim()
  if (clean === '' || policy === htmlPolicy.textOnly || plainText(clean) === '') {
    const body = plain.slice(0, longest).toWellFormed() || '(no text)'
    return { body, format: 'text', plain }
  }
  // HTML that was truncated is sanitized again, which closes its open elements.
  return {
    body: storable(clean.length > longest ? cleanHtml(clean.slice(0, longest - 2000)) : clean),
    format: 'html',
    plain,
  }
}

function cutAt(text: string, marker: string): string {
  const at = marker === '' ? -1 : text.indexOf(marker)
  // A marker in the first line means that the answer was written below it.
  return at > 0 && text.slice(0, at).trim() !== '' ? text.slice(0, at) : text
}
