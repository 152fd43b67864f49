import { createReadStream } from 'node:fs'
import { isAgent } from '../../identity/agent.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { permission, roleCode, superAdmins } from '../../kernel/access.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { type FormPart, operation, type Received, type Reopen, type Reply } from '../../kernel/operation.ts'
import { Forbidden, fault, Invalid, Unavailable } from '../../kernel/refusal.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import type { Arrived } from '../../platform/bytes/blobs.ts'
import {
  appendTenantEvent,
  issueCredentials,
  refuseNonOperators,
  type TenantCredentials,
} from '../tenant/operate-tenants.ts'
import { users } from '../user/user.ts'
import { exportLines } from './export.ts'
import { type ImportResult, importLines } from './import.ts'
import { personLines } from './person-export.ts'
import { readLines } from './read-lines.ts'

const media = 'application/x-ndjson'

/** An export occupies a connection while it is read, so a process runs few of each kind at once. */
const maxAtOnce = 2
const running = { tenant: 0, person: 0 }

export const exportTenant = operation({
  permission: permission('tenant.export', superAdmins),
  mode: 'read',
  summary: 'Export the tenant',
  description:
    'The whole tenant from one snapshot, as lines of JSON: a header, one line per row (including deleted ones and the event log), the bytes of files, and at the end the totals with a hash of the content. Passwords, keys and secrets are not exported; the lines `unset` name the secrets that must be set again.',
  query: {
    files: { type: 'string', enum: ['true', 'false'], description: '`false` leaves out the bytes of files.' },
  },
  reply: {
    status: 200,
    schema: { type: 'string', contentMediaType: media, description: 'One JSON object per line.' },
    description: 'The export.',
    headers: ['Content-Disposition'],
  },
  async run(ctx, { query }) {
    refuseAgents(ctx)
    return download('tenant', inner => exportLines(inner, { files: query.files !== 'false' }))
  },
})

export const exportPerson = operation({
  permission: permission('user.export', superAdmins),
  mode: 'read',
  summary: 'Export the data of a person',
  description:
    'Everything that is stored about a user, from one snapshot, as lines of JSON: a header, one line for each row of any table that contains the id of the user or an address they have or had (records they created or changed, are assigned to or mentioned in, and the event log), the bytes of the files and received mails among them, and at the end the numbers of rows and files. Bytes are in lines `{"bytes": <sha256>, "part": <number>, "data": <Base64>}`, which follow the rows with this `sha256`; an empty part ends a file. Passwords, keys and secrets are not exported.',
  query: {
    files: { type: 'string', enum: ['true', 'false'], description: '`false` leaves out the bytes of files.' },
  },
  reply: {
    status: 200,
    schema: { type: 'string', contentMediaType: media, description: 'One JSON object per line.' },
    description: 'The export.',
    headers: ['Content-Disposition'],
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    refuseAgents(ctx)
    const user = await users.get(ctx, params.id ?? '', { deleted: true })
    return download('person', inner => personLines(inner, user, { files: query.files !== 'false' }))
  },
})

/** An export has all rows, among them the documents that are closed to assistants. */
function refuseAgents({ caller }: Context): void {
  if (isAgent(caller))
    throw new Forbidden('an agent exports nothing, because an export contains what is closed to assistants')
}

function download(name: keyof typeof running, lines: (ctx: Context) => AsyncIterable<string>): Reply {
  if (running[name] >= maxAtOnce) throw new Unavailable('too many exports are running; try again later')
  return {
    headers: {
      'content-type': media,
      'content-disposition': `attachment; filename="${name}.ndjson"`,
      'cache-control': 'private, no-store',
    },
    stream: reopen => counted(name, inTransaction(reopen, lines)),
  }
}

async function* counted(name: keyof typeof running, parts: AsyncIterable<string>): AsyncGenerator<string> {
  running[name]++
  try {
    yield* parts
  } finally {
    running[name]--
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
    taken.reject(new Error('the client has disconnected'))
    offered.promise.catch(() => {})
    await made
  }
}

/** The tenant to create from an export, and its super admin. */
interface ImportInput {
  slug: string
  name: string
  email: string
  suspended?: boolean | undefined
}

/** Imports a tenant, and issues credentials for the super admin that the importer names. */
export async function importTenantAs(
  ctx: Context,
  bytes: () => AsyncIterable<Buffer>,
  input: ImportInput,
): Promise<ImportResult & TenantCredentials> {
  const imported = await importLines(ctx, { ...input, lines: () => readLines(bytes()) })
  const userId = await ctx.actFor(tenantCaller(imported.tenantId), inner => superAdminNamed(inner, input.email))
  const credentials = await ctx.actFor(tenantCaller(imported.tenantId, userId), inner =>
    issueCredentials(inner, input.email, 'First key after the import'),
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
    { name: email.split('@')[0] || email, email, role: roleCode.admin, ...rights },
    { id: newId() },
  )
  return made.id
}

const importedSchema: Schema = {
  type: 'object',
  properties: {
    tenantId: { type: 'string', format: 'uuid' },
    rows: { type: 'object', description: 'The number of rows per table.' },
    files: { type: 'integer' },
    hash: { type: 'string', description: 'The hash of the content; an export of the new tenant has the same.' },
    freshIds: {
      type: 'boolean',
      description: 'Whether the records got new ids, because the original is in this installation.',
    },
    suspended: { type: 'boolean' },
    setAnew: {
      type: 'array',
      description: 'Secrets that must be set again; the first hundred.',
      items: { type: 'object', properties: { ownerId: { type: 'string' }, name: { type: 'string' } } },
    },
    userId: { type: 'string', format: 'uuid' },
    email: { type: 'string' },
    password: { type: 'string', description: 'Only this response contains it.' },
    RawKey: { type: 'string', description: 'Only this response contains it.' },
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
    'For the super admins of an operating tenant: creates a tenant from an export, all of it or nothing. An invalid line is refused with its number. If the original is in this installation, all records get new ids, and the copy is suspended by default. Users have no passwords; the user with the address `email` becomes a super admin, and only this response contains their credentials.',
  query: {
    slug: { type: 'string', 'x-required': true, description: 'The slug of the new tenant.' },
    email: { type: 'string', 'x-required': true, description: 'The address of its super admin.' },
    name: { type: 'string', description: 'The name of the new tenant, if it differs from the export.' },
    suspended: { type: 'string', enum: ['true', 'false'], description: 'Whether the new tenant is suspended.' },
  },
  form: { schema: { type: 'string', description: 'The lines of an export.' }, media, receive },
  admit: refuseNonOperators,
  reply: { status: 201, schema: importedSchema, description: 'The tenant and the credentials.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body, query }) {
    const input = readImportInput(query)
    await refuseNonOperators(ctx)
    const { path } = body as Arrived
    const imported = await importTenantAs(ctx, () => createReadStream(path, { highWaterMark: 1 << 18 }), input)
    await appendTenantEvent(ctx, 'imported', imported.tenantId, {
      slug: { to: input.slug },
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
    faults.push(
      fault(
        ['slug'],
        'pattern',
        'must consist of lower-case letters, digits and single hyphens, at most 60 characters',
        slug,
      ),
    )
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
