import { call, codes, type Hit } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Columns3, CornerUpLeft, FileText, Filter, ListTodo, Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { shapeOf } from '../../items/catalogue.ts'
import { heldItem } from '../../items/held-item.ts'
import { addressOf } from '../../items/item/text/upload.ts'
import { gantry } from '../../kernel/data/client.ts'
import { sessionNow } from '../../kernel/data/session/session.ts'
import { notify } from '../../kernel/data/undo.ts'
import { StatusIcon } from '../../kit/icons.tsx'
import { Avatar } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import type { Scope } from './local-rows.tsx'
import { markedParts, snippetParts } from './rank.ts'
import type { Row } from './row.ts'

const open = { 'statusCategory[lt]': String(codes.statusCategory.done) }

/** What the service found, and the way to its place. */
export function useHitRow(needle: string, onScope: (scope: Scope) => void): (hit: Hit) => Row {
  const navigate = useNavigate()
  return hit => {
    const { id, kind, key = id, title, snippet, container, itemId } = hit
    const row: Omit<Row, 'icon' | 'run'> = {
      id: `${kind} ${id}`,
      group: 'items',
      title,
      parts: markedParts(title, needle),
      meta: <bdi>{container?.name}</bdi>,
    }
    const toItem = () => void navigate({ to: '/item/$key', params: { key } })
    const inContainer = (icon: ReactNode, search: { filter: string } | { view: 'board'; board: string }): Row => ({
      ...row,
      group: 'places',
      icon,
      run: async () => {
        const place = container?.key ?? ('board' in search ? await containerOfBoard(id) : undefined)
        if (place) await navigate({ to: '/container/$key', params: { key: place }, search })
        else notify(say.nowhere(title))
      },
    })
    const ways: Record<Hit['kind'], () => Row> = {
      item: () => ({ ...row, itemKey: key, icon: <ItemIcon id={id} />, item: { id, key, title }, run: toItem }),
      annotation: () => ({
        ...row,
        parts: snippetParts(snippet),
        itemKey: key,
        icon: <CornerUpLeft className="ic" />,
        meta: say.comment,
        item: { id: itemId ?? '', key, title },
        run: toItem,
      }),
      document: () => ({ ...row, icon: <FileText className="ic" />, why: say.documentsLater, run: () => undefined }),
      user: () => ({
        ...row,
        group: 'people',
        icon: <Avatar id={id} name={title} />,
        stays: true,
        run: () => onScope({ title, query: { assignees: id, ...open } }),
      }),
      container: () => ({
        ...row,
        group: 'places',
        icon: <span className="key2" data-k={[...title][0]} aria-hidden="true" />,
        meta: key,
        run: () => void navigate({ to: '/container/$key', params: { key } }),
      }),
      filter: () => inContainer(<Filter className="ic" />, { filter: id }),
      board: () => inContainer(<Columns3 className="ic" />, { view: 'board', board: id }),
      crm: () => ({
        ...row,
        group: 'customers',
        icon: <Building2 className="ic" />,
        meta: hit.key,
        stays: true,
        run: () => onScope({ title, query: { crmId: id, ...open } }),
      }),
      file: () => ({
        ...row,
        group: 'files',
        icon: <Paperclip className="ic" />,
        run: () => void window.open(addressOf(id), '_blank', 'noopener'),
      }),
    }
    return ways[kind]()
  }
}

/** A board of several containers opens in the first one that the person sees. */
async function containerOfBoard(id: string): Promise<string | undefined> {
  const { containerIds = [] } = await call(gantry, 'GET /board/{id}', { path: { id } })
  return sessionNow()?.containers.find(each => containerIds.includes(each.id))?.key
}

/** The status of an item that is known here. */
function ItemIcon({ id }: { id: string }) {
  const known = heldItem(id)
  if (!known?.status) return <ListTodo className="ic" />
  return <StatusIcon shape={shapeOf(known.statusCategory)} label={known.status} />
}
