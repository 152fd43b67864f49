import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { say } from '../messages.ts'

/** Something that can be chosen. */
export interface FinderChoice {
  id: string
  text: string
  icon?: ReactNode
}

const shownAtMost = 50

/** A list that is narrowed by typing. */
export function Finder({
  label,
  placeholder = say.find,
  choices,
  onPick,
  onText,
  mark,
}: {
  label: string
  placeholder?: string
  choices: readonly FinderChoice[]
  onPick: (id: string) => void
  /** If given, the caller finds the choices for the text. */
  onText?: (text: string) => void
  mark?: (id: string) => ReactNode
}) {
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const fitting = onText ? choices : choices.filter(choice => choice.text.toLowerCase().includes(needle))
  return (
    <Command shouldFilter={false} label={label}>
      <Command.Input
        autoFocus
        className="finder-input"
        placeholder={placeholder}
        value={text}
        onValueChange={next => {
          setText(next)
          onText?.(next)
        }}
      />
      <Command.List label={label}>
        {fitting.slice(0, shownAtMost).map(({ id, text: name, icon }) => (
          <Command.Item key={id || 'none'} value={id || 'none'} className="it" onSelect={() => onPick(id)}>
            {icon}
            <bdi className="grow cut">{name}</bdi>
            {mark?.(id)}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
