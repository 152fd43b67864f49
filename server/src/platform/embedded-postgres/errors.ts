/** Another live process uses this data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'

  constructor(directory: string, pid: number | undefined) {
    super(`The data directory ${directory} is in use by a running Gantry process (pid ${pid ?? 'unknown'}).`)
  }
}

/** The bundled PostgreSQL cannot run here; the message says why and what to do. */
export class EmbeddedUnavailable extends Error {
  override name = 'EmbeddedUnavailable'

  constructor(why: string, instead = 'start Gantry as an ordinary user') {
    super(`The bundled PostgreSQL cannot run here: ${why}. Set DATABASE_URL to use another PostgreSQL, or ${instead}.`)
  }
}
