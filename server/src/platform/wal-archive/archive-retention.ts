import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keepNewest, listBackups } from '../backup/backup-folder.ts'
import { listedFiles } from '../backup/contents.ts'
import { filesIn, pathOf } from '../backup/file-copies.ts'
import { readBaseManifest } from './base-manifest.ts'
import { placesIn } from './wal-archive.ts'

/** Removes all but the newest base backups, and what only the removed ones needed: segments of the log, and files. */
export async function keepNewestBases(archive: string, count: number): Promise<string[]> {
  const { bases, segments, files } = placesIn(archive)
  const removed = await keepNewest(bases, count)
  const kept = await listBackups(bases)
  if (removed.length === 0 || !kept[0]) return removed
  const oldest = await readBaseManifest(join(bases, kept[0]))
  for (const name of await readdir(segments))
    if (isBefore(name, oldest.firstSegment)) await rm(join(segments, name), { force: true })
  const needed = new Set<string>()
  for (const name of kept) for await (const { file } of listedFiles(join(bases, name))) needed.add(file)
  for await (const file of filesIn(files)) {
    if (needed.has(file)) continue
    // What arrived after the oldest base backup is needed at some moment after it, whatever became of it since.
    const path = join(files, pathOf(file))
    if ((await stat(path)).mtime < new Date(oldest.started)) await rm(path)
  }
  return removed
}

/** A segment is named by its timeline and its place in the log, eight and sixteen digits; a history of timelines stays. */
const isBefore = (name: string, first: string) => /^[0-9A-F]{24}/.test(name) && name.slice(8, 24) < first.slice(8)
