import { call, type Item } from '@gantry/sdk'
import { gantry } from '../../kernel/data/client.ts'
import type { FieldChoice } from '../../kernel/fields/fields.ts'
import { textOf } from '../../kernel/problems/in-words.ts'
import { StatusIcon } from '../../kit/icons.tsx'
import { shapeOf } from '../catalogue.ts'
import { say } from '../messages.ts'

// Choices that the service has to be asked for, when their list opens.

/** The statuses that the workflow allows from here, and why it refuses the others. Without a workflow, every status that is known. */
export async function findTransitions(
  item: Item | undefined,
  known: readonly FieldChoice[],
): Promise<readonly FieldChoice[]> {
  if (!item) return known
  const all = await call(gantry, 'GET /item/{id}/transitions', { path: { id: item.id } })
  const ways = all.filter(({ fieldId }) => fieldId === 'status')
  if (ways.length === 0) return known
  const iconOf = (category: number | undefined) => <StatusIcon shape={shapeOf(category)} label="" />
  const choices = ways.map(
    ({ to, name, category, allowed, reasons }): FieldChoice => ({
      value: to,
      label: name || to,
      icon: known.find(({ value }) => value === to)?.icon ?? iconOf(category),
      why: allowed ? undefined : reasons[0] ? textOf(reasons[0].code, reasons[0].message) : say.refused,
    }),
  )
  const own = { value: item.status ?? '', label: item.status ?? '', icon: iconOf(item.statusCategory) }
  const order = (choice: FieldChoice) => known.findIndex(({ value }) => value === choice.value)
  return [...choices.filter(({ value }) => value !== own.value), own].sort((one, other) => order(one) - order(other))
}

const found = 20

export async function findPeople(text: string): Promise<readonly { id: string; name: string }[]> {
  const wanted = text.trim() === '' ? {} : { 'name[contains]': text.trim() }
  return call(gantry, 'GET /user', { query: { limit: found, sort: 'name', fields: 'name', ...wanted } })
}

export async function findLabels(text: string): Promise<readonly FieldChoice[]> {
  const wanted = text.trim() === '' ? {} : { 'name[contains]': text.trim() }
  const labels = await call(gantry, 'GET /label', { query: { limit: found, sort: 'name', fields: 'name', ...wanted } })
  return labels.map(({ name }) => ({ value: name, label: name }))
}

export async function findCustomers(text: string): Promise<readonly FieldChoice[]> {
  const wanted = text.trim() === '' ? {} : { 'name[contains]': text.trim() }
  const customers = await call(gantry, 'GET /finance/crm', {
    query: { limit: found, sort: 'name', fields: 'name', ...wanted },
  })
  return [nothing(), ...customers.map(({ id, name }) => ({ value: id, label: name }))]
}

export async function findItems(text: string): Promise<readonly FieldChoice[]> {
  const wanted = text.trim()
  if (wanted.length < 2) return [nothing()]
  const query = { q: wanted, kind: 'item', limit: found }
  const hits = await call(gantry, 'GET /search', { query })
  // What the service finds by its words need not contain them as they are typed.
  return hits.map(({ id, key = '', title = '' }) => ({ value: id, label: `${key} ${title}` }))
}

export const nothing = (): FieldChoice => ({ value: '', label: say.none })
