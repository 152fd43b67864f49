import { call, type Process, type SessionState } from '@gantry/sdk'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import type { Property } from '../../kernel/fields/fields.ts'
import { processesQuery, useProcesses, usersQuery } from '../catalogue.ts'
import { catalogueChoices } from './catalogue-choices.tsx'
import { coreProperties } from './core-properties.tsx'
import { type CustomProperty, customProperty } from './custom-properties.ts'

/** Every property of an item by its path: its own, and the fields of the tenant. */
export type ItemProperties = ReadonlyMap<string, Property>

const Known = createContext<ItemProperties>(new Map())

/** Describes the properties of items to everything inside. */
export function ItemPropertiesProvider({ children }: { children: ReactNode }) {
  return <Known.Provider value={useDescribed()}>{children}</Known.Provider>
}

export const useItemProperties = (): ItemProperties => useContext(Known)

/** The properties of the items of a container: of custom fields, those that its processes have. */
export function useContainerProperties(processIds: readonly string[]): ItemProperties {
  const all = useItemProperties()
  const processes = useProcesses()
  return useMemo(() => {
    const here = processes.filter(({ id }) => processIds.includes(id))
    const fields = new Set(here.flatMap(each => each.fields.map(({ fieldId }) => fieldId)))
    const isHere = (property: Property) => !isCustom(property) || fields.has(property.fieldId)
    return new Map([...all].filter(([, property]) => isHere(property)))
  }, [all, processes, processIds])
}

const isCustom = (property: Property): property is CustomProperty => 'fieldId' in property

const hour = 3_600_000

const list = { limit: 200 }

const fieldsQuery = queryOptions({
  queryKey: ['Field'],
  staleTime: hour,
  queryFn: () => call(gantry, 'GET /field', { query: list }),
})

const labelsQuery = queryOptions({
  queryKey: ['Label'],
  staleTime: hour,
  queryFn: () => call(gantry, 'GET /label', { query: { ...list, sort: 'name', fields: 'name,color' } }),
})

const cyclesQuery = queryOptions({
  queryKey: ['Cycle'],
  staleTime: hour,
  queryFn: () => call(gantry, 'GET /cycle', { query: { ...list, sort: '-startDate', fields: 'name,number,state' } }),
})

/** Asks for everything that describes properties, before something shows them. */
export function askForProperties(queries: QueryClient): void {
  void queries.prefetchQuery(processesQuery)
  void queries.prefetchQuery(usersQuery)
  void queries.prefetchQuery(fieldsQuery)
  void queries.prefetchQuery(labelsQuery)
  void queries.prefetchQuery(cyclesQuery)
}

/** The properties whose choices follow from the processes and the session alone. */
export function firstProperties(processes: readonly Process[], session: SessionState): ItemProperties {
  const known = catalogueChoices({ processes, users: undefined, labels: undefined, cycles: [], session })
  return new Map(coreProperties(known).map(property => [property.path, property]))
}

function useDescribed(): ItemProperties {
  const session = useSession()
  const processes = useProcesses()
  const { data: users } = useQuery(usersQuery)
  const { data: fields } = useQuery(fieldsQuery)
  const { data: labels } = useQuery(labelsQuery)
  const { data: cycles } = useQuery(cyclesQuery)
  // What an admin adds can be chosen, and whoever is new can be assigned and mentioned, without a reload.
  useLiveList(processesQuery.queryKey, { entity: 'Process' })
  useLiveList(fieldsQuery.queryKey, { entity: 'Field' })
  useLiveList(usersQuery.queryKey, { entity: 'User', properties: ['name', 'email', 'active'] })
  useLiveList(labelsQuery.queryKey, { entity: 'Label' })
  useLiveList(cyclesQuery.queryKey, { entity: 'Cycle' })
  return useMemo(() => {
    const known = catalogueChoices({ processes, users, labels, cycles: cycles ?? [], session })
    const custom = (fields ?? []).filter(({ isCore }) => !isCore).map(field => customProperty(field, known))
    return new Map([...coreProperties(known), ...custom].map(property => [property.path, property]))
  }, [session, processes, users, labels, cycles, fields])
}
