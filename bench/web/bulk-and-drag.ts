import type { Page } from 'playwright-core'
import { type Percentiles, percentiles, press } from './measure.ts'

/** From the key that sets the priority of all items of a list to its paint. The change is taken back before it is sent. */
export async function measureBulk(page: Page, samples: number, count: number): Promise<Percentiles> {
  const times: number[] = []
  for (let turn = 0; turn < samples; turn++) {
    await page.evaluate('probe.quiet()')
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByText(`${count} selected`).waitFor()
    await page.keyboard.press('p')
    await page.locator('[cmdk-input]').waitFor()
    await page.keyboard.type('Urgent')
    await page.locator('[cmdk-item][data-selected=true]', { hasText: 'Urgent' }).waitFor()
    const { ms } = await press(page, 'Enter')
    const urgent = await page.locator('.lrow [data-property=priority][aria-label*=Urgent]').count()
    if (urgent < 10) throw new Error(`bulk change: ${urgent} rows show it`)
    times.push(ms)
    await page.locator('.bulk-decision .btn-primary:enabled').waitFor() // The service has tried the change.
    await page.keyboard.press('Escape')
    await page.locator('.bulk-decision').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  }
  return percentiles(times)
}

const steps = 40

/** A card is carried over all columns and back: the time between two frames, and the longest of all. */
export async function measureDrag(page: Page, samples: number): Promise<Percentiles & { longest: number }> {
  const frames: number[] = []
  for (let turn = 0; turn < samples; turn++) {
    await page.evaluate('probe.quiet()')
    const from = await page.locator('section article.card').first().boundingBox()
    const to = await page.locator('section').nth(3).locator('article.card').nth(2).boundingBox()
    if (!from || !to) throw new Error('drag: there are no cards')
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 30, from.y + 30)
    await page.locator('.card.is-held').waitFor()
    await page.evaluate('probe.watchFrames()')
    await page.mouse.move(to.x + 20, to.y + 20, { steps })
    await page.locator('.col.is-target, .card[class*=drop-]').first().waitFor()
    await page.mouse.move(from.x + 30, from.y + 30, { steps })
    frames.push(...((await page.evaluate('probe.frames()')) as number[])) // What the probe answers.
    await page.keyboard.press('Escape')
    await page.mouse.up()
  }
  return { ...percentiles(frames), longest: Math.max(...frames) }
}
