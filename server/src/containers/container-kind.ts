import { codeTable } from '../kernel/schema/code-table.ts'

/** What a container is for. */
export const containerKinds = codeTable('container.kind', {
  project: [0, 'Project'],
  desk: [1, 'Service desk'],
  product: [2, 'Product'],
  internal: [3, 'Internal'],
})
