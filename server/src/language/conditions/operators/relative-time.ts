import { and, type Sql } from '../../../kernel/sql.ts'
import { later, now, readDuration } from '../operands/moments.ts'
import { type Dated, type Ends, endsOf } from '../operands/operands.ts'
import type { Viewer } from '../vocabulary.ts'
import { isAtLeast, isAtMost, isLess, isMore } from './comparison.ts'

// The right side is a duration. The moment that it reaches has the precision of the left side: for a date, "within the
// last P7D" means today and the seven days before it.

export function isWithinLast(left: Dated, duration: string, viewer: Viewer): Sql {
  return and([isAtLeast(left, ago(left, duration, viewer)), isAtMost(left, present(left, viewer))])
}

export function isWithinNext(left: Dated, duration: string, viewer: Viewer): Sql {
  return and([isAtLeast(left, present(left, viewer)), isAtMost(left, ahead(left, duration, viewer))])
}

export function isOlder(left: Dated, duration: string, viewer: Viewer): Sql {
  return isLess(left, ago(left, duration, viewer))
}

export function isLater(left: Dated, duration: string, viewer: Viewer): Sql {
  return isMore(left, ahead(left, duration, viewer))
}

function ago(left: Dated, duration: string, viewer: Viewer): Ends {
  return endsOf(left, later(now(viewer), readDuration(duration).negated()), viewer)
}

function ahead(left: Dated, duration: string, viewer: Viewer): Ends {
  return endsOf(left, later(now(viewer), readDuration(duration)), viewer)
}

function present(left: Dated, viewer: Viewer): Ends {
  return endsOf(left, now(viewer), viewer)
}
