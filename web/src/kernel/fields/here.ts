import { useMemo } from 'react'
import { useSession } from '../data/session/session.ts'
import { today } from '../dates/days.ts'
import type { Here } from './field-type.ts'

/** Where the person is: their time zone, and the day there. */
export function useHere(): Here {
  const { timezone } = useSession().user
  const day = today(timezone)
  return useMemo(() => ({ timezone, today: day }), [timezone, day])
}
