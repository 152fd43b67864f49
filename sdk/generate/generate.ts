import { codeTablesOf } from '../../server/src/app/code-tables.ts'
import { routes } from '../../server/src/app/routes/routes.ts'
import { codesFile } from './codes-file.ts'
import { operationsOf, readDocument } from './document.ts'
import { moduleFiles } from './module-files.ts'
import { named } from './names.ts'
import { BodyTypes, operationsFile, typesFile } from './types-file.ts'

/** The generated files of the client, by their paths below `sdk/src`. */
export function generate(): Map<string, string> {
  const document = readDocument()
  const operations = named(operationsOf(document))
  const bodies = new BodyTypes(document)
  for (const each of operations) bodies.of(each)
  const names = new Set([...Object.keys(document.components.schemas), ...bodies.names])
  return new Map([
    ['generated/types.ts', typesFile(document, bodies)],
    ['generated/operations.ts', operationsFile(operations, bodies, names)],
    ['generated/codes.ts', codesFile(codeTablesOf(routes))],
    ...moduleFiles(operations),
  ])
}
