import { call, type OwnWatch } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { Avatar } from '../../kit/kit.tsx'
import { useUsers } from '../catalogue.ts'
import { readWithItem } from './frame/open-item.ts'
import { say } from './messages.ts'

/** Whether this person watches the item; who else does, when the menu is open. */
export function Watchers({ itemId }: { itemId: string }) {
  const client = useQueryClient()
  const users = useUsers()
  const [open, setOpen] = useState(false)
  const path = { id: itemId }
  const { data: own } = useQuery({
    ...readWithItem,
    queryKey: ['watch', itemId],
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/watch', { path, signal }),
  })
  const { data: watchers = [] } = useQuery({
    queryKey: ['watchers', itemId],
    enabled: open,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/watchers', { path, signal }),
  })
  const isWatching = own?.watching === true
  const toggle = async () => {
    const show = (watching: boolean) =>
      client.setQueryData<OwnWatch>(['watch', itemId], now => now && { ...now, watching })
    show(!isWatching)
    const isDone = await attempt(() =>
      isWatching
        ? call(gantry, 'DELETE /item/{id}/watch', { path })
        : call(gantry, 'PUT /item/{id}/watch', { path, body: {} }),
    )
    if (!isDone) show(isWatching)
    await Promise.all(['watch', 'watchers'].map(part => client.invalidateQueries({ queryKey: [part, itemId] })))
  }
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger
        className="btn btn-ghost btn-icon"
        aria-label={isWatching ? say.youWatch : say.youDoNotWatch}
      >
        {isWatching ? <Eye className="ic" /> : <EyeOff className="ic" />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end">
          <DropdownMenu.Item className="it" onSelect={() => void toggle()}>
            {isWatching ? say.unwatch : say.watch}
          </DropdownMenu.Item>
          {watchers.length > 0 && <DropdownMenu.Separator className="line" />}
          {watchers.map(({ id, userId, name, email }) => (
            <DropdownMenu.Label key={id || userId || email} className="it">
              <Avatar id={userId || id} name={users.get(userId)?.name ?? name ?? email} />
              <bdi>{users.get(userId)?.name ?? (name || email)}</bdi>
            </DropdownMenu.Label>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
