import { headsFile, readHeads, verifyChain } from '../../engine/audit-chain/audit-chain.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { checkMasterKey, openSecrets } from '../../platform/secrets.ts'
import type { Settings } from '../../platform/settings.ts'

/** Proves for every tenant that nothing was cut out of its log or changed; throws with the places where it was. */
export async function proveLogs(database: Database, settings: Settings, copy?: string): Promise<string> {
  const secrets = openSecrets(settings)
  await checkMasterKey(database.crossTenantSql, secrets)
  const known = [
    ...(await readHeads(headsFile(settings.dataDir))),
    ...(copy === undefined ? [] : await readHeads(copy, { mustExist: true })),
  ]
  const tenants = await database.crossTenantSql<{ id: Id; slug: string }>`select id, slug from tenant order by id`
  const lines: string[] = []
  let broken = 0
  for (const { id, slug } of tenants) {
    const report = await database.serving({ secrets }).single(tenantCaller(id), ctx =>
      verifyChain(
        ctx,
        known.filter(each => each.tenantId === id),
      ),
    )
    const { seals, rows, rewritten, unsealed, problems } = report
    const more = `${rewritten ? `, ${rewritten} without an anonymised user` : ''}${unsealed ? `, ${unsealed} not sealed yet` : ''}`
    lines.push(`${slug}: ${rows} rows in ${seals} seals${more}${problems.length > 0 ? '' : ', unbroken'}`)
    lines.push(...problems.map(problem => `  ${problem}`))
    broken += problems.length
  }
  const gone = new Set(known.map(each => each.tenantId).filter(id => !tenants.some(tenant => tenant.id === id)))
  for (const id of gone) lines.push(`the tenant ${id} had a log, and is gone`)
  if (broken > 0) throw new Error([...lines, 'the log is BROKEN'].join('\n'))
  return [...lines, 'the log is unbroken'].join('\n')
}
