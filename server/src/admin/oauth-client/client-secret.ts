import { digestOfSecret, randomWord } from '../../identity/api-key-secret.ts'
import { type Sql, sql } from '../../kernel/sql.ts'

/** A new secret: `plain` is shown once, the other parts are stored. 43 characters of 62 are 256 random bits. */
export function freshSecret(): { plain: string; last4: string; columns: { secret: Sql } } {
  const plain = `gts_${randomWord(43)}`
  return { plain, last4: plain.slice(-4), columns: { secret: sql`${digestOfSecret(plain)}::bytea` } }
}
