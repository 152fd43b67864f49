/**
 * Whether proofs run in their long form: every case of each, which takes too long for `npm test`. The short form runs the same
 * tests with a part of their cases.
 */
export const isLong: boolean = process.env.TEST_FORM === 'long'

/** All cases in the long form; in the short form one of every `interval`, evenly spread over them and always the same. */
export function casesOf<Case>(all: readonly Case[], interval: number): readonly Case[] {
  return isLong ? all : all.filter((_, i) => i % interval === 0)
}
