import type { Board, SessionState } from '@gantry/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Columns3, List, Plus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useMemo } from 'react'
import { say as sayItem } from '../../items/messages.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { say } from '../messages.ts'
import { Star } from './star.tsx'
import { rememberBoard } from './use-boards.ts'

export type SeenContainer = SessionState['containers'][number]

interface HeadProps {
  container: SeenContainer
  boards: readonly Board[]
  /** The board that is shown; undefined while the list is. */
  board: Board | undefined
}

/** The head of a container: its name, its star, and the ways to look at its items. */
export function ContainerHead({ container, boards, board }: HeadProps) {
  const navigate = useNavigate()
  const params = { key: container.key }
  const commands = useMemo(() => {
    const go = (view?: 'board') => () =>
      navigate({ to: '/container/$key', params: { key: container.key }, search: view ? { view } : {} })
    return [
      { id: 'container.list', title: sayItem.list, keys: 'v l', run: () => void go()() },
      { id: 'container.board', title: sayItem.board, keys: 'v b', run: () => void go('board')() },
    ]
  }, [navigate, container.key])
  useOffer(commands)
  return (
    <header className="bar">
      <h1 className="cut">
        <bdi>{container.name}</bdi>
      </h1>
      <Star entity="Container" id={container.id} name={container.name} />
      <span className="sep" />
      <nav className="tabs" aria-label={say.views}>
        <Link
          to="/container/$key"
          params={params}
          search={{ view: undefined }}
          activeOptions={{ explicitUndefined: true }}
        >
          <List className="ic" /> {sayItem.list}
        </Link>
        <Link to="/container/$key" params={params} search={{ view: 'board' }}>
          <Columns3 className="ic" /> {sayItem.board}
        </Link>
      </nav>
      {board && <BoardChoice container={container} boards={boards} board={board} />}
    </header>
  )
}

/** Which of the boards of the container is shown; this browser remembers it. */
function BoardChoice({ container, boards, board }: HeadProps & { board: Board }) {
  const navigate = useNavigate()
  const choose = (id: string) => {
    rememberBoard(container.id, id)
    void navigate({ to: '/container/$key', params: { key: container.key }, search: { view: 'board', board: id } })
  }
  const make = async () => {
    const { makeBoard } = await import('./default-board.ts')
    const id = await makeBoard(container, boards.length)
    if (id) choose(id)
  }
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="btn btn-ghost" aria-label={`${sayItem.board}: ${board.name}`}>
        <bdi className="cut">{board.name}</bdi>
        <ChevronDown className="ic" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {boards.map(({ id, name }) => (
            <DropdownMenu.Item key={id} className={`it ${id === board.id ? 'is-on' : ''}`} onSelect={() => choose(id)}>
              <bdi className="grow">{name}</bdi>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-sep" />
          <DropdownMenu.Item className="it" onSelect={() => void make()}>
            <Plus className="ic" /> {say.newBoard}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
