import { Command } from 'cmdk'
import { Search, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { useHitActions } from './hit-actions.tsx'
import { useItemRows } from './item-rows.tsx'
import { type Scope, useLocalRows } from './local-rows.tsx'
import { PaletteLine } from './palette-line.tsx'
import { fit, nearWords } from './rank.ts'
import { type Group, groupsByFit, maxRows, type Row, wantedOf } from './row.ts'

interface PaletteProps {
  open: boolean
  /** What is looked for at first. */
  wanted: string
  onClose: () => void
  /** Creates an item with this title; undefined for those who may not. */
  onCreate: ((title: string) => void) | undefined
}

/** Everything by typing: what is known here in the same frame, the rest as the service finds it. */
export function Palette({ open, onClose, ...props }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="menu palette"
          aria-describedby={undefined}
          onEscapeKeyDown={event => event.preventDefault()}
        >
          <Dialog.Title className="sr">{say.palette}</Dialog.Title>
          <PaletteBody onClose={onClose} {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const groupNames: Record<Group, () => string> = {
  items: () => say.found,
  commands: () => say.commands,
  places: () => say.placesFound,
  people: () => say.people,
  labels: () => say.labels,
  customers: () => say.customers,
  files: () => say.files,
  near: () => say.didYouMean,
  create: () => say.create,
  actions: () => say.actions,
}

function PaletteBody({ wanted, onClose, onCreate }: Omit<PaletteProps, 'open'>) {
  const [text, setText] = useState(wanted)
  const [scope, setScope] = useState<Scope>()
  const [acting, setActing] = useState<Row['item']>()
  // What a person has moved to; until then the first line is meant, whatever comes in above it.
  const [chosen, setChosen] = useState<string>()
  const { mode, needle } = wantedOf(text)
  const enter = (next: Scope) => {
    setScope(next)
    setText('')
    setChosen(undefined)
  }
  const local = useLocalRows(mode, needle, enter)
  const items = useItemRows({ mode, needle, scope, open: true, onScope: enter })
  const actions = useHitActions(acting, needle)
  const found = acting ? actions : once([...(scope ? [] : local.rows), ...items.rows])
  const isEmpty = found.length === 0 && !items.isSearching && needle !== ''
  const extra =
    acting || scope || mode !== 'all' ? [] : furtherRows({ needle, isEmpty, texts: local.texts, setText, onCreate })
  const unordered = [...found.slice(0, maxRows - extra.length), ...extra]
  const order = groupsByFit(unordered, ({ title, itemKey = '' }) =>
    needle === '' ? 1 : Math.max(fit(needle, title), fit(needle, itemKey), itemKey ? 3 : 0),
  )
  const rows = order.flatMap(group => unordered.filter(row => row.group === group))
  const current = rows.find(({ id }) => id === chosen) ?? rows[0]
  const type = (next: string) => {
    setText(next)
    setChosen(undefined)
  }
  const pick = (row: Row) => {
    if (!row.stays) onClose()
    void row.run()
  }
  const back = () => {
    if (acting) setActing(undefined)
    else if (scope) setScope(undefined)
    else onClose()
    type('')
  }
  const step = (by: number) => {
    const able = rows.filter(({ why }) => why === undefined)
    const at = current ? able.indexOf(current) : -1
    setChosen(able[(at + by + able.length) % able.length]?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      step(event.key === 'ArrowDown' ? 1 : -1)
      return
    }
    if (event.key === 'Tab') {
      event.preventDefault()
      if (!event.shiftKey && current?.item && !acting) {
        setActing(current.item)
        type('')
      }
    } else if (event.key === 'Escape' || (event.key === 'Backspace' && text === '' && (acting || scope))) {
      event.preventDefault()
      event.stopPropagation()
      back()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && current?.item?.key) {
      event.preventDefault()
      window.open(`/item/${encodeURIComponent(current.item.key)}`, '_blank', 'noopener')
    }
  }
  const within = acting ? (acting.key ?? acting.title) : scope?.title
  return (
    <Command shouldFilter={false} label={say.palette} value={current?.id ?? ''} onKeyDown={onKeyDown}>
      <div className="pal-in">
        <Search className="ic" />
        {within && (
          <Button onClick={back} aria-label={say.leaveScope(within)}>
            <bdi>{within}</bdi> <X className="ic ic-s" />
          </Button>
        )}
        <Command.Input
          value={text}
          onValueChange={type}
          placeholder={acting ? say.actions : say.search}
          aria-label={say.palette}
        />
        {!within && (
          <span className="hstack meta wide" aria-hidden="true">
            <kbd className="kbd">&gt;</kbd> {say.signCommands} <kbd className="kbd">#</kbd> {say.signLabels}{' '}
            <kbd className="kbd">@</kbd> {say.signPeople}
          </span>
        )}
      </div>
      <Command.List label={say.palette}>
        {rows.length === 0 && <p className="pal-none">{items.isSearching ? say.searching : say.nothing}</p>}
        {order.map(group => {
          const those = rows.filter(row => row.group === group)
          return (
            <Command.Group
              key={group}
              heading={group === 'items' && needle === '' && !scope ? say.recent : groupNames[group]()}
            >
              {those.map(row => (
                <PaletteLine
                  key={row.id}
                  row={row}
                  isCurrent={row === current}
                  onSelect={() => pick(row)}
                  onPoint={() => setChosen(row.id)}
                />
              ))}
            </Command.Group>
          )
        })}
      </Command.List>
      <PaletteFoot count={rows.length} />
    </Command>
  )
}

/** What is known here and found by the service, too, is one line. */
const once = (rows: readonly Row[]): Row[] =>
  [...new Map(rows.toReversed().map(row => [row.id, row])).values()].toReversed()

interface Further {
  needle: string
  isEmpty: boolean
  texts: readonly string[]
  setText: (text: string) => void
  onCreate: PaletteProps['onCreate']
}

/** What else can be done with the words: other words that are known, and an item of that name. */
function furtherRows({ needle, isEmpty, texts, setText, onCreate }: Further): Row[] {
  if (needle === '') return []
  const near = isEmpty ? nearWords(needle, texts) : []
  return [
    ...near.map(
      (word): Row => ({ id: `near ${word}`, group: 'near', title: word, stays: true, run: () => setText(word) }),
    ),
    ...(onCreate ? [createNamed(needle, onCreate)] : []),
  ]
}

const createNamed = (title: string, onCreate: (title: string) => void): Row => ({
  id: 'create-named',
  group: 'create',
  title: say.createNamed(title),
  run: () => onCreate(title),
})

function PaletteFoot({ count }: { count: number }) {
  return (
    <div className="pal-foot wide">
      <span>
        <kbd className="kbd">↑</kbd>
        <kbd className="kbd">↓</kbd> {say.choose}
      </span>
      <span>
        <kbd className="kbd">↵</kbd> {say.open}
      </span>
      <span>
        <kbd className="kbd">Tab</kbd> {say.actions}
      </span>
      <span className="grow" />
      <span role="status">{say.results(count)}</span>
    </div>
  )
}
