import { call, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleDot, Copy, ExternalLink, SquareArrowOutUpRight, UserRound } from 'lucide-react'
import { shapeOf } from '../../items/catalogue.ts'
import { changeItem } from '../../items/change-item.ts'
import { gantry } from '../../kernel/data/client.ts'
import { put } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { notify } from '../../kernel/data/undo.ts'
import { textOf } from '../../kernel/problems/in-words.ts'
import { StatusIcon } from '../../kit/icons.tsx'
import { say } from '../messages.ts'
import { ranked } from './rank.ts'
import type { Row } from './row.ts'

/** What `Tab` offers for an item: to open it, to pass it on, to take it, to move it on. */
export function useHitActions(target: Row['item'], needle: string): Row[] {
  const navigate = useNavigate()
  const { user } = useSession()
  const transitions = useTransitions(target)
  if (!target) return []
  const { id, key = id } = target
  const address = `${location.origin}/item/${encodeURIComponent(key)}`
  const action = (name: string, title: string, icon: Row['icon'], run: Row['run']): Row => ({
    id: `action ${name}`,
    group: 'actions',
    title,
    icon,
    run,
  })
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    notify(say.copied(key))
  }
  const rows = [
    action('open', say.open, <SquareArrowOutUpRight className="ic" />, () => {
      void navigate({ to: '/item/$key', params: { key } })
    }),
    action('tab', say.openTab, <ExternalLink className="ic" />, () => {
      window.open(address, '_blank', 'noopener')
    }),
    action('copy', say.copyLink, <Copy className="ic" />, copy),
    action('mine', say.assignMe, <UserRound className="ic" />, async () => {
      const item = await read(id)
      await changeItem(id, { assignees: [...new Set([user.id, ...(item.assignees ?? [])])] }, say.assigned(key))
    }),
    ...transitions.map(({ to, name, category, allowed, reasons }) => ({
      ...action(
        `status ${to}`,
        say.statusTo(name || to),
        category === undefined ? <CircleDot className="ic" /> : <StatusIcon shape={shapeOf(category)} label="" />,
        async () => {
          await read(id)
          await changeItem(id, { status: to }, `${key}: ${name || to}`)
        },
      ),
      ...(allowed ? {} : { why: reasons[0] ? textOf(reasons[0].code, reasons[0].message) : say.refused }),
    })),
  ]
  return ranked(needle, rows, ({ title }) => title, rows.length)
}

/** A change is made on the version that the person has seen. */
async function read(id: string): Promise<Item> {
  const item = await call(gantry, 'GET /item/{id}', { path: { id } })
  put(item)
  return item
}

function useTransitions(target: Row['item']) {
  const { data = [] } = useQuery({
    queryKey: ['transitions', target?.id],
    enabled: target !== undefined,
    staleTime: 0,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/transitions', { path: { id: target?.id ?? '' }, signal }),
  })
  return data.filter(({ fieldId }) => fieldId === 'status')
}
