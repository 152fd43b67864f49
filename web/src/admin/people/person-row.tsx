import { codes, type User } from '@gantry/sdk'
import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRecord } from '../../kernel/data/records/store.ts'
import { useMay } from '../../kernel/data/session/may.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { updateRecord } from '../../kernel/data/updates.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Avatar, Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { roles, roleText } from './roles.ts'

interface RowProps {
  id: string
  onInvite: (person: User) => void
}

export function PersonRow({ id, onInvite }: RowProps) {
  const person = useRecord<User>('User', id)
  const { user: me } = useSession()
  const mayChange = useMay('user.update') && id !== me.id
  if (!person) return null
  const { name, email, role, active, superAdmin } = person
  return (
    <tr className={active ? '' : 'is-off'}>
      <td>
        <span className="hstack">
          <Avatar id={id} name={name} size="m" />
          <bdi className="cut mid">{name}</bdi>
        </span>
      </td>
      <td className="wide">
        <bdi className="cut">{email}</bdi>
      </td>
      <td>{superAdmin ? say.superAdmin : roleText(role)}</td>
      <td className="meta wide">{seenText(person, me.timezone)}</td>
      <td className="r">{mayChange && <PersonActions person={person} onInvite={() => onInvite(person)} />}</td>
    </tr>
  )
}

function seenText({ active, lastSeen, invitedAt }: User, timezone: string): string {
  if (!active) return say.inactive
  if (lastSeen) return momentText(lastSeen, timezone)
  return invitedAt ? say.never : '–'
}

function PersonActions({ person, onInvite }: { person: User; onInvite: () => void }) {
  const { id, name, active } = person
  const change = (values: Partial<User>, what: string) =>
    updateRecord({ entity: 'User', id, route: 'PATCH /user/{id}', values, text: say.wasSet(name, what) })
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button look="icon" aria-label={say.actions(name)}>
          <Ellipsis className="ic" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end">
          <DropdownMenu.Item className="it" onSelect={onInvite}>
            {say.newLink}
          </DropdownMenu.Item>
          <hr />
          <DropdownMenu.Label className="hd">{say.role}</DropdownMenu.Label>
          {roles.map(each => (
            <DropdownMenu.Item
              key={each}
              className={`it ${codes.role[each] === person.role ? 'is-on' : ''}`}
              onSelect={() => change({ role: codes.role[each] }, roleText(codes.role[each]))}
            >
              {roleText(codes.role[each])}
            </DropdownMenu.Item>
          ))}
          <hr />
          <DropdownMenu.Item
            className="it"
            onSelect={() => change({ active: !active }, active ? say.deactivate : say.activate)}
          >
            {active ? say.deactivate : say.activate}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
