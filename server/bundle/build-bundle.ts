import { rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { bundlePaths, server, stampOfSources } from './find-bundle.ts'

/** Modules find the files beside them by their own address, which in the bundle would be that of the bundle. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: (code, file) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
}

/**
 * Every process keeps the text of its code: one byte for a character if all of them are ASCII, two if one is not. Names stay,
 * because stack traces show them.
 */
const light = {
  charset: 'ascii',
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
} as const

/** Makes the bundle, unless the bundler is missing: it is a tool of development, and no binary of it exists for some platforms. */
export async function buildBundle(folder = server): Promise<void> {
  const { rolldown } = await import('rolldown').catch(() => ({ rolldown: undefined }))
  if (!rolldown) return
  const { entry, dist, stamp } = bundlePaths(folder)
  const sources = stampOfSources(folder)
  rmSync(dist, { recursive: true, force: true })
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    // These load a binary that belongs to the platform; the last one has fonts. Both it and sharp are loaded at their first use.
    external: [/^@node-rs\//, 'pg-native', 'sharp', 'pdfkit'],
    plugins: [keepAddresses],
    logLevel: 'silent', // the warnings are about the code of dependencies
  })
  await bundle.write({ dir: dist, format: 'esm', keepNames: true, ...light })
  writeFileSync(stamp, sources)
}
