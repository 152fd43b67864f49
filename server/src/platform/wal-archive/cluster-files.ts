import { opendir } from 'node:fs/promises'
import { join, relative } from 'node:path'

// PostgreSQL creates these again; copies of them would be wrong or useless.
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const left =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal|gantry\.conf|pg_internal\.init.*|pgsql_tmp.*)$/

/** The control file says where recovery begins, so it is copied last. */
const controlFile = join('global', 'pg_control')

/** Lists what a base backup of a running cluster copies: all folders, and the files in the order of copying. */
export async function clusterFiles(cluster: string): Promise<{ folders: string[]; files: string[] }> {
  const folders: string[] = []
  const files: string[] = []
  async function read(folder: string): Promise<void> {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      const name = relative(cluster, path)
      if (entry.isDirectory() && !left.test(entry.name)) {
        folders.push(name)
        if (!emptied.includes(name)) await read(path)
      } else if (entry.isFile() && !left.test(entry.name) && name !== controlFile) files.push(name)
      else if (entry.isSymbolicLink()) throw new Error(`${path} is a link; a base backup has no place for it`)
    }
  }
  await read(cluster)
  return { folders: folders.sort(), files: [...files.sort(), controlFile] }
}
