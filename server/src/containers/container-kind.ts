import { codeTable } from '../records/code-table.ts'
import { containerKind } from '../records/container-kind.ts'

export { containerKind }

/** The purpose of a container. */
export const containerKinds = codeTable('container.kind', {
  project: [containerKind.project, 'Project'],
  desk: [containerKind.desk, 'Service desk'],
  product: [containerKind.product, 'Product'],
  internal: [containerKind.internal, 'Internal'],
})
