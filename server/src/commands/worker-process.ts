import { notifyForget, onForget } from '../kernel/memory.ts'
import { remoteLimits } from './shared-limits.ts'
import { maxWait, type Question, type ToWorker } from './worker-messages.ts'

const asked = new Map<number, (text: string) => void>()
let questions = 0

/** Sends a request to the first process; without an answer in time the result is empty. */
function ask(question: Question, wait = maxWait): Promise<{ number: number; text: string }> {
  const number = ++questions
  return new Promise(resolve => {
    const late = setTimeout(() => answered(number, ''), wait)
    asked.set(number, text => {
      clearTimeout(late)
      resolve({ number, text })
    })
    process.send?.({ ask: number, ...question })
  })
}

function answered(number: number, text: string): void {
  const resolve = asked.get(number)
  asked.delete(number)
  if (resolve) resolve(text)
  else if (text === 'entered') tellLeft(number) // nobody waits for the slot any more
}

function tellLeft(number: number): void {
  process.send?.({ left: number })
}

/** The limits that all processes share. */
export const limitsOfAll = remoteLimits(ask, tellLeft)

/** The metrics of all processes, summed. */
export async function metricsOfAll(): Promise<string> {
  return (await ask({ metrics: true }, 5000)).text
}

/** What a worker does with the database whose URL it receives. */
interface Work {
  welcome(url: string): Promise<void>
  /** Returns the function that stops it. */
  answer(url: string): Promise<() => Promise<void>>
}

/** One of several processes: works when it receives the database URL, stops when the first process says so or has ended. */
export function runAsWorker({ welcome, answer }: Work): void {
  let welcoming: Promise<void> | undefined
  let answering: Promise<() => Promise<void>> | undefined
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    await welcoming
    await (await answering?.catch(() => undefined))?.()
    process.exit(0)
  }
  onForget((tenantId, heard) => (heard ? undefined : ask({ forget: tenantId })))
  process.on('message', async (message: ToWorker) => {
    if (message === 'stop') await end()
    else if (typeof message !== 'object') return
    else if ('welcome' in message) {
      welcoming = welcome(message.welcome)
      await welcoming
      process.send?.('welcomed')
    } else if ('begin' in message) {
      answering = answer(message.begin)
      await answering
      process.send?.('ready')
    } else if ('answer' in message) answered(message.answer, message.text)
    else if ('forget' in message) {
      await notifyForget(message.forget, true)
      process.send?.({ forgot: message.number })
    }
  })
  process.on('disconnect', () => void end())
  process.send?.('loaded')
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {}) // the first process decides when to stop
}
