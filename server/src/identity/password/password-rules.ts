import { fault, Invalid } from '../../kernel/refusal.ts'
import { fold, isCommon, once, wordsOf } from './common-passwords.ts'

/** Lengths count characters, not bytes. */
export const minPasswordLength = 12
export const maxPasswordLength = 200

/** The person who chooses the password; empty texts if they are not known. */
export interface PasswordOwner {
  email: string
  name: string
}

/** Refuses a new password that breaks the rules. Passwords that were set under earlier rules stay valid for sign-in. */
export function validatePassword(password: string, owner: PasswordOwner): void {
  const wrong = passwordFault(password, owner)
  if (wrong) throw new Invalid([fault(['password'], 'password', wrong)])
}

/** Returns what is wrong with a new password, as a text for the person who chose it; undefined if it is acceptable. */
export function passwordFault(password: string, owner: PasswordOwner): string | undefined {
  const characters = [...password].length
  if (characters < minPasswordLength) return `must have at least ${minPasswordLength} characters`
  if (characters > maxPasswordLength) return `must have at most ${maxPasswordLength} characters`
  const folded = fold(password)
  const repeated = [...once(folded)].length
  if (repeated === 1) return 'must not be a single character that is repeated'
  if (isSequence(folded)) return 'must not be a simple sequence like 123456 or qwerty'
  const words = wordsOf(folded)
  const own = ownWords(owner)
  if (words.some(word => own.has(word)))
    return 'must not be the e-mail address or the name of the user, not even with digits added'
  if (isCommon(folded) || words.some(isCommon))
    return 'is one of the most common passwords, or a common word that is repeated or has digits added'
  if (repeated < minPasswordLength && repeated < [...folded].length)
    return `must not repeat a text of fewer than ${minPasswordLength} characters`
  return undefined
}

/** The whole address and name, and their parts of three letters and more. */
function ownWords({ email, name }: PasswordOwner): ReadonlySet<string> {
  const local = email.split('@')[0] ?? ''
  const parts = [local, name].flatMap(each => fold(each).split(/[^\p{L}]+/u)).filter(part => part.length >= 3)
  const whole = [email, local, name].flatMap(each => wordsOf(fold(each)))
  return new Set([...whole, ...parts].filter(word => word !== ''))
}

/** Rows of keys, the alphabet and the digits. A run in one of them, in either direction, is easy to guess. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '12345678901234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
].flatMap(row => [row, [...row].reverse().join('')])

const minRun = 3

/** Tells whether the text consists of nothing but runs: of three or more neighbours in a row, or of equal characters. */
function isSequence(text: string): boolean {
  let rest = text
  while (rest.length > 0) {
    const length = runAtStart(rest)
    if (length < minRun) return false
    rest = rest.slice(length)
  }
  return true
}

function runAtStart(text: string): number {
  const equal = /^(.)\1*/su.exec(text)?.[0].length ?? 0
  return Math.max(equal, ...rows.map(row => commonPrefix(text, row)))
}

function commonPrefix(text: string, row: string): number {
  const start = row.indexOf(text.charAt(0))
  if (start < 0) return 0
  let length = 0
  while (length < text.length && text[length] === row[start + length]) length++
  return length
}
