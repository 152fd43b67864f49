import { everyone, permission } from '../../kernel/access.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { allSettings, type Setting, scopes, settingScopes } from '../../platform/setting.ts'
import { Code } from '../../records/code-table.ts'

const schema: Schema = {
  type: 'object',
  title: 'RegisteredSetting',
  properties: {
    key: { type: 'string' },
    type: { type: 'string', description: 'The JSON type of its value; `any` where there are several.' },
    default: { description: 'The value if no level sets one.' },
    validation: { type: 'object', description: 'The JSON Schema of the value.' },
    scopes: {
      type: 'array',
      items: Code(settingScopes),
      description: 'The levels that can set it.',
    },
    secret: { type: 'boolean' },
    description: { type: 'string' },
    requiresRestart: { type: 'boolean', const: false },
  },
  required: ['key', 'type', 'default', 'validation', 'scopes', 'secret', 'description', 'requiresRestart'],
}

export const settingRegistry = operation({
  permission: permission('appSetting.read', everyone),
  mode: 'read',
  summary: 'List registered settings',
  description:
    'Every setting that the service reads, with its schema, its default and its scopes. A change takes effect without a restart: at once in the process that stores it, within seconds in all others.',
  reply: {
    status: 200,
    schema: { type: 'array', items: schema },
    description: 'The registered settings, sorted by key.',
  },
  run: async () => ({ body: allSettings().map(described) }),
})

function described({ key, schema: validation, default: value, scopes: taken, secret, description }: Setting): object {
  const type = typeof validation.type === 'string' ? validation.type : 'any'
  const codes = [...taken.map(each => scopes[each]), scopes.operator]
  return { key, type, default: value, validation, scopes: codes, secret, description, requiresRestart: false }
}
