import { call, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { gantry } from '../../../../kernel/data/client.ts'
import { useUsers } from '../../../catalogue.ts'
import { say } from '../messages.ts'

/** Those in copy of a ticket: they get each reply, unless it names others. */
export const useTicketCopies = (itemId: string, isTicket: boolean): readonly string[] =>
  useQuery({
    queryKey: ['ticket-cc', itemId],
    enabled: isTicket,
    queryFn: async ({ signal }) => (await call(gantry, 'GET /ticket/{id}', { path: { id: itemId }, signal })).cc,
  }).data ?? []

interface RecipientsProps {
  item: Item
  copies: readonly string[]
  onCopies: (addresses: string[]) => void
}

/** Who gets a reply: the requester, and those in copy. */
export function Recipients({ item, copies, onCopies }: RecipientsProps) {
  const requester = useUsers().get(item.requesterId ?? '')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="composer-to">
      {requester && (
        <>
          {say.to}{' '}
          <span className="pill" title={requester.email}>
            <bdi>{requester.name}</bdi>
          </span>
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
function Copies({ copies, onCopies, isAsked }: Omit<RecipientsProps, 'item'> & { isAsked: boolean }) {
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
