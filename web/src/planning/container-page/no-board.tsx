import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffer } from '../../kernel/commands/keys.ts'
import { Button, Empty } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import type { SeenContainer } from './container-head.tsx'
import { makeBoard } from './default-board.ts'

const keys = 'b'

/** A container without a board: one key makes it. */
export function NoBoard({ container }: { container: SeenContainer }) {
  const client = useQueryClient()
  const commands = useMemo(() => {
    const run = () => makeBoard(container).then(() => client.invalidateQueries({ queryKey: ['Board'] }))
    return [{ id: 'container.newBoard', title: say.newBoard, keys, run }]
  }, [client, container])
  useOffer(commands)
  return (
    <Empty title={say.noBoard}>
      <p className="dim">{say.noBoardHint}</p>
      <Button look="primary" keys={keys} onClick={() => void commands[0]?.run()}>
        {say.newBoard}
      </Button>
    </Empty>
  )
}
