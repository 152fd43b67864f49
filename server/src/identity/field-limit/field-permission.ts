import type { Permission } from '../../kernel/access.ts'

/** The permission on one field of items. No role is needed: every caller who may change the item has it, unless a grant denies it. */
export function fieldPermission(field: string, verb: 'read' | 'write'): Permission {
  return { name: `field.${field}.${verb}`, roles: [] }
}
