import { Type } from 'typebox'
import { admins, managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Email, LongText, Name, Parts, Ref, Refs, Text, Texts, Timezone } from '../../kernel/schema/values.ts'
import { Currency, Percent } from '../../language/money.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { Code, codeTableOfList } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { complete, duplicateIds, type Entry, withIds } from '../../records/input/entries.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { RoundingPolicy } from '../rounding.ts'
import { domainFaults, domainFindings, withDomains } from './crm-domains.ts'

export { customerOfAddress, customerOfPerson } from './customer-of-address.ts'

const contact = {
  id: Text(100),
  name: Text(200),
  email: Email,
  phone: Text(60),
  lead: Type.Boolean({
    description: 'Whether a requester whose account has this address sees all tickets of the customer.',
  }),
}

const shape = {
  code: Text(60),
  name: Name(200),
  domain: Text(253, { description: 'The primary mail domain, also the first of `domains`.' }),
  address: Text(1000),
  zipcode: Text(40),
  country: Text(100),
  contacts: Parts(contact, [], 1000),
  sku: Texts(1000, 200),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description:
      'Mail from an address at one of these domains is of this customer, unless a contact of another customer has the address. Providers of mailboxes for everybody never match.',
  }),
  city: Text(200),
  parentId: Ref('Crm'),
  mergedInto: Ref('Crm'),
  status: Code(codeTableOfList('crm.status', ['active', 'prospect', 'former']), {
    description: '0 active · 1 prospect · 2 former',
  }),
  tier: Text(60),
  ownerUserId: Ref('User'),
  timezone: Timezone,
  language: Text(35),
  clockId: Ref('Clock'),
  currency: Currency,
  taxId: Text(60),
  taxCategory: Text(2, {
    pattern: '^(S|Z|E|AE|K|G|O|L|M)?$',
    description: 'The code of UNTDID 5305 for invoices, such as S (standard rate) and AE (reverse charge).',
  }),
  taxRate: Percent(),
  paymentDays: Count(3650, 0, { description: 'The days until an invoice is due.' }),
  paymentTerms: Text(1000),
  rounding: RoundingPolicy,
  labels: Refs('Label', 100),
  externalId: Text(200),
  notes: LongText(),
}

export type Crm = Stored<typeof shape>
type CrmValues = Values<typeof shape>

/** A customer and its contacts. */
export const crms = resource('Crm', {
  about: 'A customer and its contacts. Each contact has a stable id.',
  shape,
  serverSet: ['mergedInto'],
  may: { create: managers, update: managers, delete: admins },
  check: checkCrm,
  findings: domainFindings,
})

async function checkCrm(ctx: Context, values: CrmValues, before: Crm | undefined): Promise<void> {
  const faults = [...duplicateIds(complete(contact, values.contacts), 'contacts'), ...domainFaults(values.domains)]
  if (Number(values.taxRate) > 100) faults.push(fault(['taxRate'], 'range', 'must be at most 100', values.taxRate))
  if (faults.length > 0) throw new Invalid(faults)
  if (values.parentId && values.parentId !== before?.parentId)
    await ancestorsOf(ctx, crms, values.parentId.toLowerCase(), before?.id)
}

async function createCrm(ctx: Context, values: Partial<CrmValues>): Promise<Crm> {
  return await crms.create(ctx, completedCrm(values, { domain: '', domains: [], contacts: [] }))
}

async function changeCrm(ctx: Context, id: Id, values: Partial<CrmValues>, more: { expect?: Expect }): Promise<Crm> {
  const before = await crms.get(ctx, id, { lock: true })
  return await crms.update(ctx, id, completedCrm(values, before), more)
}

function completedCrm(
  values: Partial<CrmValues>,
  before: Pick<CrmValues, 'domain' | 'domains' | 'contacts'>,
): Partial<CrmValues> {
  const known = withDomains(values, before)
  if (!values.contacts) return known
  return { ...known, contacts: joinContacts(values.contacts, before.contacts) }
}

/** Completes contacts, which keep the ids that they have among those before. */
function joinContacts(contacts: CrmValues['contacts'], before: CrmValues['contacts']): Entry<typeof contact>[] {
  return withIds(complete(contact, contacts), complete(contact, before), whoIsIt)
}

/** Identifies a contact by email address, or else by name. */
export function whoIsIt({ email = '', name = '' }: Partial<Entry<typeof contact>>): string {
  return email ? `email ${email.toLowerCase()}` : `name ${name}`
}

export const routes: Routes = {
  'GET /finance/crm': list(crms, byParts('crm')),
  'POST /finance/crm': create(crms, createCrm),
  'PUT /finance/crm': update(crms, changeCrm),
  'GET /finance/crm/:id': get(crms),
  'PUT /finance/crm/:id': update(crms, changeCrm),
  'PATCH /finance/crm/:id': update(crms, changeCrm),
  'DELETE /finance/crm/:id': remove(crms),
  'POST /finance/crm/:id/restore': restore(crms),
  'GET /finance/crm/:id/history': history(crms),
  'GET /finance/crm/:id/check': check(crms),
}
