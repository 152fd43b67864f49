import pg from 'pg'
import type { ConnectionRecord } from '../data-directory/connection-record.ts'
import { database, urlOf } from './address.ts'

/** Checks that the URL works, and creates the database when the cluster is new. */
export async function ensureDatabase(memory: ConnectionRecord): Promise<void> {
  try {
    await execute(urlOf(memory), 'select 1')
  } catch (error) {
    const absent = error instanceof pg.DatabaseError && error.code === '3D000'
    if (!absent) throw error
    await execute(urlOf(memory, 'postgres'), `create database ${database}`)
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection lost while idle; the next statement reports it
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}
