import type { Configurable, ExternalKind } from '../engine/configuration/configuration.ts'
import { scopes } from '../platform/setting.ts'
import { ownerKind } from '../records/references/owner.ts'

// The kinds that are a tenant's configuration, in the order of creation: a kind comes after those that it refers to.

export const configurationKinds: readonly Configurable[] = [
  {
    entity: 'UserGroup',
    at: '/user-group',
    key: ['name'],
    omit: ['members', 'owners', 'externalId', 'source', 'mailboxId'],
    referencedBy: [{ entity: 'AccessControl', table: 'access_control', column: 'user_group_id' }],
  },
  { entity: 'AccessRole', at: '/access-control/role', key: ['name'] },
  { entity: 'Clock', at: '/clock', key: ['name'] },
  { entity: 'TimeCalendar', at: '/time/calendar', key: ['name'] },
  { entity: 'JobRole', at: '/finance/job-role', key: ['code'] },
  { entity: 'CostCenter', at: '/finance/cost-center', key: ['code'] },
  { entity: 'BudgetReason', at: '/finance/budget-reason', key: ['code'] },
  { entity: 'Sku', at: '/finance/sku', key: ['code'] },
  // Each installation counts its own documents.
  { entity: 'InvoiceSeries', at: '/finance/invoice-series', key: ['name'], omit: ['next'] },
  { entity: 'Field', at: '/field', key: ['key'] },
  {
    entity: 'LinkType',
    at: '/link/type',
    key: ['name'],
    referencedBy: [{ entity: 'Link', table: 'link', column: 'type' }],
  },
  {
    entity: 'Process',
    at: '/process',
    key: ['key'],
    referencedBy: [{ entity: 'Item', table: 'item', column: 'process_id' }],
  },
  {
    entity: 'Container',
    at: '/container',
    key: ['key'],
    omit: ['health', 'healthNote'],
    referencedBy: [{ entity: 'Item', table: 'item', column: 'container_id' }],
  },
  {
    entity: 'Area',
    at: '/area',
    key: ['ownerId', 'path', 'name'],
    referencedBy: [{ entity: 'Item', table: 'item', column: 'area_id' }],
  },
  {
    entity: 'Label',
    at: '/label',
    key: ['ownerId', 'name'],
    referencedBy: [{ entity: 'Item', table: 'item_label', column: 'label_id' }],
  },
  { entity: 'Multiplier', at: '/finance/multiplier', key: ['ownerId', 'name'], only: isShared },
  { entity: 'ContentTemplate', at: '/content-template', key: ['ownerId', 'name'] },
  { entity: 'ItemTemplate', at: '/item-template', key: ['ownerId', 'name'] },
  { entity: 'Screen', at: '/screen', key: ['containerId', 'processId', 'name'] },
  { entity: 'Constraint', at: '/constraint', key: ['ownerId', 'name'] },
  { entity: 'Board', at: '/board', key: ['ownerId', 'name'], only: isShared },
  // An applied rule acts on behalf of the person who applies it.
  { entity: 'Rule', at: '/rule', key: ['ownerId', 'name'], omit: ['ownerUser'] },
  { entity: 'SavedReport', at: '/insight/saved', key: ['name'], only: isSharedReport },
  { entity: 'Notification', at: '/notification', key: ['name'] },
  { entity: 'Hook', at: '/hook', key: ['name'], omit: ['secret', 'ownerUser'] },
  {
    entity: 'AccessControl',
    at: '/access-control',
    key: ['ownerId', 'userGroupId', 'audience', 'role', 'roleId'],
    only: isOfNobody,
    omit: ['userId'],
  },
  { entity: 'AppSetting', at: '/admin/setting', key: ['key'], only: isOfTenant },
]

/** Kinds that configuration refers to without containing them. */
export const externalReferences: readonly ExternalKind[] = [
  { entity: 'User', key: 'email' },
  { entity: 'Crm', key: 'code' },
]

/** Records that a person made for themselves are not configuration. */
function isShared({ owner }: Record<string, unknown>): boolean {
  return owner !== ownerKind.user
}

function isSharedReport({ shared }: Record<string, unknown>): boolean {
  return Array.isArray(shared) && shared.length > 0
}

/** Records of one person are not configuration. */
function isOfNobody({ userId }: Record<string, unknown>): boolean {
  return userId === ''
}

function isOfTenant({ scope }: Record<string, unknown>): boolean {
  return scope === scopes.tenant
}
