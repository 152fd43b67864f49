import type { Editor, JSONContent } from '@tiptap/core'

/** An empty text. Content in another form than this would be read as HTML, which the content policy refuses. */
export const nothing = { type: 'doc', content: [{ type: 'paragraph' }] }

let isStrict = false

/** Gives an editor a text to begin with, which undo does not take away. */
export function setMarkdown(editor: Editor, text: string): void {
  const content = parsed(editor, text)
  if (!content) return
  editor.chain().setMeta('addToHistory', false).setContent(content, { emitUpdate: false }).run()
}

/** Inserts a text where the caret is. */
export function insertMarkdown(editor: Editor, text: string): void {
  const content = parsed(editor, text)?.content
  if (content) editor.chain().focus().insertContent(content).run()
}

/** HTML in a text stays text, as it is for the service. */
function parsed({ markdown }: Editor, text: string): JSONContent | undefined {
  if (!markdown || text.trim() === '') return undefined
  // The parser is one for all editors.
  if (!isStrict) markdown.instance.use({ tokenizer: { html: () => undefined, tag: () => undefined } })
  isStrict = true
  const content = markdown.parse(text)
  return content.content?.length ? content : undefined
}
