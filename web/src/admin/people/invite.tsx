import { call, codes, type Invitation, type User } from '@gantry/sdk'
import { useState } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { useSubmit } from '../../kernel/data/use-submit.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Copyable } from '../../kit/copyable.tsx'
import { FormDialog, FormField } from '../../kit/form-dialog.tsx'
import { say } from './messages.ts'
import { roles, roleText } from './roles.ts'

interface InviteProps {
  open: boolean
  onClose: () => void
  onInvited: (person: User) => void
}

/** Makes a person, who then gets a link to come in with. */
export function Invite({ open, onClose, onInvited }: InviteProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<number>(codes.role.member)
  const { submit, busy, errorOf, problem } = useSubmit(
    () => {
      const kind = role === codes.role.requester ? codes.userKind.requester : codes.userKind.staff
      return call(gantry, 'POST /user', { body: { name: name.trim(), email: email.trim(), role, kind } }).withResponse()
    },
    person => say.wasInvited(person.name),
    person => {
      setName('')
      setEmail('')
      onInvited(person)
    },
  )
  return (
    <FormDialog
      open={open}
      title={say.invitePerson}
      submit={say.invite}
      cancel={say.cancel}
      busy={busy || name.trim() === '' || email.trim() === ''}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={say.name} error={errorOf('name')}>
        {tied => <input {...tied} className="input" value={name} onChange={event => setName(event.target.value)} />}
      </FormField>
      <FormField label={say.email} error={errorOf('email')}>
        {tied => (
          <input
            {...tied}
            className="input"
            type="email"
            value={email}
            onChange={event => setEmail(event.target.value)}
          />
        )}
      </FormField>
      <FormField label={say.role} error={errorOf('role')}>
        {tied => (
          <select {...tied} className="input" value={role} onChange={event => setRole(Number(event.target.value))}>
            {roles.map(each => (
              <option key={each} value={codes.role[each]}>
                {roleText(codes.role[each])}
              </option>
            ))}
          </select>
        )}
      </FormField>
    </FormDialog>
  )
}

/** The link of somebody who was invited, to be passed on: it works without a mail server. */
export function InvitationLink({
  person,
  onClose,
}: {
  person: User & { invitation: Invitation }
  onClose: () => void
}) {
  const { user } = useSession()
  const { url, expiresAt } = person.invitation
  return (
    <FormDialog
      open
      title={say.linkTitle(person.name)}
      submit={say.done}
      cancel={say.cancel}
      onSubmit={onClose}
      onClose={onClose}
    >
      <Copyable text={url} label={say.copy} done={say.copied} />
      <p className="hint">{say.linkHint(momentText(expiresAt, user.timezone))}</p>
    </FormDialog>
  )
}
