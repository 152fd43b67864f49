import { say } from './messages.ts'
import { type Picture, pictureAddress, showLarge, thumbOf } from './pictures.ts'

/** A small picture that opens large. One of which the service makes no small picture is shown as it is. */
export function Thumb({ picture, size }: { picture: Picture; size: 64 | 256 }) {
  const { fileId, name } = picture
  return (
    <button
      type="button"
      className={`thumb thumb-${size}`}
      aria-label={say.open(name)}
      onClick={() => showLarge(picture)}
    >
      <img
        src={thumbOf(fileId, size)}
        alt=""
        loading="lazy"
        onError={({ currentTarget }) => {
          const whole = pictureAddress(fileId)
          if (!currentTarget.src.endsWith(whole)) currentTarget.src = whole
        }}
      />
    </button>
  )
}
