import { shownTo } from '../../../../containers/redaction/redaction.ts'
import type { Endpoint } from '../../../../notify/endpoint.ts'
import type { ActionContext } from '../action-context.ts'
import { usersOf } from '../people.ts'
import { textOf } from './action-text.ts'

/** The body of a call to an SMS gateway. */
interface TextMessage {
  to: string
  text: string
}

/** Gateways join about ten messages to one. */
const maxLength = 1600

/** Returns one message for each number: the numbers in `to`, and those of the users that it names. */
export async function textMessages(work: ActionContext, { to, text }: Endpoint): Promise<TextMessage[]> {
  const words = (await work.render(to)).split(/[,;\n]/).map(each => each.trim())
  const people = await phonesOf(
    work,
    words.filter(each => !isPhoneNumber(each)),
  )
  const numbers = new Set([...words, ...people].filter(isPhoneNumber).map(plain))
  if (numbers.size === 0) return []
  const item = await shownTo(work.ctx, await work.item())
  const message =
    (await textOf(work, text)).text.trim() || (item ? `${item.key} ${item.title ?? ''}`.trim() : work.rule.name)
  return [...numbers].map(number => ({ to: number, text: [...message].slice(0, maxLength).join('') }))
}

const plain = (number: string) => number.replace(/[\s()./-]/g, '')
const isPhoneNumber = (text: string) => /^\+?\d{3,15}$/.test(plain(text))

async function phonesOf(work: ActionContext, named: readonly string[]): Promise<string[]> {
  if (named.every(each => each === '')) return []
  const { ctx } = work
  const rows = await ctx.sql<{ phone: string }>`select phone from "user"
    where tenant_id = ${ctx.caller.tenantId} and id = any(${await usersOf(work, named)}::uuid[]) and phone <> '' order by id`
  return rows.map(row => row.phone)
}
