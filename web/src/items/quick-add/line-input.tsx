import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { say } from '../messages.ts'
import { type Suggestion, SuggestionList, suggestionsOf } from './suggestions.tsx'
import { replaced, tokenAt, type Vocabulary } from './tokens.ts'
import { useLabelNames } from './vocabulary.ts'

interface LineProps {
  text: string
  onText: (text: string) => void
  known: Vocabulary
  onEnter: (event: KeyboardEvent) => void
}

/** The line itself. While a token is typed, what it can become is offered below; `Tab` takes it. */
export function LineInput({ text, onText, known, onEnter }: LineProps) {
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(0)
  const [current, setCurrent] = useState(0)
  const [moved, setMoved] = useState(false)
  const listId = useId()
  const labels = useLabelNames()
  const token = tokenAt(text, caret)
  const suggestions = suggestionsOf(token, known, labels)
  const isOpen = suggestions.length > 0
  const follow = () => {
    setCaret(input.current?.selectionStart ?? text.length)
    setCurrent(0)
    setMoved(false)
  }
  const pick = ({ text: chosen }: Suggestion) => {
    if (!token) return
    const next = replaced(text, token, chosen)
    // At once: the new text moves the caret to the end, and the next key may be here before a frame.
    flushSync(() => {
      onText(next.text)
      setCaret(next.caret)
      setMoved(false)
    })
    input.current?.setSelectionRange(next.caret, next.caret)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = suggestions[current]
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setMoved(true)
      setCurrent((current + (event.key === 'ArrowDown' ? 1 : suggestions.length - 1)) % suggestions.length)
    } else if (isOpen && at && ((event.key === 'Tab' && !event.shiftKey) || (event.key === 'Enter' && moved))) {
      event.preventDefault()
      pick(at)
    } else if (event.key === 'Enter') onEnter(event)
  }
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label={say.title}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${listId}-${current}` : undefined}
        autoComplete="off"
        placeholder={say.newTitle}
        value={text}
        onChange={event => {
          onText(event.target.value)
          setCaret(event.target.selectionStart ?? event.target.value.length)
          setCurrent(0)
          setMoved(false)
        }}
        onSelect={() => input.current?.selectionStart !== caret && follow()}
        onKeyDown={onKeyDown}
      />
      {isOpen && <SuggestionList id={listId} suggestions={suggestions} current={current} onPick={pick} />}
    </>
  )
}
