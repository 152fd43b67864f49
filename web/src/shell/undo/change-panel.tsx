import type { SkippedRecord } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Check, Redo2, TriangleAlert, Undo2 } from 'lucide-react'
import { useValueText } from '../../items/item/value-text.ts'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { Button, Skeleton } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { RecordLine } from './record-line.tsx'
import { type ChangedRecord, useChangedRecords } from './records.ts'
import { type Preview, previewUndo } from './turn-over.ts'
import type { Entry } from './undo-commands.ts'

const shownRecords = 50

/** The records of a change, what undoing it would do to each, and why some would stay. */
export function ChangePanel({ entry, onUndo }: { entry: Entry; onUndo: () => void }) {
  const { id, standing } = entry
  const { data: records } = useChangedRecords(id)
  const { data: preview } = useQuery({
    queryKey: ['changes', 'preview', standing.target],
    enabled: standing.may,
    queryFn: () => previewUndo(standing.target),
  })
  if (!records) return <Skeleton rows={2} />
  const stays = new Map(preview?.skipped.map(each => [each.recordId, each]))
  const inOrder = records.toSorted((one, other) => Number(stays.has(other.id)) - Number(stays.has(one.id)))
  const more = records.length - shownRecords
  return (
    <div className="undo-panel">
      <div className="undo-panel-h">
        <span className="strong grow">{standing.isUndone ? say.wouldRedo : say.wouldUndo}</span>
        {preview && <Outlook preview={preview} isUndone={standing.isUndone} />}
      </div>
      <Records records={inOrder.slice(0, shownRecords)} stays={stays} isUndone={standing.isUndone} />
      {more > 0 && <p className="hint">{say.furtherRecords(more)}</p>}
      {preview && standing.may && <Foot preview={preview} isUndone={standing.isUndone} onUndo={onUndo} />}
    </div>
  )
}

function Outlook({ preview: { records, skipped }, isUndone }: { preview: Preview; isUndone: boolean }) {
  return (
    <>
      {records > 0 && (
        <span className="badge badge-good">
          <Check className="ic" />
          {isUndone ? say.comeBack(records) : say.goBack(records)}
        </span>
      )}
      {skipped.length > 0 && (
        <span className="badge badge-warn">
          <TriangleAlert className="ic" />
          {say.inTheWay(skipped.length)}
        </span>
      )}
    </>
  )
}

interface RecordsProps {
  records: readonly ChangedRecord[]
  stays: ReadonlyMap<string, SkippedRecord>
  isUndone: boolean
}

function Records({ records, stays, isUndone }: RecordsProps) {
  const values = useValueText()
  return (
    <table className="tbl">
      <thead>
        <tr>
          <th>{say.record}</th>
          <th>{say.change}</th>
          <th>{say.then}</th>
        </tr>
      </thead>
      <tbody>
        {records.map(record => (
          <RecordLine
            key={record.id}
            record={record}
            stays={stays.get(record.id)}
            isUndone={isUndone}
            values={values}
          />
        ))}
      </tbody>
    </table>
  )
}

interface FootProps {
  preview: Preview
  isUndone: boolean
  onUndo: () => void
}

function Foot({ preview: { records, skipped, refusal }, isUndone, onUndo }: FootProps) {
  if (refusal !== undefined)
    return (
      <div className="undo-panel-f" role="status">
        {say.nothingLeft} <bdi className="meta">{refusal}</bdi>
      </div>
    )
  const rest = isUndone ? say.redoTheRest(records) : say.theRest(records)
  const all = isUndone ? say.redo : say.undo
  return (
    <div className="undo-panel-f">
      <Button look="primary" onClick={onUndo}>
        {isUndone ? <Redo2 className="ic" /> : <Undo2 className="ic" />}
        {skipped.length > 0 ? rest : all} <CommandKeys id="undo.turn" />
      </Button>
      <span className="meta grow wide">{say.oneStep}</span>
    </div>
  )
}
