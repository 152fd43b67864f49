import { createReadStream } from 'node:fs'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { permission, superAdmins } from '../../kernel/access.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { type FormPart, operation, type Received, type Reopen } from '../../kernel/operation.ts'
import { fault, Invalid, Unavailable } from '../../kernel/refusal.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import type { Arrived } from '../../platform/blobs.ts'
import {
  appendTenantEvent,
  issueCredentials,
  refuseNonOperators,
  type TenantCredentials,
} from '../tenant/operate-tenants.ts'
import { users } from '../user/user.ts'
import { exportLines } from './export.ts'
import { type ImportResult, importLines } from './import.ts'
import { readLines } from './read-lines.ts'

const media = 'application/x-ndjson'

/** An export occupies a connection while it is read, so a process runs few of them at once. */
const maxAtOnce = 2
let running = 0

export const exportTenant = operation({
  permission: permission('tenant.export', superAdmins),
  mode: 'read',
  summary: 'Export the tenant',
  description:
    'Everything the tenant has, from one moment, as lines of JSON: a header, one line a row (deleted ones and the log too), the bytes of files, and at the end the totals with a hash of the content. Passwords, keys and sealed secrets stay here; the lines `unset` tell which secrets must be set anew.',
  query: {
    files: { type: 'string', enum: ['true', 'false'], description: '`false` leaves out the bytes of files.' },
  },
  reply: {
    status: 200,
    schema: { type: 'string', contentMediaType: media, description: 'One object of JSON a line.' },
    description: 'The export.',
  },
  async run(_ctx, { query }) {
    if (running >= maxAtOnce) throw new Unavailable('as many exports as this process bears are running')
    const files = query.files !== 'false'
    return {
      headers: {
        'content-type': media,
        'content-disposition': 'attachment; filename="tenant.ndjson"',
        'cache-control': 'private, no-store',
      },
      stream: reopen => counted(inTransaction(reopen, ctx => exportLines(ctx, { files }))),
    }
  },
})

async function* counted(parts: AsyncIterable<string>): AsyncGenerator<string> {
  running++
  try {
    yield* parts
  } finally {
    running--
  }
}

/** Streams what is produced inside one transaction, as fast as the client reads; the transaction ends if the client disconnects. */
async function* inTransaction(reopen: Reopen, make: (ctx: Context) => AsyncIterable<string>): AsyncGenerator<string> {
  let taken = Promise.withResolvers<void>()
  let offered = Promise.withResolvers<string | undefined>()
  const made = reopen(async ctx => {
    for await (const part of make(ctx)) {
      offered.resolve(part)
      await taken.promise
      taken = Promise.withResolvers()
    }
  }, 'transaction').then(
    () => offered.resolve(undefined),
    error => offered.reject(error),
  )
  try {
    for (let part = await offered.promise; part !== undefined; part = await offered.promise) {
      yield part
      offered = Promise.withResolvers()
      taken.resolve()
    }
  } finally {
    taken.promise.catch(() => {})
    taken.reject(new Error('nobody reads on'))
    offered.promise.catch(() => {})
    await made
  }
}

/** The tenant to create from an export, and its super admin. */
export interface ImportInput {
  slug: string
  name: string
  email: string
  suspended?: boolean | undefined
}

/** Imports a tenant, and issues credentials for the super admin that the importer names. */
export async function importTenantAs(
  ctx: Context,
  bytes: () => AsyncIterable<Buffer>,
  wish: ImportInput,
): Promise<ImportResult & TenantCredentials> {
  const imported = await importLines(ctx, { ...wish, lines: () => readLines(bytes()) })
  const userId = await ctx.actFor(tenantCaller(imported.tenantId), inner => superAdminNamed(inner, wish.email))
  const credentials = await ctx.actFor(tenantCaller(imported.tenantId, userId), inner =>
    issueCredentials(inner, wish.email, 'First key after the import'),
  )
  return { ...imported, ...credentials }
}

/** The user with this address, or a new one, as a super admin. */
async function superAdminNamed(ctx: Context, email: string): Promise<Id> {
  const [known] = await ctx.sql<{
    id: Id
  }>`select id from "user" where tenant_id = ${ctx.caller.tenantId} and lower(email) = lower(${email}) and not deleted`
  const rights = { superAdmin: true, active: true, locked: null }
  if (known) return (await users.update(ctx, known.id, rights)).id
  const made = await users.create(
    ctx,
    { name: email.split('@')[0] || email, email, role: 6, ...rights },
    { id: newId() },
  )
  return made.id
}

const importedSchema: Schema = {
  type: 'object',
  properties: {
    tenantId: { type: 'string', format: 'uuid' },
    rows: { type: 'object', description: 'How many rows of each table.' },
    files: { type: 'integer' },
    hash: { type: 'string', description: 'Of the content: that of an export of this tenant is the same.' },
    freshIds: { type: 'boolean', description: 'The original lives here, so the records got other ids.' },
    suspended: { type: 'boolean' },
    setAnew: {
      type: 'array',
      description: 'Secrets that stayed where the tenant came from; the first hundred.',
      items: { type: 'object', properties: { ownerId: { type: 'string' }, name: { type: 'string' } } },
    },
    userId: { type: 'string', format: 'uuid' },
    email: { type: 'string' },
    password: { type: 'string', description: 'Shown here and never again.' },
    RawKey: { type: 'string', description: 'Shown here and never again.' },
  },
  required: [
    'tenantId',
    'rows',
    'files',
    'hash',
    'freshIds',
    'suspended',
    'setAnew',
    'userId',
    'email',
    'password',
    'RawKey',
  ],
}

export const importTenant = operation<unknown>({
  permission: permission('tenant.import', superAdmins),
  mode: 'write',
  summary: 'Import a tenant',
  description:
    'For the super admins of an operating tenant: a new tenant out of an export, all of it or nothing. Whatever does not fit is refused with the number of its line. If the original lives in this installation, all records get fresh ids and the copy is suspended, unless asked otherwise. Users come without passwords; whoever is named by `email` becomes a super admin, with credentials that are in this answer and cannot be had again.',
  query: {
    slug: { type: 'string', 'x-required': true, description: 'What the new tenant is called in addresses.' },
    email: { type: 'string', 'x-required': true, description: 'Who becomes its super admin.' },
    name: { type: 'string', description: 'Another name than in the export.' },
    suspended: { type: 'string', enum: ['true', 'false'], description: 'Whether it begins suspended.' },
  },
  form: { schema: { type: 'string', description: 'The lines of an export.' }, media, receive },
  admit: refuseNonOperators,
  reply: { status: 201, schema: importedSchema, description: 'The tenant and the credentials, shown once.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body, query }) {
    const wish = readImportInput(query)
    await refuseNonOperators(ctx)
    const { path } = body as Arrived
    const imported = await importTenantAs(ctx, () => createReadStream(path, { highWaterMark: 1 << 18 }), wish)
    await appendTenantEvent(ctx, 'imported', imported.tenantId, {
      slug: { to: wish.slug },
      hash: { to: imported.hash },
    })
    return { body: imported, headers: { location: `/api/tenant/${imported.tenantId}` } }
  },
})

/** The lines are stored on disk before the transaction begins, because it must not wait for a slow client. */
async function receive(parts: AsyncIterable<FormPart>, { blobs }: Services): Promise<Received<Arrived>> {
  for await (const part of parts) {
    if ('text' in part) continue
    const arrived = await blobs.arrive(part.bytes, Number.POSITIVE_INFINITY)
    return { body: arrived, identity: { sha256: arrived.sha256 }, release: () => blobs.discard(arrived) }
  }
  throw new Invalid([fault([], 'required', 'the lines of an export are expected')])
}

/** Reads and validates the query of an import. */
export function readImportInput(query: Record<string, unknown>): ImportInput {
  const { slug, email, name = '', suspended } = query
  const faults = []
  if (typeof slug !== 'string' || slug.length > 60 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    faults.push(fault(['slug'], 'pattern', 'must be small letters, digits and single hyphens, at most 60', slug))
  if (typeof email !== 'string' || !isEmail(email))
    faults.push(fault(['email'], 'format', 'must be an e-mail address', email))
  if (typeof name !== 'string' || name.length > 120)
    faults.push(fault(['name'], 'maxLength', 'must have at most 120 characters', name))
  if (faults.length > 0) throw new Invalid(faults)
  return {
    slug: String(slug),
    email: String(email),
    name: String(name).trim(),
    suspended: suspended === undefined ? undefined : suspended === 'true',
  }
}
