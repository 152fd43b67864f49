import { Command } from 'cmdk'
import { Keys } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import type { Part } from './rank.ts'
import type { Row } from './row.ts'

interface LineProps {
  row: Row
  isCurrent: boolean
  onSelect: () => void
  onPoint: () => void
}

/** One line: sign, key, title with the found words, where it comes from, its keys. */
export function PaletteLine({ row, isCurrent, onSelect, onPoint }: LineProps) {
  const { icon, itemKey, parts, title, meta, keys, why, item } = row
  return (
    <Command.Item
      className="po"
      value={row.id}
      onSelect={onSelect}
      disabled={why !== undefined}
      onPointerMove={onPoint}
    >
      {icon}
      {itemKey && <span className="key pk">{itemKey}</span>}
      <bdi className="tt cut grow">{parts ? <Marked parts={parts} /> : title}</bdi>
      {(why ?? meta) && <span className="meta">{why ?? meta}</span>}
      {keys && <Keys keys={keys} />}
      {isCurrent && item && (
        <span className="meta wide">
          <kbd className="kbd">Tab</kbd> {say.acts}
        </span>
      )}
    </Command.Item>
  )
}

function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, marked }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
    marked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
  )
}
