import { camel, type NamedOperation } from './names.ts'
import { comment } from './typescript.ts'

// A module for each collection, with a function for each of its operations.

const heading = '// Generated from the routes of the service by `npm run sdk`. Changes here are lost.\n\n'

export function moduleFiles(operations: readonly NamedOperation[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const [module, own] of Map.groupBy(operations, each => each.module)) {
    const functions = own.filter(each => each.name !== undefined)
    files.set(`areas/${module}.ts`, moduleFile(functions, module.split('/').length))
  }
  return files
}

function moduleFile(operations: readonly NamedOperation[], depth: number): string {
  const functions = operations.map(functionOf)
  const get = operations.find(each => each.name === 'get')
  const update = operations.find(each => each.name === 'update')
  if (get && update?.matches && get.path === update.path) functions.push(changeOf(get, update))
  const text = functions.join('\n')
  const code = text.replace(/^\/\*\*.*$/gm, '')
  const src = '../'.repeat(depth)
  const values = ['call', 'changeRecord', 'eventsOf', 'linesOf', 'pagesOf', 'responseOf'].filter(each =>
    code.includes(`${each}(`),
  )
  const types = [
    'Body',
    'Call',
    'Gantry',
    'Listed',
    'Options',
    'Pages',
    'Query',
    'Answer',
    'StreamOptions',
    'ServerEvent',
  ].filter(each => new RegExp(`\\b${each}\\b`).test(code))
  return `${heading}import { ${values.join(', ')} } from '${src}runtime.ts'\nimport type { ${types.sort().join(', ')} } from '${src}types.ts'\n\n${text}`
}

function functionOf(operation: NamedOperation): string {
  const { route, name, pathParameters, body, answer, paged } = operation
  const key = `'${route}'`
  const parameters = [
    'gantry: Gantry',
    ...pathParameters.map(each => `${each}: string`),
    ...(body ? [`body: Body<${key}>`] : []),
  ]
  const input = [
    ...(pathParameters.length > 0 ? [`path: { ${pathParameters.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
  ]
  const head = comment(operation.summary)
  const define = (rest: string, result: string, runtime: string, more: string[]) =>
    `${head}export function ${name}(${[...parameters, rest].join(', ')}): ${result} {\n  return ${runtime}(gantry, ${key}, { ${[...input, ...more].join(', ')} })\n}\n`
  if (paged && answer?.schema.type === 'array')
    return define(`query: Query<${key}> = {}`, `Pages<Listed<${key}>>`, 'pagesOf', ['query'])
  const options = `options: Options<${key}> = {}`
  switch (answer?.media) {
    case 'text/event-stream':
      return define(`options: StreamOptions<${key}> = {}`, 'AsyncGenerator<ServerEvent>', 'eventsOf', [
        '...options',
      ]).replace(`function ${name}(`, 'function follow(')
    case 'application/x-ndjson':
      return define(options, 'AsyncGenerator<unknown>', 'linesOf', ['...options'])
    case undefined:
    case 'application/json':
      return define(options, `Call<Answer<${key}>>`, 'call', ['...options'])
    default:
      return define(options, 'Promise<Response>', 'responseOf', ['...options'])
  }
}

function changeOf(get: NamedOperation, update: NamedOperation): string {
  const names = get.pathParameters.map(each => camel([each]))
  const parameters = ['gantry: Gantry', ...names.map(each => `${each}: string`)]
  return `${comment('Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now.')}export function change(${[...parameters, `compute: (current: Answer<'${get.route}'>) => Body<'${update.route}'>`].join(', ')}): Promise<Answer<'${update.route}'>> {\n  return changeRecord(gantry, '${get.route}', '${update.route}', { ${names.join(', ')} }, compute)\n}\n`
}
