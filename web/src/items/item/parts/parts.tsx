import type { Item } from '@gantry/sdk'
import { Checklist } from './checklist.tsx'
import { Children } from './children.tsx'
import { Clocks } from './clocks/clocks.tsx'
import { Files } from './files.tsx'
import { Links } from './links.tsx'
import { RulesThatLooked } from './rules.tsx'
import { TimeSpent } from './time/time.tsx'

/** What belongs to an item beside its properties. In a narrow place each part is folded. */
export function Parts({ item, folded }: { item: Item; folded: boolean }) {
  return (
    <>
      <Clocks item={item} />
      <TimeSpent item={item} folded={folded} />
      <Checklist item={item} folded={folded} />
      <Children item={item} folded={folded} />
      <Links item={item} folded={folded} />
      <Files item={item} folded={folded} />
      <RulesThatLooked item={item} />
    </>
  )
}
