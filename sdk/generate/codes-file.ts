import type { CodeTable } from '../../server/src/records/code-table.ts'
import { camel } from './names.ts'
import { comment } from './typescript.ts'

/** The meanings of the integers of the API as constants: `priority.urgent`. */
export function codesFile(tables: readonly CodeTable[]): string {
  const constants = tables.map(({ field, meanings }) => {
    const members = meanings.map(({ name, code, label }) => `${comment(label, '  ')}  ${key(name)}: ${code},\n`)
    return `${comment(`The codes of \`${field}\`.`)}export const ${camel(field.split('.'))} = {\n${members.join('')}} as const\n`
  })
  return `// Generated from the code tables of the service by \`npm run sdk\`. Changes here are lost.\n\n${constants.join('\n')}`
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
