import { call, isProblem } from '@gantry/sdk'
import { Plus } from 'lucide-react'
import { type FormEvent, useContext, useState } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { put } from '../../kernel/data/store.ts'
import { remember } from '../../kernel/data/undo.ts'
import { say } from '../messages.ts'
import { BoardContainer } from './board-container.ts'
import { focusCard } from './card-focus.ts'
import { applyMove, type BoardState } from './state/board-state.ts'
import { boardNow, setBase, useBoard, weightOf } from './state/board-store.ts'
import { newValues } from './state/card-values.ts'
import { refusalText } from './state/refusals.ts'

/** The foot of a column: a new item by one line, which has the value of the column already. */
export function AddCard({ column, lane }: { column: string; lane?: string | undefined }) {
  const isOpen = useBoard(({ adding }) => adding?.column === column && adding.lane === lane)
  if (isOpen) return <AddForm column={column} lane={lane} />
  if (column === 'other') return null
  return (
    <button type="button" className="add-card" onClick={() => useBoard.setState({ adding: { column, lane } })}>
      <Plus className="ic" aria-hidden="true" /> {say.add}
    </button>
  )
}

function AddForm({ column, lane }: { column: string; lane: string | undefined }) {
  const containerId = useContext(BoardContainer)
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState('')
  const close = () => useBoard.setState({ adding: undefined })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = title.trim()
    if (text === '') return close()
    setTitle('')
    const why = await create({ title: text, containerId, column, lane })
    setProblem(why ?? '')
    if (why) setTitle(now => now || text)
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
}

/** Creates an item that is in the column from the beginning. Returns why not. */
async function create({ title, containerId, column, lane }: NewCard): Promise<string | undefined> {
  const board = boardNow()
  const target = board?.columns.find(({ id }) => id === column)
  if (!board || !target) return undefined
  const inLane = lane === undefined ? {} : newValues(board.laneField, lane)
  const body = { title, containerId, ...newValues(board.columnField, target.values[0] ?? ''), ...inLane }
  try {
    const { answer, changeSet } = await call(gantry, 'POST /item', { body }).withResponse()
    put(answer)
    remember(changeSet, say.created(answer.key ?? ''))
    setBase(base => withCard(base, answer.id, column, lane))
    focusCard(answer.id)
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    return refusalText(error)
  }
}

function withCard(base: BoardState, id: string, column: string, lane: string | undefined): BoardState {
  return applyMove(base, { ids: [id], column, ...(lane === undefined ? {} : { lane }) }, weightOf)
}
