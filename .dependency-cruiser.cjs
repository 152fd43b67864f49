// Who may import whom, each rule with its reason as the message. Lowest first: a layer knows only those before it.
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
  'notify',
  'rules',
  'insight',
]
const order = [...layers, ...rooms, 'app', 'commands']
const src = '^server/src'

const upward = order.slice(0, -1).map((layer, i) => ({
  name: `${layer}-imports-only-downwards`,
  comment: `${layer} stands below ${order.slice(i + 1).join(', ')}: what it needs of them is a parameter that app.ts fills, and news for them travels as events`,
  severity: 'error',
  from: { path: `${src}/${layer}/`, pathNot: '\\.test\\.ts$|/test-[^/]+\\.ts$' },
  to: { path: `${src}/(${order.slice(i + 1).join('|')})/|${src}/[^/]+\\.ts$` },
}))

// Files beside the faces that other rooms may import.
const doors = [
  'desk/ticket/write-ticket.ts',
  'clocks/item-clock/clock-commands.ts',
  'desk/annotation/create-annotation.ts',
  'desk/ticket/assign-next.ts',
]

const faces = rooms.map(room => ({
  name: `${room}-only-through-its-faces`,
  comment: 'a folder inside a room is entered through the file that bears its name, or one that says it is for others',
  severity: 'error',
  from: { path: `${src}/(?!${room}/)`, pathNot: '\\.test\\.ts$|^server/src/(app|app/[^/]+|commands/.+)\\.ts$' },
  to: {
    path: `${src}/${room}/([^/]+)/`,
    pathNot: `${src}/${room}/([^/]+)/\\1\\.ts$|${src}/(${doors.join('|').replaceAll('.', '\\.')})$`,
  },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'a circle of imports is one file that does not know it',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'a file nobody imports is no longer needed',
      severity: 'error',
      from: { orphan: true, pathNot: '(\\.test|\\.d)\\.ts$|main\\.ts$|docs-page/.*\\.js$|guard|test-' },
      to: {},
    },
    ...upward,
    ...faces,
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: { path: 'node_modules' }, tsPreCompilationDeps: true },
}
