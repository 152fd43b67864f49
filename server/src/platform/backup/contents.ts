import { join } from 'node:path'
import { type Content, readCompressed, writeCompressed } from './compressed-file.ts'

// The parts of a backup beside its manifest: the rows of each table, the files, and the list of the files.

const fileList = 'files.list.zst'

/** The rows of a table, in the text format of COPY. */
export const tableFile = (folder: string, name: string) => join(folder, 'tables', `${name}.copy.zst`)

export const fileListIn = (folder: string) => join(folder, fileList)

/** Writes the list of files with their sizes: `<tenant>/<sha256> <size>` per line. */
export async function writeFileList(folder: string, sizes: Map<string, number>): Promise<Content> {
  async function* lines(): AsyncGenerator<Buffer> {
    for (const [file, size] of sizes) yield Buffer.from(`${file} ${size}\n`)
  }
  return await writeCompressed(fileListIn(folder), lines())
}

/** Yields the files that a backup lists. */
export async function* listedFiles(folder: string): AsyncGenerator<{ file: string; size: number }> {
  let rest = ''
  for await (const chunk of readCompressed(fileListIn(folder))) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [file = '', size] = line.split(' ')
      yield { file, size: Number(size) }
    }
  }
}
