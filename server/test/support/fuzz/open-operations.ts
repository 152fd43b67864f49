import { unauthenticatedRoutes } from '../../../src/app/routes/unauthenticated-routes.ts'
import { everyone } from '../../../src/kernel/access.ts'
import type { Operation } from '../../../src/kernel/operation.ts'
import type { Op } from '../operations.ts'

const open = { name: 'meta.read', roles: everyone }

/** The routes that need no credential, in the form of the other operations. */
export const openOperations: Op[] = Object.entries(unauthenticatedRoutes).map(([route, { body, ...described }]) => {
  const [method = '', path = ''] = route.split(' ')
  const operation: Operation = {
    ...described,
    permission: open,
    // Their writes have no dry run.
    mode: 'read',
    ...(body ? { body: { ...body, read: () => undefined } } : {}),
    run: async () => ({}),
  }
  const params = [...path.matchAll(/:(\w+)/g)].map(match => match[1] ?? '')
  return { route, method, path, params, operation, entity: undefined, answersList: false }
})
