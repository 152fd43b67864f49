import { call, type Item } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, SmilePlus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { attempt } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { useSession } from '../../../kernel/data/session/session.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { useUsers } from '../../catalogue.ts'
import { say } from './messages.ts'
import type { Message } from './thread.ts'

const offered = ['👍', '❤️', '🎉', '👀', '😄']

/** Adds one's reaction, or takes it back. */
function useReact({ id, itemId, reactions }: Message): (emoji: string) => Promise<void> {
  const { user } = useSession()
  const client = useQueryClient()
  return async emoji => {
    const path = { id, emoji }
    const isGiven = reactions[emoji]?.includes(user.id)
    await attempt(() => call(gantry, `${isGiven ? 'DELETE' : 'PUT'} /annotation/{id}/reaction/{emoji}`, { path }))
    await client.invalidateQueries({ queryKey: ['conversation', itemId] })
  }
}

export function MessageMenu({ item, message, onEdit }: { item: Item; message: Message; onEdit: () => void }) {
  const { user } = useSession()
  const client = useQueryClient()
  const react = useReact(message)
  const remove = async () => {
    await attempt(async () => {
      const path = { id: message.id }
      const { changeSet } = await call(gantry, 'DELETE /annotation/{id}', { path }).withResponse()
      remember(changeSet, say.messageDeleted)
    })
    await client.invalidateQueries({ queryKey: ['conversation', item.id] })
  }
  return (
    <span className="msg-acts hstack">
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="btn btn-ghost btn-icon" aria-label={say.react}>
          <SmilePlus className="ic" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu emojis" align="end">
            {offered.map(emoji => (
              <DropdownMenu.Item key={emoji} className="it" onSelect={() => void react(emoji)}>
                {emoji}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {message.authorId === user.id && (
        <DropdownMenu.Root>
          <DropdownMenu.Trigger className="btn btn-ghost btn-icon" aria-label={say.more}>
            <Ellipsis className="ic" />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu" align="end">
              <DropdownMenu.Item className="it" onSelect={onEdit}>
                {say.edit}
              </DropdownMenu.Item>
              <DropdownMenu.Item className="it" onSelect={() => void remove()}>
                {say.delete}
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
    </span>
  )
}

export function Reactions({ message }: { message: Message }) {
  const users = useUsers()
  const { user } = useSession()
  const react = useReact(message)
  const given = Object.entries(message.reactions).filter(([, ids]) => ids.length > 0)
  if (given.length === 0) return null
  return (
    <div className="hstack reactions">
      {given.map(([emoji, ids]) => (
        <button
          key={emoji}
          type="button"
          className="pill"
          aria-pressed={ids.includes(user.id)}
          title={ids.map(id => users.get(id)?.name ?? '').join(', ')}
          onClick={() => void react(emoji)}
        >
          {emoji} {ids.length}
        </button>
      ))}
    </div>
  )
}
