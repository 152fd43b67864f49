import { codeTable } from '../records/code-table.ts'

/** The codes of a container's `kind`. */
export const containerKind = { project: 0, desk: 1, product: 2, internal: 3 } as const

/** The purpose of a container. */
export const containerKinds = codeTable('container.kind', {
  project: [containerKind.project, 'Project'],
  desk: [containerKind.desk, 'Service desk'],
  product: [containerKind.product, 'Product'],
  internal: [containerKind.internal, 'Internal'],
})
