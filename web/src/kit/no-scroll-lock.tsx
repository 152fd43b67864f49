import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'

/** Stands for the scroll lock of Radix, which writes a style that the content policy refuses. */
export function RemoveScroll({
  as: _,
  allowPinchZoom: __,
  shards: ___,
  ...rest
}: ComponentProps<typeof Slot.Slot> & { as?: unknown; allowPinchZoom?: boolean; shards?: unknown }) {
  return <Slot.Slot {...rest} />
}
