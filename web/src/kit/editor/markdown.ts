import type { Editor } from '@tiptap/core'

/** An empty text. Content in another form than this would be read as HTML, which the content policy refuses. */
export const nothing = { type: 'doc', content: [{ type: 'paragraph' }] }

let isStrict = false

/** Gives an editor a text to begin with, which undo does not take away. HTML in it stays text, as it is for the service. */
export function setMarkdown(editor: Editor, text: string): void {
  const { markdown } = editor
  if (!markdown || text.trim() === '') return
  // The parser is one for all editors.
  if (!isStrict) markdown.instance.use({ tokenizer: { html: () => undefined, tag: () => undefined } })
  isStrict = true
  const content = markdown.parse(text)
  if (!content.content?.length) return
  editor.chain().setMeta('addToHistory', false).setContent(content, { emitUpdate: false }).run()
}
