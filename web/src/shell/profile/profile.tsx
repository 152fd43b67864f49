import { call, codes } from '@gantry/sdk'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { patchSession, useSession } from '../../kernel/data/session/session.ts'
import { remember } from '../../kernel/data/undo.ts'
import { Avatar, Button } from '../../kit/kit.tsx'
import { signOut } from '../sign-out.ts'
import { ApiKeys } from './api-keys.tsx'
import { Devices } from './devices.tsx'
import { Feeds } from './feeds.tsx'
import { say } from './messages.ts'
import { Notifications } from './notifications.tsx'
import { Passkeys } from './passkeys.tsx'
import { Look, PlaceAndLanguage } from './place-and-look.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** What belongs to the person alone. Everything is saved as it is changed. */
export function Profile() {
  return (
    <>
      <header className="bar">
        <h1 className="grow">{say.profile}</h1>
        <Button look="ghost" onClick={() => void endAll()}>
          {say.signOutAll}
        </Button>
        <Button look="ghost" onClick={() => void signOut()}>
          {say.signOut}
        </Button>
      </header>
      <div className="profile">
        <div className="scroll">
          <Person />
          <Devices />
          <ApiKeys />
          <Notifications />
          <Feeds />
        </div>
        <div className="scroll side-col">
          <Passkeys />
          <SecondFactor />
          <PlaceAndLanguage />
          <Look />
          <Shortcuts />
        </div>
      </div>
    </>
  )
}

/** Ends every session of the person, this one last. */
async function endAll(): Promise<void> {
  await attempt(async () => {
    const sessions = await call(gantry, 'GET /session/all')
    for (const { id } of sessions.filter(({ current }) => !current))
      await call(gantry, 'DELETE /session/{id}', { path: { id } })
    await signOut()
  })
}

function Person() {
  const { user } = useSession()
  const [name, setName] = useState(user.name)
  const save = (values: { name?: string; avatarFileId?: string }) =>
    attempt(async () => {
      const { answer, changeSet } = await call(gantry, 'PATCH /user/me', { body: values }).withResponse()
      patchSession({ user: { ...user, name: answer.name, avatarFileId: answer.avatarFileId || null } })
      remember(changeSet, say.saved)
    })
  const upload = (file: File | undefined) =>
    file &&
    attempt(async () => {
      const stored = await call(gantry, 'POST /file', { body: { file, owner: codes.owner.user, ownerId: user.id } })
      await save({ avatarFileId: stored.id })
    })
  return (
    <div className="whois">
      {user.avatarFileId ? (
        <img className="av av-xl" src={`/api/file/download/${user.avatarFileId}?inline=true`} alt="" />
      ) : (
        <Avatar id={user.id} name={user.name} size="l" />
      )}
      <div className="grow">
        <input
          className="name-edit"
          aria-label={say.name}
          value={name}
          dir="auto"
          onChange={event => setName(event.target.value)}
          onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
          onBlur={() => name.trim() !== '' && name !== user.name && void save({ name: name.trim() })}
        />
        <p className="meta">
          <bdi>{user.email}</bdi>
        </p>
      </div>
      <label className="btn">
        {say.picture}
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="sr"
          onChange={event => void upload(event.target.files?.[0])}
        />
      </label>
    </div>
  )
}
