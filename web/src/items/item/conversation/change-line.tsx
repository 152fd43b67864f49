import type { Item } from '@gantry/sdk'
import { History, Zap } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../kernel/data/session/session.ts'
import { momentText } from '../../../kernel/dates/days.ts'
import { useUsers } from '../../catalogue.ts'
import { changeItem } from '../../change-item.ts'
import { useItemProperties } from '../../properties/properties.tsx'
import { useIsReadOnly } from '../use-item.ts'
import { patchOf, useValueText } from '../value-text.ts'
import { say } from './messages.ts'
import type { Change, PropertyChange } from './thread.ts'
import { useRuleLog } from './use-conversation.ts'
import { Why } from './why.tsx'

/** One change, on one line: who, what, from what to what. */
export function ChangeLine({ item, change }: { item: Item; change: Change }) {
  const users = useUsers()
  const { user } = useSession()
  const log = useRuleLog(item.id, change.ruleId !== '')
  const entry = log.find(each => each.ruleId === change.ruleId && each.changeSetId === change.changeSetId)
  const rule = log.find(each => each.ruleId === change.ruleId)?.ruleName
  const [showsWhy, setShowsWhy] = useState(false)
  const readOnly = useIsReadOnly(item)
  const known = useItemProperties()
  const patches = change.properties.flatMap(({ property, from }) => patchOf(known, property, from) ?? [])
  // The old values are written back, of this item alone: its change set may have changed many others.
  const revert = () => changeItem(item.id, merged(patches), say.reverted(item.key ?? ''))
  return (
    <div className="ev">
      {change.ruleId ? <Zap className="ic" /> : <History className="ic" />}
      <span>
        {change.ruleId ? `${say.rule} ` : null}
        <b>
          <bdi>{change.ruleId ? (rule ?? '') : users.get(change.by)?.name}</bdi>
        </b>{' '}
        <What change={change} />
        {' · '}
        <time dateTime={change.at}>{momentText(change.at, user.timezone)}</time>
        <span className="acts">
          {change.ruleId && (
            <button type="button" className="link" aria-expanded={showsWhy} onClick={() => setShowsWhy(!showsWhy)}>
              {say.why}
            </button>
          )}
          {patches.length > 0 && !readOnly && (
            <button type="button" className="link" onClick={() => void revert()}>
              {say.revert}
            </button>
          )}
        </span>
        {showsWhy && <Why entry={entry} />}
      </span>
    </div>
  )
}

const isLong = (property: string) => property === 'description'

function What({ change: { kind, properties, clock } }: { change: Change }) {
  if (kind === 'updated') return <Properties changes={properties} />
  if (kind !== 'clock') return say[kind]
  return (
    <>
      {say.clock(clock?.verb ?? '')}
      {clock?.reason && <bdi>: {clock.reason}</bdi>}
    </>
  )
}

/** Texts are told without their content, which may be long. */
function Properties({ changes }: { changes: readonly PropertyChange[] }) {
  const { nameOf, text } = useValueText()
  return changes.map(({ property, from, to }, at) => (
    <span key={property}>
      {at > 0 && ', '}
      {isLong(property) ? (
        say.changed(nameOf(property))
      ) : (
        <>
          {nameOf(property)} <bdi className="was">{text(property, from)}</bdi>
          {' → '}
          <b>
            <bdi>{text(property, to)}</bdi>
          </b>
        </>
      )}
    </span>
  ))
}

/** Several patches as one; each may set a field of our own. */
function merged(patches: readonly Partial<Item>[]): Partial<Item> {
  const fields = patches.flatMap(({ Field }) => Field ?? [])
  return Object.assign({}, ...patches, fields.length > 0 ? { Field: fields } : {})
}

export function FoldedChanges({ item, changes }: { item: Item; changes: readonly Change[] }) {
  const [open, setOpen] = useState(false)
  const users = useUsers()
  const { user } = useSession()
  const names = [...new Set(changes.map(({ by }) => users.get(by)?.name ?? ''))].filter(Boolean).join(', ')
  const [first] = changes
  if (open) return changes.map(change => <ChangeLine key={change.id} item={item} change={change} />)
  return (
    <div className="ev">
      <History className="ic" />
      <span>
        <button type="button" className="link" aria-expanded={false} onClick={() => setOpen(true)}>
          {say.changes(changes.length)}
        </button>{' '}
        <bdi>{say.by(names)}</bdi> · {first && momentText(first.at, user.timezone)}
      </span>
    </div>
  )
}
