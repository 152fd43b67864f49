import { call, type RemovedSample } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { refreshSession, sessionNow } from '../../kernel/data/session/session.ts'
import { remember } from '../../kernel/data/undo.ts'
import { language } from '../../kernel/messages/messages.ts'
import { say } from './messages.ts'

const queryKey = ['first-steps']

/** Whether the sample company is loaded, and whether the person is alone in the workspace. */
export function useBeginning(enabled: boolean) {
  return useQuery({
    queryKey,
    enabled,
    queryFn: async ({ signal }) => {
      const [sample, people] = await Promise.all([
        call(gantry, 'GET /tenant/sample', { signal }),
        call(gantry, 'GET /user', { query: { limit: 2, fields: 'id' }, signal }),
      ])
      return { isLoaded: sample.loaded, isAlone: people.length < 2 }
    },
  })
}

/** Loads and removes the sample company, one at a time. */
export function useSample() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'load' | 'remove'>()
  const [problem, setProblem] = useState<string>()
  const [kept, setKept] = useState<RemovedSample['kept']>([])
  const alone = async (what: 'load' | 'remove', act: () => Promise<void>) => {
    setDoing(what)
    setProblem(undefined)
    try {
      await act()
    } catch (error) {
      setProblem(reasonOf(error))
    } finally {
      setDoing(undefined)
      void client.invalidateQueries({ queryKey })
    }
  }
  const load = () =>
    alone('load', async () => {
      const from = location.pathname
      const known = new Set(sessionNow()?.containers.map(({ id }) => id))
      const query = { language: language() }
      const { changeSet } = await call(gantry, 'POST /tenant/sample', { query }).withResponse()
      remember(changeSet, say.loaded)
      const { containers } = await refreshSession()
      const boards = await call(gantry, 'GET /board', { query: { limit: 50 } })
      const place = containers.find(({ id }) => !known.has(id) && boards.some(({ ownerId }) => ownerId === id))
      // Whoever has gone on meanwhile is left alone.
      const isHere = location.pathname === from && !document.querySelector('[role=dialog]')
      if (place && isHere)
        await navigate({ to: '/container/$key', params: { key: place.key }, search: { view: 'board' } })
    })
  const remove = () =>
    alone('remove', async () => {
      const { answer, changeSet } = await call(gantry, 'DELETE /tenant/sample').withResponse()
      remember(changeSet, say.removed)
      setKept(answer.kept)
      await refreshSession()
    })
  return { doing, problem, kept, load, remove }
}
