import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpOptions } from '../../kernel/http/http-options.ts'
import { requestHandler } from '../../kernel/http/request-handler.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import { mountForm } from '../../platform/requests/form.ts'
import { routeTable, type Served } from './route-table.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

declare module 'fastify' {
  interface FastifyRequest {
    /** Answers a request to the API. */
    answer: Handler
  }
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Adds the operations to the server: as one route, and those apart whose bodies are read in another way. */
export function mountRoutes(app: FastifyInstance, routes: Routes, options: HttpOptions): void {
  const find = routeTable(Object.keys(routes))
  const handlerOf = handlers(routes, options)
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const found = find(pathOf(request.url))
    const route = found?.served.get(request.method)
    if (!found) request.answer = refuse(new NotFound('address'))
    else if (route === undefined) request.answer = refuse(unknownMethod(found.served))
    else {
      const { handler, names, pattern } = handlerOf(route)
      request.pattern = pattern
      request.params = Object.fromEntries(names.map((name, at) => [name, found.values[at]]))
      request.answer = handler
    }
    done()
  }
  const handler: Handler = (request, reply) => request.answer(request, reply)
  app.decorateRequest('answer')
  // The server adds HEAD to GET.
  app.route({ method: 'GET', url: '/api/*', onRequest, handler })
  app.route({ method: methods, url: '/api/*', onRequest, handler })
  for (const [route, operation] of Object.entries(routes)) mountApart(app, route, operation, options)
}

/** An operation with a form or with a limit of its own. */
function mountApart(app: FastifyInstance, route: string, operation: Operation, options: HttpOptions): void {
  const { form, body } = operation
  if (!form && !body?.limit) return
  const [method = '', path = ''] = route.split(' ')
  const handler = requestHandler(operation, route, options)
  const routeOptions = { method, url: `/api${path}`, handler, ...(body?.limit ? { bodyLimit: body.limit } : {}) }
  if (form) mountForm(app, routeOptions, form.media)
  else app.route(routeOptions)
}

/** Makes each handler when it is needed first: most processes serve few of the operations. */
function handlers(routes: Routes, options: HttpOptions) {
  const made = new Map<string, { handler: Handler; names: string[]; pattern: string }>()
  return (route: string) => {
    const known = made.get(route)
    if (known) return known
    const operation = routes[route]
    if (!operation) throw new Error(`there is no operation ${route}`)
    const path = route.slice(route.indexOf(' ') + 1)
    const names = path.split('/').flatMap(each => (each.startsWith(':') ? [each.slice(1)] : []))
    const fresh = { handler: requestHandler(operation, route, options), names, pattern: `/api${path}` }
    made.set(route, fresh)
    return fresh
  }
}

/** The path below `/api`. */
const pathOf = (url: string) => url.replace(/[?#].*$/s, '').slice('/api'.length)

const refuse =
  (refusal: Refusal): Handler =>
  async () => {
    throw refusal
  }

function unknownMethod(served: Served): Refusal {
  const allow = [...served.keys()].join(', ')
  return new Refusal(405, 'method-not-allowed', `this address accepts ${allow}`, { headers: { allow } })
}
