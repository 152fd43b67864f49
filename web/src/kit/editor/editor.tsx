import { lazy, Suspense } from 'react'
import type { EditorProps } from './editor-props.ts'

const RichEditor = lazy(() => import('./rich-editor.tsx'))

/** A text with formatting, as Markdown. While its code is loaded, people type into a plain field and lose nothing. */
export function Editor(props: EditorProps) {
  return (
    <Suspense fallback={<PlainEditor {...props} />}>
      <RichEditor {...props} />
    </Suspense>
  )
}

function PlainEditor({ label, placeholder, text, autoFocus, onText, onSend }: EditorProps) {
  return (
    <textarea
      className="rich rich-plain"
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      // biome-ignore lint/a11y/noAutofocus: the editor opens because somebody asked to write
      autoFocus={autoFocus ?? false}
      value={text}
      onChange={event => onText(event.target.value, [])}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend?.()
      }}
    />
  )
}
