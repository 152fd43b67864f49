/** The kind of a value. `ids`, `users` and `texts` are lists; `json` is any JSON value. */
type PropertyKind =
  | 'text'
  | 'number'
  | 'minutes'
  | 'date'
  | 'instant'
  | 'boolean'
  | 'id'
  | 'user'
  | 'ids'
  | 'users'
  | 'texts'
  | 'json'

/** The uses of a property. All are allowed except those that `except` names with a reason. */
export type PropertyUse = 'condition' | 'formula' | 'template' | 'grouping' | 'screen' | 'copy' | 'event'

export type PropertyFacts = {
  kind: PropertyKind
  /** Who sets the property instead of the request body: the service, or the generic storage of records. */
  by?: 'service' | 'record'
  /** Aliases in lower case. */
  names?: readonly string[]
  /** Generated screens show it, in the order of this table. */
  generated?: true
  /** It belongs to the life cycle of the item and may change even if a constraint makes the item immutable. */
  lifecycle?: true
  except?: Readonly<Partial<Record<PropertyUse, string>>>
} & (
  | { /** Of the table `item`. */ column: string }
  | { /** How it is computed, as it has no column. */ derived: string }
)

const tooMany = { grouping: 'it has too many values to be the columns of a board' } as const
const reference = {
  formula: 'not everybody may see the record that it names',
  template: 'an id says nothing to a reader; the records that matter stand beside the item',
} as const
const happened = { copy: 'it happened to the item; a copy begins anew' } as const
const given = { copy: 'the service gives every item its own' } as const
const order = {
  formula: 'a place among other items is no value',
  template: 'a place among other items says nothing',
} as const
const ofRecord = {
  ...tooMany,
  ...given,
  screen: 'every record has it, and clients show it beside the screen',
  event: 'the event itself tells when, by whom and what happened',
} as const
const technical = {
  ...ofRecord,
  condition: 'only records of this tenant that are not deleted are asked about, whatever their version',
  formula: 'it says nothing about the work',
  template: 'it says nothing about the work',
} as const

/**
 * All properties of an item. A property can be used everywhere unless its entry gives a reason, so conditions,
 * formulas, templates, boards, screens, copies and rules know a new property at once.
 */
export const itemPropertyTable = {
  id: { kind: 'id', column: 'id', by: 'record', except: { ...ofRecord, formula: 'an id is no value to work with' } },
  entity: { kind: 'text', derived: 'the name of the kind', by: 'record', except: technical },
  tenantId: { kind: 'id', column: 'tenant_id', by: 'record', except: technical },
  version: { kind: 'number', column: 'version', by: 'record', except: technical },
  deleted: { kind: 'boolean', column: 'deleted', by: 'record', except: technical },
  created: { kind: 'instant', column: 'created', by: 'record', except: ofRecord },
  createdBy: { kind: 'user', column: 'created_by', by: 'record', except: { ...ofRecord, ...reference } },
  updated: { kind: 'instant', column: 'updated', by: 'record', except: ofRecord },
  updatedBy: { kind: 'user', column: 'updated_by', by: 'record', except: { ...ofRecord, ...reference } },
  number: { kind: 'number', column: 'number', by: 'service', except: { ...tooMany, ...given } },
  key: { kind: 'text', column: 'key', by: 'service', except: { ...tooMany, ...given } },
  title: { kind: 'text', column: 'title', names: ['name'], generated: true, except: tooMany },
  description: { kind: 'text', column: 'description', generated: true, except: tooMany },
  status: { kind: 'text', column: 'status', generated: true, lifecycle: true, except: happened },
  statusCategory: { kind: 'number', column: 'status_category', lifecycle: true, except: happened },
  priority: { kind: 'number', column: 'priority', generated: true },
  severity: { kind: 'number', column: 'severity' },
  resolution: { kind: 'text', column: 'resolution', lifecycle: true, except: happened },
  assignees: { kind: 'users', column: 'assignees', names: ['assignee'], generated: true, except: reference },
  requesterId: { kind: 'user', column: 'requester_id', names: ['requester'], generated: true, except: reference },
  crmId: { kind: 'id', column: 'crm_id', names: ['crm'], generated: true, except: reference },
  containerId: { kind: 'id', column: 'container_id', names: ['container'], except: reference },
  processId: { kind: 'id', column: 'process_id', names: ['process'], except: reference },
  areaId: { kind: 'id', column: 'area_id', names: ['area'], generated: true, except: reference },
  parentId: { kind: 'id', column: 'parent_id', names: ['parent'], generated: true, except: reference },
  cycleId: {
    kind: 'id',
    column: 'cycle_id',
    names: ['cycle'],
    except: { ...reference, copy: 'nobody has planned the copy yet' },
  },
  startDate: { kind: 'date', column: 'start_date', generated: true, except: tooMany },
  dueDate: { kind: 'date', column: 'due_date', generated: true, except: tooMany },
  estimateMinutes: { kind: 'minutes', column: 'estimate_minutes', generated: true, except: tooMany },
  remainingMinutes: { kind: 'minutes', column: 'remaining_minutes', generated: true, except: tooMany },
  spentMinutes: {
    kind: 'minutes',
    derived: 'the sum of its time entries',
    by: 'service',
    except: { ...tooMany, ...happened, event: 'time entries have events of their own' },
  },
  points: { kind: 'number', column: 'points', generated: true, except: tooMany },
  progress: { kind: 'number', column: 'progress', lifecycle: true, except: { ...tooMany, ...happened } },
  closedAt: { kind: 'instant', column: 'closed_at', by: 'service', lifecycle: true, except: { ...tooMany, ...given } },
  resolvedAt: {
    kind: 'instant',
    column: 'resolved_at',
    by: 'service',
    lifecycle: true,
    except: { ...tooMany, ...given },
  },
  mergedInto: { kind: 'id', column: 'merged_into', by: 'service', except: { ...reference, ...tooMany, ...happened } },
  rank: { kind: 'text', column: 'rank', by: 'service', lifecycle: true, except: { ...tooMany, ...given, ...order } },
  visibility: {
    kind: 'number',
    column: 'visibility',
    except: { grouping: 'who sees an item is not changed by moving a card' },
  },
  restrictedTo: {
    kind: 'ids',
    column: 'restricted_to',
    except: { ...reference, grouping: 'who sees an item is not changed by moving a card' },
  },
  source: {
    kind: 'number',
    column: 'source',
    except: { grouping: 'where an item came from does not change', copy: 'a copy has an origin of its own' },
  },
  archived: {
    kind: 'boolean',
    column: 'archived',
    except: { ...happened, grouping: 'what is archived lies on no board' },
  },
  labels: {
    kind: 'ids',
    column: 'labels',
    names: ['tags'],
    except: { ...reference, grouping: 'a card would lie in several columns', copy: 'they go along as `Tags`' },
  },
  Tags: {
    kind: 'texts',
    derived: 'the names of `labels`',
    generated: true,
    except: {
      condition: '`tags` asks for labels by their names, aliases and ids',
      formula: 'a formula knows no lists',
      grouping: 'a card would lie in several columns',
      event: 'told as `labels`',
    },
  },
  Meta: {
    kind: 'json',
    column: 'meta',
    except: {
      condition: 'asked by `meta.<name>`',
      formula: 'its values have no type',
      grouping: 'its values have no type',
      copy: 'it tells where the item came from',
      event: 'what others keep with an item is not the work',
    },
  },
  Field: {
    kind: 'json',
    column: 'fields',
    except: {
      condition: 'custom values are asked by `field.<key>`',
      formula: 'custom values are used as `field.<key>`',
      template: 'custom values are told as `field.<key>`',
      grouping: 'custom values group by their field',
      screen: 'custom values are shown by their field',
      event: 'custom values are heard as `field.<key>`',
    },
  },
} as const satisfies Record<string, PropertyFacts>

/** Columns of `item` that are not properties, with their purpose. */
export const otherColumns = {
  external_source: 'with external_id, from `Meta`: makes a creation repeatable',
  external_id: 'with external_source, from `Meta`: makes a creation repeatable',
} as const
