import * as original from 'node:test'

// The replacement for `node:test` in test files: it also tells the driver when all suites of a file are set up.

export const { after, afterEach, before, beforeEach, it, mock, test } = original

/** The set-up of suites before their tests are known: they start services and create records. */
export const settingUp: Promise<unknown>[] = []

type Build = (context: original.SuiteContext) => void | Promise<void>

/**
 * A suite that the driver waits for before the first test of the file; otherwise tests would run while other suites are
 * being set up.
 */
export const describe = Object.assign((...given: unknown[]) => {
  const watched = given.map(each => (typeof each === 'function' ? watch(each as Build) : each))
  return Reflect.apply(original.describe, undefined, watched)
}, original.describe) as typeof original.describe

function watch(build: Build): Build {
  return context => {
    const built = build(context)
    if (built instanceof Promise) settingUp.push(built.catch(() => {})) // its suite reports the error
    return built
  }
}
