import { isProblem } from '@gantry/sdk'

/** The error of a question that is shown: while the service is out of reach, what was kept of its last answer stays on the screen instead. */
export function shownError<E>({ data, error }: { data: unknown; error: E }): E | null {
  return data !== undefined && !isProblem(error) ? null : error
}
