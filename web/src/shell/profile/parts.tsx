import { type ReactNode, useState } from 'react'
import { Copyable } from '../../kit/copyable.tsx'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'

interface SectProps {
  title: string
  note?: string
  action?: ReactNode
  children?: ReactNode
}

/** A part of the profile. */
export function Sect({ title, note, action, children }: SectProps) {
  return (
    <section className="sect" aria-label={title}>
      <div className="sect-h">
        <h2>{title}</h2>
        {note && <span className="meta">{note}</span>}
        <span className="grow" />
        {action}
      </div>
      {children}
    </section>
  )
}

interface AskProps {
  label: string
  type?: 'text' | 'password'
  /** Whether nothing is an answer. */
  optional?: boolean
  onDone: (value: string) => void
  onCancel: () => void
}

/** One question, in its place. */
export function Ask({ label, type = 'text', optional = false, onDone, onCancel }: AskProps) {
  const [value, setValue] = useState('')
  return (
    <form
      className="ask"
      onSubmit={event => {
        event.preventDefault()
        if (optional || value.trim() !== '') onDone(value.trim())
      }}
      onKeyDown={event => event.key === 'Escape' && onCancel()}
    >
      <label className="field grow">
        <span className="label">{label}</span>
        <input
          className="input"
          type={type}
          value={value}
          ref={focusOnce}
          autoComplete={type === 'password' ? 'current-password' : 'off'}
          onChange={event => setValue(event.target.value)}
        />
      </label>
      <Button look="primary" type="submit">
        {say.goOn}
      </Button>
      <Button look="ghost" onClick={onCancel}>
        {say.cancel}
      </Button>
    </form>
  )
}

const focusOnce = (element: HTMLInputElement | null) => element?.focus()

/** A secret that is shown once. */
export function Once({ title, secret, onDone }: { title: string; secret: string; onDone: () => void }) {
  return (
    <div className="once" role="status">
      <strong>
        <bdi>{title}</bdi>
      </strong>
      <Copyable text={secret} label={say.copy} done={say.copied} />
      <div className="hstack">
        <span className="meta grow">{say.once}</span>
        <Button look="ghost" onClick={onDone}>
          {say.haveIt}
        </Button>
      </div>
    </div>
  )
}
