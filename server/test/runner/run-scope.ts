import { inspect } from 'node:util'
import type { Outcome, WorkerMessage } from './messages.ts'
import { type Scope, TestContext, within } from './node-test.ts'

/** Errors that nobody waited for: the test that runs while one appears fails. */
const stray: unknown[] = []
process.on('uncaughtException', error => stray.push(error))
process.on('unhandledRejection', error => stray.push(error))

/** Runs a file, a suite or a test with everything below it, and reports each result; true if all of it passed. */
export async function runScope(scope: Scope, report: (message: WorkerMessage) => void, depth = 0): Promise<boolean> {
  const began = performance.now()
  const errors: unknown[] = scope.broken === undefined ? [] : [scope.broken]
  const attempt = async (action: () => unknown) => {
    try {
      await within(scope, action)
      // A rejection that nobody handled is reported after the microtasks of its turn.
      await new Promise(setImmediate)
    } catch (error) {
      errors.push(error)
    }
    errors.push(...stray.splice(0))
  }
  const context = new TestContext(scope)
  const call = async (hooks: readonly ((context: TestContext) => unknown)[]) => {
    for (const hook of hooks) await attempt(() => hook(context))
  }

  let failedBelow = false
  if (scope.skipped === undefined && errors.length === 0) {
    const { run, hooks, children } = scope
    if (run) {
      await call(inherited(scope, 'beforeEach'))
      if (errors.length === 0) await attempt(() => run(context))
      await call(inherited(scope, 'afterEach').reverse())
    } else {
      await call(hooks.before)
      const runChild = (child: Scope) => runScope(child, report, depth + 1)
      const passed = scope.concurrent ? await Promise.all(children.map(runChild)) : await inTurn(children, runChild)
      failedBelow = passed.includes(false)
    }
  }
  await call(scope.hooks.after)

  for (const text of scope.notes) report({ kind: 'note', depth, text })
  const failed = errors.length > 0
  report(outcomeOf(scope, { depth, milliseconds: performance.now() - began, errors, failedBelow }))
  return !failed && !failedBelow
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await action(item))
  return results
}

/** Returns the hooks of this kind that apply to a test: those of its file first, those of its own suite last. */
function inherited({ parent }: Scope, kind: 'beforeEach' | 'afterEach'): ((context: TestContext) => unknown)[] {
  return parent ? [...inherited(parent, kind), ...parent.hooks[kind]] : []
}

interface Result {
  depth: number
  milliseconds: number
  errors: readonly unknown[]
  failedBelow: boolean
}

function outcomeOf(scope: Scope, { depth, milliseconds, errors, failedBelow }: Result): Outcome {
  return {
    kind: 'outcome',
    depth,
    name: scope.name,
    isSuite: scope.run === undefined,
    milliseconds,
    place: scope.place,
    ...(scope.skipped === undefined ? {} : { skipped: scope.skipped }),
    ...(errors.length > 0 && { failure: errors.map(error => inspect(error, { depth: 5 })).join('\n') }),
    ...(failedBelow && errors.length === 0 && { failure: '', onlyBelow: true }),
  }
}
