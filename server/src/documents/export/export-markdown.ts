import { plainText } from '../../language/markup.ts'

/** A text and how it is written. */
export interface FormattedText {
  body: string
  format: string
}

/** The text of a document as it was written; of one in HTML the text alone, because its markup is not Markdown. */
export function markdownOf({ body, format }: FormattedText): string {
  return format === 'html' ? plainText(body) : body
}
