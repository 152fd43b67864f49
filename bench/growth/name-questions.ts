import type { Question } from './measure.ts'
import { lastNumber } from './seed.ts'

/** Parts of names, by how many names contain them. */
type Parts = Record<string, (i: number) => string>

const customers = (size: number): Parts => ({
  none: i => `qzq${i}`,
  'none, of two characters': () => 'q9',
  few: i => `k${1000 + ((i * 97) % (size - 1000))}`,
  'one in two hundred': () => 'oldin',
  'every fourth': () => 'ltd',
  'nearly all, of one character': () => 'm',
})

const people = (size: number): Parts => ({
  none: i => `qzq${i}`,
  'none, of two characters': () => 'q9',
  few: i => `son${100 + ((i * 97) % Math.floor(size / 5 - 100))}@`,
  'one in two hundred': () => 'unio',
  'nearly all, of one character': () => 'e',
})

const numberOfKey = (i: number, size: number) => 1000 + ((i * 97) % (lastNumber(size) - 1000))

const keys = (size: number): Parts => ({
  none: () => 'qzq',
  few: i => String(numberOfKey(i, size)),
  'three digits': i => String(100 + (i % 900)),
  'one digit': i => String(1 + (i % 9)),
  'a container and the beginning of a number': i => `c1-${numberOfKey(i, size)}`,
  'a container': () => 'c3',
})

/** Questions for parts of names and keys, which lists and pickers ask while somebody types. */
export function nameQuestions(size: number): Question[] {
  const of = (what: string, list: string, parts: Parts, property: (what: string) => string) =>
    Object.entries(parts).flatMap(([how, part]) =>
      ['', '&count=exact'].map(count => ({
        title: `part of ${what}: ${how}${count && ', with a count'}`,
        repetitions: 40,
        request: (i: number) => ({
          method: 'GET',
          path: `${list}?${property(how)}[contains]=${encodeURIComponent(part(i))}&limit=20${list === '/item' ? '' : '&sort=name'}${count}`,
        }),
      })),
    )
  return [
    ...of('a key', '/item', keys(size), () => 'key'),
    ...of('a customer', '/finance/crm', customers(size), how => (how === 'few' ? 'code' : 'name')),
    ...of('a user', '/user', people(size), how => (how === 'few' ? 'email' : 'name')),
    ...of(
      'a requester of items',
      '/item',
      { none: i => `qzq${i}`, few: i => `gue ${100 + i}` },
      () => 'requester.name',
    ),
  ]
}
