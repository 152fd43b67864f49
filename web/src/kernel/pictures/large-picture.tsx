import { Download, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { type Picture, pictureAddress, showLarge } from './pictures.ts'

/** A picture over the page, as large as it fits. */
export function LargePicture({ picture: { fileId, name } }: { picture: Picture }) {
  return (
    <Dialog.Root open onOpenChange={open => !open && showLarge(undefined)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="large-picture" aria-describedby={undefined}>
          <div className="bar">
            <Dialog.Title className="strong grow cut">
              <bdi>{name}</bdi>
            </Dialog.Title>
            <a
              className="btn btn-ghost btn-icon"
              href={`/api/file/download/${fileId}`}
              download={name}
              aria-label={say.download}
            >
              <Download className="ic" />
            </a>
            <Dialog.Close asChild>
              <Button look="icon" aria-label={say.close}>
                <X className="ic" />
              </Button>
            </Dialog.Close>
          </div>
          <img src={pictureAddress(fileId)} alt={name} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
