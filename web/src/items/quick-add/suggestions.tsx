import type { ReactNode } from 'react'
import { dayOf } from '../../kernel/dates/day-input.ts'
import { dayText } from '../../kernel/dates/days.ts'
import { durationOf, durationText } from '../../kernel/dates/durations.ts'
import { PriorityIcon } from '../../kit/icons.tsx'
import { Avatar } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { barsOf, priorityName } from '../properties/core-properties.tsx'
import { type Token, type Vocabulary, written } from './tokens.ts'

export interface Suggestion {
  /** What is written into the line. */
  text: string
  label: string
  icon?: ReactNode
  hint?: string
}

const most = 6

/** What the token under the caret can become. */
export function suggestionsOf(token: Token | undefined, known: Vocabulary, labels: readonly string[]): Suggestion[] {
  if (!token) return []
  const fits = (name: string) => name.toLowerCase().includes(token.word.toLowerCase())
  const { sign, word } = token
  if (sign === '@')
    return known.people
      .filter(({ name }) => fits(name))
      .slice(0, most)
      .map(({ id, name }) => ({ text: written(sign, name), label: name, icon: <Avatar id={id} name={name} /> }))
  if (sign === '#')
    return labels
      .filter(fits)
      .slice(0, most)
      .map(name => ({ text: written(sign, name), label: `#${name}` }))
  if (sign === '!')
    return known.priorities
      .filter(({ names }) => names.some(fits))
      .map(({ value }) => ({
        text: written(sign, priorityName(value)),
        label: priorityName(value),
        icon: <PriorityIcon level={barsOf(value)} label="" />,
      }))
  if (sign === '/')
    return known.containers
      .filter(({ name, key }) => fits(name) || fits(key))
      .slice(0, most)
      .map(({ name, key }) => ({ text: written(sign, key), label: name, hint: key }))
  return sign === '^' ? days(word, known.today) : durations(word)
}

function days(word: string, today: string): Suggestion[] {
  const typed = dayOf(word, today)
  const offered = word === '' ? [say.today.toLowerCase(), say.tomorrow, '+1w', '+2w'] : typed ? [word] : []
  return offered.flatMap(text => {
    const day = dayOf(text, today)
    return day ? [{ text: written('^', text), label: text, hint: dayText(day, today) }] : []
  })
}

function durations(word: string): Suggestion[] {
  const offered = word === '' ? ['30m', '1h', '2h', '4h'] : [word]
  return offered.flatMap(text => {
    const minutes = durationOf(text)
    return minutes ? [{ text: written('~', text), label: text, hint: durationText(minutes) }] : []
  })
}

interface ListProps {
  id: string
  suggestions: readonly Suggestion[]
  current: number
  onPick: (suggestion: Suggestion) => void
}

export function SuggestionList({ id, suggestions, current, onPick }: ListProps) {
  return (
    <div id={id} role="listbox" className="quick-suggestions" aria-label={say.suggestions}>
      {suggestions.map((suggestion, at) => (
        <div
          key={suggestion.text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === current}
          className={`it ${at === current ? 'is-on' : ''}`}
          // The line keeps the focus.
          onMouseDown={event => {
            event.preventDefault()
            onPick(suggestion)
          }}
        >
          {suggestion.icon}
          <bdi className="grow cut">{suggestion.label}</bdi>
          {suggestion.hint && <span className="meta">{suggestion.hint}</span>}
        </div>
      ))}
    </div>
  )
}
