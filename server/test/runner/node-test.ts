import { AsyncLocalStorage } from 'node:async_hooks'
import { mock } from 'node:test'

// The replacement for `node:test` in test files: the part of its interface that they use. Node's own implementation follows
// every promise of the process with async hooks, to find the test that a call belongs to; that took 7 % of the CPU time of
// a suite, PostgreSQL included. An AsyncLocalStorage costs next to nothing. `node --test` still runs a single file.

type Action = (context: TestContext) => unknown

interface Options {
  skip?: string | boolean | undefined
  /** The tests of this suite run at the same time. */
  concurrency?: boolean | undefined
}

/** A file, a suite or a test: `run` belongs to tests only. */
export class Scope {
  readonly children: Scope[] = []
  readonly hooks: Record<'before' | 'after' | 'beforeEach' | 'afterEach', Action[]> = {
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  }
  readonly notes: string[] = []
  readonly name: string
  readonly parent: Scope | undefined
  readonly place: string | undefined
  readonly concurrent: boolean
  readonly run: Action | undefined
  skipped: string | undefined
  /** The function of a suite failed, so its tests are not known. */
  broken: unknown

  constructor(name: string, parent?: Scope, { skip, concurrency }: Options = {}, run?: Action) {
    this.name = name
    this.parent = parent
    this.skipped = reasonOf(skip)
    this.concurrent = concurrency === true
    this.run = run
    this.place = parent && callerOf(new Error().stack)
  }
}

/** What a test function gets as its argument. */
export class TestContext {
  readonly #scope: Scope

  constructor(scope: Scope) {
    this.#scope = scope
  }

  diagnostic = (text: string) => void this.#scope.notes.push(text)
  after = (hook: Action) => void this.#scope.hooks.after.push(hook)
  skip = (reason?: string) => {
    this.#scope.skipped = reasonOf(reason ?? true)
  }
}

const storage = new AsyncLocalStorage<Scope>()
let file = new Scope('none')
/** The functions of suites that still run: they start services and create records. */
const building: Promise<void>[] = []

/** Loads a test file and returns its suites and tests. */
export async function scopeOf(name: string, load: () => Promise<unknown>): Promise<Scope> {
  file = new Scope(name)
  await built(file, load)
  for (let each = building.shift(); each; each = building.shift()) await each
  return file
}

/** Runs a function so that the hooks it declares belong to this scope. */
export function within<Result>(scope: Scope, action: () => Result): Result {
  return storage.run(scope, action)
}

const current = () => storage.getStore() ?? file

export function test(name: string, ...given: [Action] | [Options, Action]): Promise<void> {
  const [options, run] = given.length === 1 ? [{}, given[0]] : given
  const parent = current()
  parent.children.push(new Scope(name, parent, options, run))
  return Promise.resolve()
}

export function describe(name: string, ...given: [() => unknown] | [Options, () => unknown]): Promise<void> {
  const [options, build] = given.length === 1 ? [{}, given[0]] : given
  const parent = current()
  const suite = new Scope(name, parent, options)
  parent.children.push(suite)
  if (suite.skipped === undefined) building.push(built(suite, build))
  return Promise.resolve()
}

async function built(suite: Scope, build: () => unknown): Promise<void> {
  try {
    await within(suite, build)
  } catch (error) {
    suite.broken = error
  }
}

const hook = (kind: keyof Scope['hooks']) => (action: Action) => void current().hooks[kind].push(action)

export const before = hook('before')
export const after = hook('after')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')
export { mock }

function reasonOf(skip: string | boolean | undefined): string | undefined {
  return skip === true ? 'no reason given' : skip || undefined
}

/** Returns file and line of the call of `test` or `describe`. */
function callerOf(stack = ''): string | undefined {
  const line = stack.split('\n').find(each => each.includes('file:') && !each.includes(import.meta.url))
  return line && /file:\/\/([^)]*):\d+\)?$/.exec(line)?.[1]
}
