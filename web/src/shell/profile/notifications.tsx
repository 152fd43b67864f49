import { call, type SetPreferenceNotification } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { remember } from '../../kernel/data/undo.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Sect } from './parts.tsx'

const queryKey = ['notification-preference']

/** How often mail is sent, in the order of the codes. */
const digests = [0, 1, 2, 3]

/** How often mail is sent, and of what the person is not told. */
export function Notifications() {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey, queryFn: () => call(gantry, 'GET /notification/preference') })
  if (!data) return null
  const set = (body: SetPreferenceNotification) =>
    attempt(async () => {
      const { answer, changeSet } = await call(gantry, 'PUT /notification/preference', { body }).withResponse()
      client.setQueryData(queryKey, answer)
      remember(changeSet, say.saved)
    })
  const muted = data.events.filter(({ inbox }) => inbox === false)
  return (
    <Sect title={say.notifications}>
      <label className="f">
        <span>{say.mail}</span>
        <select
          className="input"
          value={data.digest}
          onChange={event => void set({ digest: Number(event.target.value) })}
        >
          {digests.map(code => (
            <option key={code} value={code}>
              {say.digest(code)}
            </option>
          ))}
        </select>
      </label>
      <label className="f">
        <span>{say.mailsPerDay}</span>
        <input
          className="input"
          type="number"
          min={1}
          max={200}
          defaultValue={data.mailsPerDay ?? ''}
          placeholder={data.mailLimit > 0 ? String(data.mailLimit) : ''}
          onBlur={({ target: { value } }) => {
            const mailsPerDay = value === '' ? null : Number(value)
            if (mailsPerDay !== data.mailsPerDay) void set({ mailsPerDay })
          }}
        />
      </label>
      <p className="hint">{say.mailsPerDayHint}</p>
      <label className="hstack quiet-line">
        <input
          type="checkbox"
          checked={data.quietHours}
          onChange={event => void set({ quietHours: event.target.checked })}
        />
        {say.quiet}
      </label>
      {muted.length > 0 && <p className="hint">{say.muted}</p>}
      {muted.map(choice => (
        <div key={`${choice.event} ${choice.containerId}`} className="pkey">
          <span />
          <code>{choice.event}</code>
          <Button look="ghost" onClick={() => void set({ events: data.events.filter(each => each !== choice) })}>
            {say.tell}
          </Button>
        </div>
      ))}
    </Sect>
  )
}
