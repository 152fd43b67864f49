import type { Language } from '../../start-here/start-here-texts.ts'

// The items of the sample company are tables in text, one row each, because so many of them must be read at a glance.

/** A text in every language. */
export type Texts = Readonly<Record<Language, string>>

/** Working days before today, or hours before now. */
export type Ago = { days: number } | { hours: number }

/** A state of an item and when it got there; the first one is its creation. */
interface SampleStep {
  state: string
  ago: Ago
}

export interface SampleComment {
  ago: Ago
  who: string
  /** m message of the requester · r reply · n internal note. */
  kind: string
  text: Texts
}

/** An item of the sample company. */
export interface SampleItem {
  steps: readonly SampleStep[]
  title: Texts
  /** The name by which other rows and links refer to it. */
  id?: string
  parent?: string
  priority?: string
  assignee?: string
  requester?: string
  cycle?: number
  points?: number
  estimate?: number
  /** Working days from today; negative ones are past. */
  due?: number
  labels: readonly string[]
  times: readonly { minutes: number; daysAgo: number }[]
  comments: SampleComment[]
}

/**
 * Reads rows `n3 p1 @ana ~60 | English title | German title`. The states come first, each with the working days (`n3`) or hours
 * (`n3h`) since. Then `!priority`, `@assignee` (`@me` is who loads it), `<requester`, `#label`, `~estimate` and `+minutes@days` of time in minutes,
 * `*points`, `%cycle`, `^due`, `=id` and `/parent`. A row that begins with `>` is a comment on the item above it.
 */
export function readRows(text: string): SampleItem[] {
  const items: SampleItem[] = []
  for (const row of text.trim().split('\n')) {
    const [facts = '', en = '', de = ''] = row.split('|').map(each => each.trim())
    const words = facts.split(' ')
    if (words[0] === '>') items.at(-1)?.comments.push(readComment(words, { en, de }))
    else items.push(readItem(words, { en, de }))
  }
  return items
}

function readComment([, ago = '', who = '', kind = '']: readonly string[], text: Texts): SampleComment {
  return { ago: readAgo(ago), who, kind, text }
}

function readItem(words: readonly string[], title: Texts): SampleItem {
  const first = (mark: string) => words.find(each => each.startsWith(mark))?.slice(1)
  const number = (mark: string) => {
    const text = first(mark)
    return text === undefined ? undefined : Number(text)
  }
  const facts = {
    id: first('='),
    parent: first('/'),
    priority: first('!'),
    assignee: first('@'),
    requester: first('<'),
    cycle: number('%'),
    points: number('*'),
    estimate: number('~'),
    due: number('^'),
  }
  return {
    // Absent facts are left out.
    ...Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)),
    title,
    steps: words.filter(isStep).map(each => ({ state: each.slice(0, 1), ago: readAgo(each.slice(1)) })),
    labels: words.filter(each => each.startsWith('#')).map(each => each.slice(1)),
    times: words.filter(each => each.startsWith('+')).map(readTime),
    comments: [],
  }
}

const isStep = (word: string) => /^[a-z]\d+h?$/.test(word)

function readAgo(text: string): Ago {
  const count = Number.parseInt(text, 10)
  return text.endsWith('h') ? { hours: count } : { days: count }
}

function readTime(word: string) {
  const [minutes, daysAgo] = word.slice(1).split('@').map(Number)
  return { minutes: minutes ?? 0, daysAgo: daysAgo ?? 0 }
}
