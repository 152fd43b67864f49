import type { Board } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { later } from '../../kernel/later.tsx'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import type { SeenContainer } from './container-head.tsx'

const BoardSettings = later(async () => (await import('./board-settings.tsx')).BoardSettings)

interface BarProps {
  board: Board
  container: SeenContainer
  quickFilters: readonly string[]
}

/** The quick filters of a board, and its settings. The address says which filters are on. */
export function BoardBar({ board, container, quickFilters }: BarProps) {
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const toggle = (id: string) => {
    const next = quickFilters.includes(id) ? quickFilters.filter(each => each !== id) : [...quickFilters, id]
    void navigate({
      to: '/container/$key',
      params: { key: container.key },
      search: ({ quick: _, ...rest }) => ({ ...rest, ...(next.length > 0 ? { quick: next.join(',') } : {}) }),
      replace: true,
    })
  }
  return (
    <div className="bar bar-2 quick">
      {board.quickFilters.map(({ id = '', name }) => (
        <button
          key={id}
          type="button"
          className={`btn ${quickFilters.includes(id) ? 'is-on' : ''}`}
          aria-pressed={quickFilters.includes(id)}
          onClick={() => toggle(id)}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
      <span className="grow" />
      <Button look="ghost" onClick={() => setIsOpen(true)}>
        <Settings2 className="ic" /> {say.settings}
      </Button>
      {isOpen && <BoardSettings board={board} container={container} onClose={() => setIsOpen(false)} />}
    </div>
  )
}
