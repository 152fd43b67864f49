import { admins, managers } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Expect, Stored, Values } from '../kernel/record/record.ts'
import { Invalid } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Email, Name, Parts, Text, Texts } from '../kernel/schema/values.ts'
import { complete, duplicateIds, type Entry, withIds } from '../records/entries.ts'
import { history } from '../records/history.ts'

const contact = {
  id: Text(100),
  name: Text(200),
  email: Email,
  phone: Text(60),
}

const shape = {
  code: Text(60),
  name: Name(200),
  domain: Text(253),
  address: Text(1000),
  zipcode: Text(40),
  country: Text(100),
  contacts: Parts(contact, [], 1000),
  sku: Texts(1000, 200),
}

type Crm = Stored<typeof shape>
type CrmValues = Values<typeof shape>

/** A customer and its contacts. */
export const crms = resource('Crm', {
  about: 'A customer and its contacts. Each contact has a stable id.',
  shape,
  may: { create: managers, update: managers, delete: admins },
  check: checkCrm,
})

function checkCrm(_ctx: Context, { contacts }: CrmValues): void {
  const faults = duplicateIds(complete(contact, contacts), 'contacts')
  if (faults.length > 0) throw new Invalid(faults)
}

async function createCrm(ctx: Context, values: Partial<CrmValues>): Promise<Crm> {
  return await crms.create(ctx, withContacts(values, []))
}

async function changeCrm(ctx: Context, id: Id, values: Partial<CrmValues>, more: { expect?: Expect }): Promise<Crm> {
  const { contacts } = await crms.get(ctx, id, { lock: true })
  return await crms.update(ctx, id, withContacts(values, contacts), more)
}

function withContacts(values: Partial<CrmValues>, before: CrmValues['contacts']): Partial<CrmValues> {
  if (!values.contacts) return values
  return { ...values, contacts: withIds(complete(contact, values.contacts), complete(contact, before), whoIsIt) }
}

/** Identifies a contact by email address, or else by name. */
function whoIsIt({ email, name }: Entry<typeof contact>): string {
  return email ? `email ${email.toLowerCase()}` : `name ${name}`
}

export const routes: Routes = {
  'GET /finance/crm': list(crms),
  'POST /finance/crm': create(crms, createCrm),
  'PUT /finance/crm': update(crms, changeCrm),
  'GET /finance/crm/:id': get(crms),
  'PUT /finance/crm/:id': update(crms, changeCrm),
  'PATCH /finance/crm/:id': update(crms, changeCrm),
  'DELETE /finance/crm/:id': remove(crms),
  'POST /finance/crm/:id/restore': restore(crms),
  'GET /finance/crm/:id/history': history(crms),
}
