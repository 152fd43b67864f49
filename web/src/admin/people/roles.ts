import { codes } from '@gantry/sdk'
import { say } from './messages.ts'

type RoleName = keyof typeof codes.role

/** The roles that a person can be invited with, the usual one first. */
export const roles: readonly RoleName[] = ['member', 'manager', 'admin', 'requester', 'readOnly']

export function roleText(code: number): string {
  const name = (Object.keys(codes.role) as RoleName[]).find(each => codes.role[each] === code)
  return name ? say[name] : ''
}
