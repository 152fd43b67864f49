import { allSettings, settingCalled } from '../../platform/setting.ts'
import type { CommandInput } from './command-input.ts'
import { options, withDatabase } from './command-input.ts'
import { help, UsageError } from './usage.ts'

export async function listSettings({ url }: CommandInput): Promise<string> {
  return await withDatabase(url, async ({ crossTenantSql }) => {
    const rows = await crossTenantSql<{
      key: string
      value: unknown
    }>`select key, value from operator_setting order by key`
    return rows.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`).join('\n') || 'no setting has a value'
  })
}

export async function setSetting({ url, words }: CommandInput): Promise<string> {
  const { key = '', value = '' } = options(words, { key: { type: 'string' }, value: { type: 'string' } })
  await import('../../app.ts') // the rooms declare the settings
  const definition = settingCalled(key)
  if (!definition)
    throw new UsageError(
      `there is no setting "${key}"; the settings are ${allSettings()
        .map(each => each.key)
        .join(', ')}`,
    )
  const parsed = parseValue(value)
  const [wrong] = definition.faults(parsed)
  if (wrong) throw new UsageError(`${key} ${wrong.Message}`)
  return await withDatabase(url, async ({ crossTenantSql }) => {
    await crossTenantSql`insert into operator_setting (key, value) values (${key}, ${JSON.stringify(parsed)}::jsonb)
      on conflict (key) do update set value = excluded.value, updated = now()`
    return `${key} = ${JSON.stringify(parsed)}`
  })
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`the value must be JSON, such as 14, true or '"text"'\n\n${help}`)
  }
}

export async function unsetSetting({ url, words }: CommandInput): Promise<string> {
  const { key = '' } = options(words, { key: { type: 'string' } })
  return await withDatabase(url, async ({ crossTenantSql }) => {
    await crossTenantSql`delete from operator_setting where key = ${key}`
    return `${key} has no value any more`
  })
}
