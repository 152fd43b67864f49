import { Type } from 'typebox'
import type { Caller } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import { scopes, setting, settingOf } from '../../platform/setting.ts'

const form = '^(https://[a-z0-9.-]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\]))(:[0-9]{1,5})?$'

const corsOrigins = setting('cors.origins', {
  security: true,
  schema: Type.Array(Type.String({ maxLength: 300, pattern: form }), { maxItems: 50 }),
  default: [],
  scopes: ['tenant'],
  description:
    'The sites whose pages may call the API of this tenant from a browser, by their origins: https://app.example.com, or http://localhost:3000 for a program in development. No cookies are accepted from them.',
})

/** The sites that tenants let call the API. */
interface CorsOrigins {
  /** Whether some tenant lists the origin: all that is known before somebody has said who they are. */
  ofAny(origin: string): Promise<boolean>
  /** Whether the tenant of the caller lists it. */
  ofCaller(caller: Caller, origin: string): Promise<boolean>
}

/** The lists of all tenants are read again after this time, however often strangers ask. */
const belief = 5000

export function openCorsOrigins(database: Database): CorsOrigins {
  let known: { origins: Promise<ReadonlySet<string>>; until: number } | undefined

  async function readAll(): Promise<ReadonlySet<string>> {
    const rows = await database.crossTenantSql<{ value: unknown }>`
      select value from app_setting where key = ${corsOrigins.key} and scope = ${scopes.tenant} and not deleted
      union all select value from operator_setting where key = ${corsOrigins.key}`
    return new Set(rows.flatMap(({ value }) => (corsOrigins.faults(value).length === 0 ? (value as string[]) : [])))
  }

  return {
    async ofAny(origin) {
      if (!known || known.until <= Date.now()) known = { origins: readAll(), until: Date.now() + belief }
      const { origins } = known
      return await origins.then(
        all => all.has(origin),
        error => {
          known = undefined
          throw error
        },
      )
    },
    ofCaller: async (caller, origin) =>
      (await database.single(caller, ctx => settingOf(ctx, corsOrigins))).includes(origin),
  }
}
