import { Worker } from 'node:worker_threads'
import type { ParsedMail } from './parsed-mail.ts'

/** A message that cannot be parsed: it takes too long, needs too much memory, or is no message. */
export class UnreadableMail extends Error {}

export interface MailParser {
  parse(raw: Buffer): Promise<ParsedMail>
  close(): Promise<void>
}

interface Answer {
  number: number
  parsed?: ParsedMail
  fault?: string
}

interface Options {
  /** The timeout for one message; ms. */
  patience?: number
  /** The memory limit of the thread; MiB. */
  memory?: number
}

/** Parses messages in a thread of its own, one after the other. The thread of a message that hangs or exceeds its memory is ended. */
export function openMailParser({ patience = 20_000, memory = 256 }: Options = {}): MailParser {
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let numbers = 0

  function start(): Worker {
    const made = new Worker(new URL('./parser-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: 4 },
    })
    made.unref()
    return made
  }

  async function ask(raw: Buffer): Promise<ParsedMail> {
    thread ??= start()
    const asked = thread
    const number = ++numbers
    try {
      return await answerOf(asked, number, () => asked.postMessage({ number, raw: new Uint8Array(raw) }))
    } catch (error) {
      thread = undefined
      asked.on('error', () => {}) // the error was reported already
      await asked.terminate()
      throw error
    }
  }

  function answerOf(asked: Worker, number: number, send: () => void): Promise<ParsedMail> {
    return new Promise<ParsedMail>((resolve, reject) => {
      const late = setTimeout(
        () => end(() => reject(new UnreadableMail('parsing the message takes too long'))),
        patience,
      )
      const hear = ({ number: answered, parsed, fault = 'the message cannot be parsed' }: Answer) => {
        if (answered === number) end(() => (parsed ? resolve(parsed) : reject(new UnreadableMail(fault))))
      }
      const fail = (error: Error) =>
        end(() => reject(new UnreadableMail(`the message cannot be parsed: ${error.message}`)))
      const die = () => end(() => reject(new UnreadableMail('parsing the message needs too much memory')))
      const end = (settle: () => void) => {
        clearTimeout(late)
        asked.off('message', hear).off('error', fail).off('exit', die)
        settle()
      }
      asked.on('message', hear).on('error', fail).on('exit', die)
      send()
    })
  }

  return {
    parse(raw) {
      const turn = last.then(() => ask(raw))
      last = turn.catch(() => {})
      return turn
    },
    async close() {
      await last
      await thread?.terminate()
    },
  }
}
