// Who may import whom, each rule with its reason as the message. The rooms, lowest first: a room knows only those before it.
const rooms = ['admin', 'finance', 'documents', 'time', 'containers', 'items', 'mail', 'automation', 'insight']
const src = '^server/src'

const upward = rooms.slice(0, -1).map((room, i) => ({
  name: `${room}-imports-only-downwards`,
  comment: `${room} stands below ${rooms.slice(i + 1).join(', ')}: news for them travels as events`,
  severity: 'error',
  from: { path: `${src}/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `${src}/(${rooms.slice(i + 1).join('|')})/` },
}))

const faces = rooms.map(room => ({
  name: `${room}-only-through-its-faces`,
  comment: 'a folder inside a room is entered through the file that bears its name, or one that says it is for others',
  severity: 'error',
  from: { path: `${src}/(?!${room}/)`, pathNot: '\\.test\\.ts$|^server/src/(app|engines|found|operator|answer)\\.ts$' },
  to: { path: `${src}/${room}/([^/]+)/`, pathNot: `${src}/${room}/([^/]+)/(\\1|field-value|operations)\\.ts$` },
}))

module.exports = {
  forbidden: [
    {
      name: 'kernel-knows-no-room',
      comment: 'the kernel stands under every room and names none of them',
      severity: 'error',
      from: { path: `${src}/kernel/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${src}/(${rooms.join('|')}|[^/]+\\.ts$)` },
    },
    {
      name: 'nobody-imports-the-top',
      comment: 'main, app, serve and operator put the house together; nothing in it knows them',
      severity: 'error',
      from: { path: `${src}/(kernel|${rooms.join('|')})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${src}/[^/]+\\.ts$` },
    },
    {
      name: 'no-circles',
      comment: 'a circle of imports is one file that does not know it',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'a file nobody imports is no longer needed',
      severity: 'error',
      from: { orphan: true, pathNot: '(\\.test|\\.d)\\.ts$|main\\.ts$|docs-page/docs\\.js$|guard|test-' },
      to: {},
    },
    ...upward,
    ...faces,
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: { path: 'node_modules' }, tsPreCompilationDeps: true },
}
