import type { Item } from '@gantry/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Property } from '../../kernel/fields/fields.ts'
import { ProblemScreen } from '../../kernel/problems/problem-screen.tsx'
import { Skeleton } from '../../kit/kit.tsx'
import { select, useFocus } from '../focus.ts'
import { say } from '../messages.ts'
import { useKeepOrder } from '../neighbours.ts'
import { type Column, groupingOf, tracksOf } from './columns.ts'
import { useEnd, useFocusKept } from './focus-kept.ts'
import { GroupRow, ListFoot } from './group-row.tsx'
import { useListCommands } from './list-commands.ts'
import { ListHead } from './list-head.tsx'
import type { Criteria } from './list-query.ts'
import { ListRow } from './list-row.tsx'
import { useRowHeight } from './row-height.ts'
import { layoutOf, nameOf } from './sections.ts'
import { readAllIds, usePages, useSections } from './use-pages.ts'

export interface ListProps {
  criteria: Criteria
  properties: ReadonlyMap<string, Property>
  columns: readonly Column[]
  onColumns: (columns: readonly Column[]) => void
  onSort: (sort: string) => void
  onOpen: (item: Item) => void
  /** What stands where there are no items. */
  empty: ReactNode
  /** What belongs to the selection. */
  children?: ReactNode
}

/** Items by pages as they are scrolled to; rows outside the window do not exist. */
export function ItemList(props: ListProps) {
  const { criteria, properties, columns, onColumns, onSort, onOpen, empty, children } = props
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const grouping = useMemo(() => groupingOf(properties, criteria.group), [properties, criteria.group])
  const { sections, error, isLoading, refetch } = useSections(criteria, grouping)
  const layout = useMemo(() => layoutOf(sections, collapsed), [sections, collapsed])
  const grid = useRef<HTMLDivElement>(null)
  const { isMeasured, head, sizeOf } = useRowHeight()
  const rows = useVirtualizer({
    count: layout.count,
    getScrollElement: () => grid.current,
    estimateSize: index => sizeOf(layout.lineAt(index)?.at === undefined),
    overscan: 1,
    // The head stays above the rows.
    paddingStart: head,
    scrollPaddingStart: head + (grouping ? sizeOf(true) : 0),
  })
  const lines = rows.getVirtualItems()
  const [from, to] = [lines[0]?.index ?? 0, lines.at(-1)?.index ?? 40]
  const { ids, error: failed } = usePages(criteria, sections, layout, from, to)
  const open = useMemo(() => sections.filter(section => !collapsed.has(nameOf(section))), [sections, collapsed])
  const order = useMemo(
    () => open.flatMap(section => (ids.get(section) ?? []).map((id, at) => ({ id, section, at }))),
    [open, ids],
  )
  const inOrder = useMemo(() => order.map(({ id }) => id), [order])
  // The first rows are rendered in slices: until then their places are shown.
  const showsRows = useDeferredValue(inOrder.length > 0, false)
  useKeepOrder(inOrder)
  const latest = useRef(inOrder)
  latest.current = inOrder
  const idsNow = useCallback(() => latest.current, [])
  const scrollTo = useCallback(
    (id: string) => {
      const found = order.find(each => each.id === id)
      if (found) rows.scrollToIndex(layout.indexOf(found.section, found.at))
    },
    [order, layout, rows],
  )
  const total = useMemo(() => open.reduce((sum, each) => sum + each.count, 0), [open])
  const toEnd = useEnd(inOrder, total, () => rows.scrollToIndex(layout.count - 1))
  const selectAll = useCallback(async () => {
    select(latest.current)
    if (latest.current.length < total) select(await readAllIds(criteria))
  }, [criteria, total])
  useFocusKept(inOrder, total)
  useListCommands({ ids: idsNow, scrollTo, toEnd, selectAll, onOpen, sort: criteria.sort })
  useActiveRow(grid)
  const toggle = (name: string) =>
    setCollapsed(now => (now.has(name) ? new Set([...now].filter(each => each !== name)) : new Set([...now, name])))
  if (error || failed) return <ProblemScreen error={error ?? failed} onRetry={() => void refetch()} />
  if (isLoading) return <Skeleton />
  return (
    <section
      className="listpane"
      data-where="list"
      ref={element => element?.style.setProperty('--tracks', tracksOf(columns, properties))}
    >
      <div
        ref={grid}
        className="scroll"
        role="grid"
        tabIndex={0}
        aria-rowcount={layout.count}
        aria-label={say.list}
        aria-multiselectable="true"
      >
        <ListHead
          columns={columns}
          properties={properties}
          sort={criteria.sort}
          onSort={onSort}
          onColumns={onColumns}
        />
        {layout.count === 0 && empty}
        <div
          className="rows"
          role="rowgroup"
          ref={element => {
            if (element) element.style.height = `${rows.getTotalSize()}px`
          }}
        >
          {grouping &&
            sections.map(section => {
              const name = nameOf(section)
              const { first, last } = layout.linesOf(section)
              const [top, bottom] = [rows.measurementsCache[first]?.start, rows.measurementsCache[last]?.end]
              if (last < from || first > to || top === undefined || bottom === undefined) return null
              return (
                <GroupRow
                  key={name}
                  section={section}
                  isCollapsed={collapsed.has(name)}
                  top={top}
                  bottom={bottom}
                  onToggle={() => toggle(name)}
                />
              )
            })}
          {lines.map(({ index, start, key }) => {
            const line = layout.lineAt(index)
            if (line?.at === undefined) return null
            const name = nameOf(line.section)
            const id = ids.get(line.section)?.[line.at]
            if (!id || !showsRows) return <Waiting key={key} top={start} />
            return (
              <ListRow
                key={`${name} ${id}`}
                id={id}
                columns={columns}
                index={index}
                top={start}
                ids={idsNow}
                onOpen={onOpen}
                measure={isMeasured ? rows.measureElement : undefined}
              />
            )
          })}
        </div>
      </div>
      {children}
      <ListFoot sections={sections} />
    </section>
  )
}

/** The place of an item that is on its way. */
function Waiting({ top }: { top: number }) {
  return (
    <div
      className="row lrow is-waiting"
      role="row"
      tabIndex={-1}
      aria-busy="true"
      ref={element => {
        if (element) element.style.transform = `translateY(${top}px)`
      }}
    >
      <span role="gridcell" tabIndex={-1} className="sk" />
    </div>
  )
}

/** Tells assistive technology which row keys act on, without rendering the list. */
function useActiveRow(grid: { current: HTMLElement | null }): void {
  useEffect(
    () =>
      useFocus.subscribe(({ current }) => {
        if (current) grid.current?.setAttribute('aria-activedescendant', `row-${current}`)
        else grid.current?.removeAttribute('aria-activedescendant')
      }),
    [grid],
  )
}
