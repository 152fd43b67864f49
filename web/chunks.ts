import { join } from 'node:path'
import type { Rolldown } from 'vite'

// How the modules of the app are packed into files. A browser asks for a handful of files a page, and for no code that the page does not run:
// what many parts share is a few files, and what only one part needs is that part's own.

type Groups = Exclude<Rolldown.CodeSplittingOptions['groups'], undefined>

const source = join(import.meta.dirname, 'src')
const started = ['main.tsx', 'items/my-work/my-work.tsx'].map(file => join(source, file))

let startModules: Set<string> | undefined

/** Whether the first page runs this module. The entries themselves stay files of their own, so that each can be imported by its name. */
function isOfStart(id: string, context: Rolldown.ChunkingContext): boolean {
  if (!startModules) {
    startModules = new Set()
    const waiting = [...started]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (startModules.has(next)) continue
      startModules.add(next)
      waiting.push(...(context.getModuleInfo(next)?.importedIds ?? []))
    }
    for (const entry of started) startModules.delete(entry)
  }
  return startModules.has(id)
}

/** The first group that takes a module has it. A module that none takes is packed with those that the same parts need. */
const inOrder: Groups = [
  // Runs before all others, and so needs none of them.
  { name: 'first', test: /web\/src\/(first-code|pages)\.ts|preload-helper/ },
  {
    // Changes less often than the app does, so that it stays in the browser's cache.
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|zustand|@tanstack\/(query|react-query|router|react-router|history|store))\b/,
  },
  { name: (id, context) => (isOfStart(id, context) ? 'start' : null), debugName: 'start' },
  // Apart from the widgets, because the editor needs it without them.
  { name: 'floating', test: /node_modules\/@floating-ui/ },
  { name: 'widgets', minShareCount: 5 },
  { name: 'commands', test: /node_modules\/cmdk/ },
  { name: 'uploads', test: /web\/src\/(documents\/upload\/(running-uploads|messages)|items\/item\/text\/upload)\.ts/ },
  { name: 'common', test: /web\/src\/(kit|kernel|items)\/(?!item\/)/, minShareCount: 3 },
  {
    name: 'rows',
    test: /node_modules\/@tanstack|web\/src\/(planning\/(?!container-page)|kernel\/conditions|items\/(bulk|[^/]+$))/,
    minShareCount: 2,
  },
]

export const groups: Groups = inOrder.map((group, place) => ({ ...group, priority: inOrder.length - place }))
