import { codeTable } from '../kernel/schema/code-table.ts'

/** The purpose of a container. */
export const containerKinds = codeTable('container.kind', {
  project: [0, 'Project'],
  desk: [1, 'Service desk'],
  product: [2, 'Product'],
  internal: [3, 'Internal'],
})
