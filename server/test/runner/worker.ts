import { run } from 'node:test'
import { inspect } from 'node:util'
import { depthOfFile, type Outcome, type WorkerMessage } from './messages.ts'

// A worker process: runs its files one after another and reports every test. The application is loaded once per worker,
// because loading it for each file would take longer than the tests.

const tell = (message: WorkerMessage) => process.send?.(message)
const driver = new URL('driver.ts', import.meta.url).pathname

process.on('disconnect', () => process.exit(1)) // the runner has ended
tell({ kind: 'next' })
for await (const { type, data } of run({ files: [driver], isolation: 'none' })) {
  if (type === 'test:diagnostic' && data.nesting > 0) tell({ kind: 'note', depth: data.nesting, text: data.message })
  if (type !== 'test:pass' && type !== 'test:fail') continue
  tell(outcomeOf(data, type === 'test:fail' ? data.details.error : undefined))
  if (data.nesting === depthOfFile) tell({ kind: 'next' })
}

interface Told {
  name: string
  nesting: number
  details: { type?: string | undefined; duration_ms: number }
  skip?: string | boolean | undefined
  todo?: string | boolean | undefined
  file?: string | undefined
  line?: number | undefined
}

function outcomeOf({ name, nesting, details, skip, todo, file, line }: Told, error: Error | undefined): Outcome {
  const left = skip ?? todo
  return {
    kind: 'outcome',
    depth: nesting,
    name,
    isSuite: details.type === 'suite',
    milliseconds: details.duration_ms,
    place: file && `${file}:${line}`,
    ...(left === undefined ? {} : { skipped: typeof left === 'string' ? left : 'no reason given' }),
    ...(error && {
      failure: inspect(error.cause ?? error, { depth: 5 }),
      onlyBelow: Reflect.get(error, 'failureType') === 'subtestsFailed',
    }),
  }
}
