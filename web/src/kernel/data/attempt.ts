import { isProblem } from '@gantry/sdk'
import { say } from '../connection/messages.ts'
import { useConnection } from './client.ts'
import { notify } from './undo.ts'

/** Does something that no form waits for, and says why if it could not be done. Returns whether it was done. */
export async function attempt(act: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    notify(reasonOf(error))
    return false
  }
}

/** Why something was not done. What is neither refused nor out of reach is a mistake of ours, and thrown again. */
export function reasonOf(error: unknown): string {
  if (isProblem(error)) return error.Fields[0]?.Message ?? error.message
  if (error instanceof TypeError && useConnection.getState().offline) return say.notReached
  throw error
}
