import { call, codes, type Label } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Hash, Terminal } from 'lucide-react'
import { useUsers } from '../../items/catalogue.ts'
import { type Command, isPossible, run, useCommands } from '../../kernel/commands/commands.ts'
import { keysOf } from '../../kernel/commands/keymap.ts'
import { gantry } from '../../kernel/data/client.ts'
import { usePreferences } from '../../kernel/data/session/preferences.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { Avatar } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { markedParts, ranked } from './rank.ts'
import type { Mode, Row } from './row.ts'

/** Items that have something in common, to be listed instead of found by words. */
export interface Scope {
  title: string
  query: Record<string, string>
}

const hour = 3_600_000
const most = { all: 5, alone: 30 }

/** What is known without asking the service: commands, containers, people and labels. */
export function useLocalRows(mode: Mode, needle: string, onScope: (scope: Scope) => void) {
  const commands = useCommandRows()
  const places = usePlaceRows()
  const people = usePeopleRows(onScope)
  const labels = useLabelRows(onScope)
  const fitting = (rows: Row[], own: Mode, whenAll: boolean): Row[] => {
    if (mode !== own && !(mode === 'all' && whenAll)) return []
    const found = ranked(needle, rows, ({ title }) => title, mode === own ? most.alone : most.all)
    return found.map(row => ({ ...row, parts: markedParts(row.title, needle) }))
  }
  const typed = needle !== ''
  return {
    rows: [
      ...fitting(commands, 'commands', true),
      ...fitting(places, 'places', typed),
      ...fitting(people, 'people', typed),
      ...fitting(labels, 'labels', typed),
    ],
    texts: [...commands, ...places, ...people, ...labels].map(({ title }) => title),
  }
}

function useCommandRows(): Row[] {
  const commands = useCommands(state => state.commands)
  const preferences = usePreferences()
  const isShown = (command: Command) => command.id !== 'palette' && command.id !== 'search' && isPossible(command)
  return [...commands.values()].filter(isShown).map(command => ({
    id: `command ${command.id}`,
    group: 'commands',
    title: command.title,
    icon: <Terminal className="ic" />,
    keys: keysOf(command, preferences),
    run: () => run(command),
  }))
}

function usePlaceRows(): Row[] {
  const { containers, moreContainers } = useSession()
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ['Container', 'all'],
    enabled: moreContainers,
    staleTime: hour,
    queryFn: () => call(gantry, 'GET /container', { query: { limit: 1000, sort: 'name', fields: 'key,name' } }),
  })
  return (data ?? containers).map(({ id, key, name }) => ({
    id: `container ${id}`,
    group: 'places',
    title: name,
    icon: <span className="key2" data-k={[...name][0]} aria-hidden="true" />,
    meta: key,
    run: () => void navigate({ to: '/container/$key', params: { key } }),
  }))
}

function usePeopleRows(onScope: (scope: Scope) => void): Row[] {
  return [...useUsers().values()].map(({ id, name, email }) => ({
    id: `user ${id}`,
    group: 'people',
    title: name,
    icon: <Avatar id={id} name={name} />,
    meta: <bdi>{email}</bdi>,
    stays: true,
    run: () =>
      onScope({ title: name, query: { assignees: id, 'statusCategory[lt]': String(codes.statusCategory.done) } }),
  }))
}

function useLabelRows(onScope: (scope: Scope) => void): Row[] {
  const { data = [] } = useQuery<Label[]>({
    queryKey: ['Label'],
    staleTime: hour,
    queryFn: () => call(gantry, 'GET /label', { query: { limit: 200, sort: 'name', fields: 'name,color' } }),
  })
  return data.map(({ id, name }) => ({
    id: `label ${id}`,
    group: 'labels',
    title: name,
    icon: <Hash className="ic" />,
    meta: say.label,
    stays: true,
    run: () => onScope({ title: `#${name}`, query: { labels: id } }),
  }))
}
