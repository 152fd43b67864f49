import {
  admins,
  contributors,
  everyone,
  managers,
  members,
  type Permission,
  staff,
  superAdmins,
} from '../../src/kernel/access.ts'
import type { Kind } from '../../src/kernel/kinds.ts'
import type { Operation, Routes } from '../../src/kernel/operation.ts'

const begin = '<!-- The table of kinds is generated: npm run docs -->'
const end = '<!-- The end of the table of kinds -->'

/**
 * Returns the document with the table between its two markers replaced by the one that is generated from the
 * declarations.
 */
export function withEntityTable(document: string, kinds: readonly Kind[], routes: Routes): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error('the document lacks the markers of the table of kinds')
  return `${document.slice(0, from + begin.length)}\n\n${entityTable(kinds, routes)}\n\n${document.slice(to)}`
}

function entityTable(kinds: readonly Kind[], routes: Routes): string {
  const byName = kinds.toSorted((a, b) => (a.entity < b.entity ? -1 : 1))
  const rows = byName.map(kind => row(kind, routes))
  return [
    '| entity | path | read | create | update | delete | meaning |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function row(kind: Kind, routes: Routes): string {
  const path = pathOf(kind, routes)
  const allowed = (...ways: string[]) => {
    const operation = ways.map(way => routes[way]).find(each => each !== undefined)
    return operation ? audienceOf(operation.permission) : '–'
  }
  const one = Object.keys(routes)
    .map(route => route.split(' ')[1] ?? '')
    .find(each => parentOf(each) === path)
  return `| ${[
    `\`${kind.entity}\``,
    `\`/api${path.replace(/:(\w+)/g, '{$1}')}\``,
    allowed(`GET ${path}`, `GET ${one}`),
    allowed(`POST ${path}`),
    allowed(`PATCH ${one}`, `PUT ${one}`, `PUT ${path}`, `PATCH ${path}`),
    allowed(`DELETE ${one}`),
    firstSentence(kind.about).replaceAll('|', '\\|'),
  ].join(' | ')} |`
}

/** The address that lists the kind, otherwise the one that returns a single record. */
function pathOf({ entity }: Kind, routes: Routes): string {
  const answering = Object.entries(routes)
    .filter(
      ([route, operation]) => route.startsWith('GET ') && [entity, `Listed${entity}`].includes(titleOf(operation)),
    )
    .map(([route]) => route.slice('GET '.length))
    .sort((a, b) => parameters(a) - parameters(b) || a.length - b.length)
  const [path] = answering
  if (path === undefined) throw new Error(`no address answers a ${entity}`)
  const parent = parentOf(path)
  return parent !== undefined && `GET ${parent}` in routes ? parent : path
}

/** The address of the list, if the path is that of a single record in it. */
const parentOf = (path: string) => /^(.+)\/:\w+$/.exec(path)?.[1]

const parameters = (path: string) => path.split(':').length

/** The title of the records in a reply; lists that include parts have one of their own. */
function titleOf({ reply: { schema } }: Operation): string {
  return String(schema?.title ?? schema?.items?.title)
}

const audiences: Readonly<Record<string, readonly string[]>> = {
  everyone,
  staff,
  contributors,
  members,
  managers,
  admins,
  'super admins': superAdmins,
}

/** The name in kernel/access.ts of the roles of a permission. */
function audienceOf({ name, roles }: Permission): string {
  const known = Object.entries(audiences).find(([, each]) => each.join() === roles.join())
  if (!known) throw new Error(`the roles of ${name} have no name`)
  return known[0]
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z`])/)[0] ?? text
}
