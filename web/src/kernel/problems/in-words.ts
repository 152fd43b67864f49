import { language } from '../messages/messages.ts'

// The service refuses in English, in parts of sentences. In another language the codes of a problem, and of its faults, say what it means.

type Texts = ReadonlyMap<string, string>

let loading: Promise<Texts> | undefined
let known: Texts = new Map()

/** Fetches the texts of the person's language, unless it is the one that the service speaks. */
export async function loadTexts(spoken = language()): Promise<Texts> {
  if (spoken !== 'de') return known
  loading ??= fetchTexts()
  known = await loading
  return known
}

async function fetchTexts(): Promise<Texts> {
  const [{ problemTexts }, { faultTexts }] = await Promise.all([
    import('./problem-texts.de.ts'),
    import('./fault-texts.de.ts'),
  ])
  return new Map(Object.entries({ ...faultTexts, ...problemTexts }))
}

/** What a code says, or the text of the service if the code is not known here. */
export const textOf = (code: unknown, text: string): string => known.get(String(code)) ?? capitalized(text)

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A response that says its problem in the language of the person. */
export async function inWords(response: Response, spoken = language()): Promise<Response> {
  if (response.ok || !isProblem(response)) return response
  await loadTexts(spoken).catch(() => undefined) // then it is said in English
  const { status, headers } = response
  return new Response(JSON.stringify(translated(await response.json())), { status, headers })
}

const isProblem = ({ headers }: Response) => headers.get('content-type')?.includes('problem+json')

interface ProblemPart {
  code?: string
  detail?: string
  Fields?: { Code: string; Message: string }[]
  /** What is refused of several records. */
  refused?: ProblemPart[]
}

/** What people of the tenant wrote is kept: the reasons of a constraint, and those of a rule that refuses. */
const [withOwnReasons, ownRefusal] = ['constraint-broken', 'vetoed']

function translated({ detail = '', Fields = [], refused, ...rest }: ProblemPart): ProblemPart {
  const isOwn = rest.code === withOwnReasons
  return {
    ...rest,
    detail: rest.code === ownRefusal ? detail : textOf(rest.code, detail),
    Fields: isOwn ? Fields : Fields.map(fault => ({ ...fault, Message: textOf(fault.Code, fault.Message) })),
    ...(Array.isArray(refused) ? { refused: refused.map(translated) } : {}),
  }
}
