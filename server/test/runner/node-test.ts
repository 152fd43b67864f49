import * as original from 'node:test'

// What test files get for `node:test`: the same, but that the driver knows when all suites of a file are set up.

export const { after, afterEach, before, beforeEach, it, mock, test } = original

/** What suites do before their tests are known: they make houses and records. */
export const settingUp: Promise<unknown>[] = []

type Build = (context: original.SuiteContext) => void | Promise<void>

/** A suite that the driver waits for before the first test of the file: else they would run while others are set up. */
export const describe = Object.assign((...given: unknown[]) => {
  const watched = given.map(each => (typeof each === 'function' ? watch(each as Build) : each))
  return Reflect.apply(original.describe, undefined, watched)
}, original.describe) as typeof original.describe

function watch(build: Build): Build {
  return context => {
    const built = build(context)
    if (built instanceof Promise) settingUp.push(built.catch(() => {})) // its suite tells what went wrong
    return built
  }
}
