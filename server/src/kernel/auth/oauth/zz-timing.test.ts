import { test } from 'node:test'
import { openAttempts } from './attempts.ts'
import { signIn } from './sign-in.ts'
import { makeTenant, makeUser, openTestDatabase } from './test-service.ts'

test('t', async () => {
  const database = await openTestDatabase()
  const tenantId = await makeTenant(database)
  const users: { email: string }[] = []
  for (let i = 0; i < 400; i++) users.push(await makeUser(database, tenantId, `u${i}@example.com`))
  const attempts = openAttempts(1e9)
  const once = async (email: string) => {
    const s = performance.now()
    await signIn(database, attempts, { email, password: 'wrong password xx', workspace: '', ip: '1.1.1.1' })
    return performance.now() - s
  }
  for (let i = 0; i < 50; i++) await once('warm@example.com')
  const known: number[] = [],
    unknown: number[] = []
  for (let i = 0; i < 3600; i++) {
    const u = users[i % 400]
    if (Math.random() < 0.5) {
      known.push(await once(u?.email ?? ''))
      unknown.push(await once(`x${i}@example.com`))
    } else {
      unknown.push(await once(`x${i}@example.com`))
      known.push(await once(u?.email ?? ''))
    }
  }
  const med = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1] ?? 0
  const mean = (a: number[]) => a.reduce((x, y) => x + y, 0) / a.length
  const v = (a: number[]) => a.reduce((x, y) => x + (y - mean(a)) ** 2, 0) / (a.length - 1)
  console.log(
    'medians',
    med(known),
    med(unknown),
    'means',
    mean(known),
    mean(unknown),
    'welch t',
    (mean(known) - mean(unknown)) / Math.sqrt(v(known) / known.length + v(unknown) / unknown.length),
  )
})
