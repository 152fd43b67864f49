import type { Item } from '@gantry/sdk'
import { useMemo } from 'react'
import type { Command } from '../../kernel/commands/commands.ts'
import { useCommands } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import type { FieldChoice, Property } from '../../kernel/fields/fields.ts'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { commonValue } from '../bulk/bulk-plan.ts'
import { statusOfMany } from '../bulk/bulk-statuses.ts'
import { useChangeField } from '../change-field.ts'
import { chosen } from '../focus.ts'
import { heldItems } from '../held-item.ts'
import { copyText, deleteItem, linkOf } from '../item-actions.ts'
import { say } from '../messages.ts'
import { toggleTimer } from '../timer.ts'

/** The keys of the fields that are changed most. */
const keysOfFields: Readonly<Record<string, string>> = {
  status: 's',
  assignees: 'a',
  priority: 'p',
  tags: 'l',
  dueDate: 'd',
  containerId: 'm',
}

interface FieldCommands {
  properties: ReadonlyMap<string, Property>
  /** Changes one property of several items. */
  onBulk: (ids: readonly string[], property: Property, value: unknown) => void
  onBulkDelete: (ids: readonly string[]) => void
}

/** Where an editor opens: at the cell, or at the row if the column is not shown; for a selection, at its bar. */
function anchorOf(ids: readonly string[], path: string): Element {
  if (ids.length > 1) return document.querySelector('.bulk') ?? document.body
  const row = document.getElementById(`row-${ids[0] ?? ''}`)
  return row?.querySelector(`[data-property="${path}"]`) ?? row ?? document.body
}

/** The keys that change the item in focus or the selection, and the menu with all of them. */
export function useFieldCommands({ properties, onBulk, onBulkDelete }: FieldCommands): void {
  const change = useChangeField()
  const { user } = useSession()
  const commands = useMemo((): Command[] => {
    const may = () => chosen().length > 0
    const set = (ids: readonly string[], property: Property, value: unknown) => {
      const items = heldItems(ids)
      if (items.length > 1) onBulk(ids, property, value)
      else for (const item of items) void change(item, property, value)
    }
    const edit = (property: Property) => {
      const ids = chosen()
      const [first, ...others] = heldItems(ids)
      if (!first) return
      const value = others.length > 0 ? commonValue(property, [first, ...others]) : property.read(first)
      const isStatus = property.path === 'status' && others.length > 0
      openEditor({
        property: isStatus ? statusOfMany(property, ids) : property,
        value,
        record: others.length > 0 ? undefined : first,
        anchor: anchorOf(ids, property.path),
        save: next => set(ids, property, next),
      })
    }
    const command = (id: string, title: string, keys: string | undefined, run: () => void): Command => ({
      id: `item.${id}`,
      title,
      where: 'list',
      may,
      run,
      ...(keys ? { keys } : {}),
    })
    const fields = Object.entries(keysOfFields).flatMap(([path, keys]) => {
      const property = properties.get(path)
      const title = path === 'containerId' ? say.move : property?.name
      return property && title ? [command(path, title, keys, () => edit(property))] : []
    })
    const who = properties.get('assignees')
    const each = (act: (item: Item) => unknown) => () =>
      heldItems(chosen())
        .slice(0, 1)
        .forEach(item => void act(item))
    const editable = [...properties.values()].filter(({ readOnly }) => !readOnly)
    return [
      ...fields,
      ...(who ? [command('me', say.assignMe, 'i', () => set(chosen(), who, [user.id]))] : []),
      command(
        'timer',
        say.timer,
        't',
        each(({ id }) => toggleTimer(id)),
      ),
      command('any-field', say.anyField, undefined, () =>
        openList(say.anyField, editable.map(fieldChoice), path => {
          const property = properties.get(path)
          if (property) edit(property)
        }),
      ),
      command(
        'copy-link',
        say.copyLink,
        undefined,
        each(item => copyText(linkOf(item))),
      ),
      command(
        'copy-key',
        say.copyKey,
        undefined,
        each(({ key = '' }) => copyText(key)),
      ),
      command('delete', say.remove, undefined, () => {
        const items = heldItems(chosen())
        if (items.length > 1) onBulkDelete(items.map(({ id }) => id))
        else for (const item of items) void deleteItem(item)
      }),
      command('actions', say.actions, '.', () =>
        openList(say.actions, offered(), id => useCommands.getState().commands.get(id)?.run()),
      ),
    ]
  }, [properties, onBulk, onBulkDelete, change, user])
  useOffer(commands)
}

const fieldChoice = ({ path, name }: Property): FieldChoice => ({ value: path, label: name })

/** Everything that can be done with what is chosen. */
function offered(): FieldChoice[] {
  const all = [...useCommands.getState().commands.values()]
  const those = all.filter(({ id, where, may }) => where === 'list' && id !== 'item.actions' && (may?.() ?? false))
  return those.map(({ id, title, keys }) => ({ value: id, label: title, hint: keys?.toUpperCase() }))
}

/** A list that is typed into, at what is chosen. */
function openList(name: string, choices: readonly FieldChoice[], onPick: (value: string) => void): void {
  const property: Property = { path: '', name, type: 'choice', choices, read: () => undefined, write: () => ({}) }
  const anchor = anchorOf(chosen(), '')
  // The next list opens when this one has closed.
  openEditor({
    property,
    value: undefined,
    record: undefined,
    anchor,
    save: value => setTimeout(() => onPick(String(value))),
  })
}
