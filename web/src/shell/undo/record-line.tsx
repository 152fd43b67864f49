import type { SkippedRecord } from '@gantry/sdk'
import { Link } from '@tanstack/react-router'
import type { useValueText } from '../../items/item/value-text.ts'
import { say } from './messages.ts'
import type { ChangedRecord } from './records.ts'

interface LineProps {
  record: ChangedRecord
  stays: SkippedRecord | undefined
  /** Whether the change is undone now, so that it would be made again. */
  isUndone: boolean
  values: ReturnType<typeof useValueText>
}

const maxProperties = 3

/** One record of a change: what would become of its values, or why it stays as it is. */
export function RecordLine({ record, stays, isUndone, values }: LineProps) {
  const { key, name, verb, changes } = record
  const known = Object.keys(changes).filter(property => values.nameOf(property) !== property)
  return (
    <tr>
      <td>
        <span className="hstack">
          {key && (
            <Link className="key" to="/item/$key" params={{ key }}>
              {key}
            </Link>
          )}
          <bdi className="cut">{name}</bdi>
        </span>
      </td>
      <td>
        {verb !== 'updated' && say[verb]}
        {verb === 'updated' &&
          known.slice(0, maxProperties).map(property => {
            const { from, to } = changes[property] ?? {}
            const [now, then] = isUndone ? [from, to] : [to, from]
            return (
              <span key={property} className="undo-value">
                {values.nameOf(property)} <bdi className="was">{values.text(property, now)}</bdi>{' '}
                <bdi className="becomes">{values.text(property, then)}</bdi>
              </span>
            )
          })}
      </td>
      <td>{stays && <Why record={record} stays={stays} values={values} />}</td>
    </tr>
  )
}

/** Why a record stays as it is, with the value that somebody has given it since. */
function Why({ record, stays, values }: { record: ChangedRecord; stays: SkippedRecord; values: LineProps['values'] }) {
  const now = stays.conflicts.flatMap(({ property, current }) =>
    typeof property === 'string' && record.entity === 'Item' && values.nameOf(property) !== property
      ? say.now(values.nameOf(property), values.text(property, current))
      : [],
  )
  return (
    <span className="is-warn">
      {say[stays.reason]}
      {now.length > 0 && <bdi className="meta undo-value">{now.join(', ')}</bdi>}
    </span>
  )
}
