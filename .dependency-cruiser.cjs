// Which folders may import which. The comment of a rule is its error message. Lowest first: a layer imports only those before it.
const layers = ['kernel', 'records', 'language', 'platform', 'identity', 'engine']
const rooms = [
  'admin',
  'finance',
  'documents',
  'time',
  'containers',
  'items',
  'planning',
  'desk',
  'mail',
  'clocks',
  'plan',
  'notify',
  'rules',
  'portal',
  'insight',
]
const order = [...layers, ...rooms, 'app', 'commands']
const src = '^server/src'

const upward = order.slice(0, -1).map((layer, i) => ({
  name: `${layer}-imports-only-downwards`,
  comment: `${layer} is below ${order.slice(i + 1).join(', ')}: it gets what it needs of them as a service or parameter listed in app/, and they learn of changes from events`,
  severity: 'error',
  from: { path: `${src}/${layer}/`, pathNot: '\\.test\\.ts$|/test-[^/]+\\.ts$' },
  to: { path: `${src}/(${order.slice(i + 1).join('|')})/|${src}/[^/]+\\.ts$` },
}))

// Further files that other rooms may import.
const doors = [
  'admin/entra-meta/tenant-by-slug.ts',
  'containers/container/refresh-fields.ts',
  'containers/item-property/priority.ts',
  'containers/screen/request-type.ts',
  'desk/ticket/write-ticket.ts',
  'documents/article/article-links.ts',
  'documents/article/suggest-articles.ts',
  'clocks/item-clock/clock-commands.ts',
  'desk/annotation/create-annotation.ts',
  'desk/annotation/reply-recipients.ts',
  'desk/chat/message.ts',
  'desk/chat/write-message.ts',
  'desk/card/stored-clocks.ts',
  'desk/merge/merge-chain.ts',
  'desk/ticket/assign-next.ts',
  'desk/ticket/follow-up.ts',
  'desk/ticket/prove-requester.ts',
  'desk/ticket/read-ticket.ts',
  'desk/ticket/requester-actions.ts',
  'portal/knowledge/usage.ts',
]

const faces = rooms.map(room => ({
  name: `${room}-only-through-its-faces`,
  comment: 'other rooms import only the file that has the name of the folder, or one of the files listed in `doors`',
  severity: 'error',
  from: { path: `${src}/(?!${room}/)`, pathNot: '\\.test\\.ts$|^server/src/(app|app/.+|commands/.+)\\.ts$' },
  to: {
    path: `${src}/${room}/([^/]+)/`,
    pathNot: `${src}/${room}/([^/]+)/\\1\\.ts$|${src}/(${doors.join('|').replaceAll('.', '\\.')})$`,
  },
}))

// The same for the web app: components know no data, the kernel knows no kind of record, and rooms have the names and the order of the server's.
const webOrder = ['kit', 'kernel', ...rooms, 'shell']
const web = '^web/src'

const webUpward = webOrder.map((layer, i) => ({
  name: `web-${layer}-imports-only-downwards`,
  comment: `web/src/${layer} is below ${[...webOrder.slice(i + 1), 'app.tsx', 'main.tsx'].join(', ')}`,
  severity: 'error',
  from: { path: `${web}/${layer}/`, pathNot: '\\.test\\.tsx?$' },
  to: { path: `${web}/(${[...webOrder.slice(i + 1).map(each => `${each}/`), '[^/]+\\.tsx?$'].join('|')})` },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'files that import each other cannot be understood one at a time',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'a file that no other imports is not needed',
      severity: 'error',
      from: {
        orphan: true,
        pathNot:
          '(\\.test|\\.d)\\.tsx?$|main\\.tsx?$|web/src/kit/no-scroll-lock|sdk/src/(sdk|areas/.+)\\.ts$|docs-page/.*\\.js$|guard|-segment|test-',
      },
      to: {},
    },
    {
      name: 'client-imports-nothing',
      comment: 'programs of users contain the client alone',
      severity: 'error',
      from: { path: '^sdk/src/' },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'web-imports-the-client-only',
      comment: 'the web app lives on the REST API alone: what a screen can do, a script can',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(server|bench)/' },
    },
    ...upward,
    ...faces,
    ...webUpward,
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: { path: 'node_modules' }, tsPreCompilationDeps: true },
}
