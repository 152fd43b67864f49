import { Type } from 'typebox'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../kernel/record/record.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Count, LocalDate, Name, Parts, Ref, Text } from '../kernel/schema/values.ts'
import { Currency, Money } from '../language/money.ts'
import { amountsOf, withoutAmounts } from '../records/amounts.ts'
import { Code, codesOf, codeTable, isKnownCode } from '../records/code-table.ts'
import { datedFaults, From, sortedEntries } from '../records/dated.ts'
import { history } from '../records/history/history.ts'

const kinds = {
  service: [0, 'Service'],
  product: [1, 'Product'],
  supportPlan: [2, 'Support plan'],
  licence: [3, 'Licence'],
} as const

/** The codes of `kind` of a SKU. */
export const skuKind = codesOf(kinds)
export const skuKinds = codeTable('sku.kind', kinds)

/** An amount for one unit from a day on, until the next entry. */
const priceEntry = { from: From, amount: Money({ least: '0' }), currency: Currency }

const shape = {
  code: Text(60),
  name: Name(200),
  description: Text(2000),
  kind: Code(skuKinds),
  unit: Text(40),
  price: Parts(priceEntry, ['from'], 200),
  cost: Parts(priceEntry, ['from'], 200),
  taxCode: Text(40),
  includedMinutes: Count(100_000_000, 0, { description: 'The working time that a support plan includes.' }),
  clockId: Ref('Clock', {
    description:
      'The service level of a support plan: new items of customers with a contract for it get this clock before any other.',
  }),
  active: Type.Boolean({ default: true }),
  validFrom: LocalDate,
  validTo: LocalDate,
}

type Sku = Stored<typeof shape>
type SkuValues = Values<typeof shape>

/** Something that is sold: a service, a product, a support plan, a licence. */
const skus = resource('Sku', {
  about:
    'Something that is sold: a service, a product, a support plan or a licence. The entry of `price` and `cost` that began last is in force.',
  shape,
  notForAll: amountsOf('Sku'),
  ofTenant: ctx => withoutAmounts(ctx, 'Sku'),
  check: checkSku,
  findings,
  example: {
    code: 'GOLD',
    name: 'Gold support',
    kind: 2,
    price: [{ from: '2026-01-01', amount: '1400', currency: 'EUR' }],
  },
})

function checkSku(_ctx: Context, { price, cost, validFrom, validTo }: SkuValues): void {
  const faults = [
    ...datedFaults('price', price, 'until the next'),
    ...datedFaults('cost', cost, 'until the next'),
    ...(validFrom && validTo && validTo < validFrom
      ? [fault(['validTo'], 'range', 'must not be before validFrom', validTo)]
      : []),
  ]
  if (faults.length > 0) throw new Invalid(faults)
}

function findings({ kind, clockId }: Sku): Finding[] {
  const unknown = { path: '/kind', code: 'unknown-code', message: 'is not a known kind' }
  const unused = { path: '/clockId', code: 'no-effect', message: 'has an effect for support plans only' }
  return [
    ...(isKnownCode(skuKinds, kind) ? [] : [unknown]),
    ...(clockId !== '' && kind !== skuKind.supportPlan ? [unused] : []),
  ]
}

async function createSku(ctx: Context, values: Partial<SkuValues>): Promise<Sku> {
  return await skus.create(ctx, normalized(values))
}

async function changeSku(ctx: Context, id: Id, values: Partial<SkuValues>, more: { expect?: Expect }): Promise<Sku> {
  return await skus.update(ctx, id, normalized(values), more)
}

/** Dated entries are stored sorted and complete. */
function normalized(values: Partial<SkuValues>): Partial<SkuValues> {
  const { price, cost } = values
  return {
    ...values,
    ...(price ? { price: sortedEntries(priceEntry, price) } : {}),
    ...(cost ? { cost: sortedEntries(priceEntry, cost) } : {}),
  }
}

export const routes: Routes = {
  'GET /finance/sku': list(skus),
  'POST /finance/sku': create(skus, createSku),
  'PUT /finance/sku': update(skus, changeSku),
  'GET /finance/sku/:id': get(skus),
  'PUT /finance/sku/:id': update(skus, changeSku),
  'PATCH /finance/sku/:id': update(skus, changeSku),
  'DELETE /finance/sku/:id': remove(skus),
  'POST /finance/sku/:id/restore': restore(skus),
  'GET /finance/sku/:id/history': history(skus),
}
