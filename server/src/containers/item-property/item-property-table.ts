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
  /** Requesters may set it, where the request form of the desk has it. */
  requestable?: true
  /** It belongs to the life cycle of the item and may change even if a constraint makes the item immutable. */
  lifecycle?: true
  except?: Readonly<Partial<Record<PropertyUse, string>>>
} & (
  | { /** Of the table `item`. */ column: string }
  | { /** How it is computed, as it has no column. */ derived: string }
)

const tooMany = { grouping: 'it has too many values to be the columns of a board' } as const
const reference = {
  formula: 'a reader of the item may not see the referenced record',
  template: 'an id means nothing to a reader; templates offer the referenced records themselves',
} as const
const happened = { copy: 'it is the history of this item; a copy has its own' } as const
const given = { copy: 'the service sets it for every item' } as const
const ofChecklist = {
  ...tooMany,
  ...happened,
  event: 'the entries of a checklist have events of their own',
} as const
const order = {
  formula: 'a rank is not a value to compute with',
  template: 'a rank means nothing to a reader',
} as const
const ofRecord = {
  ...tooMany,
  ...given,
  screen: 'every record has it, and clients show it beside the screen',
  event: 'the event itself contains the time, the actor and the kind of change',
} as const
const technical = {
  ...ofRecord,
  condition: 'conditions apply to all undeleted records of this tenant, whatever their version',
  formula: 'it is technical',
  template: 'it is technical',
} as const

/**
 * All properties of an item. A property can be used everywhere unless its entry gives a reason, so conditions,
 * formulas, templates, boards, screens, copies and rules know a new property at once.
 */
export const itemPropertyTable = {
  id: {
    kind: 'id',
    column: 'id',
    by: 'record',
    except: { ...ofRecord, formula: 'an id is not a value to compute with' },
  },
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
  title: { kind: 'text', column: 'title', names: ['name'], generated: true, requestable: true, except: tooMany },
  description: { kind: 'text', column: 'description', generated: true, requestable: true, except: tooMany },
  status: { kind: 'text', column: 'status', generated: true, lifecycle: true, except: happened },
  statusCategory: { kind: 'number', column: 'status_category', lifecycle: true, except: happened },
  priority: { kind: 'number', column: 'priority', generated: true, requestable: true },
  severity: { kind: 'number', column: 'severity', requestable: true },
  resolution: { kind: 'text', column: 'resolution', lifecycle: true, except: happened },
  assignees: { kind: 'users', column: 'assignees', names: ['assignee'], generated: true, except: reference },
  requesterId: { kind: 'user', column: 'requester_id', names: ['requester'], generated: true, except: reference },
  crmId: { kind: 'id', column: 'crm_id', names: ['crm'], generated: true, except: reference },
  containerId: { kind: 'id', column: 'container_id', names: ['container'], except: reference },
  processId: { kind: 'id', column: 'process_id', names: ['process'], except: reference },
  areaId: { kind: 'id', column: 'area_id', names: ['area'], generated: true, requestable: true, except: reference },
  parentId: { kind: 'id', column: 'parent_id', names: ['parent'], generated: true, except: reference },
  cycleId: {
    kind: 'id',
    column: 'cycle_id',
    names: ['cycle'],
    except: { ...reference, copy: 'a copy is not planned for a cycle yet' },
  },
  startDate: { kind: 'date', column: 'start_date', generated: true, requestable: true, except: tooMany },
  dueDate: { kind: 'date', column: 'due_date', generated: true, requestable: true, except: tooMany },
  scheduling: { kind: 'number', column: 'scheduling' },
  startNoEarlier: { kind: 'date', column: 'start_no_earlier', except: tooMany },
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
  checklistDone: { kind: 'number', column: 'checklist_done', by: 'service', lifecycle: true, except: ofChecklist },
  checklistTotal: { kind: 'number', column: 'checklist_total', by: 'service', lifecycle: true, except: ofChecklist },
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
    except: { grouping: 'moving a card must not change who sees the item' },
  },
  restrictedTo: {
    kind: 'ids',
    column: 'restricted_to',
    except: { ...reference, grouping: 'moving a card must not change who sees the item' },
  },
  source: {
    kind: 'number',
    column: 'source',
    except: { grouping: 'the origin of an item does not change', copy: 'a copy has an origin of its own' },
  },
  archived: {
    kind: 'boolean',
    column: 'archived',
    except: { ...happened, grouping: 'boards show no archived items' },
  },
  labels: {
    kind: 'ids',
    column: 'labels',
    names: ['tags'],
    requestable: true,
    except: { ...reference, grouping: 'a card would be in several columns', copy: 'they are copied as `Tags`' },
  },
  Tags: {
    kind: 'texts',
    derived: 'the names of `labels`',
    generated: true,
    requestable: true,
    except: {
      condition: 'the path `tags` finds labels by names, aliases and ids',
      formula: 'formulas have no lists',
      grouping: 'a card would be in several columns',
      event: 'events contain `labels`',
    },
  },
  Meta: {
    kind: 'json',
    column: 'meta',
    except: {
      condition: 'the path is `meta.<name>`',
      formula: 'its values have no type',
      grouping: 'its values have no type',
      copy: 'it describes the origin of the item',
      event: 'metadata of other programs is not part of the work',
    },
  },
  Field: {
    kind: 'json',
    column: 'fields',
    except: {
      condition: 'the paths of custom values are `field.<key>`',
      formula: 'the paths of custom values are `field.<key>`',
      template: 'the paths of custom values are `field.<key>`',
      grouping: 'cards are grouped by one custom field',
      screen: 'screens show each custom field by itself',
      event: 'events contain `field.<key>`',
    },
  },
} as const satisfies Record<string, PropertyFacts>

/** Columns of `item` that are not properties, with their purpose. */
export const otherColumns = {
  external_source: 'with external_id, from `Meta`: makes a creation repeatable',
  external_id: 'with external_source, from `Meta`: makes a creation repeatable',
  due_soon_told: 'the due date for which the item was reported as due soon',
  overdue_told: 'the due date for which the item was reported as overdue',
} as const
