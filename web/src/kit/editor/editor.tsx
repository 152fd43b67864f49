import { lazy, type RefObject, Suspense, useRef } from 'react'
import type { EditorProps } from './editor-props.ts'

const RichEditor = lazy(() => import('./rich-editor.tsx'))

/** A text with formatting, as Markdown. While its code is loaded, people type into a plain field and lose nothing. */
export function Editor(props: EditorProps) {
  const hasFocus = useRef<boolean>(undefined)
  return (
    <Suspense fallback={<PlainEditor {...props} hasFocus={hasFocus} />}>
      <RichEditor {...props} hadFocus={hasFocus} />
    </Suspense>
  )
}

interface PlainProps extends EditorProps {
  hasFocus: RefObject<boolean | undefined>
}

function PlainEditor(props: PlainProps) {
  const { label, placeholder, text, autoFocus, onText, onSend, onEscape, onLeave, hasFocus } = props
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
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={() => {
        hasFocus.current = false
        onLeave?.()
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend?.()
        else if (event.key === 'Escape') {
          event.stopPropagation()
          onEscape?.()
        }
      }}
    />
  )
}
