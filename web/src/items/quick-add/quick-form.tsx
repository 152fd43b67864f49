import type { Item } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { soon } from '../../kernel/data/client.ts'
import { useDraft } from '../../kernel/data/kept/drafts.ts'
import { shown } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { useOutcomes } from '../../kernel/data/updates.ts'
import { Button, Keys } from '../../kit/kit.tsx'
import { Picker } from '../../kit/picker.tsx'
import { useProcesses } from '../catalogue.ts'
import { createItem } from '../create-item.ts'
import { focus } from '../focus.ts'
import { say } from '../messages.ts'
import { LineInput } from './line-input.tsx'
import { QuickChips } from './quick-chips.tsx'
import { emptyDraft, nothingEntered, place, type QuickDraft } from './quick-draft.ts'
import { enteredValues, RequiredFields, useRequired } from './required-fields.tsx'
import { type Line, lineOf } from './tokens.ts'
import { rememberContainer, useOwnContainer, useVocabulary } from './vocabulary.ts'

/** What happens when the item is there. */
type After = 'close' | 'another' | 'open'

export function QuickForm({ onClose }: { onClose: () => void }) {
  const { value: draft, set: setDraft, clear } = useDraft(place, emptyDraft)
  const change = (values: Partial<QuickDraft>) => setDraft({ ...draft, ...values })
  const { line: text, entered } = draft
  useForgetEmpty(draft, clear)
  const problem = useOutcomes(({ refused }) => refused.get(place))
  const [isSending, setSending] = useState(false)
  const navigate = useNavigate()
  const known = useVocabulary()
  const line = lineOf(text, known)
  const own = useOwnContainer()
  const container = line.container ?? known.containers.find(({ id }) => id === draft.containerId) ?? own
  const processes = useProcessesOf(container?.id)
  const processId = processes.find(({ id }) => id === draft.processId)?.id
  const required = useRequired(container?.id, processId)
  const submit = async (after: After) => {
    if (line.title === '' || isSending) return
    setSending(true)
    const { id: _, ...given } = bodyOf(line)
    const values = {
      ...given,
      ...enteredValues(required, { ...bodyOf(line), ...entered }),
      title: line.title,
      ...(container ? { containerId: container.id } : {}),
      ...(processId ? { processId } : {}),
    }
    const { id, sent } = createItem({ values, draft: { place, value: draft }, text: say.wasCreated(line.title) })
    focus(id)
    const result = await soon(sent)
    setSending(false)
    if (result !== 'waits' && result.problem) return
    clear()
    // The next one goes to the same place.
    if (after === 'another') setDraft({ ...draft, line: '', entered: nothingEntered })
    if (container) rememberContainer(container.id)
    if (after !== 'another') onClose()
    if (after === 'open') void navigate({ to: '/item/$key', params: { key: keyOf(id) } })
  }
  const onEnter = (event: KeyboardEvent) => {
    event.preventDefault()
    void submit(event.shiftKey ? 'another' : event.ctrlKey || event.metaKey ? 'open' : 'close')
  }
  const faults = problem?.Fields ?? []
  const refused = (names: readonly string[]) =>
    faults.find(({ Pointer }) => names.some(name => Pointer.startsWith(`/${name}`)))?.Message
  const shownBelow = required.some(property => refused(Object.keys(property.write(null))))
  return (
    <form
      className="quick-add"
      onSubmit={event => {
        event.preventDefault()
        void submit('close')
      }}
    >
      <LineInput text={text} onText={next => change({ line: next })} known={known} onEnter={onEnter} />
      {required.length > 0 && (
        <RequiredFields
          properties={required}
          entered={{ ...bodyOf(line), ...entered }}
          onEnter={next => change({ entered: next })}
          refused={refused}
        />
      )}
      {problem && !shownBelow && (
        <p className="why" role="alert">
          {faults[0]?.Message ?? problem.message}
        </p>
      )}
      <div className="hstack chips">
        <Picker
          choices={known.containers.map(({ id, name }) => ({ value: id, label: name }))}
          value={container?.id}
          label={`${say.container}: ${container?.name ?? ''}`}
          className="chip chip-pick"
          onPick={next => change({ containerId: next })}
        >
          <bdi>{container?.name}</bdi>
        </Picker>
        {processes.length > 1 && (
          <Picker
            choices={processes.map(({ id, name }) => ({ value: id, label: name }))}
            value={processId}
            label={say.process}
            className="chip chip-pick"
            onPick={next => change({ processId: next })}
          >
            <bdi>{processes.find(({ id }) => id === processId)?.name ?? say.process}</bdi>
          </Picker>
        )}
        <QuickChips line={line} today={known.today} />
      </div>
      <div className="hstack quick-foot">
        <span className="meta grow wide" aria-hidden="true">
          {say.tokens}
        </span>
        <span className="meta wide hstack">
          <Keys keys="Shift+Enter" /> {say.another}
        </span>
        <span className="meta wide hstack">
          <Keys keys="$mod+Enter" /> {say.andOpen}
        </span>
        <Button look="primary" type="submit" disabled={line.title === '' || isSending} keys="Enter">
          {say.createIt}
        </Button>
      </div>
    </form>
  )
}

/** A form that is closed without a line begins anew, where the person is then. */
function useForgetEmpty(draft: QuickDraft, clear: () => void): void {
  const latest = useRef(draft)
  latest.current = draft
  useEffect(
    () => () => {
      if (latest.current.line === '') clear()
    },
    [clear],
  )
}

function useProcessesOf(containerId: string | undefined) {
  const all = useProcesses()
  const place = useSession().containers.find(({ id }) => id === containerId)
  return all.filter(({ id }) => place?.processIds.includes(id))
}

function bodyOf({ title, assignees, labels, priority, dueDate, estimateMinutes }: Line) {
  return {
    id: 'new',
    title,
    ...(assignees.length > 0 ? { assignees: assignees.map(({ id }) => id) } : {}),
    ...(labels.length > 0 ? { Tags: labels } : {}),
    ...(priority === undefined ? {} : { priority }),
    ...(dueDate ? { dueDate } : {}),
    ...(estimateMinutes === undefined ? {} : { estimateMinutes }),
  }
}

/** The key of an item; until the service has given it one, its id. */
const keyOf = (id: string) => (shown('Item', id) as Item | undefined)?.key ?? id // the store holds items under this name
