import { Calendar, CircleCheck, Ellipsis, FolderInput, SignalHigh, Tag, User, X } from 'lucide-react'
import { useMemo } from 'react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { run, useCommands } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { atFoot } from '../../kernel/foot.ts'
import { Button } from '../../kit/kit.tsx'
import { selectNone, useFocus } from '../focus.ts'
import { say } from './messages.ts'
import type { PendingChange } from './use-bulk-change.ts'

/** The commands of the bar; on phones those with `touch` only. */
const acts = () => [
  { id: 'item.status', name: say.status, Icon: CircleCheck, touch: true },
  { id: 'item.assignees', name: say.who, Icon: User, touch: true },
  { id: 'item.priority', name: say.priority, Icon: SignalHigh, touch: false },
  { id: 'item.tags', name: say.label, Icon: Tag, touch: false },
  { id: 'item.dueDate', name: say.due, Icon: Calendar, touch: true },
  { id: 'item.containerId', name: say.move, Icon: FolderInput, touch: true },
  { id: 'item.actions', name: say.anyField, Icon: Ellipsis, touch: true },
]

const foot = atFoot('bulk')

/** What can be done with the selection; while a change waits for a decision, what it would do. */
export function BulkBar({ pending }: { pending: PendingChange | undefined }) {
  const count = useFocus(({ selected }) => selected.size)
  const commands = useCommands(state => state.commands)
  if (pending) return <Decision pending={pending} />
  if (count === 0) return null
  return (
    <div ref={foot} className="bulk" role="toolbar" aria-label={say.selection}>
      <strong className="mid">{say.selected(count)}</strong>
      <span className="sep" />
      {acts().map(({ id, name, Icon, touch }) => {
        const command = commands.get(id)
        return (
          command && (
            <Button
              key={id}
              look="ghost"
              className={`btn btn-ghost ${touch ? '' : 'wide'}`}
              onMouseDown={event => event.preventDefault()}
              onClick={() => run(command)}
            >
              <Icon className="ic narrow" aria-hidden="true" />
              <span>{name}</span>
              <CommandKeys id={id} />
            </Button>
          )
        )
      })}
      <span className="sep" />
      <Button look="icon" aria-label={say.close} onClick={selectNone}>
        <X className="ic" />
      </Button>
    </div>
  )
}

function Decision({ pending }: { pending: PendingChange }) {
  const { text, count, summary, isDeletion, isSending, apply, cancel } = pending
  const commands = useMemo(
    () => [
      {
        id: 'bulk.apply',
        title: isDeletion ? say.applyDelete(count) : say.apply(count),
        keys: 'Enter',
        where: 'bulk',
        may: () => (summary?.changed ?? 0) > 0,
        run: apply,
      },
      { id: 'bulk.cancel', title: say.cancel, keys: 'Escape', where: 'bulk', run: cancel },
    ],
    [count, summary, isDeletion, apply, cancel],
  )
  useOffer(commands)
  const isBusy = isSending || !summary
  return (
    <div
      className="bulk bulk-decision"
      data-where="bulk"
      role="group"
      aria-label={text}
      tabIndex={-1}
      ref={element => {
        if (element && !element.contains(document.activeElement)) element.focus()
        return foot()
      }}
    >
      <div className="bulk-what" role="status">
        <strong className="mid">
          <bdi>{text}</bdi>
        </strong>
        {isBusy && (
          <span>{isSending ? (isDeletion ? say.deleting(count) : say.sending(count)) : say.checking(count)}</span>
        )}
        {isBusy && <progress aria-label={text} />}
        {!isBusy && <span>{isDeletion ? say.goes(summary.changed) : say.changes(summary.changed)}</span>}
        {!isBusy && summary.unchanged > 0 && <span className="dim">{say.unchanged(summary.unchanged)}</span>}
        {!isBusy && summary.refused > 0 && <span className="is-warn">{say.refused(summary.refused)}</span>}
      </div>
      {!isBusy && summary.reasons.length > 0 && (
        <ul className="bulk-why">
          {summary.reasons.slice(0, 4).map(({ why, ids }) => (
            <li key={why}>
              {ids.length} × <bdi>{why}</bdi>
            </li>
          ))}
        </ul>
      )}
      {!isBusy && (
        <div className="hstack">
          <Button
            look={isDeletion ? 'danger' : 'primary'}
            keys="Enter"
            disabled={summary.changed === 0}
            onClick={apply}
          >
            {isDeletion ? say.applyDelete(summary.changed) : say.apply(summary.changed)}
          </Button>
          <Button keys="Escape" onClick={cancel}>
            {say.cancel}
          </Button>
        </div>
      )}
    </div>
  )
}
