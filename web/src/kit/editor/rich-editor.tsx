import { Editor } from '@tiptap/core'
import DOMPurify from 'dompurify'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { EditorProps } from './editor-props.ts'
import { extensionsOf, mentionsIn } from './extensions.ts'
import { nothing, setMarkdown } from './markdown.ts'
import { SuggestionMenu, useSuggestions } from './suggestion-menu.tsx'

interface Props extends EditorProps {
  /** Whether the focus was in the plain field that stood here before; undefined without one. */
  hadFocus: RefObject<boolean | undefined>
}

/** The editor itself; `Editor` loads it when it is first needed. */
export default function RichEditor({ hadFocus, ...props }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const now = useRef(props)
  now.current = props
  const { menu, render, isOpen } = useSuggestions()
  const isMenuOpen = useRef(isOpen)
  isMenuOpen.current = isOpen
  // Before the next key, which would otherwise be a command of the page.
  useLayoutEffect(() => {
    const { text: first, texts, autoFocus, label } = now.current
    const editor = new Editor({
      element: place.current,
      injectCSS: false, // the content policy refuses styles in the page
      content: nothing,
      extensions: extensionsOf({
        texts,
        findPeople: text => now.current.findPeople(text),
        findSnippets: text => now.current.findSnippets?.(text) ?? [],
        render,
        onSend: () => now.current.onSend?.(),
      }),
      editorProps: {
        attributes: {
          class: 'rich prose',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          dir: 'auto',
        },
        transformPastedHTML: html => DOMPurify.sanitize(html, cleaned),
        handlePaste: (_, event) => take(event.clipboardData?.files),
        handleDrop: (_, event) => {
          const taken = take(event.dataTransfer?.files)
          if (taken) event.preventDefault()
          return taken
        },
        handleKeyDown: (_, event) => {
          if (event.key !== 'Escape' || isMenuOpen.current()) return false
          event.stopPropagation()
          now.current.onEscape?.()
          return true
        },
      },
      onUpdate: () => {
        markEmpty(editor, now.current.placeholder)
        now.current.onText(editor.isEmpty ? '' : editor.getMarkdown().trim(), mentionsIn(editor))
      },
      onBlur: () => now.current.onLeave?.(),
    })
    const take = (files: FileList | undefined): boolean => {
      const { upload } = now.current
      if (!upload || !files || files.length === 0) return false
      for (const file of files) void upload(file).then(uploaded => uploaded && insertUploaded(editor, uploaded))
      return true
    }
    setMarkdown(editor, first)
    markEmpty(editor, now.current.placeholder)
    if (hadFocus.current ?? autoFocus) focusAtEnd(editor)
    return () => editor.destroy()
  }, [render, hadFocus])
  return (
    <>
      <div ref={place} />
      <SuggestionMenu menu={menu} />
    </>
  )
}

const cleaned = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ['style', 'form', 'input', 'button'],
  FORBID_ATTR: ['style', 'class', 'id'],
}

/** A picture is shown in the text; other files are linked. */
function insertUploaded(
  editor: Editor,
  { address, name, isPicture }: { address: string; name: string; isPicture: boolean },
): void {
  const content = isPicture
    ? { type: 'image', attrs: { src: address, alt: name } }
    : { type: 'text', text: name, marks: [{ type: 'link', attrs: { href: address } }] }
  editor
    .chain()
    .focus()
    .insertContent([content, { type: 'text', text: ' ' }])
    .run()
}

/** The editor's own command waits for a timer and a frame. */
function focusAtEnd({ commands, state, view }: Editor): void {
  commands.setTextSelection(state.doc.content.size)
  view.focus()
  commands.scrollIntoView()
}

/** The stylesheet shows the placeholder: it needs to know when there is no text. */
function markEmpty({ view, isEmpty }: Editor, placeholder: string): void {
  view.dom.classList.toggle('is-empty', isEmpty)
  view.dom.dataset.placeholder = placeholder
}
