import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Part, Text } from '../../kernel/schema/values.ts'
import { setting, settingOf } from '../../platform/setting.ts'

/** The seller or the buyer as an issued document names them. */
export interface BillingParty {
  name: string
  street: string
  city: string
  zipcode: string
  /** ISO 3166. */
  country: string
  taxId: string
}

const seller = setting('billing.seller', {
  schema: Part({
    name: Text(200),
    street: Text(500),
    city: Text(200),
    zipcode: Text(40),
    country: Text(2, { pattern: '^([A-Z]{2})?$' }),
    taxId: Text(60),
    iban: Text(34),
  }),
  default: {},
  scopes: ['tenant'],
  description: 'Who sends the invoices: name, address, country (ISO 3166), tax id, and the account for payments.',
})

/** The seller, and what is missing to issue a document. */
export async function sellerOf(ctx: Context): Promise<{ party: BillingParty & { iban: string }; missing: string[] }> {
  const given = await settingOf(ctx, seller)
  const party = { name: '', street: '', city: '', zipcode: '', country: '', taxId: '', iban: '', ...given }
  const missing = (['name', 'city', 'country', 'taxId'] as const).filter(each => party[each] === '')
  return { party, missing }
}

export async function buyerOf(ctx: Context, crmId: Id): Promise<BillingParty> {
  const [row] = await ctx.sql<BillingParty & Record<string, unknown>>`
    select name, address as street, city, zipcode, country, tax_id as "taxId" from crm where tenant_id = ${ctx.caller.tenantId} and id = ${crmId}`
  return row ?? { name: '', street: '', city: '', zipcode: '', country: '', taxId: '' }
}
