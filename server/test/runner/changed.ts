import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

// A change to one of these files can break any test.
const breaksAnything =
  /^server\/(migrations|test\/(support|runner)|test\/run\.ts)|(^|\/)(package(-lock)?|tsconfig)\.json$/

// The files that assemble the rooms import all of them, so through these files every test would reach every file.
const putsTogether = /^server\/src\/app(\.ts$|\/)/

/** The files that differ from a revision, and the untracked ones. */
export function changedFiles(revision: string): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')]
}

/**
 * The test files that a change can break: those that reach a changed file by imports. A test in a room calls the whole
 * service but is responsible for that room only, so it reaches what the code in its folder imports and not the files
 * that assemble the rooms; the tests in server/test reach everything.
 */
export function affectedTests(tests: readonly string[], changed: readonly string[]): string[] {
  if (changed.some(file => breaksAnything.test(file))) return [...tests]
  const hit = new Set(changed)
  const imports = new Map<string, string[]>()
  return tests.filter(test => {
    const ofWhole = test.startsWith('server/test/')
    const beside = ofWhole ? [] : globSync(join(dirname(test), '*.ts')).filter(file => !file.endsWith('.test.ts'))
    const seen = new Set([test, ...beside])
    for (const file of seen) {
      if (hit.has(file)) return true
      if (!ofWhole && putsTogether.test(file)) continue
      for (const each of importsOf(file, imports)) seen.add(each)
    }
    return false
  })
}

/** Lists every file that this one names by a relative path: in an import, or as the entry of a thread or process. */
function importsOf(file: string, known: Map<string, string[]>): string[] {
  const found =
    known.get(file) ??
    [...readFileSync(file, 'utf8').matchAll(/['"`](\.{1,2}\/[\w./-]+\.\w+)['"`]/g)]
      .map(([, path = '']) => normalize(join(dirname(file), path)))
      .filter(path => /\.[cm]?[jt]s$/.test(path) && existsSync(path))
  known.set(file, found)
  return found
}
