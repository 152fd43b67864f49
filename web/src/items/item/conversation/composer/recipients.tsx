import type { Item, Ticket } from '@gantry/sdk'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useUsers } from '../../../catalogue.ts'
import { Unproven } from '../../requester.tsx'
import { say } from '../messages.ts'

interface RecipientsProps {
  item: Item
  ticket: Ticket | undefined
  copies: readonly string[]
  onCopies: (addresses: string[]) => void
}

/** Who gets a reply: the requester, and those in copy. */
export function Recipients({ item, ticket, copies, onCopies }: RecipientsProps) {
  const user = useUsers().get(item.requesterId ?? '')
  const given = item.requesterId ? undefined : ticket?.requester
  const name = user?.name || given?.name || given?.email
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="composer-to">
      {name && (
        <>
          {say.to}{' '}
          <span className="pill" title={user?.email ?? given?.email}>
            <bdi>{name}</bdi>
          </span>
          {given?.unproven && <Unproven />}
        </>
      )}
      {isOpen || copies.length > 0 ? (
        <Copies copies={copies} onCopies={onCopies} isAsked={isOpen} />
      ) : (
        <>
          <span className="grow" />
          <button type="button" className="link" onClick={() => setOpen(true)}>
            {say.cc}
          </button>
        </>
      )}
    </div>
  )
}

/** Addresses as they are typed: `Enter`, a comma or leaving the field adds one, `Backspace` removes the last. */
function Copies({ copies, onCopies, isAsked }: Omit<RecipientsProps, 'item' | 'ticket'> & { isAsked: boolean }) {
  const users = useUsers()
  const [text, setText] = useState('')
  const add = () => {
    const typed = text.split(/[\s,;]+/).filter(each => each !== '')
    if (typed.length > 0) onCopies([...new Set([...copies, ...typed])])
    setText('')
  }
  return (
    <>
      {say.cc}
      {copies.map(address => (
        <span key={address} className="pill">
          <bdi>{address}</bdi>
          <button
            type="button"
            className="pill-x"
            aria-label={say.removeCopy(address)}
            onClick={() => onCopies(copies.filter(each => each !== address))}
          >
            <X className="ic ic-s" />
          </button>
        </span>
      ))}
      <input
        className="cc-input grow"
        aria-label={say.cc}
        // biome-ignore lint/a11y/noAutofocus: somebody asked for the field
        autoFocus={isAsked}
        inputMode="email"
        autoComplete="off"
        list="cc-people"
        value={text}
        onChange={event => setText(event.target.value)}
        onBlur={add}
        onKeyDown={event => {
          if (event.key === 'Backspace' && text === '') onCopies(copies.slice(0, -1))
          if (!(event.key === 'Enter' || event.key === ',' || event.key === ';') || text === '') return
          event.preventDefault()
          add()
        }}
      />
      <datalist id="cc-people">
        {[...users.values()].map(({ id, name, email }) => (
          <option key={id} value={email}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
