import type { Item } from '@gantry/sdk'
import { codes } from '@gantry/sdk'
import type { FieldChoice, FieldTypeName, Property } from '../../kernel/fields/fields.ts'
import { PriorityIcon, StatusIcon } from '../../kit/icons.tsx'
import { clockPath, clocksOf, NextClock, nextDue } from '../clock-badge.tsx'
import { say } from '../messages.ts'
import type { Catalogue } from './catalogue-choices.tsx'
import { DueText } from './due-text.tsx'
import { findCustomers, findItems, findTransitions } from './find-choices.tsx'
import { showReference } from './reference-name.tsx'

// The properties that every item has. What the service calls a property is its path.

type Known = keyof Item & string
type Extra = Partial<Omit<Property, 'path' | 'type'>>

const itemOf = (record: object) => record as Item // properties of items are read from items only

function property(
  path: string,
  name: string,
  type: FieldTypeName,
  extra: Extra = {},
  of: Known = path as Known,
): Property {
  return {
    path,
    name,
    type,
    read: record => itemOf(record)[of],
    write: value => ({ [of]: value }),
    ...extra,
  }
}

/** References are empty texts where there is none. */
const reference = (path: Known, name: string, extra: Extra): Property =>
  property(path, name, 'choice', { write: value => ({ [path]: value || '' }), ...extra })

const fixed = { readOnly: true }

/** The codes of priority count from urgent down; bars count up. */
export const barsOf = (priority: number | undefined) => (priority ? ((5 - priority) as 1 | 2 | 3 | 4) : 0)

export const priorityName = (priority: number | undefined) => say.priorityName(priority ?? 0)

const { none, urgent, high, medium, low } = codes.priority

const priorities = (): FieldChoice[] =>
  [urgent, high, medium, low, none].map(value => ({
    value,
    label: priorityName(value),
    icon: <PriorityIcon level={barsOf(value)} label={priorityName(value)} />,
  }))

function statusProperty({ statuses, shapeOf }: Catalogue): Property {
  return property('status', say.status, 'choice', {
    choices: statuses,
    open: statuses.length === 0,
    perRecord: true,
    findChoices: (_, record) => findTransitions(record && itemOf(record), statuses),
    paint: status => ({ status, statusCategory: statuses.find(({ value }) => value === status)?.category }),
    render: (record, look) => {
      const { status = '', statusCategory } = itemOf(record)
      return (
        <>
          <StatusIcon shape={shapeOf(status, statusCategory)} label={status} />
          {look === 'line' && <bdi>{status || '–'}</bdi>}
        </>
      )
    },
  })
}

function duration(path: Known, name: string, extra: Extra = {}): Property {
  return property(path, name, 'duration', { min: 0, write: value => ({ [path]: value ?? 0 }), ...extra })
}

function figure(path: Known, name: string, extra: Extra = {}): Property {
  return property(path, name, 'number', { min: 0, write: value => ({ [path]: value ?? 0 }), ...extra })
}

/** In the order in which they are offered. */
export function coreProperties(known: Catalogue): Property[] {
  const { people, assignable, labels, containers, cycles } = known
  return [
    property('key', say.key, 'text', fixed),
    property('title', say.title, 'text'),
    statusProperty(known),
    property('priority', say.priority, 'choice', { choices: priorities() }),
    property('assignees', say.who, 'people', { choices: assignable, ...known.findPeople }),
    property('tags', say.labels, 'choices', { choices: labels, open: true, ...known.findLabels }, 'Tags'),
    property('dueDate', say.due, 'date', { render: record => <DueText item={itemOf(record)} /> }),
    property(clockPath, say.clock, 'moment', {
      ...fixed,
      read: record => nextDue(clocksOf(record)),
      render: record => <NextClock clocks={clocksOf(record)} />,
    }),
    property('startDate', say.start, 'date'),
    duration('estimateMinutes', say.estimate),
    duration('spentMinutes', say.spent, fixed),
    duration('remainingMinutes', say.remaining),
    figure('points', say.points),
    figure('progress', say.progress, { max: 100 }),
    reference('cycleId', say.cycle, { choices: cycles }),
    reference('containerId', say.container, { choices: containers, write: value => ({ containerId: value }) }),
    property('requesterId', say.requester, 'person', {
      choices: people,
      ...known.findPeople,
      write: value => ({ requesterId: value || '' }),
    }),
    reference('crmId', say.customer, {
      findChoices: findCustomers,
      searched: true,
      render: showReference('crm', record => itemOf(record).crmId),
    }),
    reference('parentId', say.parent, {
      findChoices: findItems,
      searched: true,
      render: showReference('item', record => itemOf(record).parentId),
    }),
    property('resolution', say.resolution, 'text'),
    property('description', say.description, 'longText'),
    property('created', say.created, 'moment', fixed),
    property('createdBy', say.author, 'person', { choices: people, ...fixed }),
    property('updated', say.updated, 'moment', fixed),
    property('closedAt', say.closed, 'moment', fixed),
  ]
}
