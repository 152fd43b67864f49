import { readFileSync, writeFileSync } from 'node:fs'
import { routes } from '../src/app/routes/routes.ts'
import { allKinds } from '../src/kernel/kinds.ts'
import { withEntityTable } from './support/entity-table.ts'

// npm run docs: writes the parts of the documentation that are generated from the code.
const spec = 'docs/spec.md'
writeFileSync(spec, withEntityTable(readFileSync(spec, 'utf8'), allKinds(), routes))
