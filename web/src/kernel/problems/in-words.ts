import { language } from '../messages/messages.ts'

// The service refuses in English, in parts of sentences. In another language the codes of a problem, and of its faults, say what it means.

let german: ReadonlyMap<string, string> = new Map()

/** Fetches the texts of the person's language, unless it is the one that the service speaks. What failed is fetched again by the next call. */
export async function loadTexts(spoken = language()): Promise<void> {
  if (spoken !== 'de' || german.size > 0) return
  const [{ problemTexts }, { faultTexts }] = await Promise.all([
    import('./problem-texts.de.ts'),
    import('./fault-texts.de.ts'),
  ])
  german = new Map(Object.entries({ ...faultTexts, ...problemTexts }))
}

/** What a code says, or the text of the service if the code is not known here. */
export const textOf = (code: unknown, text: string, spoken = language()): string =>
  (spoken === 'de' && german.get(String(code))) || capitalized(text)

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A response that says its problem in the language of the person. */
export async function inWords(response: Response, spoken = language()): Promise<Response> {
  if (response.ok || !isProblem(response)) return response
  await loadTexts(spoken).catch(() => undefined) // then it is said in English
  const { status, headers } = response
  return new Response(JSON.stringify(refusalInWords(await response.json(), spoken)), { status, headers })
}

const isProblem = ({ headers }: Response) => headers.get('content-type')?.includes('problem+json')

/** What says why something is refused: a problem, or what a problem or an answer says of one of several records. */
interface Refusal {
  code?: string | undefined
  detail?: string | undefined
  Fields?: readonly Record<string, unknown>[] | undefined
  refused?: readonly Refusal[] | undefined
}

/** People of the tenant write the faults of a constraint, and the detail of a rule that refuses: they are kept. */
const codeOfOwnFaults = 'constraint-broken'
const codeOfOwnDetail = 'vetoed'

/** A refusal in the language of the person, as sentences. */
export function refusalInWords(refusal: Refusal, spoken = language()): Refusal {
  const { code, detail = '', Fields = [], refused } = refusal
  const faults = Fields.map(fault => ({ ...fault, Message: textOf(fault.Code, String(fault.Message), spoken) }))
  return {
    ...refusal,
    detail: code === codeOfOwnDetail ? detail : textOf(code, detail, spoken),
    Fields: code === codeOfOwnFaults ? Fields : faults,
    ...(Array.isArray(refused) ? { refused: refused.map(each => refusalInWords(each, spoken)) } : {}),
  }
}
