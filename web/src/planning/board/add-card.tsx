import { Plus } from 'lucide-react'
import { type FormEvent, useContext, useState } from 'react'
import { createItem } from '../../items/create-item.ts'
import { useDraft } from '../../kernel/data/kept/drafts.ts'
import { say } from '../messages.ts'
import { BoardContainer } from './board-container.ts'
import { focusCard } from './card-focus.ts'
import { boardNow, useBoard } from './state/board-store.ts'
import { newValues } from './state/card-values.ts'
import { refusalText } from './state/refusals.ts'

/** The foot of a column: a new item by one line, which has the value of the column already. */
export function AddCard({ column, lane }: { column: string; lane?: string | undefined }) {
  const isOpen = useBoard(({ adding }) => adding?.column === column && adding.lane === lane)
  if (isOpen) return <AddForm column={column} lane={lane} />
  if (column === 'other') return null
  return (
    <button type="button" className="add-card" onClick={() => useBoard.setState({ adding: { column, lane } })}>
      <Plus className="ic" /> {say.add}
    </button>
  )
}

function AddForm({ column, lane }: { column: string; lane: string | undefined }) {
  const containerId = useContext(BoardContainer)
  const place = `card ${containerId} ${column} ${lane ?? ''}`
  const { value: title, set: setTitle, clear } = useDraft(place, '')
  const [problem, setProblem] = useState('')
  const close = () => useBoard.setState({ adding: undefined })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = title.trim()
    if (text === '') return close()
    clear()
    setProblem('')
    setProblem((await create({ title: text, containerId, column, lane, place })) ?? '')
  }
  return (
    <form className="card add-form" onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a click or a key
        autoFocus
        aria-label={say.addHere}
        aria-invalid={problem !== ''}
        placeholder={say.newTitle}
        value={title}
        onChange={event => setTitle(event.target.value)}
        onBlur={() => title.trim() === '' && problem === '' && close()}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      />
      {problem && (
        <p className="why" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

interface NewCard {
  title: string
  containerId: string
  column: string
  lane: string | undefined
  place: string
}

/** Creates an item that is in the column from the beginning. Returns why not. */
async function create({ title, containerId, column, lane, place }: NewCard): Promise<string | undefined> {
  const board = boardNow()
  const target = board?.columns.find(({ id }) => id === column)
  if (!board || !target) return undefined
  const inLane = lane === undefined ? {} : newValues(board.laneField, lane)
  const values = { title, containerId, ...newValues(board.columnField, target.values[0] ?? ''), ...inLane }
  const { id, sent } = createItem({ values, draft: { place, value: title }, text: say.created(title) })
  focusCard(id)
  const { problem } = await sent
  return problem && refusalText(problem)
}
