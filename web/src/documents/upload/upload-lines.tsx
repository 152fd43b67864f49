import { CloudUpload, X } from 'lucide-react'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { useRunningUploads } from './running-uploads.ts'

/** The files that are on their way to a place: how far each is, and a way to cancel it. */
export function UploadLines({ place }: { place: string }) {
  const running = useRunningUploads(place)
  if (running.length === 0) return null
  return (
    <ul className="uploads" aria-label={say.uploads}>
      {running.map(({ key, name, share, cancel }) => {
        const percent = share === undefined ? undefined : Math.floor(share * 100)
        return (
          <li key={key} className="lnk">
            <CloudUpload className="ic" />
            <bdi className="cut grow dim">{name}</bdi>
            <span
              className="meta num"
              role="progressbar"
              aria-label={name}
              {...(percent === undefined ? {} : { 'aria-valuenow': percent, 'aria-valuetext': say.percent(percent) })}
            >
              {percent === undefined ? say.uploading : say.percent(percent)}
            </span>
            <Button look="icon" aria-label={say.cancel(name)} onClick={cancel}>
              <X className="ic" />
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
